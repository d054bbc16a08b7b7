import { cardCounters, cardLedgerEntries } from "@purser/db";
import {
  type Service,
  type TestPurser,
  createTestPurser,
  openOtherProcess,
  refusalOf,
} from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CardFixture, type TestCard, cornerShop, createCardFixture } from "../testing/card-scene.ts";
import { adviceOn, cardNetwork, repeatWhileUnavailable } from "../testing/network.ts";
import { declineLate, recordAdvice } from "./service/advise.ts";
import { authorizePurchase } from "./service/authorize.ts";
import { incrementHold } from "./service/increment.ts";

let purser: TestPurser;
/** Another process on the same database. */
let other: Service;
let fixture: CardFixture;
/** An organization whose setting is off, as it is by default. */
let strict: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  other = await openOtherProcess(purser);
  fixture = await createCardFixture(purser);
  strict = await createCardFixture(purser);
  await purser
    .as(fixture.owner)
    .organizations.settings.update({ id: fixture.organizationId, partialApprovals: true });
});
afterAll(async () => {
  await other.close();
  await purser.close();
});

const daily = { spendingLimit: 1000, limitInterval: "DAILY" } as const;
const partly = { acceptsPartialApproval: true };
const networkAt = (card: TestCard) => cardNetwork({ card: card.reference, at: purser.clock.now() });
type Message = ReturnType<ReturnType<typeof cardNetwork>["authorization"]>;
const send = (message: Message, platform = purser.platform) =>
  repeatWhileUnavailable(() => authorizePurchase(platform, "sandbox", message));

/** What counts on the day. */
async function usedOf({ id }: TestCard): Promise<number> {
  const counters = await purser.db.select().from(cardCounters).where(eq(cardCounters.cardId, id));
  expect(new Set(counters.map(({ used }) => used)).size).toBeLessThanOrEqual(1);
  return counters[0]?.used ?? 0;
}

const explain = ({ organizationId }: TestCard, transactionId: string) =>
  purser.as(fixture.owner).cards.transactions.explain({ organizationId, transactionId });

describe("a purchase beyond what is left of a limit", () => {
  it("is approved for what is left, in the answer, the transaction, the counters and the explanation", async () => {
    const card = await fixture.card(daily);
    await fixture.buy(card.id, { amount: 400 });
    const { response, transaction } = await send(networkAt(card).authorization({ amount: 800, ...partly }));
    expect(response).toEqual({ approved: true, reason: null, partialAmount: 600 });
    expect(transaction).toMatchObject({ status: "PENDING", amount: 600, held: 600, authorized: 600 });
    expect(await usedOf(card)).toBe(1000);
    expect(await explain(card, transaction.id)).toMatchObject({
      outcome: "approved",
      reason: null,
      requestedAmount: 800,
      approvedAmount: 600,
      limit: 1000,
      used: 400,
      remaining: 600,
      amountBeyondApproval: 0,
    });
  });

  it("is approved for the least that is left of several limits", async () => {
    const card = await fixture.card({
      limits: [
        { amount: 1000, interval: "DAILY" },
        { amount: 900, interval: "ALL_TIME" },
        { amount: 950, interval: "YEARLY" },
      ],
    });
    const network = networkAt(card);
    const sent = Array.from({ length: 6 }, (_, index) =>
      send(
        network.authorization({ amount: 400, ...partly }),
        index % 2 === 0 ? purser.platform : other.platform,
      ),
    );
    const parts = (await Promise.all(sent)).map(({ transaction }) => transaction.held);
    expect(parts.toSorted((one, two) => two - one)).toEqual([400, 400, 100, 0, 0, 0]);
    expect(await usedOf(card)).toBe(900);
  });

  it("is declined where the setting is off, or the merchant does not accept a part", async () => {
    const card = await strict.card(daily);
    const refused = { approved: false, reason: "daily_limit_exceeded" };
    expect((await send(networkAt(card).authorization({ amount: 1200, ...partly }))).response).toEqual(
      refused,
    );
    const lenient = await fixture.card(daily);
    const { response, transaction } = await send(networkAt(lenient).authorization({ amount: 1200 }));
    expect(response).toEqual(refused);
    expect(await explain(lenient, transaction.id)).toMatchObject({
      requestedAmount: 1200,
      approvedAmount: 0,
    });
    expect(await usedOf(lenient)).toBe(0);
  });

  it("follows the setting from the next purchase on", async () => {
    const card = await strict.card(daily);
    const set = (partialApprovals: boolean) =>
      purser.as(strict.owner).organizations.settings.update({ id: strict.organizationId, partialApprovals });
    await set(true);
    const { response } = await send(networkAt(card).authorization({ amount: 1200, ...partly }));
    await set(false);
    expect(response.partialAmount).toBe(1000);
    const { response: later } = await send(networkAt(card).authorization({ amount: 1200, ...partly }));
    expect(later.approved).toBe(false);
  });

  it("gets the same answer when it is repeated, and holds once", async () => {
    const card = await fixture.card(daily);
    const message = networkAt(card).authorization({ amount: 1200, ...partly });
    const answers = [await send(message), await send(message), await send(message, other.platform)];
    expect(answers.map(({ response }) => response.partialAmount)).toEqual([1000, 1000, 1000]);
    expect(await usedOf(card)).toBe(1000);
  });

  it("gives back what was approved when it is reversed", async () => {
    const card = await fixture.card(daily);
    const { sandbox } = purser.as(fixture.owner);
    const bought = await fixture.buy(card.id, { amount: 1200, ...partly });
    expect(bought).toMatchObject({ status: "PENDING", amount: 1000 });
    await sandbox.cards.reverse({ transactionId: bought.id, amount: 300 });
    expect(await usedOf(card)).toBe(700);
    await sandbox.cards.clear({ transactionId: bought.id });
    expect(await usedOf(card)).toBe(700);
    expect(await explain(card, bought.id)).toMatchObject({ approvedAmount: 1000, amountBeyondApproval: 0 });
  });

  it("never exceeds the limit, in two processes at once, and spends all of it", async () => {
    const card = await fixture.card(daily);
    const messages = Array.from({ length: 40 }, (_, index) =>
      networkAt(card).authorization({ amount: 70 + (index % 3), ...(index % 4 > 0 && partly) }),
    );
    const results = await Promise.all(
      messages.map((message, index) => send(message, index % 2 === 0 ? purser.platform : other.platform)),
    );
    const approved = results.filter(({ response }) => response.approved);
    const amounts = approved.map(({ transaction }) => transaction.held);
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).toBe(1000);
    expect(await usedOf(card)).toBe(1000);
    expect(approved.filter(({ response }) => response.partialAmount !== undefined)).toHaveLength(1);
    const entries = await purser.db
      .select()
      .from(cardLedgerEntries)
      .where(eq(cardLedgerEntries.cardId, card.id));
    expect(entries.reduce((sum, { counted }) => sum + counted, 0)).toBe(1000);
  });
});

