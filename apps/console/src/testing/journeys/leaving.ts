import type { Page } from "playwright-core";
import { expect } from "vitest";
import { hold, it, journeySizes, nightlySizes } from "../journey.ts";

const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const policyName = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });

/** Opens another page by the navigation, which is behind a button on a phone. */
async function goTo(page: Page, name: string): Promise<void> {
  const navigation = button(page, "Navigation");
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  if ((await navigation.isVisible()) && (await navigation.getAttribute("aria-expanded")) === "false")
    await navigation.click();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name }).click();
}

export function leavingJourneys(): void {
  it.for(journeySizes)(
    "is asked for before what somebody has written is lost (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization(`Unsaved, ${size}`);
      const page = await open(`/${user.organizationId}/policies`, { user, size });
      await page.getByRole("link", { name: "New policy" }).first().click();
      await heading(page, "New policy").waitFor();
      // Nothing is written yet.
      await goTo(page, "Cards");
      await heading(page, "Cards").waitFor();
      await page.goBack();
      await policyName(page).fill("Travel");

      const question = page.getByRole("dialog", { name: "Leave without saving?" });
      for (const leave of [() => page.goBack(), () => goTo(page, "Cards")]) {
        await leave();
        await question.getByRole("button", { name: "Stay" }).click();
        await question.waitFor({ state: "detached" });
        await page.waitForURL("**/policies/new");
        expect(await policyName(page).inputValue()).toBe("Travel");
      }
      const asked = page.waitForEvent("dialog");
      const reload = page.evaluate("location.reload()");
      const browserQuestion = await asked;
      expect(browserQuestion.type()).toBe("beforeunload");
      await browserQuestion.dismiss();
      await reload;
      expect(await policyName(page).inputValue()).toBe("Travel");

      await goTo(page, "Cards");
      await question.getByRole("button", { name: "Leave" }).click();
      await heading(page, "Cards").waitFor();
      await page.goBack();
      await policyName(page).fill("Trips");
      await button(page, "Create the policy").click();
      await page.getByRole("row").filter({ hasText: "Trips" }).waitFor();
      expect(await question.count()).toBe(0);
    },
  );

  it.for(nightlySizes)(
    "is asked for before a dialog with something written is closed by the way (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization(`Dialogs, ${size}`);
      const page = await open(`/${user.organizationId}/team`, { user, size });
      const invite = page.getByRole("dialog", { name: "Invite a person" });
      const address = invite.getByLabel("E-mail address");
      const question = page.getByRole("dialog", { name: "Discard what you have written?" });
      await button(page, "Invite a person").click();
      await address.press("Escape");
      await invite.waitFor({ state: "detached" });
      await button(page, "Invite a person").click();
      await address.fill("robin@example.com");
      await address.press("Escape");
      await question.waitFor();
      // Escape answers the question alone.
      await page.keyboard.press("Escape");
      await question.waitFor({ state: "detached" });
      expect(await address.inputValue()).toBe("robin@example.com");
      await address.press("Escape");
      await question.getByRole("button", { name: "Discard" }).click();
      await invite.waitFor({ state: "detached" });
      await button(page, "Invite a person").click();
      expect(await address.inputValue()).toBe("");
      // A button that says so needs no question.
      await address.fill("robin@example.com");
      await invite.getByRole("button", { name: "Cancel" }).click();
      await invite.waitFor({ state: "detached" });
    },
  );

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

  it.for(nightlySizes)(
    "does not lose what is written when the session ends (%s)",
    async (size, { console, open }) => {
      const user = await console.newUser(`Signed out, ${size}`);
      const { organizationId, purser } = user;
      const path = `/${organizationId}/policies/new`;
      const page = await open(path, { user, size, ownContext: true });
      await policyName(page).fill("Travel");
      const headers = { origin: console.base };
      await page.context().request.post(`${console.base}/api/auth/sign-out`, { headers, data: {} });
      // Reads what the draft would have declined, which is refused.
      await page.getByRole("switch", { name: "ATM withdrawals" }).click();
      const notice = page.getByRole("alert").filter({ hasText: "You are signed out" });
      await notice.waitFor();
      // Prepares to open a page, which is refused as well, and must open later.
      if (size === "desktop")
        await page.getByRole("navigation").getByRole("link", { name: "Policies" }).hover();
      const [signIn] = await Promise.all([
        page.context().waitForEvent("page"),
        notice.getByRole("link", { name: "Sign in again (new tab)" }).click(),
      ]);
      await signIn.getByLabel("E-mail address").fill(user.email);
      await signIn.getByLabel("Password").fill(user.password);
      await signIn.keyboard.press("Enter");
      await heading(signIn, "Overview").waitFor();
      expect(await policyName(page).inputValue()).toBe("Travel");
      // It continues by itself.
      await notice.waitFor({ state: "detached" });
      await page.getByText("No purchase was approved in this time").waitFor();
      await button(page, "Create the policy").click();
      await page.getByRole("row").filter({ hasText: "Travel" }).waitFor();
      const [policy] = await purser.cards.policies.list({ organizationId });
      expect(policy).toMatchObject({ name: "Travel", allowAtm: false });
    },
  );

  keysOnceShown();
  openedRows();
}

