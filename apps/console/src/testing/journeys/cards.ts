import type { Page } from "playwright-core";
import { expect } from "vitest";
import { type TestUser, sizes } from "../console.ts";
import { buy, choose, hold, it, journeySizes, nightlySizes } from "../journey.ts";

/** Issues a card to its owner, or to another member, that may buy anything. */
async function issueCard({ purser, organizationId }: TestUser, nickname: string, holder?: TestUser) {
  const [accounts, { id: policyId }, { id: assignedToId }] = await Promise.all([
    purser.banking.accounts.list({ teamId: organizationId }),
    purser.cards.policies.create({ organizationId, name: `Any, for ${nickname}` }),
    (holder?.purser ?? purser).me.get(),
  ]);
  const { id: fundingAccountId } = accounts.find(
    ({ type, currency }) => type === "CHECKING" && currency === "GBP",
  )!;
  const parts = { organizationId, assignedToId, fundingAccountId, policyId, nickname };
  return purser.cards.create({ ...parts, purpose: "BUSINESS" });
}

/** Fills the steps of a new card, and issues it. */
async function issueInSteps(page: Page, name: string, fillRules: () => Promise<void>): Promise<void> {
  const button = (label: string) => page.getByRole("button", { name: label, exact: true });
  await choose(page, "Paid from", /GBP|£/);
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await button("Continue").click();
  await fillRules();
  await button("Continue").click();
  await page.getByText(name).waitFor();
  await button("Issue the card").click();
  await page.getByRole("heading", { level: 1, name }).waitFor();
}

