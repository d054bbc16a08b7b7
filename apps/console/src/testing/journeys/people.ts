import { randomUUID } from "node:crypto";
import { untilMailed } from "@purser/testing/process";
import type { Page } from "playwright-core";
import { expect, vi } from "vitest";
import type { TestConsole, TestUser } from "../console.ts";
import { it, journeySizes, nightlySizes } from "../journey.ts";

// The mailbox of this folder may have mails of earlier runs.
const newAddress = (name: string): string => `${name}-${randomUUID()}@example.com`;

/** Fills the form of sign-up. A new user has no session elsewhere. */
async function signUp(page: Page, name: string, email: string): Promise<void> {
  // A link leads here, and without its script the form would send itself.
  await page.waitForLoadState();
  await page.getByLabel("Your name").fill(name);
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Password").fill("correct horse battery");
  await page.getByRole("button", { name: "Create account" }).click();
}

/** Opens the newest mail in the mailbox to this address whose subject has these words, and follows its link. */
async function followLinkOf(page: Page, email: string, words: string): Promise<void> {
  await page.getByRole("row").filter({ hasText: email }).getByRole("link", { name: words }).first().click();
  await page.locator("pre a").first().click();
}

/** An owner and a member of the same organization. The member also has an organization of their own. */
async function ownerAndMember(console: TestConsole, name: string): Promise<[TestUser, TestUser]> {
  const [owner, colleague] = await Promise.all([console.newUser(name), console.newUser("Of their own")]);
  const { organizationId, purser } = owner;
  const invitation = { organizationId, email: colleague.email, role: "MEMBER" } as const;
  await purser.organizations.invitations.create(invitation);
  const [{ id } = { id: "" }] = await purser.organizations.invitations.list({ organizationId });
  await colleague.purser.organizations.invitations.accept({ id });
  return [owner, colleague];
}

export function peopleJourneys(): void {
  it.for(journeySizes)(
    "sign up, create an organization, and invite a colleague (%s)",
    async (size, { console, open }) => {
      const [ownerEmail, colleagueEmail] = [newAddress("owner"), newAddress("colleague")];
      const owner = await open("/sign-up", { size });
      await signUp(owner, "Ada", ownerEmail);
      await owner.getByRole("heading", { name: "Create your organization" }).waitFor();
      await owner.getByRole("textbox", { name: "Name" }).fill(`Engines ${size}`);
      await owner.getByRole("button", { name: "Create" }).click();
      await owner.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
      await owner.goto(`${owner.url()}/team`);
      await owner.getByRole("button", { name: "Invite a person" }).click();
      const dialog = owner.getByRole("dialog", { name: "Invite a person" });
      await dialog.getByLabel("E-mail address").fill(colleagueEmail);
      await dialog.getByRole("button", { name: "Send the invitation" }).click();
      await owner.getByText(`The invitation is on its way to ${colleagueEmail}`).waitFor();

      await untilMailed(console.base, colleagueEmail, "Join");
      const colleague = await open("/dev/mail", { size });
      await followLinkOf(colleague, colleagueEmail, "Join");
      await colleague.getByRole("link", { name: "Create an account" }).click();
      await signUp(colleague, "Grace", colleagueEmail);
      await colleague.getByRole("button", { name: "Accept the invitation" }).click();
      await colleague.getByRole("link", { name: "Go to your organizations" }).click();
      await colleague.getByRole("heading", { level: 1, name: "Overview" }).waitFor();

      // The owner's page sees the new member without being asked to.
      await owner.getByRole("tab", { name: "Members" }).click();
      await owner.getByRole("row").filter({ hasText: /Grace/ }).waitFor();
      // A member may not invite.
      await colleague.goto(owner.url());
      // A string would also match the digits of an address.
      await colleague.getByRole("row").filter({ hasText: /Ada/ }).waitFor();
      expect(await colleague.getByRole("button", { name: "Invite a person" }).count()).toBe(0);
    },
  );

  it.for(nightlySizes)(
    "offer a member nothing that only owners may do (%s)",
    async (size, { console, open }) => {
      const [owner, colleague] = await ownerAndMember(console, `Short consent, ${size}`);
      const { purser, organizationId: teamId } = owner;
      await purser.cards.policies.create({ organizationId: teamId, name: "Travel" });
      const { connections } = purser.banking;
      const bank = { teamId, provider: "sandbox", providerId: "sandbox-bank" } as const;
      const { id: connectionId } = await connections.connect({ ...bank, consentId: "short" });
      // It must end in the future, also when a busy service reads it.
      const endSoon = () =>
        connections.updateConsent({
          teamId,
          connectionId,
          scopes: ["transactions"],
          expiresAt: new Date(Date.now() + 2000),
        });
      await vi.waitFor(endSoon, 60_000);
      const health = async () => (await connections.health({ teamId }))[0];
      await vi.waitUntil(async () => (await health())?.canSync === false, { timeout: 60_000 });
      const page = await open(`/${teamId}/accounts`, { user: colleague, size });
      await page.getByText("Nothing new is read until an owner reconnects the bank.").waitFor();
      expect(await page.getByRole("button", { name: "Actions for Sandbox Bank" }).count()).toBe(0);
      await page.goto(`${console.base}/${teamId}/team?tab=activity`);
      await page.getByText("created the policy “Travel”").waitFor();
      expect(await page.getByRole("link", { name: "Open the policy Travel" }).count()).toBe(0);
    },
  );

  it.for(journeySizes)("see only the cards that are theirs (%s)", async (size, { console, open }) => {
    const { owner, member } = console.demo;
    const { organizationId } = owner;
    const own = await member.purser.cards.list({ organizationId });
    const all = await owner.purser.cards.list({ organizationId });
    const foreign = all.filter(({ id }) => !own.some((card) => card.id === id));
    expect([own.length, foreign.length]).not.toContain(0);
    const page = await open(`/${organizationId}/cards/${foreign[0]!.id}`, { user: member, size });
    await page.getByText("There is no such card").first().waitFor();
    await page.goto(`${console.base}/${organizationId}/cards`);
    await page.getByText(own[0]!.nickname!).first().waitFor();
    for (const { nickname } of foreign)
      expect(await page.getByText(nickname!, { exact: true }).count()).toBe(0);
    expect(await page.getByRole("link", { name: "New card" }).count()).toBe(0);
  });

  it.for(journeySizes)(
    "revoke the invitation that is valid, after it was replaced here or elsewhere (%s)",
    async (size, { console, open }) => {
      const owner = await console.newOrganization("Invited again");
      const { organizationId, purser } = owner;
      const invitation = { organizationId, email: "later@example.com", role: "MEMBER" } as const;
      await purser.organizations.invitations.create(invitation);
      const page = await open(`/${organizationId}/team?tab=invitations`, { user: owner, size });
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
      expect(await purser.organizations.invitations.list({ organizationId })).toEqual([]);
    },
  );

  rolesAndSettings();
}

