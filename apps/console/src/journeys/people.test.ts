import { randomUUID } from "node:crypto";
import { createPurserAuth } from "@purser/client/auth";
import { createPurserClient } from "@purser/client";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestConsole, journeySizes, startTestConsole } from "../testing/console.ts";

let console: TestConsole;
beforeAll(async () => (console = await startTestConsole()), 240_000);
afterAll(() => console?.close());

const timeout = 180_000;
const password = "correct horse battery";

/** Fills the form of sign-up. A new user has no session elsewhere. */
async function signUp(page: Page, name: string, email: string): Promise<void> {
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
}

/** Opens the newest mail to this address whose subject has these words, and follows its link. */
async function followLinkOf(page: Page, email: string, subject: RegExp): Promise<void> {
  const mail = page.getByRole("row").filter({ hasText: email }).getByRole("link", { name: subject }).first();
  // A job sends it, after the response.
  await expect
    .poll(async () => (await page.goto(`${console.base}/dev/mail`), mail.count()), { timeout: 60_000 })
    .toBe(1);
  await mail.click();
  await page.locator("pre a").first().click();
}

async function clientOf(email: string) {
  const { bearerToken } = await createPurserAuth({ baseUrl: console.base }).signIn.email({ email, password });
  return createPurserClient({ baseUrl: console.base, token: bearerToken ?? "" });
}