function keysOnceShown(): void {
  it.for(nightlySizes)(
    "does not lose a key before somebody says that it is stored (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization(`Keys, ${size}`);
      const { organizationId, purser } = user;
      const page = await open(`/${organizationId}/policies`, { user, size });
      await goTo(page, "Developers");
      const answer = await hold(page, /keys\.create/);
      await button(page, "Create a key").click();
      await page.getByLabel("Name", { exact: true }).fill("Export");
      await button(page, "Create the key").click();
      await page.keyboard.press("Escape");
      answer();
      const key = page.getByLabel("API key", { exact: true });
      await key.waitFor();
      await page.keyboard.press("Escape");
      const question = page.getByRole("dialog", { name: "Leave without storing it?" });
      await page.goBack();
      await question.getByRole("button", { name: "Stay" }).click();
      await question.waitFor({ state: "detached" });
      expect(await key.textContent()).toMatch(/^purser_/);
      await button(page, "I have stored it").click();
      await key.waitFor({ state: "detached" });
      await page.goBack();
      await heading(page, "Policies").waitFor();
      expect(await purser.keys.list({ organizationId })).toHaveLength(1);
    },
  );

  it.for(nightlySizes)(
    "makes one key, also if its answer is lost and somebody tries again (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization(`Lost keys, ${size}`);
      const { organizationId, purser } = user;
      const page = await open(`/${organizationId}/developers`, { user, size });
      const calls = /keys\.create/;
      await page.route(calls, async (route) => {
        await route.fetch();
        await route.abort("connectionrefused");
      });
      await button(page, "Create a key").click();
      await page.getByLabel("Name", { exact: true }).fill("Export");
      const create = button(page, "Create the key");
      await create.click();
      await page.getByRole("alert").filter({ hasText: "Purser cannot be reached" }).waitFor();
      await page.unroute(calls);
      await create.click();
      // Whoever reads only the title must not make another one.
      const lost = page.getByRole("alert").filter({ hasText: "The key was created, but was lost" });
      await lost.getByText("It worked, but the answer was lost").waitFor();
      await page.getByRole("table", { name: "API keys" }).getByText("Export").waitFor();
      expect(await purser.keys.list({ organizationId })).toHaveLength(1);
    },
  );
}

function openedRows(): void {
  it.for(nightlySizes)(
    "is done by rows that are links, so that another tab can have them (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization(`Rows, ${size}`);
      const { organizationId, purser } = user;
      const { id } = await purser.cards.policies.create({ organizationId, name: "Travel" });
      const page = await open(`/${organizationId}/policies`, { user, size });
      const row = page.getByRole("row").filter({ hasText: "Travel" });
      const path = `/${organizationId}/policies/${id}`;
      await row.waitFor();
      // Anywhere in the row.
      const [other] = await Promise.all([
        page.context().waitForEvent("page"),
        row.click({ button: "middle" }),
      ]);
      await other.waitForURL(`**${path}`);
      await other.close();
      expect(new URL(page.url()).pathname).toBe(`/${organizationId}/policies`);
      await row.getByRole("link", { name: "Travel" }).press("Enter");
      await heading(page, "Travel").waitFor();
      expect(new URL(page.url()).pathname).toBe(path);
    },
  );
}
