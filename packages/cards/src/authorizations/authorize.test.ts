import { createRandom } from "@purser/core";
import { cardCounters, cardEvents, cardTransactions } from "@purser/db";
import {
  type Service,
  type TestPurser,
  createTestPurser,
  openService,
  problemOf,
  refusalOf,
} from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CardFixture, type HeldCard, type Terms, openWallet } from "../testing/card-scene.ts";
import { historyOf, recordHistory } from "../testing/history.ts";
import { networkOf } from "../testing/network.ts";
import { type AuthorizationMessage, type DecisionResult, authorize } from "./service/authorize.ts";
import { incrementHold } from "./service/increment.ts";
import { settle } from "./service/settle.ts";

const nightly = process.env["PURSER_PROFILE"] === "nightly";
const seeds = Array.from({ length: nightly ? 100 : 3 }, (_, seed) => seed);
const intervals = ["PER_TRANSACTION", "DAILY", "WEEKLY", "MONTHLY"] as const;

let purser: TestPurser;
/** Another process on the same database. */
let other: Service;
let wallet: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  const { settings, clock, logger } = purser.platform;
  // As behind a pooler without prepared statements.
  other = await openService({ ...settings, databasePrepare: false }, { clock, logger });
  wallet = await openWallet(purser);
  await recordHistory(purser);
});
afterAll(async () => {
  await other.close();
  await purser.close();
});

const networkAt = (card: HeldCard) => networkOf({ card: card.reference, at: purser.clock.now() });

/** Sends all of these requests at the same time, to two processes. */
const ask = (messages: AuthorizationMessage[]) =>
  Promise.all(
    messages.map(async (message, place) => {
      const platform = place % 2 === 0 ? purser.platform : other.platform;
      return { amount: message.amount, ...(await authorize(platform, "sandbox", message)) };
    }),
  );

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

const eventsOf = ({ id }: HeldCard) => purser.db.select().from(cardEvents).where(eq(cardEvents.cardId, id));

/** The card's counters. All three windows agree, because everything happens on one day. */
async function usedOf({ id }: HeldCard): Promise<number> {
  const counters = await purser.db.select().from(cardCounters).where(eq(cardCounters.cardId, id));
  expect(new Set(counters.map(({ used }) => used)).size).toBeLessThanOrEqual(1);
  return counters[0]?.used ?? 0;
}

