import { expect } from "vitest";
import { formatMoney } from "../../data/format.ts";
import type { TestUser } from "../console.ts";
import { choose, hold, it, journeySizes, nightlySizes } from "../journey.ts";

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

export function bankJourneys(): void {
  it.for(journeySizes)("connect a bank, and see it fill (%s)", async (size, { console, open }) => {
    const user = await console.newOrganization(`Bank on a ${size}`);
    const page = await open(`/${user.organizationId}/accounts`, { user, size });
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
  });

  it.for(nightlySizes)("hear that they refused at the bank (%s)", async (size, { console, open }) => {
    const user = await console.newOrganization(`Refused on a ${size}`);
    const page = await open(`/${user.organizationId}/accounts/connect?query=sprout`, { user, size });
    // A second click, while the page of the bank does not open, would ask for another consent.
    const bank = page.getByRole("button", { name: "Sprout Bank" });
    await page.route(/\/sandbox\/bank/, (route) => route.fulfill({ status: 204 }), { times: 1 });
    await Promise.all([page.waitForRequest(/\/sandbox\/bank/), bank.click()]);
    expect(await bank.isDisabled()).toBe(true);
    await page.reload();
    await bank.click();
    await page.getByRole("button", { name: "Refuse" }).click();
    await page.getByRole("heading", { name: "The bank was not connected" }).waitFor();
    expect(await user.purser.banking.connections.list({ teamId: user.organizationId })).toEqual([]);
  });

  it.for(nightlySizes)(
    "sync, confirm the consent, sign in again when the bank asks, and disconnect (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization(`Signs in again on a ${size}`);
      const { purser, organizationId: teamId } = user;
      const [{ id: connectionId } = { id: "" }] = await connectBanks(user, ["mine"]);
      const page = await open(`/${teamId}/accounts`, { user, size });
      const bank = page.getByRole("region", { name: "Sandbox Bank" });
      const act = async (name: string) => {
        await bank.getByRole("button", { name: "Actions for Sandbox Bank" }).click();
        await page.getByRole("menuitem", { name, exact: true }).click();
      };
      await act("Sync now");
      await page.getByText("Sandbox Bank is up to date").waitFor();
      await bank.getByText("Your consent ends on").waitFor();
      await bank.getByRole("button", { name: "Confirm now" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Confirm", exact: true }).click();
      await page
        .getByRole("dialog")
        .getByText(/^The bank lets Purser read until \w+ \d+, \d{4}/)
        .waitFor();
      await page.getByRole("button", { name: "Close" }).last().click();

      await purser.sandbox.banking.requireReauthorization({ teamId, connectionId });
      await bank.getByRole("alert").getByRole("button", { name: "Reconnect" }).click();
      await page.getByRole("button", { name: "Approve" }).click();
      await page.getByText("Consent confirmed").waitFor();
      const health = async () => (await purser.banking.connections.health({ teamId }))[0]?.status;
      await expect.poll(health).toBe("ok");

      await page.goto(`${console.base}/${teamId}/accounts`);
      await act("Disconnect");
      await page.getByRole("dialog").getByRole("button", { name: "Disconnect" }).click();
      await bank.getByText("Disconnected").waitFor();
    },
  );

  quarantineAndMerge();
}

function quarantineAndMerge(): void {
  it.for(nightlySizes)(
    "count and offer no account of a bank that was disconnected (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization(`Left a bank on a ${size}`);
      const { purser, organizationId: teamId } = user;
      const [kept, left] = await connectBanks(user, ["kept", "left"]);
      await purser.banking.connections.disconnect({ teamId, connectionId: left!.id });
      const accounts = await purser.banking.accounts.list({ teamId });
      const sumIn = (connectionId: string) =>
        accounts
          .filter((own) => own.connectionId === connectionId && own.currency === "GBP")
          .reduce((sum, { balance }) => sum + balance, 0);
      const page = await open(`/${teamId}`, { user, size });
      await page
        .getByText(`Not counted: ${formatMoney(sumIn(left!.id), "GBP")} in accounts no longer read`)
        .waitFor();
      await page.getByText(formatMoney(sumIn(kept!.id), "GBP"), { exact: true }).waitFor();

      await page.goto(`${console.base}/${teamId}/cards/new`);
      await page.getByRole("combobox", { name: "Paid from" }).click();
      await page.getByRole("option").first().waitFor();
      const offered = accounts.filter(({ connectionId }) => connectionId === kept!.id);
      expect(await page.getByRole("option").count()).toBe(offered.length);
    },
  );

  it.for(nightlySizes)(
    "let a bank book, pend, post and contradict itself, and decide what counts (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization(`Decides on a ${size}`);
      const { purser, organizationId: teamId } = user;
      await connectBanks(user, ["mine"]);
      const page = await open(`/${teamId}/sandbox?tab=bank`, { user, size });
      const found = (status: "PENDING" | "POSTED") =>
        purser.banking.transactions.list({ teamId, query: "PAPER", status });
      const book = page.getByRole("region", { name: "Let the bank book" });
      await book.getByLabel("Description").fill("PAPER AND PENS");
      await book.getByLabel("Pending: not booked yet").check();
      await book.getByRole("button", { name: "Book" }).click();
      await expect.poll(() => found("PENDING")).toHaveLength(1);
      await choose(page, "Pending transaction", /PAPER AND PENS/);
      const post = page.getByRole("region", { name: "Post what is pending" });
      await post.getByRole("button", { name: "Post" }).click();
      await expect.poll(() => found("POSTED")).toHaveLength(1);

      // First the person keeps what they had, then they take what the bank says.
      for (const [amount, decision, answer, counts] of [
        ["18.50", "Keep ours", "Your version stays", 2500],
        ["19.50", "Take the bank’s version", "The bank’s version counts now", 1950],
      ] as const) {
        await page.goto(`${console.base}/${teamId}/sandbox?tab=bank`);
        await choose(page, "Booked transaction", /PAPER AND PENS/);
        await page.getByRole("textbox", { name: "New amount" }).fill(amount);
        await page.getByRole("button", { name: "Change at the bank" }).click();
        await expect.poll(() => purser.banking.quarantine.list({ teamId })).toHaveLength(1);
        await page.goto(`${console.base}/${teamId}/accounts`);
        await page.getByRole("link", { name: "Review" }).click();
        await page.getByRole("button", { name: decision }).click();
        await page.getByText(answer).waitFor();
        await page.getByText("Nothing to review").waitFor();
        expect((await found("POSTED"))[0]?.amount).toBe(counts);
      }
    },
  );

  it.for(nightlySizes)("see what a bank does that fails (%s)", async (size, { console, open }) => {
    const user = await console.newOrganization(`Fails on a ${size}`);
    await connectBanks(user, ["mine"]);
    const page = await open(`/${user.organizationId}/sandbox?tab=bank`, { user, size });
    await page
      .getByRole("region", { name: "Let the bank fail" })
      .getByRole("button", { name: "Apply" })
      .click();
    await page.getByText("At the bank: no call is answered").waitFor();
    await page.getByRole("button", { name: "Change", exact: true }).click();
    await page.getByText("The bank wants the person to sign in again.").waitFor();
  });

  it.for(nightlySizes)(
    "say how long ago they were read, also while the page stays open (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization(`Stays open on a ${size}`);
      await connectBanks(user, ["mine"]);
      const page = await open("/assets/purser.svg", { user, size });
      await page.clock.install();
      await page.goto(`${console.base}/${user.organizationId}/accounts`);
      const bank = page.getByRole("region", { name: "Sandbox Bank" });
      await bank.getByText(/^Synced .* seconds? ago|^Synced now/).waitFor();
      // No response renders the page.
      const letThrough = await hold(page, /\/trpc\//);
      await page.clock.fastForward("03:00:30");
      await bank.getByText(/^Synced 3 hours ago · next in \d hours$/).waitFor();
      // The next one is due, and its end is not known yet.
      await page.clock.fastForward("04:00:00");
      await bank.getByText(/^Synced 7 hours ago$/).waitFor();
      letThrough();
      await page.unrouteAll({ behavior: "wait" });
    },
  );

  it.for(nightlySizes)("merge an account that was linked twice (%s)", async (size, { console, open }) => {
    const user = await console.newOrganization(`Merges on a ${size}`);
    const { purser, organizationId: teamId } = user;
    const [first, second] = await connectBanks(user, ["mine", "again"]);
    const accounts = await purser.banking.accounts.list({ teamId });
    const of = (connectionId: string | undefined) =>
      accounts.find((own) => own.connectionId === connectionId && own.accountName === "Easy Saver")!;
    const [ends, continues] = [of(first?.id), of(second?.id)];
    const page = await open(`/${teamId}/accounts/${ends.id}`, { user, size });
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
    await expect.poll(() => purser.banking.accounts.list({ teamId })).toHaveLength(accounts.length - 1);
  });
}
