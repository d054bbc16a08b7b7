import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestConsole, type TestUser, journeySizes, startTestConsole } from "../testing/console.ts";

let console: TestConsole;
beforeAll(async () => (console = await startTestConsole()), 240_000);
afterAll(() => console?.close());

const timeout = 180_000;

/** An organization with a bank of the sandbox, whose first account can pay for cards. */
async function ownerWithBank(name: string): Promise<TestUser> {
  const owner = await console.newUser(name);
  const { organizationId: teamId, purser } = owner;
  const bank = { provider: "sandbox", providerId: "sandbox-bank", consentId: "mine" } as const;
  await purser.banking.connections.connect({ teamId, ...bank });
  await expect.poll(() => purser.banking.accounts.list({ teamId }), { timeout: 60_000 }).not.toHaveLength(0);
  return owner;
}

async function choose(page: Page, label: string, option: string | RegExp): Promise<void> {
  await page.getByRole("combobox", { name: label }).click();
  await page.getByRole("option", { name: option }).first().click();
}

/** Buys something in the sandbox, and waits for the decision. */
async function buy(page: Page, amount: string): Promise<string> {
  await page.getByRole("textbox", { name: "Amount", exact: true }).first().fill(amount);
  await page.getByRole("button", { name: "Buy", exact: true }).click();
  return (await page.getByRole("status").filter({ hasText: "See why" }).textContent()) ?? "";
}