export function cardJourneys(): void {
  it.for(journeySizes)(
    "decline what their policy forbids, explain it, and pay after the limit was raised (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const { organizationId, purser } = owner;
      const [policy, name] = [`Lunch ${size}`, `Lunches ${size}`];
      const page = await open(`/${organizationId}/policies`, { user: owner, size });
      const go = (path: string) => page.goto(`${console.base}/${organizationId}${path}`);
      await page.getByRole("link", { name: "New policy" }).first().click();
      await page.getByRole("textbox", { name: "Name" }).fill(policy);
      await page.getByRole("button", { name: "Add a limit" }).click();
      await page.getByRole("textbox", { name: "Limit 1" }).fill("50");
      await page.getByRole("button", { name: "Create the policy" }).click();
      await page.getByRole("row").filter({ hasText: policy }).filter({ hasText: "50.00 a month" }).waitFor();

      await go("/cards");
      await page.getByRole("link", { name: "New card" }).first().click();
      await issueInSteps(page, name, () => choose(page, "Policy", policy));
      const cardId = new URL(page.url()).pathname.split("/").at(-1)!;

      await go("/sandbox");
      await choose(page, "Card", new RegExp(name));
      await page.getByRole("textbox", { name: "Amount", exact: true }).first().fill("62");
      await page.getByRole("button", { name: "Buy", exact: true }).click();
      await page.getByRole("status").filter({ hasText: "Over the month’s limit" }).waitFor();
      await page.getByRole("link", { name: "See why" }).click();
      const purchase = page.getByRole("dialog", { name: "Purchase" });
      await purchase
        .getByText(/50\.00 a month\..*0\.00 was used, so .*50\.00 was left\. It resets on/)
        .waitFor();
      await purchase.getByText(/50\.00 is left this month.*passes with at least .*62\.00 a month/).waitFor();
      await purchase.getByRole("link", { name: `Change “${policy}”` }).click();

      const limit = page.getByRole("textbox", { name: "Limit 1" });
      await limit.and(page.locator(":focus")).waitFor();
      // The purchase came along: the editor knows what it needs, and says when the draft lets it pass.
      const carried = page.getByRole("region", { name: "The declined purchase" });
      await carried.getByText(/50\.00 is left this month.*Passes with at least .*62\.00 a month/).waitFor();
      // Another change has the draft tried again. What would let the purchase pass stays known meanwhile.
      const release = await hold(page, /cards\.policies\.check/);
      await purser.cards.policies.create({ organizationId, name: `Dinner ${size}` });
      await carried.getByLabel("Trying the policy").waitFor();
      await carried.getByRole("button", { name: /^Set .*62\.00 a month$/ }).click();
      release();
      await carried.getByText("Passes with this draft").waitFor();
      expect(await limit.inputValue()).toBe("62");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("It counts from the next purchase on").waitFor();
      await purchase.getByText("Would pass now").waitFor();
      const lunch = { amount: 6200, channel: "in_store", merchant: { name: "Restaurant De Haven" } } as const;
      expect((await buy(purser, { cardId, ...lunch })).declineReason).toBeNull();
      // The same purchase would no longer fit, and the page finds out by itself.
      await purchase.getByText(/0\.00 is left this month/).waitFor();
      await purser.cards.updateStatus({ organizationId, cardId, status: "CLOSED" });
      await purchase.getByRole("link", { name: "Issue a new card" }).waitFor();
    },
  );

  it.for(journeySizes)("freeze while a purchase is under way (%s)", async (size, { console, open }) => {
    const { owner } = console.demo;
    const { organizationId, purser } = owner;
    const card = await issueCard(owner, `Hotel ${size}`);
    const page = await open(`/${organizationId}/cards/${card.id}`, { user: owner, size, isLive: true });
    await page.getByText("No transactions yet").waitFor();

    // A hotel holds an amount, and the page sees it without being asked to.
    const stay = { cardId: card.id, channel: "in_store", merchant: { name: "Quayside Hotel" } } as const;
    const held = await buy(purser, { ...stay, amount: 20_000 });
    await page
      .getByRole("row")
      .filter({ hasText: "Quayside Hotel" })
      .filter({ hasText: "Pending" })
      .waitFor();
    await page.getByRole("button", { name: "Freeze", exact: true }).click();
    await page.getByText("The card is frozen").first().waitFor();

    // More is declined, and what is held already can still be cleared.
    const more = await buy(purser, { ...stay, amount: 500 });
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
  });

  it.for(nightlySizes)(
    "are counted by their policy, also those issued elsewhere (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const nickname = `Counted ${size}`;
      const { organizationId, ...card } = await issueCard(owner, nickname);
      const page = await open(`/${organizationId}/policies`, { user: owner, size, isLive: true });
      const policy = page.getByRole("row").filter({ hasText: `Any, for ${nickname}` });
      await policy.getByText("1 card").waitFor();
      const { assignedToId, fundingAccountId, policyId, purpose } = card;
      const parts = { organizationId, assignedToId, fundingAccountId, policyId, purpose };
      await owner.purser.cards.create({ ...parts, nickname: `Second ${size}` });
      await policy.getByText("2 cards").waitFor();
    },
  );

  oneShop();
  anotherCard();
  otherHolder();
  ownDetails();
}

