import type { Page } from "playwright-core";
import { hold, it, nightlySizes } from "../journey.ts";

/** Opens a page of the navigation, which is behind a button on a phone. */
async function go(page: Page, size: "desktop" | "phone", name: string): Promise<void> {
  if (size === "phone") await page.getByRole("button", { name: "Navigation" }).click();
  await page.getByRole("link", { name, exact: true }).click();
}

export function sessionJourneys(): void {
  it.for(nightlySizes)(
    "opens a page at once, while who is signed in is read again (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const page = await open("/assets/purser.svg", { user: owner, size });
      await page.clock.install();
      await page.goto(`${console.base}/${owner.organizationId}`);
      await page.getByRole("heading", { name: "Newest activity" }).waitFor();
      await go(page, size, "Accounts");
      await page.getByRole("heading", { level: 1, name: "Accounts" }).waitFor();
      await page.clock.fastForward("02:00");
      const letThrough = await hold(page, /me\.get/);
      await go(page, size, "Cards");
      // The client gives up on a call after 30 seconds.
      await page.getByRole("heading", { level: 1, name: "Cards" }).waitFor({ timeout: 20_000 });
      letThrough();
      await page.unrouteAll({ behavior: "wait" });
    },
  );

  it.for(nightlySizes)(
    "comes back from the account, or from a new organization, to the one that was open (%s)",
    async (size, { console, open }) => {
      const user = await console.newUser(`Older, ${size}`);
      const { id: newer } = await user.purser.organizations.create({ name: `Newer, ${size}` });
      const options = { user, size, ownContext: true };
      const page = await open("/", options);
      await page.waitForURL(`**/${newer}`);
      await page.goto(`${console.base}/${user.organizationId}`);
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      for (const [path, link] of [
        ["account", "Back to the console"],
        ["welcome", "Back to your organizations"],
      ] as const) {
        await page.goto(`${console.base}/${path}`);
        await page.getByRole("link", { name: link }).click();
        await page.waitForURL(`**/${user.organizationId}`);
      }
    },
  );
}