describe("people", () => {
  it.each(journeySizes)(
    "sign up, invite a colleague, and each sees what is theirs (%s)",
    { timeout },
    async (size) => {
      const [ownerEmail, colleagueEmail] = ["owner", "colleague"].map(
        // The mailbox of this folder may have mails of earlier runs.
        (name) => `${name}-${randomUUID()}@example.com`,
      ) as [string, string];
      const { page: owner, violations } = await console.open("/sign-up", { size });
      await signUp(owner, "Ada", ownerEmail);
      await owner.getByRole("heading", { name: "Create your organization" }).waitFor();
      await owner.getByRole("textbox", { name: "Name" }).fill(`Engines ${size}`);
      await owner.getByRole("button", { name: "Create" }).click();
      await owner.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      const organizationId = new URL(owner.url()).pathname.split("/")[1]!;

      await owner.goto(`${console.base}/${organizationId}/team`);
      await owner.getByRole("button", { name: "Invite a person" }).click();
      const dialog = owner.getByRole("dialog", { name: "Invite a person" });
      await dialog.getByLabel("E-mail address").fill(colleagueEmail);
      await dialog.getByRole("button", { name: "Send the invitation" }).click();
      await owner.getByText(`The invitation is on its way to ${colleagueEmail}`).waitFor();

      const { page: colleague, violations: others } = await console.open("/dev/mail", { size });
      await followLinkOf(colleague, colleagueEmail, /^Join /);
      await colleague.getByRole("link", { name: "Create an account" }).click();
      await signUp(colleague, "Grace", colleagueEmail);
      await colleague.getByRole("button", { name: "Accept the invitation" }).click();
      await colleague.getByRole("link", { name: "Go to your organizations" }).click();
      await colleague.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

      // The owner's page sees the new member without being asked to.
      await owner.getByRole("tab", { name: "Members" }).click();
      await owner.getByRole("row").filter({ hasText: "Grace" }).waitFor();

      const purser = await clientOf(ownerEmail);
      const bank = { provider: "sandbox", providerId: "sandbox-bank", consentId: "mine" } as const;
      await purser.banking.connections.connect({ teamId: organizationId, ...bank });
      const listAccounts = () => purser.banking.accounts.list({ teamId: organizationId });
      await expect.poll(listAccounts, { timeout: 60_000 }).not.toHaveLength(0);
      const [account] = await listAccounts();
      const members = await purser.organizations.members.list({ organizationId });
      const { id: policyId } = await purser.cards.policies.create({ organizationId, name: "Any" });
      const issue = (assignedToId: string, nickname: string) =>
        purser.cards.create({
          organizationId,
          assignedToId,
          fundingAccountId: account!.id,
          policyId,
          nickname,
          purpose: "BUSINESS",
        });
      const [colleagueId, ownerId] = ["MEMBER", "OWNER"].map(
        (role) => members.find((member) => member.role === role)!.userId,
      );
      const own = await issue(colleagueId!, "Grace’s card");
      const foreign = await issue(ownerId!, "Ada’s card");

      await colleague.goto(`${console.base}/${organizationId}/cards`);
      await colleague.getByText(own.nickname!).first().waitFor();
      expect(await colleague.getByText(foreign.nickname!).count()).toBe(0);
      expect(await colleague.getByRole("link", { name: "New card" }).count()).toBe(0);
      await colleague.goto(`${console.base}/${organizationId}/cards/${foreign.id}`);
      await colleague.getByText("There is no such card").first().waitFor();
      await colleague.goto(`${console.base}/${organizationId}/team`);
      await colleague.getByRole("row").filter({ hasText: "Ada" }).waitFor();
      expect(await colleague.getByRole("button", { name: "Invite a person" }).count()).toBe(0);
      expect([...violations, ...others]).toEqual([]);
      await Promise.all([owner.context().close(), colleague.context().close()]);
    },
  );

  it.each(journeySizes)(
    "are invited again, made owners and removed, and the organization gets its name and its time zone (%s)",
    { timeout },
    async (size) => {
      const owner = await console.newUser(`Roles ${size}`);
      const colleague = await console.newUser();
      const { organizationId, purser } = owner;
      const invitations = () => purser.organizations.invitations.list({ organizationId });
      const invite = (email: string) =>
        purser.organizations.invitations.create({ organizationId, email, role: "MEMBER" });
      await invite(colleague.email);
      await colleague.purser.organizations.invitations.accept({ id: (await invitations())[0]!.id });
      await invite("later@example.com");
      const { page, violations } = await console.open(`/${organizationId}/team?tab=invitations`, {
        user: owner,
        size,
      });
      await page.getByRole("button", { name: "Send again: the invitation to later@example.com" }).click();
      await page.getByText("The invitation is on its way to later@example.com again").waitFor();
      await page.getByRole("button", { name: "Revoke: the invitation of later@example.com" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByText("Nobody is invited").waitFor();
      expect(await invitations()).toEqual([]);

      await page.getByRole("tab", { name: "Members" }).click();
      const actions = page.getByRole("row").filter({ hasText: colleague.email }).getByRole("button");
      await actions.click();
      await page.getByRole("menuitem", { name: "Make an owner" }).click();
      const roles = async () =>
        (await purser.organizations.members.list({ organizationId })).map(({ role }) => role);
      await expect.poll(roles).toEqual(["OWNER", "OWNER"]);
      await actions.click();
      await page.getByRole("menuitem", { name: "Remove" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
      await expect.poll(roles).toEqual(["OWNER"]);

      await page.getByRole("tab", { name: "Organization" }).click();
      const profile = page.getByRole("region", { name: "Profile" });
      await profile.getByLabel("Name").fill("Renamed");
      await profile.getByRole("button", { name: "Save" }).click();
      await page.getByText("The profile is saved").waitFor();
      const settings = page.getByRole("region", { name: "Settings" });
      await settings.getByRole("combobox", { name: "Time zone" }).fill("Tokyo");
      await page.getByRole("option", { name: "Asia/Tokyo" }).click();
      await settings.getByRole("button", { name: "Save" }).click();
      await expect
        .poll(async () => (await purser.organizations.settings.get({ id: organizationId })).timeZone)
        .toBe("Asia/Tokyo");
      await page.getByRole("tab", { name: "Activity" }).click();
      await page.getByRole("row").filter({ hasText: "Renamed" }).filter({ hasText: "GMT+9" }).waitFor();
      await page.getByRole("tab", { name: "Organization" }).click();
      await page.getByRole("button", { name: "Delete Renamed" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete the organization" }).click();
      await page.getByRole("heading", { name: "Create your organization" }).waitFor();
      expect(violations).toEqual([]);
      await page.context().close();
    },
  );

  it(
    "revoke the invitation that is valid, after it was replaced here or elsewhere",
    { timeout },
    async () => {
      const owner = await console.newUser("Invited again");
      const { organizationId, purser } = owner;
      const invitation = { organizationId, email: "later@example.com", role: "MEMBER" } as const;
      const invitations = () => purser.organizations.invitations.list({ organizationId });
      await purser.organizations.invitations.create(invitation);
      const { page, violations } = await console.open(`/${organizationId}/team?tab=invitations`, {
        user: owner,
      });
      const again = page.getByRole("button", { name: /^Send again/ });
      const revoke = page.getByRole("button", { name: /^Revoke/ });
      await again.waitFor();

      // Until the page has read the new invitation, its row still shows the one that was replaced.
      const list = /invitations\.list/;
      const read = Promise.withResolvers<void>();
      await page.route(list, async (route) => {
        await read.promise;
        await route.continue();
      });
      await Promise.all([page.waitForRequest(list), again.click()]);
      expect(await revoke.isDisabled()).toBe(true);
      read.resolve();
      await page.getByText("The invitation is on its way to later@example.com again").waitFor();
      await page.unroute(list);

      // The person reads the question, and another owner replaces the invitation meanwhile.
      await revoke.click();
      await page.getByRole("dialog").waitFor();
      await purser.organizations.invitations.create({ ...invitation, role: "OWNER" });
      await page.getByText("Owner", { exact: true }).waitFor();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByText("Nobody is invited").waitFor();
      expect(await invitations()).toEqual([]);
      expect(violations).toEqual([]);
      await page.context().close();
    },
  );
});
