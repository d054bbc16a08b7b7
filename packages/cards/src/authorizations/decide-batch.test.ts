import { hour } from "@purser/core/testing";
import {
  type Transaction,
  cardCounters,
  cardEvents,
  cardPolicies,
  cards,
  openDecisionDatabase,
} from "@purser/db";
import { deliverSandboxEvent } from "@purser/platform/inbox";
import { type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { eq, inArray, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CardFixture, type HeldCard, type Terms, openWallet } from "../testing/card-scene.ts";
import { networkOf } from "../testing/network.ts";
import { type AuthorizationMessage, authorize, decideBatch } from "./service/authorize.ts";
import { incrementHold } from "./service/increment.ts";

let purser: TestPurser;
let wallet: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  wallet = await openWallet(purser);
});
afterAll(() => purser.close());

const networkAt = (card: HeldCard, at = purser.clock.now()) => networkOf({ card: card.reference, at });
const ask = (message: AuthorizationMessage, platform = purser.platform) =>
  authorize(platform, "sandbox", message);

/** Sends all of these requests at the same time. All but the first are decided in one batch. */
const askAll = (messages: AuthorizationMessage[], platform = purser.platform) =>
  Promise.all(messages.map((message) => ask(message, platform)));

const newCards = (count: number, terms: Terms = {}) =>
  Promise.all(Array.from({ length: count }, () => wallet.card(terms)));

const eventsOf = ({ id }: HeldCard) =>
  purser.db.select().from(cardEvents).where(eq(cardEvents.cardId, id)).orderBy(cardEvents.id);

async function usedOf({ id }: HeldCard): Promise<Record<string, number>> {
  const counters = await purser.db.select().from(cardCounters).where(eq(cardCounters.cardId, id));
  return Object.fromEntries(counters.map(({ period, startsOn, used }) => [`${period} ${startsOn}`, used]));
}