describe("an increment beyond what is left of a limit", () => {
  it.each(["increment", "authorization"] as const)("is approved for what is left, as an %s", async (kind) => {
    const card = await fixture.card(daily);
    const network = networkAt(card);
    const first = network.authorization({ amount: 900 });
    const { transaction } = await send(first);
    const { authorization } = first;
    const { response } =
      kind === "increment"
        ? await incrementHold(purser.platform, "sandbox", {
            ...network.increment(authorization, 300),
            ...partly,
          })
        : await send(network.authorization({ amount: 300, authorization, ...partly }));
    expect(response).toEqual({ approved: true, reason: null, partialAmount: 100 });
    expect(await usedOf(card)).toBe(1000);
    const { increments, approvedAmount } = await explain(card, transaction.id);
    expect(approvedAmount).toBe(900);
    expect(increments).toMatchObject([
      { outcome: "approved", amount: 300, requestedAmount: 300, approvedAmount: 100 },
    ]);
    const { sandbox } = purser.as(fixture.owner);
    const more = sandbox.cards.increment({ transactionId: transaction.id, amount: 1, ...partly });
    expect(await refusalOf(more)).toBe("DAILY_LIMIT_EXCEEDED");
  });
});

describe("the network's own decision on a purchase that we approved in part", () => {
  it("is held in whole, whatever was withdrawn before", async () => {
    for (const isWithdrawn of [false, true]) {
      const card = await fixture.card(daily);
      const message = networkAt(card).authorization({ amount: 1200, ...partly });
      await send(message);
      if (isWithdrawn) await declineLate(purser.platform, "sandbox", message);
      await recordAdvice(purser.platform, "sandbox", adviceOn(message));
      expect(await usedOf(card)).toBe(1200);
      expect((await send(message)).response).toEqual({ approved: true, reason: null });
    }
  });

  it("releases the part if it is a decline", async () => {
    const card = await fixture.card(daily);
    const message = networkAt(card).authorization({ amount: 1200, ...partly });
    const { transaction } = await send(message);
    await recordAdvice(purser.platform, "sandbox", adviceOn(message, "issuer_declined"));
    expect(await usedOf(card)).toBe(0);
    expect(await explain(card, transaction.id)).toMatchObject({
      outcome: "declined",
      requestedAmount: 1200,
      approvedAmount: 0,
    });
  });
});

describe("cards.policies.check and cards.policies.backtest", () => {
  it("agree with the engine", async () => {
    const card = await fixture.card(daily);
    const { organizationId, id: cardId } = card;
    const { policies } = purser.as(fixture.owner).cards;
    const { category: _category, ...merchant } = cornerShop;
    const check = { organizationId, cardId, amount: 1200, merchant, channel: "in_store", ...partly } as const;
    expect(await policies.check(check)).toMatchObject({ outcome: "approved", approvedAmount: 1000 });
    await fixture.buy(cardId, { amount: 400 });
    await fixture.buy(cardId, { amount: 700, ...partly });
    expect(await policies.check(check)).toMatchObject({ outcome: "declined", approvedAmount: 0 });
    const replay = (spendingLimit: number) =>
      policies.backtest({
        organizationId,
        cardId,
        policy: { spendingLimit, limitInterval: "DAILY" },
      });
    expect(await replay(1000)).toMatchObject({ approved: 2, declined: 0, partiallyApproved: 0 });
    expect(await replay(900)).toMatchObject({ approved: 2, declined: 0, partiallyApproved: 1 });
    expect(await replay(400)).toMatchObject({ approved: 1, declined: 1, partiallyApproved: 0 });
  });
});