describe("a card in the console", () => {
  it.each(journeySizes)(
    "declines what its policy forbids, explains it, and approves it after its limit was raised (%s)",
    { timeout },
    async (size) => {
      const owner = await ownerWithBank(`Limits ${size}`);
      const { page, violations } = await console.open(`/${owner.organizationId}/policies`, {
        user: owner,
        size,
      });
      const go = (path: string) => page.goto(`${console.base}/${owner.organizationId}${path}`);

      await page.getByRole("link", { name: "New policy" }).first().click();
      await page.getByRole("textbox", { name: "Name" }).fill("Lunch");
      await page.getByRole("button", { name: "Add a limit" }).click();
      await page.getByRole("textbox", { name: "Limit 1" }).fill("50");
      await page.getByRole("button", { name: "Create the policy" }).click();
      await page.getByRole("row").filter({ hasText: "a month" }).waitFor();

      await go("/cards");
      await page.getByRole("link", { name: "New card" }).first().click();
      await choose(page, "Paid from", /./);
      await page.getByRole("textbox", { name: "Name" }).fill("Lunches");
      await page.getByRole("button", { name: "Continue" }).click();
      await choose(page, "Policy", "Lunch");
      await page.getByRole("button", { name: "Continue" }).click();
      await page.getByText("Lunches").waitFor();
      await page.getByRole("button", { name: "Issue the card" }).click();
      await page.getByRole("heading", { level: 1, name: "Lunches" }).waitFor();

      await go("/sandbox");
      expect(await buy(page, "62")).toContain("Over the month’s limit");
      await page.getByRole("link", { name: "See why" }).click();
      const purchase = page.getByRole("dialog", { name: "Purchase" });
      await purchase
        .getByText(/50\.00 a month\..*0\.00 was used, so .*50\.00 was left\. It begins anew on/)
        .waitFor();
      await purchase.getByRole("link", { name: "Change “Lunch”" }).click();

      const limit = page.getByRole("textbox", { name: "Limit 1" });
      await expect.poll(() => limit.evaluate((field) => field === document.activeElement)).toBe(true);
      await limit.fill("80");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("It counts from the next purchase on").waitFor();

      await go("/sandbox");
      expect(await buy(page, "62")).toContain("Approved");
      expect(violations).toEqual([]);
      await page.context().close();
    },
  );

  it.each(journeySizes)("freezes while a purchase is under way (%s)", { timeout }, async (size) => {
    const owner = await ownerWithBank(`Freeze ${size}`);
    const { organizationId, purser } = owner;
    const [account] = await purser.banking.accounts.list({ teamId: organizationId });
    const { id: policyId } = await purser.cards.policies.create({ organizationId, name: "Any" });
    const { id: assignedToId } = await purser.me.get();
    const card = await purser.cards.create({
      organizationId,
      assignedToId,
      fundingAccountId: account!.id,
      policyId,
      nickname: "Hotel",
      purpose: "BUSINESS",
    });
    const { page, violations } = await console.open(`/${organizationId}/cards/${card.id}`, {
      user: owner,
      size,
    });
    await page.getByText("No transactions yet").waitFor();

    // A hotel holds an amount, and the page sees it without being asked to.
    const stay = { cardId: card.id, channel: "in_store", merchant: { name: "Quayside Hotel" } } as const;
    const held = await purser.sandbox.cards.authorize({ ...stay, amount: 20_000 });
    await page
      .getByRole("row")
      .filter({ hasText: "Quayside Hotel" })
      .filter({ hasText: "Pending" })
      .waitFor();
    await page.getByRole("button", { name: "Freeze", exact: true }).click();
    await page.getByText("The card is frozen").first().waitFor();

    // More is declined, and what is held already can still be cleared.
    const more = await purser.sandbox.cards.authorize({ ...stay, amount: 500 });
    expect(more.declineReason).toBe("card_frozen");
    await page.getByRole("row").filter({ hasText: "The card is frozen" }).waitFor();
    await purser.sandbox.cards.clear({ transactionId: held.id });
    await page.getByRole("row").filter({ hasText: "Completed" }).getByRole("button").first().click();
    const purchase = page.getByRole("dialog", { name: "Purchase" });
    await purchase.getByText("Approved, and held").waitFor();
    await purchase.getByText("Cleared, in total").waitFor();
    await page.keyboard.press("Escape");

    await page.getByRole("button", { name: "Unfreeze" }).click();
    await page.getByRole("button", { name: "Freeze", exact: true }).waitFor();
    expect((await purser.cards.get({ organizationId, cardId: card.id })).status).toBe("ACTIVE");
    expect(violations).toEqual([]);
    await page.context().close();
  });

  it.each(journeySizes)(
    "is issued for one shop, paused, given to its holder, shown once, and closed (%s)",
    { timeout },
    async (size) => {
      const owner = await ownerWithBank(`One shop ${size}`);
      const { organizationId, purser } = owner;
      const { page, violations } = await console.open(`/${organizationId}/cards`, { user: owner, size });
      const button = (name: string) => page.getByRole("button", { name, exact: true });
      await page.getByRole("link", { name: "Card for one shop" }).first().click();
      await page.getByRole("heading", { level: 1, name: "Card for one shop" }).waitFor();
      await choose(page, "Paid from", /./);
      await page.getByRole("textbox", { name: "Name" }).fill("Flowers");
      await button("Continue").click();
      await page.getByRole("combobox", { name: "Shop", exact: true }).fill("Corner Flowers");
      await button("Continue").click();
      await page.getByText("Every other merchant").waitFor();
      await button("Issue the card").click();
      await page.getByRole("heading", { level: 1, name: "Flowers" }).waitFor();
      const [card] = await purser.cards.list({ organizationId });
      const buyAt = (name: string) =>
        purser.sandbox.cards.authorize({
          cardId: card!.id,
          amount: 900,
          channel: "online",
          merchant: { name },
        });
      expect((await buyAt("Corner Flowers")).status).toBe("PENDING");
      expect((await buyAt("Corner Books")).declineReason).toBe("merchant_not_allowed");

      await button("Pause").click();
      await button("Resume").waitFor();
      expect((await buyAt("Corner Flowers")).declineReason).toBe("card_paused");
      await page.getByRole("button", { name: "Undo" }).first().click();
      await button("Pause").waitFor();
      expect((await purser.cards.list({ organizationId }))[0]?.status).toBe("ACTIVE");

      await button("More").click();
      await page.getByRole("menuitem", { name: "Change holder, policy or name" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill("Bouquets");
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { level: 1, name: "Bouquets" }).waitFor();

      await button("Show number").click();
      const link = page.getByRole("link", { name: "Open the page with the number" });
      await expect.poll(() => link.getAttribute("href")).not.toBeNull();
      const [opened] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
      await opened
        .getByText(new RegExp(`${card!.lastFour}$`))
        .first()
        .waitFor();
      await opened.close();

      await button("More").click();
      await page.getByRole("menuitem", { name: "Close the card" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Close the card" }).click();
      await expect
        .poll(async () => (await purser.cards.list({ organizationId, status: "CLOSED" })).length)
        .toBe(1);
      await page.goto(`${console.base}/${organizationId}/cards?show=closed`);
      await page.getByText("Bouquets").first().waitFor();
      const declined = page.getByRole("region", { name: "Declined purchases" }).getByRole("listitem");
      await declined
        .filter({ hasText: "Merchant not allowed" })
        .getByRole("link", { name: "Corner Books" })
        .waitFor();
      expect(violations).toEqual([]);
      await page.context().close();
    },
  );

  it.each(journeySizes)(
    "is charged and refunded in the sandbox, and a draft policy says what it would have declined (%s)",
    { timeout },
    async (size) => {
      const { owner } = console.demo;
      const { organizationId, purser } = owner;
      const { page, violations } = await console.open(`/${organizationId}/sandbox`, { user: owner, size });
      await choose(page, "Card", /Travel/);
      await buy(page, "12");
      const act = async (message: RegExp, name: string) => {
        await choose(page, "Message", message);
        await page.getByRole("button", { name, exact: true }).click();
      };
      const newest = async () => (await purser.cards.transactions.list({ organizationId, limit: 2 }))[0];
      await act(/^Clear/, "Clear");
      await expect.poll(async () => (await newest())?.status).toBe("COMPLETED");
      await act(/^Refund/, "Refund");
      await expect.poll(async () => (await newest())?.amount).toBe(-1200);

      await page.goto(`${console.base}/${organizationId}/policies/new`);
      const backtest = page.getByRole("region", { name: "What this policy would have declined" });
      await backtest.getByText("Every approved purchase would still pass.").waitFor();
      await page.getByLabel("ATM withdrawals").uncheck();
      await backtest.getByText("No cash: 1").waitFor();
      await backtest.getByText("Sandbox Bank Cash").waitFor();
      expect(violations).toEqual([]);
      await page.context().close();
    },
  );
});
