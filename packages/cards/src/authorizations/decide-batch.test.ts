import { hour } from "@purser/core/testing";
import {
  type Transaction,
  cardCounters,
  cardLedgerEntries,
  cardPolicies,
  cards,
  openDecisionDatabase,
} from "@purser/db";
import { deliverSandboxEvent } from "@purser/platform/inbox";
import { type TestPurser, countWaitingForLocks, createTestPurser } from "@purser/testing";
import { and, eq, inArray, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type CardFixture,
  type TestCard,
  type PolicyFields,
  createCardFixture,
} from "../testing/card-scene.ts";
import { cardNetwork } from "../testing/network.ts";
import { cardReceivers } from "../webhooks.ts";
import { type AuthorizationMessage, authorizePurchase, decideBatch } from "./service/authorize.ts";
import { incrementHold } from "./service/increment.ts";
import { findDecisionDatabase } from "./store/decision-context.ts";

let purser: TestPurser;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());

const networkAt = (card: TestCard, at = purser.clock.now()) => cardNetwork({ card: card.reference, at });
const send = (message: AuthorizationMessage, platform = purser.platform) =>
  authorizePurchase(platform, "sandbox", message);

/** Sends all of these requests at the same time. All but the first are decided in one batch. */
const sendAll = (messages: AuthorizationMessage[], platform = purser.platform) =>
  Promise.all(messages.map((message) => send(message, platform)));

const newCards = (count: number, terms: PolicyFields = {}) =>
  Promise.all(Array.from({ length: count }, () => fixture.card(terms)));

const entriesOf = (card: TestCard) => {
  const { cardId, id } = cardLedgerEntries;
  return purser.db.select().from(cardLedgerEntries).where(eq(cardId, card.id)).orderBy(id);
};

async function usedOf({ id }: TestCard): Promise<Record<string, number>> {
  const counters = await purser.db.select().from(cardCounters).where(eq(cardCounters.cardId, id));
  return Object.fromEntries(counters.map(({ period, startsOn, used }) => [`${period} ${startsOn}`, used]));
}