function rolesAndSettings(): void {
  it.for(nightlySizes)("are made owners, and removed (%s)", async (size, { console, open }) => {
    const [owner, colleague] = await ownerAndMember(console, `Roles ${size}`);
    const { organizationId, purser } = owner;
    const page = await open(`/${organizationId}/team`, { user: owner, size });
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
  });

  it.for(nightlySizes)(
    "lose an organization that is open when they are removed from it (%s)",
    async (size, { console, open }) => {
      const [owner, colleague] = await ownerAndMember(console, `Removed ${size}`);
      const { organizationId, purser } = owner;
      const page = await open(`/${organizationId}/transactions`, { user: colleague, size });
      await page.getByText("No transactions yet").waitFor();
      const members = await purser.organizations.members.list({ organizationId });
      const { id: membershipId } = members.find(({ role }) => role === "MEMBER")!;
      await purser.organizations.members.remove({ membershipId });
      await page.getByText("There is no such page").waitFor();
      await page.getByRole("link", { name: "Go to your organizations" }).click();
      await page.waitForURL(`**/${colleague.organizationId}`);
      await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    },
  );

  it.for(nightlySizes)("leave an organization for their own (%s)", async (size, { console, open }) => {
    const [owner, colleague] = await ownerAndMember(console, `Left ${size}`);
    const { organizationId, purser } = owner;
    const page = await open(`/${organizationId}/team`, { user: colleague, size });
    await page.getByRole("button", { name: "Leave the organization" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Leave" }).click();
    await page.getByText(`You left Left ${size}`).waitFor();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/${colleague.organizationId}`);
    expect(await purser.organizations.members.list({ organizationId })).toHaveLength(1);
    await page.goto(`${console.base}/${organizationId}`);
    await page.getByText("There is no such page").waitFor();
  });

  it.for(nightlySizes)(
    "give an organization its name and time zone, and delete it (%s)",
    async (size, { console, open }) => {
      const owner = await console.newUser(`Settings ${size}`);
      const { organizationId, purser } = owner;
      const page = await open(`/${organizationId}/team?tab=organization`, { user: owner, size });
      const profile = page.getByRole("region", { name: "Profile" });
      const picture = `${console.base}/assets/purser.svg`;
      await profile.getByLabel("Picture URL").fill(picture);
      await profile.getByLabel("Name").fill("Renamed");
      await profile.getByRole("button", { name: "Save" }).click();
      await page.getByText("The profile is saved").waitFor();
      // Behind a button on a phone.
      await page.locator(`nav img[src="${picture}"]`).waitFor({ state: "attached" });
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

      // The service has been updated, and the code of the question is gone.
      const code = /console\/confirm-dialog/;
      await page.route(code, (route) => route.fulfill({ status: 404 }));
      // It was loaded when something was written.
      await page.reload();
      await profile.getByLabel("Name").fill("Half");
      await page.getByRole("button", { name: "Delete the organization" }).click();
      await page.getByRole("alert").filter({ hasText: "This could not be loaded" }).waitFor();
      expect(await profile.getByLabel("Name").inputValue()).toBe("Half");
      await page.unroute(code);
      await page.reload();
      await page.getByRole("button", { name: "Delete the organization" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Delete the organization" }).click();
      await page.getByRole("heading", { name: "Create your organization" }).waitFor();
    },
  );
}