function oneShop(): void {
  it.for(nightlySizes)(
    "are issued for one shop, paused, renamed, shown once, and closed (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const { organizationId, purser } = owner;
      const [name, renamed] = [`Flowers ${size}`, `Bouquets ${size}`];
      const page = await open(`/${organizationId}/cards`, { user: owner, size });
      const button = (label: string) => page.getByRole("button", { name: label, exact: true });
      const members = /members\.list/;
      await page.route(members, (route) => route.abort("connectionrefused"));
      await page.getByRole("link", { name: "Card for one shop" }).first().click();
      await page.getByRole("heading", { level: 1, name: "Card for one shop" }).waitFor();
      await page.getByRole("alert").filter({ hasText: "Purser cannot be reached" }).waitFor();
      await page.unroute(members);
      await button("Try again").click();
      const { name: ownName, email } = await purser.me.get();
      await choose(page, "Holder", ownName ?? email);
      // To choose it again keeps it.
      await choose(page, "Holder", ownName ?? email);
      await issueInSteps(page, name, () =>
        page.getByRole("combobox", { name: "Shop", exact: true }).fill("Corner Flowers"),
      );
      const cardId = new URL(page.url()).pathname.split("/").at(-1)!;
      const card = () => purser.cards.get({ organizationId, cardId });
      const buyAt = (shop: string) =>
        buy(purser, { cardId, amount: 900, channel: "online", merchant: { name: shop } });
      expect((await buyAt("Corner Flowers")).status).toBe("PENDING");
      const elsewhere = await buyAt(`Corner Books ${size}`);
      expect(elsewhere.declineReason).toBe("merchant_not_allowed");
      await page.getByText("Works only at").waitFor();
      const refused = page.getByRole("row").filter({ hasText: `Corner Books ${size}` });
      await refused.getByRole("button").first().click();
      await page.getByText("This card works only at Corner Flowers.").waitFor();
      await page.keyboard.press("Escape");
      await page.getByRole("dialog", { name: "Purchase" }).waitFor({ state: "detached" });

      await button("Pause").click();
      await button("Resume").waitFor();
      expect((await buyAt("Corner Flowers")).declineReason).toBe("card_paused");
      await page.getByRole("button", { name: "Undo" }).first().click();
      await button("Pause").waitFor();
      expect((await card()).status).toBe("ACTIVE");

      await button("More").click();
      await page.getByRole("menuitem", { name: "Change holder, policy or name" }).click();
      await page.getByRole("dialog").getByLabel("Name").fill(renamed);
      await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
      await page.getByRole("heading", { level: 1, name: renamed }).waitFor();
      const focused = page.locator(":focus");
      await button("More").and(focused).waitFor();

      await button("Show number").click();
      const link = page.getByRole("link", { name: "Open the page with the number" });
      await expect.poll(() => link.getAttribute("href")).not.toBeNull();
      const [opened] = await Promise.all([page.context().waitForEvent("page"), link.click()]);
      const ending = new RegExp(`${(await card()).lastFour}$`);
      await opened.getByText(ending).first().waitFor();
      await opened.close();

      const close = async (answer: string) => {
        await button("More").click();
        await page.getByRole("menuitem", { name: "Close the card" }).click();
        await page.getByRole("dialog").getByRole("button", { name: answer }).click();
      };
      await close("Cancel");
      await button("More").and(focused).waitFor();
      await close("Close the card");
      await expect.poll(async () => (await card()).status).toBe("CLOSED");
      await page.goto(`${console.base}/${organizationId}/cards?show=closed`);
      await page.getByText(renamed).first().waitFor();
      const declined = page.getByRole("region", { name: "Declined purchases" }).getByRole("listitem");
      await declined
        .filter({ hasText: "Merchant not allowed" })
        .getByRole("link", { name: `Corner Books ${size}` })
        .waitFor();
    },
  );
}