/** Locks cards and changes them. Returns a function that commits and releases the locks. */
async function hold(held: TestCard[], change = async (_open: Transaction): Promise<unknown> => undefined) {
  const [isHeld, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ids = held.map(({ id }) => id);
  const locked = and(eq(cards.organizationId, fixture.organizationId), inArray(cards.id, ids));
  const transaction = purser.db.transaction(async (open) => {
    await open.select().from(cards).where(locked).for("no key update");
    await change(open);
    isHeld.resolve();
    await letGo.promise;
  });
  await isHeld.promise;
  return () => {
    letGo.resolve();
    return transaction;
  };
}

describe("concurrent purchases", () => {
  it("on one card are decided in order, each on the rest of the limit", async () => {
    const card = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" });
    const { authorization } = networkAt(card);
    const results = await sendAll(Array.from({ length: 32 }, () => authorization({ amount: 100 })));
    expect(results.map(({ response }) => response.approved)).toEqual(results.map((_, index) => index < 10));
    const decisions = (await entriesOf(card)).map(({ decision }) => decision!);
    expect(decisions.map(({ used, remaining }) => [used, remaining])).toEqual(
      results.map((_, index) => [Math.min(index, 10) * 100, Math.max(10 - index, 0) * 100]),
    );
    expect(await usedOf(card)).toEqual({
      "DAY 2026-03-02": 1000,
      "MONTH 2026-03-01": 1000,
      "WEEK 2026-03-02": 1000,
    });
  });

  it("count in the windows of their own days", async () => {
    const card = await fixture.card({ spendingLimit: 500, limitInterval: "DAILY" });
    const days = [0, 24, 48, 72].map((hours) => new Date(purser.clock.now().getTime() - hours * hour));
    const messages = [1, 2, 3].flatMap(() =>
      days.map((at) => networkAt(card, at).authorization({ amount: 250 })),
    );
    const results = await sendAll(messages);
    expect(results.map(({ response }) => response.approved)).toEqual(messages.map((_, index) => index < 8));
    expect(await usedOf(card)).toEqual({
      "DAY 2026-02-27": 500,
      "DAY 2026-02-28": 500,
      "DAY 2026-03-01": 500,
      "DAY 2026-03-02": 500,
      "WEEK 2026-02-23": 1500,
      "WEEK 2026-03-02": 500,
      "MONTH 2026-02-01": 1000,
      "MONTH 2026-03-01": 1000,
    });
  });

  it("have one effect per message, and one transaction per authorization", async () => {
    const [card, other] = await newCards(2);
    const { authorization } = networkAt(card!);
    const [before, purchase] = [authorization({ amount: 1 }), authorization({ amount: 200 })];
    const sameAuthorization = authorization({ amount: 300, authorization: purchase.authorization });
    // The network of another card may use the same references.
    const elsewhere = { ...purchase, card: other!.reference };
    const [, first, third, second, fourth] = await Promise.all([
      send(before),
      send(purchase),
      send(sameAuthorization),
      send(purchase),
      send(elsewhere),
    ]);
    expect([second.response, second.transaction.id]).toEqual([first.response, first.transaction.id]);
    expect(third.transaction).toMatchObject({ id: first.transaction.id, held: 500 });
    expect(fourth.transaction.id).not.toBe(first.transaction.id);
    expect(await usedOf(card!)).toMatchObject({ "DAY 2026-03-02": 501 });
    expect(await usedOf(other!)).toMatchObject({ "DAY 2026-03-02": 200 });
  });

  it("are deferred if the batch would store them twice, or in counters that it has not read", async () => {
    const card = await fixture.card();
    const { authorization } = networkAt(card);
    const purchase = authorization({ amount: 100 });
    const sameAuthorization = authorization({ amount: 100, authorization: purchase.authorization });
    const yesterday = new Date(purser.clock.now().getTime() - 24 * hour);
    const messages = [
      purchase,
      purchase,
      sameAuthorization,
      networkAt(card, yesterday).authorization({ amount: 100 }),
      authorization({ amount: 100 }),
    ];
    const { platform } = purser;
    const sent = { platform, actor: null, issuer: "sandbox" } as const;
    const requests = messages.map((message) => ({ ...sent, message }));
    const reference = { issuer: "sandbox", reference: card.reference } as const;
    const { db, batchOf } = (await findDecisionDatabase(platform, reference))!;
    const decide = async () => (await decideBatch(db, requests, batchOf)).map(({ kind }) => kind);
    expect(await decide()).toEqual(["decided", "deferred", "deferred", "deferred", "decided"]);
    expect(await decide()).toEqual(["recorded", "recorded", "recorded", "deferred", "recorded"]);
  });

  it("do not fail together with a failing one", async () => {
    const held = await newCards(5);
    const messages = held.map((card) => networkAt(card).authorization({ amount: 100 }));
    const [, noText, noDate, noCard] = messages as [never, ...AuthorizationMessage[]];
    noText!.merchant = { ...noText!.merchant, name: "\u0000" };
    noDate!.at = new Date(Number.NaN);
    noCard!.card = "unknown";
    const results = await Promise.allSettled(messages.map((message) => send(message)));
    const isDecided = results.map(({ status }) => status === "fulfilled");
    expect(isDecided).toEqual([true, false, false, false, true]);
    const entryCounts = await Promise.all(held.map(async (card) => (await entriesOf(card)).length));
    expect(entryCounts).toEqual([1, 0, 0, 0, 1]);
  });
});

describe("a locked card", () => {
  it("does not delay other cards, however many purchases and increments wait for it", async () => {
    const locked = await newCards(6);
    const free = await newCards(5);
    const purchases = locked.map((card) => networkAt(card).authorization({ amount: 100 }));
    await sendAll(purchases);
    const letGo = await hold(locked);
    const sent = locked.flatMap((card, index) => {
      const network = networkAt(card);
      const [one, other] = [network.authorization({ amount: 50 }), network.authorization({ amount: 50 })];
      const more = network.increment(purchases[index]!.authorization, 50);
      return [() => send(one), () => send(other), () => incrementHold(purser.platform, "sandbox", more)];
    });
    const waiting = sent.map((again) =>
      again().then(
        () => async () => {},
        () => again,
      ),
    );
    // The maximum number of waiting statements is reached.
    await expect.poll(() => countWaitingForLocks(purser.db)).toBe(4);
    const others = await sendAll(free.map((card) => networkAt(card).authorization({ amount: 100 })));
    expect(others.every(({ response }) => response.approved)).toBe(true);
    await letGo();
    // Some waits may have timed out. Repeat them, as networks do.
    for (const again of await Promise.all(waiting)) await again();
    for (const card of locked) expect(await usedOf(card)).toMatchObject({ "DAY 2026-03-02": 250 });
  });

  it.each([
    [
      "its status",
      ({ id }: TestCard) =>
        (open: Transaction) =>
          open
            .update(cards)
            .set({ status: "FROZEN", version: sql`version + 1` })
            .where(eq(cards.id, id)),
      "card_frozen",
    ],
    [
      "its policy",
      ({ policyId }: TestCard) =>
        async (open: Transaction) => {
          await open
            .update(cardPolicies)
            .set({ spendingLimit: 99, version: sql`version + 1` })
            .where(eq(cardPolicies.id, policyId));
        },
      "daily_limit_exceeded",
    ],
  ])("is decided on again if %s has changed since it was read", async (_what, change, reason) => {
    const [card, other] = await newCards(2, { spendingLimit: 1000, limitInterval: "DAILY" });
    const commit = await hold([card!], change(card!));
    const messages = [other!, card!, other!, card!].map((one) =>
      networkAt(one).authorization({ amount: 100 }),
    );
    // Unlike decision connections, these wait long enough for a lock.
    const results = sendAll(messages, { ...purser.platform, decisionDb: purser.db });
    // The decision has already read the old values.
    await expect.poll(() => countWaitingForLocks(purser.db)).toBe(1);
    await commit();
    const verdicts = (await results).map(({ response }) => response);
    expect(verdicts.map((response) => response.reason)).toEqual([null, reason, null, reason]);
  });
});

describe("the decision connections", () => {
  it("are free when all others are busy", async () => {
    const card = await fixture.card();
    const { databasePoolSize } = purser.platform.settings;
    const free = Promise.withResolvers<void>();
    const busy = Array.from({ length: databasePoolSize }, () =>
      purser.db.transaction(async (open) => {
        await open.execute(sql`SELECT 1`);
        await free.promise;
      }),
    );
    const { response } = await send(networkAt(card).authorization({ amount: 100 }));
    free.resolve();
    await Promise.all(busy);
    expect(response.approved).toBe(true);
  });

  it("limit statements and lock waits to one second", async () => {
    const { settings } = purser.platform;
    for (const databasePrepare of [true, false]) {
      const db = openDecisionDatabase({ ...settings, databasePrepare });
      const [row] = await db.transaction((open) =>
        open.execute(sql`
          SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`),
      );
      expect(row).toEqual({ statement: "1s", lock: "800ms" });
      await db.close();
    }
    const db = openDecisionDatabase(settings);
    const error = await db.execute(sql`SELECT pg_sleep(3)`).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ cause: { code: "57014" } });
    await db.close();
  });

  it("refuse a purchase that cannot be decided in time, and let nothing of it count", async () => {
    const card = await fixture.card();
    const letGo = await hold([card]);
    const purchase = {
      card: card.reference,
      at: purser.clock.now().toISOString(),
      amount: 500,
      currency: "GBP",
    };
    const data = { ...purchase, merchant: { name: "Corner Coffee" }, channel: "online" };
    const event = { id: "blocked", type: "authorization.request", data };
    const platform = { ...purser.platform, decisionTimeoutMs: 1500 };
    const receipt = await deliverSandboxEvent(platform, cardReceivers(platform), { area: "cards", event });
    await letGo();
    expect(receipt).toMatchObject({
      outcome: "answered",
      response: { body: JSON.stringify({ approved: false, reason: "decision_timed_out" }) },
    });
    // On a busy machine the wait for the lock outlasts the refusal. A job takes back what is stored then.
    const counted = async () => {
      await purser.drain();
      return (await entriesOf(card)).reduce((sum, entry) => sum + entry.counted, 0);
    };
    await expect.poll(counted).toBe(0);
  });
});
