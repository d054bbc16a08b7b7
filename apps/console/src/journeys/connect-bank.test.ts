import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestConsole, type TestUser, journeySizes, startTestConsole } from "../testing/console.ts";

const timeout = 180_000;

let home: TestConsole;
beforeAll(async () => (home = await startTestConsole()), 120_000);
afterAll(() => home?.close());

/** The banks of the sandbox that a person has connected, once their accounts are there. */
async function connectBanks({ purser, organizationId: teamId }: TestUser, consentIds: readonly string[]) {
  const bank = { teamId, provider: "sandbox", providerId: "sandbox-bank" } as const;
  const connections = [];
  for (const consentId of consentIds) {
    const connection = await purser.banking.connections.connect({ ...bank, consentId });
    await purser.banking.connections.sync({ teamId, connectionId: connection.id });
    connections.push(connection);
  }
  return connections;
}

async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole("combobox", { name: label, exact: true }).click();
  await page.getByRole("option", { name: option }).first().click();
}

describe.each(journeySizes)("on a %s", (size) => {
  it("connects a bank, sees it fill, and disconnects it", { timeout }, async () => {
    const user = await home.newUser(`Bank on a ${size}`);
    const { page, violations } = await home.open(`/${user.organizationId}/accounts`, { user, size });
    await page.getByRole("heading", { name: "No bank is connected" }).waitFor();
    await page.getByRole("link", { name: "Connect a bank" }).click();
    await page.getByRole("searchbox", { name: "Bank" }).fill("sprout");
    await page.getByRole("button", { name: "Harbour & Vale" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Sprout Bank" }).click();
    // The bank's own page, in the same window, and back.
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText(/^[\d,]+ transactions added$/).waitFor();
    await page.getByText("Consent confirmed").waitFor();
    expect(new URL(page.url()).searchParams.has("consentId")).toBe(false);
    await page.getByRole("link", { name: "See transactions" }).click();
    await page.locator("[data-row]").first().waitFor();

    await page.goto(`${home.base}/${user.organizationId}/accounts`);
    await page.getByRole("region", { name: "Sprout Bank" }).getByText("Connected").waitFor();
    await page.getByRole("button", { name: "Actions for Sprout Bank" }).click();
    await page.getByRole("menuitem", { name: "Disconnect" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
    await page.getByRole("region", { name: "Sprout Bank" }).getByText("Disconnected").waitFor();
    expect(violations).toEqual([]);
  });

  it("hears that a person refused at the bank", { timeout }, async () => {
    const user = await home.newUser(`Refused on a ${size}`);
    const path = `/${user.organizationId}/accounts/connect?query=sprout`;
    const { page } = await home.open(path, { user, size });
    await page.getByRole("button", { name: "Sprout Bank" }).click();
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByRole("heading", { name: "The bank was not connected" }).waitFor();
    expect(await user.purser.banking.connections.list({ teamId: user.organizationId })).toEqual([]);
  });

  it("syncs a bank, confirms its consent, and signs in to it again when it asks", { timeout }, async () => {
    const user = await home.newUser(`Signs in again on a ${size}`);
    const { purser, organizationId: teamId } = user;
    const [{ id: connectionId } = { id: "" }] = await connectBanks(user, ["mine"]);
    const { page, violations } = await home.open(`/${teamId}/accounts`, { user, size });
    const bank = page.getByRole("region", { name: "Sandbox Bank" });
    const act = async (name: string) => {
      await bank.getByRole("button", { name: "Actions for Sandbox Bank" }).click();
      await page.getByRole("menuitem", { name, exact: true }).click();
    };
    await act("Sync now");
    await page.getByText("Sandbox Bank is up to date").waitFor();
    await act("Confirm the consent");
    await page.getByText("The consent is confirmed").waitFor();
    await bank.getByText("Confirm the consent again by").waitFor();

    await purser.sandbox.banking.requireReauthorization({ teamId, connectionId });
    await bank.getByRole("alert").getByRole("button", { name: "Reconnect" }).click();
    await page.getByRole("button", { name: "Approve" }).click();
    await page.getByText("Consent confirmed").waitFor();
    const health = async () => (await purser.banking.connections.health({ teamId }))[0]?.status;
    await expect.poll(health).toBe("ok");
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("lets a bank book, pend, post and contradict itself, and decides what counts", { timeout }, async () => {
    const user = await home.newUser(`Decides on a ${size}`);
    const { purser, organizationId: teamId } = user;
    await connectBanks(user, ["mine"]);
    const { page, violations } = await home.open(`/${teamId}/sandbox?tab=bank`, { user, size });
    const found = async (query: string, status: "PENDING" | "POSTED") =>
      (await purser.banking.transactions.list({ teamId, query, status })).length;
    const book = page.getByRole("region", { name: "Let the bank book" });
    await book.getByLabel("Description").fill("PAPER AND PENS");
    await book.getByLabel("Pending: not booked yet").check();
    await book.getByRole("button", { name: "Book" }).click();
    await expect.poll(() => found("PAPER", "PENDING")).toBe(1);
    const post = page.getByRole("region", { name: "Post what is pending" });
    await choose(page, "Pending transaction", /PAPER AND PENS/);
    await post.getByRole("button", { name: "Post" }).click();
    await expect.poll(() => found("PAPER", "POSTED")).toBe(1);

    await choose(page, "Booked transaction", /PAPER AND PENS/);
    await page.getByRole("button", { name: "Change at the bank" }).click();
    await expect.poll(async () => (await purser.banking.quarantine.list({ teamId })).length).toBe(1);
    await page.goto(`${home.base}/${teamId}/accounts`);
    await page.getByRole("link", { name: "Review" }).click();
    await page.getByRole("button", { name: "Take the bank’s version" }).click();
    await page.getByText("Nothing to review").waitFor();
    const [changed] = await purser.banking.transactions.list({ teamId, query: "PAPER", status: "ALL" });
    expect(changed?.amount).toBe(1950);

    await page.goto(`${home.base}/${teamId}/sandbox?tab=bank`);
    await page
      .getByRole("region", { name: "Let the bank fail" })
      .getByRole("button", { name: "Apply" })
      .click();
    await page.getByText("At the bank: no call is answered").waitFor();
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.getByText("The bank wants the person to sign in again.").waitFor();
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it("merges an account that was linked twice, after it says what follows", { timeout }, async () => {
    const user = await home.newUser(`Merges on a ${size}`);
    const { purser, organizationId: teamId } = user;
    const [first, second] = await connectBanks(user, ["mine", "again"]);
    const accounts = await purser.banking.accounts.list({ teamId });
    const of = (connectionId: string | undefined) =>
      accounts.find((own) => own.connectionId === connectionId && own.accountName === "Easy Saver")!;
    const [ends, continues] = [of(first?.id), of(second?.id)];
    const { page, violations } = await home.open(`/${teamId}/accounts/${ends.id}`, { user, size });
    await page.getByRole("button", { name: "Merge", exact: true }).click();
    const dialog = page.getByRole("dialog", { name: "Merge two accounts" });
    await dialog.getByRole("combobox", { name: "Account that continues" }).click();
    await page
      .getByRole("option", { name: new RegExp(`Easy Saver.*${continues.accountNumber?.slice(-4) ?? ""}`) })
      .first()
      .click();
    await dialog.getByText("What follows").waitFor();
    await dialog.getByRole("checkbox").check();
    await dialog.getByRole("button", { name: "Merge the accounts" }).click();
    await page.getByText("The accounts are merged").waitFor();
    await expect
      .poll(async () => (await purser.banking.accounts.list({ teamId })).length)
      .toBe(accounts.length - 1);
    expect(violations).toEqual([]);
    await page.context().close();
  });
});