describe("authorize", () => {
  const races = seeds.flatMap((seed) => intervals.map((limitInterval) => ({ seed, limitInterval })));

  it.each(races)(
    "approves what fits the limit and nothing more, of 200 concurrent requests ($limitInterval, seed $seed)",
    async ({ seed, limitInterval }) => {
      const chance = createRandom("authorize", limitInterval, seed);
      const card = await wallet.card({ spendingLimit: 5000, limitInterval });
      const { authorization } = networkAt(card);
      // With equal amounts, the number of approvals is known exactly.
      const size = chance.happens(0.5) ? () => 500 : () => chance.whole(1, 900);
      const results = await ask(Array.from({ length: 200 }, () => authorization({ amount: size() })));
      const approved = results.filter(({ verdict }) => verdict.approved);
      const spent = sum(approved.map(({ amount }) => amount));
      expect(await usedOf(card)).toBe(spent);
      expect(await eventsOf(card)).toHaveLength(200);
      if (limitInterval === "PER_TRANSACTION") return expect(approved).toHaveLength(200);
      expect(spent).toBeLessThanOrEqual(5000);
      for (const { amount, verdict } of results) {
        if (verdict.approved) continue;
        expect(verdict.reason).toBe(`${limitInterval.toLowerCase()}_limit_exceeded`);
        expect(spent + amount).toBeGreaterThan(5000);
      }
    },
  );

  it("gives fifty concurrent copies of a message one effect and one answer", async () => {
    for (const spendingLimit of [900, 100]) {
      const card = await wallet.card({ spendingLimit, limitInterval: "DAILY" });
      const message = networkAt(card).authorization({ amount: 500 });
      const results = await ask(Array.from({ length: 50 }, () => message));
      expect(
        new Set(results.map(({ verdict, transaction }) => JSON.stringify([verdict, transaction]))),
      ).toHaveLength(1);
      expect(results[0]!.verdict.approved).toBe(spendingLimit > 500);
      expect(await eventsOf(card)).toHaveLength(1);
      expect(await usedOf(card)).toBe(spendingLimit > 500 ? 500 : 0);
    }
  });

  it("repeats the first answer, even after other changes", async () => {
    const card = await wallet.card();
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    await authorize(purser.platform, "sandbox", purchase);
    const more = network.increment(purchase.authorization, 200);
    await incrementHold(purser.platform, "sandbox", more);
    await settle(purser.platform, "sandbox", network.clearing(purchase.authorization));
    await purser.as(wallet.owner).cards.updateStatus({ ...theCard(card), status: "FROZEN" });
    const repeat = await authorize(other.platform, "sandbox", purchase);
    expect(repeat).toMatchObject({
      verdict: { approved: true },
      transaction: { status: "COMPLETED", amount: 700 },
    });
    expect((await incrementHold(other.platform, "sandbox", more)).verdict.approved).toBe(true);
    expect(await eventsOf(card)).toHaveLength(3);
  });

  it("refuses a purchase that was cleared before its request", async () => {
    const card = await wallet.card();
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    await settle(purser.platform, "sandbox", network.clearing(purchase.authorization, 500));
    expect(await refusalOf(authorize(purser.platform, "sandbox", purchase))).toBe("TRANSACTION_FINAL");
    expect(await usedOf(card)).toBe(500);
  });

  it("throws CARD_NOT_FOUND for a card that was not issued", async () => {
    const { authorization } = networkOf({ card: "unheard of", at: purser.clock.now() });
    expect(await refusalOf(authorize(purser.platform, "sandbox", authorization({ amount: 1 })))).toBe(
      "CARD_NOT_FOUND",
    );
  });

  /**
   * Runs purchases concurrently with changes of the card. Returns the approvals with the terms in force at the time.
   */
  async function raceWith(terms: Terms, change: (card: HeldCard, turn: number) => Promise<unknown>) {
    const card = await wallet.card({ ...terms, limitInterval: "MONTHLY" });
    const { authorization } = networkAt(card);
    const race = new AbortController();
    const told: DecisionResult[] = [];
    const buyers = Array.from({ length: 20 }, async () => {
      for (let count = 0; count < 50 && !race.signal.aborted; count += 1) {
        const outcome = authorize(other.platform, "sandbox", authorization({ amount: 10 }));
        // A request that is overtaken repeatedly is refused in the end.
        await outcome.then((decided) => told.push(decided), problemOf);
      }
    });
    for (let turn = 0; turn < 8; turn += 1) await change(card, turn);
    race.abort();
    await Promise.all(buyers);
    const history = await historyOf(purser, card.id);
    const counted = new Map((await eventsOf(card)).map((event) => [event.id, event.counted]));
    const approvals = history.filter(({ eventId }) => eventId !== null && counted.get(eventId)! > 0);
    // Every answer is stored, and every stored decision was an answer.
    expect(approvals).toHaveLength(told.filter(({ verdict }) => verdict.approved).length);
    expect(await usedOf(card)).toBe(10 * approvals.length);
    const changes = history.filter(({ eventId }) => eventId === null);
    expect(changes).toHaveLength(9);
    return { card, approvals, changes };
  }

  it("stores no approval decided before a freeze after the freeze", async () => {
    const { card, approvals, changes } = await raceWith({}, ({ organizationId, id: cardId }, turn) =>
      purser.as(wallet.owner).cards.updateStatus({
        organizationId,
        cardId,
        status: turn % 2 === 0 ? "FROZEN" : "ACTIVE",
      }),
    );
    for (const { sequence, status } of approvals) {
      expect(status).toBe("ACTIVE");
      expect(changes.findLast((change) => change.sequence < sequence)?.status).toBe("ACTIVE");
    }
    await purser.as(wallet.owner).cards.updateStatus({ ...theCard(card), status: "FROZEN" });
    const [next] = await ask([networkAt(card).authorization({ amount: 10 })]);
    expect(next!.verdict).toEqual({ approved: false, reason: "card_frozen" });
  });

  it("stores no approval decided before a policy change after the change", async () => {
    const { approvals } = await raceWith({ spendingLimit: 100 }, ({ organizationId, policyId }, turn) =>
      purser.as(wallet.owner).cards.policies.update({
        organizationId,
        policyId,
        spendingLimit: [500, 50, 1500, 0, 800, 100, 1e3, 200][turn]!,
      }),
    );
    for (const [place, { limit }] of approvals.entries()) {
      expect(10 * (place + 1)).toBeLessThanOrEqual(limit!);
    }
  });
});

const theCard = ({ organizationId, id: cardId }: HeldCard) => ({ organizationId, cardId });

describe("incrementHold", () => {
  it("never holds more than the limit under concurrent increments, and leaves a declined hold unchanged", async () => {
    const card = await wallet.card({ spendingLimit: 1000, limitInterval: "WEEKLY" });
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 100 });
    const { transaction } = await authorize(purser.platform, "sandbox", purchase);
    const approved: string[] = [];
    for (let wave = 0; wave < 3; wave += 1) {
      const more = [1, 2, 3, 4].map(() => network.increment(purchase.authorization, 200));
      // Half of them are sent twice, to two processes.
      const asked = [...more, ...more.slice(2)].map(async (message, place) => {
        const { platform } = place < 3 ? purser : other;
        const { verdict } = await incrementHold(platform, "sandbox", message);
        if (verdict.approved) approved.push(message.networkId);
      });
      await Promise.all(asked);
    }
    expect(new Set(approved).size).toBe(4);
    expect(await usedOf(card)).toBe(900);
    const [row] = await purser.db
      .select()
      .from(cardTransactions)
      .where(eq(cardTransactions.id, transaction.id));
    expect(row).toMatchObject({ status: "PENDING", amount: 900, held: 900, authorized: 900 });
    expect(await eventsOf(card)).toHaveLength(13);
  });
});