function anotherCard(): void {
  it.for(nightlySizes)(
    "leave what is written and asked about them when another one is opened (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const { organizationId, purser } = owner;
      const [first, second] = [await issueCard(owner, `Hers ${size}`), await issueCard(owner, `His ${size}`)];
      const page = await open(`/${organizationId}/cards/${first.id}`, { user: owner, size });
      const dialog = page.getByRole("dialog");
      const more = page.getByRole("button", { name: "More", exact: true });
      const act = async (item: string) => {
        await more.click();
        await page.getByRole("menuitem", { name: item }).click();
        await dialog.waitFor();
      };
      const isShown = (name: string) => page.getByRole("heading", { level: 1, name }).waitFor();
      await isShown(`Hers ${size}`);
      await page.getByRole("button", { name: "Search cards, people" }).click();
      await page.getByPlaceholder("Search cards, policies").fill(`His ${size}`);
      await dialog.getByRole("button", { name: new RegExp(`^His ${size} \\(`) }).click();
      await isShown(`His ${size}`);

      await act("Change holder, policy or name");
      await dialog.getByLabel("Name").fill("Half");
      await page.goBack();
      await dialog.getByRole("button", { name: "Leave" }).click();
      await isShown(`Hers ${size}`);
      await dialog.waitFor({ state: "detached" });
      await page.goForward();
      await isShown(`His ${size}`);
      await act("Close the card");
      await page.goBack();
      await isShown(`Hers ${size}`);
      await dialog.waitFor({ state: "detached" });
      for (const { id: cardId, nickname } of [first, second])
        expect(await purser.cards.get({ organizationId, cardId })).toMatchObject({
          nickname,
          status: "ACTIVE",
        });
    },
  );

  it.for(nightlySizes)(
    "show a purchase beside the list, which stays where it is (%s)",
    async (size, { console, open }) => {
      const { owner } = console.demo;
      const { organizationId, purser } = owner;
      // The oldest is the demo's, which has had many purchases.
      const cardId = (await purser.cards.list({ organizationId })).at(-1)!.id;
      const page = await open(`/${organizationId}/cards/${cardId}`, { user: owner, size });
      await page.setViewportSize({ ...sizes[size], height: 500 });
      const purchase = page.getByRole("dialog", { name: "Purchase" });
      const scrolled = () => page.evaluate<number>("Math.round(scrollY)");
      const rows = page.getByRole("table", { name: "Transactions of the card" }).locator("[data-row-opener]");
      await rows.first().waitFor();
      await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
      const opener = rows.nth(5);
      await opener.scrollIntoViewIfNeeded();
      const place = await scrolled();
      expect(place).toBeGreaterThan(0);
      await opener.click();
      await purchase.getByText("What happened").waitFor();
      await page.keyboard.press("Escape");
      await purchase.waitFor({ state: "detached" });
      expect(await scrolled()).toBe(place);
      await opener.and(page.locator(":focus")).waitFor();
      // To go back opens it no second time.
      await page.goBack();
      await rows.first().waitFor();
      expect(new URL(page.url()).search).toBe("");
    },
  );
}

function otherHolder(): void {
  it.for(nightlySizes)("are given to another holder, who sees them (%s)", async (size, { console, open }) => {
    const { owner, member } = console.demo;
    const { organizationId, purser } = owner;
    const card = await issueCard(owner, `Shared ${size}`);
    const path = `/${organizationId}/cards/${card.id}`;
    const page = await open(path, { user: owner, size });
    const holder = await member.purser.me.get();
    const label = holder.name ?? holder.email;
    await page.getByRole("button", { name: "Show number" }).waitFor();
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "Change holder, policy or name" }).click();
    await choose(page, "Holder", label);
    await page.getByRole("dialog").getByRole("button", { name: "Save" }).click();
    await page.getByText("The card is changed").waitFor();
    await page.getByText(label).first().waitFor();
    // Only its holder may see the number.
    await page.getByRole("button", { name: "Show number" }).waitFor({ state: "detached" });
    expect((await purser.cards.get({ organizationId, cardId: card.id })).assignedToId).toBe(holder.id);
    const other = await open(path, { user: member, size });
    await other.getByRole("heading", { level: 1, name: `Shared ${size}` }).waitFor();
    await other.getByRole("button", { name: "Show number" }).waitFor();
  });
}

function ownDetails(): void {
  it.for(nightlySizes)(
    "need details of their holder, who enters them and never reads them again (%s)",
    async (size, { console, open }) => {
      const user = await console.newOrganization(`Details ${size}`);
      const page = await open(`/${user.organizationId}/cards/details`, { user, size });
      const field = (label: string) => page.getByRole("textbox", { name: label, exact: true });
      await page.getByText("Nothing is on record").waitFor();
      await field("Given names").fill("Ada");
      await field("Phone number").fill("020 7123");
      await page.getByRole("button", { name: "Save" }).click();
      // Each field says what it lacks, and keeps what is written.
      await page.getByText(/E\.164/).waitFor();
      await field("Family names").fill("Lovelace");
      await field("Phone number").fill("+44 20 7123 4567");
      await page.getByRole("button", { name: "Save" }).click();
      await page.getByText("On record: name and phone number.").waitFor();
      expect(await field("Given names").inputValue()).toBe("");
    },
  );
}