/** Locks cards and changes them. Returns a function that commits and releases the locks. */
async function hold(
  held: HeldCard[],
  change: (open: Transaction) => Promise<unknown> = async () => undefined,
) {
  const [isHeld, letGo] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const ids = held.map(({ id }) => id);
  const transaction = purser.db.transaction(async (open) => {
    await open.select().from(cards).where(inArray(cards.id, ids)).for("no key update");
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

/** Waits until this many statements wait for a lock. */
const untilWaiting = (count: number) =>
  expect
    .poll(
      async () => {
        const [row] = await purser.db.execute<{ count: number }>(sql`
          SELECT count(*)::int AS count FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock'`);
        return row?.count;
      },
      { timeout: 5000 },
    )
    .toBe(count);

describe("concurrent purchases", () => {
  it("on one card are decided in order, each on the rest of the limit", async () => {
    const card = await wallet.card({ spendingLimit: 1000, limitInterval: "DAILY" });
    const { authorization } = networkAt(card);
    const results = await askAll(Array.from({ length: 32 }, () => authorization({ amount: 100 })));
    expect(results.map(({ verdict }) => verdict.approved)).toEqual(results.map((_, place) => place < 10));
    const decisions = (await eventsOf(card)).map(({ decision }) => decision as Record<string, unknown>);
    expect(decisions.map(({ used, remaining }) => [used, remaining])).toEqual(
      results.map((_, place) => [Math.min(place, 10) * 100, Math.max(10 - place, 0) * 100]),
    );
    expect(await usedOf(card)).toEqual({
      "DAY 2026-03-02": 1000,
      "MONTH 2026-03-01": 1000,
      "WEEK 2026-03-02": 1000,
    });
  });

  it("count in the windows of their own days", async () => {
    const card = await wallet.card({ spendingLimit: 500, limitInterval: "DAILY" });
    const days = [0, 24, 48, 72].map((hours) => new Date(purser.clock.now().getTime() - hours * hour));
    const messages = [1, 2, 3].flatMap(() =>
      days.map((at) => networkAt(card, at).authorization({ amount: 250 })),
    );
    const results = await askAll(messages);
    expect(results.map(({ verdict }) => verdict.approved)).toEqual(messages.map((_, place) => place < 8));
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

  it("have one effect per message, and one authorization per reference", async () => {
    const [card, other] = await newCards(2);
    const { authorization } = networkAt(card!);
    const [before, purchase] = [authorization({ amount: 1 }), authorization({ amount: 200 })];
    const namesake = authorization({ amount: 300, authorization: purchase.authorization });
    // The network of another card may use the same references.
    const elsewhere = { ...purchase, card: other!.reference };
    const [, first, third, second, fourth] = await Promise.all([
      ask(before),
      ask(purchase),
      refusalOf(ask(namesake)),
      ask(purchase),
      ask(elsewhere),
    ]);
    expect(second).toEqual(first);
    expect(third).toBe("TRANSACTION_FINAL");
    expect(fourth.transaction.id).not.toBe(first.transaction.id);
    expect(await usedOf(card!)).toMatchObject({ "DAY 2026-03-02": 201 });
    expect(await usedOf(other!)).toMatchObject({ "DAY 2026-03-02": 200 });
  });

  it("are deferred if the batch would store them twice, or in counters that it has not read", async () => {
    const card = await wallet.card();
    const { authorization } = networkAt(card);
    const purchase = authorization({ amount: 100 });
    const namesake = authorization({ amount: 100, authorization: purchase.authorization });
    const yesterday = new Date(purser.clock.now().getTime() - 24 * hour);
    const messages = [
      purchase,
      purchase,
      namesake,
      networkAt(card, yesterday).authorization({ amount: 100 }),
      authorization({ amount: 100 }),
    ];
    const { decisionDb, clock } = purser.platform;
    const asks = messages.map((message) => ({ issuer: "sandbox" as const, message, clock }));
    const decide = async () =>
      (await decideBatch(decisionDb, asks, { waits: false })).map(({ kind }) => kind);
    expect(await decide()).toEqual(["decided", "deferred", "deferred", "deferred", "decided"]);
    expect(await decide()).toEqual(["recorded", "recorded", "recorded", "deferred", "recorded"]);
  });

  it("do not fail together with a failing one", async () => {
    const held = await newCards(5);
    const messages = held.map((card) => networkAt(card).authorization({ amount: 100 }));
    const [, noText, noDate, noCard] = messages as [never, ...AuthorizationMessage[]];
    noText!.merchant = { ...noText!.merchant, name: "\u0000" };
    noDate!.at = new Date(Number.NaN);
    noCard!.card = "unheard of";
    const results = await Promise.allSettled(messages.map((message) => ask(message)));
    expect(results.map(({ status }) => status)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "rejected",
      "fulfilled",
    ]);
    expect(await Promise.all(held.map(async (card) => (await eventsOf(card)).length))).toEqual([
      1, 0, 0, 0, 1,
    ]);
  });
});

describe("a locked card", () => {
  it("does not delay other cards, however many purchases and increments wait for it", async () => {
    const locked = await newCards(6);
    const free = await newCards(5);
    const purchases = locked.map((card) => networkAt(card).authorization({ amount: 100 }));
    await askAll(purchases);
    const letGo = await hold(locked);
    const asked = locked.flatMap((card, place) => {
      const network = networkAt(card);
      const [one, other] = [network.authorization({ amount: 50 }), network.authorization({ amount: 50 })];
      const more = network.increment(purchases[place]!.authorization, 50);
      return [() => ask(one), () => ask(other), () => incrementHold(purser.platform, "sandbox", more)];
    });
    const waiting = asked.map((again) =>
      again().then(
        () => async () => {},
        () => again,
      ),
    );
    // The maximum number of waiting statements is reached.
    await untilWaiting(4);
    const others = await askAll(free.map((card) => networkAt(card).authorization({ amount: 100 })));
    expect(others.every(({ verdict }) => verdict.approved)).toBe(true);
    await letGo();
    // Some waits may have timed out. Repeat them, as networks do.
    for (const again of await Promise.all(waiting)) await again();
    for (const card of locked) expect(await usedOf(card)).toMatchObject({ "DAY 2026-03-02": 250 });
  });

  it.each([
    [
      "its status",
      ({ id }: HeldCard) =>
        (open: Transaction) =>
          open
            .update(cards)
            .set({ status: "FROZEN", version: sql`version + 1` })
            .where(eq(cards.id, id)),
      "card_frozen",
    ],
    [
      "its policy",
      ({ id, policyId }: HeldCard) =>
        async (open: Transaction) => {
          await open.update(cardPolicies).set({ spendingLimit: 99 }).where(eq(cardPolicies.id, policyId));
          await open
            .update(cards)
            .set({ version: sql`version + 1` })
            .where(eq(cards.id, id));
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
    const results = askAll(messages, { ...purser.platform, decisionDb: purser.db });
    // The decision has already read the old values.
    await untilWaiting(1);
    await commit();
    const verdicts = (await results).map(({ verdict }) => verdict);
    expect(verdicts.map((verdict) => verdict.reason)).toEqual([null, reason, null, reason]);
  });
});

describe("the decision connections", () => {
  it("are free when all others are busy", async () => {
    const card = await wallet.card();
    const { databasePoolSize } = purser.platform.settings;
    const free = Promise.withResolvers<void>();
    const busy = Array.from({ length: databasePoolSize }, () =>
      purser.db.transaction(async (open) => {
        await open.execute(sql`SELECT 1`);
        await free.promise;
      }),
    );
    const { verdict } = await ask(networkAt(card).authorization({ amount: 100 }));
    free.resolve();
    await Promise.all(busy);
    expect(verdict.approved).toBe(true);
  });

  it("limit statements and lock waits to one second", async () => {
    const { settings, decisionDb } = purser.platform;
    for (const databasePrepare of [true, false]) {
      const db = openDecisionDatabase({ ...settings, databasePrepare });
      const [row] = await db.transaction((open) =>
        open.execute(sql`
          SELECT current_setting('statement_timeout') AS statement, current_setting('lock_timeout') AS lock`),
      );
      expect(row).toEqual({ statement: "1s", lock: "800ms" });
      await db.close();
    }
    const error = await decisionDb.execute(sql`SELECT pg_sleep(3)`).catch((failure: unknown) => failure);
    expect(error).toMatchObject({ cause: { code: "57014" } });
  });

  it("refuse a purchase that cannot be decided in time, and store nothing", async () => {
    const card = await wallet.card();
    const letGo = await hold([card]);
    const purchase = {
      card: card.reference,
      at: purser.clock.now().toISOString(),
      amount: 500,
      currency: "GBP",
    };
    const data = { ...purchase, merchant: { name: "Corner Coffee" }, channel: "online" };
    const event = { id: "blocked", type: "authorization.request", data };
    const receipt = await deliverSandboxEvent(purser.platform, purser.receivers, { area: "cards", event });
    await letGo();
    expect(receipt).toMatchObject({
      outcome: "answered",
      answer: { body: JSON.stringify({ approved: false, reason: null }) },
    });
    expect(await eventsOf(card)).toEqual([]);
  });
});
