import type { Page } from "playwright-core";
import { expect } from "vitest";
import { it, nightlySizes } from "../journey.ts";

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const policyName = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });

/** Opens another page by the navigation, which is behind a button on a phone. */
async function goTo(page: Page, name: string): Promise<void> {
  const navigation = button(page, "Navigation");
  if (await navigation.isVisible()) await navigation.click();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click();
}

/** Holds the answers to calls until they are let through. */
async function hold(page: Page, calls: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(calls, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

export function leavingJourneys(): void {
  it.for(nightlySizes)(
    "does not happen to somebody who has opened another page before an action has finished (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization(`Moved on, ${size}`);
      const { organizationId, purser } = user;
      await purser.webhookEndpoints.create({ organizationId, url: `${console.base}/dev/webhooks` });
      const page = await open(`/${organizationId}/developers?tab=webhooks`, { user, size });
      const answer = await hold(page, /webhookEndpoints\.test/);
      await button(page, "Send a test event").click();
      await goTo(page, "Policies");
      await page.getByRole("link", { name: "New policy" }).first().click();
      await policyName(page).fill("Travel");
      answer();
      await page.getByText("The test event is on its way").waitFor();
      expect(new URL(page.url()).pathname).toBe(`/${organizationId}/policies/new`);
      expect(await page.getByRole("dialog").count()).toBe(0);
      expect(await policyName(page).inputValue()).toBe("Travel");
    },
  );
}
