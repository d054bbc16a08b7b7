import type { Page } from "playwright-core";
import { expect } from "vitest";
import { choose, it, nightlySizes } from "../journey.ts";

/** Buys something with the demo's card for travel, and returns the newest transaction whenever it is called. */
async function buy(page: Page, amount: string): Promise<void> {
  await choose(page, "Card", /Travel/);
  await page.getByRole("textbox", { name: "Amount", exact: true }).first().fill(amount);
  await page.getByRole("button", { name: "Buy", exact: true }).click();
  await page.getByRole("status").filter({ hasText: "Approved" }).waitFor();
}

/** Lets the merchant send a message about the newest purchase. */
async function send(page: Page, message: RegExp, button: string, amount?: string): Promise<void> {
  const next = page.getByRole("region", { name: "What the merchant does next" });
  await choose(page, "Message", message);
  if (amount !== undefined) await next.getByRole("textbox", { name: /mount/ }).fill(amount);
  await next.getByRole("button", { name: button, exact: true }).click();
}

export function sandboxJourneys(): void {
  it.for(nightlySizes)("clears and refunds a purchase (%s)", async (size, { console, open }) => {
    const { owner } = console.demo;
    const { organizationId, purser } = owner;
    const page = await open(`/${organizationId}/sandbox`, { user: owner, size });
    const newest = async () => (await purser.cards.transactions.list({ organizationId, limit: 1 }))[0];
    await buy(page, "12");
    await send(page, /^Clear/, "Clear");
    await expect.poll(newest).toMatchObject({ amount: 1200, status: "COMPLETED" });
    await send(page, /^Refund/, "Refund");
    await expect.poll(newest).toMatchObject({ amount: -1200 });
  });

  it.for(nightlySizes)(
    "holds more for a purchase, releases a part, and lets the rest expire (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const { organizationId, purser } = owner;
      const page = await open(`/${organizationId}/sandbox`, { user: owner, size });
      const newest = async () => (await purser.cards.transactions.list({ organizationId, limit: 1 }))[0];
      await buy(page, "20");
      await send(page, /^Ask to hold more/, "Ask for more", "5");
      await expect.poll(newest).toMatchObject({ amount: 2500, status: "PENDING" });
      await page.getByText(/^Pending: .*25\.00/).waitFor();
      await send(page, /^Release/, "Release", "10");
      await expect.poll(newest).toMatchObject({ amount: 1500, status: "PENDING" });
      await page.getByText(/^Pending: .*15\.00/).waitFor();
      await send(page, /^Let the hold expire/, "Expire");
      await page.getByText(/^The hold expired: /).waitFor();
      // The service counts a hold that has ended without money as declined.
      await expect.poll(newest).toMatchObject({ status: "DECLINED", declineReason: "authorization_expired" });
      // What has ended cannot end again, and the person learns why.
      await send(page, /^Let the hold expire/, "Expire");
      await page.getByRole("alert").filter({ hasText: "Request req_" }).waitFor();
      // Nobody refused it.
      await page.goto(`${console.base}/${organizationId}/cards/declined`);
      await page.getByRole("table").getByRole("row").last().waitFor();
      expect(await page.getByText("The hold expired").count()).toBe(0);
    },
  );

  it.for(nightlySizes)(
    "keeps what somebody writes about a purchase while others arrive (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const { organizationId, purser } = owner;
      const card = (await purser.cards.list({ organizationId })).find(
        ({ nickname }) => nickname === "Travel",
      )!;
      const pay = (name: string) =>
        purser.sandbox.cards.authorize({
          organizationId,
          cardId: card.id,
          amount: 700,
          channel: "in_store",
          merchant: { name, country: "GB" },
        });
      const page = await open(`/${organizationId}/sandbox`, { user: owner, size, isLive: true });
      const next = page.getByRole("region", { name: "What the merchant does next" });
      const purchase = next.getByRole("combobox", { name: "Purchase" });
      const amount = next.getByRole("textbox", { name: /mount/ });
      // It is about the newest purchase, until something is written.
      const written = await pay(`Before, ${size}`);
      await expect.poll(() => purchase.inputValue()).toContain(`Before, ${size}`);
      await amount.fill("3");
      const heard = page.waitForResponse(/cards\.transactions\.list/);
      const later = await pay(`Meanwhile, ${size}`);
      await heard;
      await purchase.click();
      await page.getByRole("option", { name: `Meanwhile, ${size}` }).waitFor();
      await purchase.press("Escape");
      expect(await amount.inputValue()).toBe("3");
      await next.getByRole("button", { name: "Clear", exact: true }).click();
      const amounts = async () => {
        const newest = await purser.cards.transactions.list({ organizationId, limit: 10 });
        return [written, later].map(({ id }) => newest.find((one) => one.id === id)?.amount);
      };
      await expect.poll(amounts).toEqual([300, 700]);
    },
  );

  it.for(nightlySizes)(
    "shows what a draft policy would have declined (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const page = await open(`/${owner.organizationId}/policies/new`, { user: owner, size });
      const backtest = page.getByRole("region", { name: "What this policy would have declined" });
      await backtest.getByText("Every approved purchase would still pass.").waitFor();
      await page.getByLabel("ATM withdrawals").uncheck();
      await backtest.getByText("No cash: 1").waitFor();
      await backtest.getByText("Sandbox Bank Cash").waitFor();
    },
  );
}
