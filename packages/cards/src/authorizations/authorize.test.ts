import { type RandomSource, cardLimitIntervals, createRandom } from "@purser/core";
import { day, minute } from "@purser/core/testing";
import { cardCounters, cardLedgerEntries, cardTransactions } from "@purser/db";
import {
  type Service,
  type TestPurser,
  createTestPurser,
  isNightly,
  openOtherProcess,
  refusalOf,
} from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type CardFixture,
  type TestCard,
  type PolicyFields,
  createCardFixture,
} from "../testing/card-scene.ts";
import { historyOf, recordHistory } from "../testing/history.ts";
import { cardNetwork, expectUnavailable, repeatWhileUnavailable } from "../testing/network.ts";
import { declineLate } from "./service/advise.ts";
import { type AuthorizationMessage, authorizePurchase } from "./service/authorize.ts";
import { incrementHold } from "./service/increment.ts";
import type { DecisionResult } from "./service/record.ts";
import { recordSettlement } from "./service/settle.ts";
import type { SettlementMessage } from "./service/settlement-rows.ts";

const seeds = Array.from({ length: isNightly ? 100 : 3 }, (_, seed) => seed);

let purser: TestPurser;
/** Another process on the same database. */
let other: Service;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  // As behind a pooler without prepared statements.
  other = await openOtherProcess(purser, { settings: { databasePrepare: false } });
  fixture = await createCardFixture(purser);
  await recordHistory(purser);
});
afterAll(async () => {
  await other.close();
  await purser.close();
});

const networkAt = (card: TestCard) => cardNetwork({ card: card.reference, at: purser.clock.now() });

/** Sends all of these requests at the same time, to two processes. */
const authorizeAll = (messages: AuthorizationMessage[]) =>
  Promise.all(
    messages.map(async (message, index) => {
      const platform = index % 2 === 0 ? purser.platform : other.platform;
      const result = await repeatWhileUnavailable(() => authorizePurchase(platform, "sandbox", message));
      return { amount: message.amount, ...result };
    }),
  );

const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

const entriesOf = ({ id }: TestCard) =>
  purser.db.select().from(cardLedgerEntries).where(eq(cardLedgerEntries.cardId, id));

/** The card's counters. All three windows agree, because everything happens on one day. */
async function usedOf({ id }: TestCard): Promise<number> {
  const counters = await purser.db.select().from(cardCounters).where(eq(cardCounters.cardId, id));
  expect(new Set(counters.map(({ used }) => used)).size).toBeLessThanOrEqual(1);
  return counters[0]?.used ?? 0;
}

describe("authorizePurchase", () => {
  const races = seeds.flatMap((seed) => cardLimitIntervals.map((interval) => ({ seed, interval })));

  /** Sends 200 requests at once. Returns them with their results, and what was approved in total. */
  async function raceOf(card: TestCard, chance: RandomSource) {
    const { authorization } = networkAt(card);
    // With equal amounts, the number of approvals is known exactly.
    const size = chance.happens(0.5) ? () => 500 : () => chance.whole(1, 900);
    const results = await authorizeAll(Array.from({ length: 200 }, () => authorization({ amount: size() })));
    const approved = results.filter(({ response }) => response.approved);
    const spent = sum(approved.map(({ amount }) => amount));
    expect(await usedOf(card)).toBe(spent);
    expect(await entriesOf(card)).toHaveLength(200);
    return { results, approved, spent };
  }

  it.each(races)(
    "approves what fits the limit and nothing more, of 200 concurrent requests ($interval, seed $seed)",
    async ({ seed, interval }) => {
      const card = await fixture.card({ limits: [{ amount: 5000, interval }] });
      const { results, approved, spent } = await raceOf(card, createRandom("authorize", interval, seed));
      if (interval === "PER_TRANSACTION") return expect(approved).toHaveLength(200);
      expect(spent).toBeLessThanOrEqual(5000);
      for (const { amount, response } of results) {
        if (response.approved) continue;
        expect(response.reason).toBe(`${interval.toLowerCase()}_limit_exceeded`);
        expect(spent + amount).toBeGreaterThan(5000);
      }
    },
  );

  it("gives fifty concurrent copies of a message one effect and one answer", async () => {
    for (const spendingLimit of [900, 100]) {
      const card = await fixture.card({ spendingLimit, limitInterval: "DAILY" });
      const message = networkAt(card).authorization({ amount: 500 });
      const results = await authorizeAll(Array.from({ length: 50 }, () => message));
      expect(
        new Set(results.map(({ response, transaction }) => JSON.stringify([response, transaction]))),
      ).toHaveLength(1);
      expect(results[0]!.response.approved).toBe(spendingLimit > 500);
      expect(await entriesOf(card)).toHaveLength(1);
      expect(await usedOf(card)).toBe(spendingLimit > 500 ? 500 : 0);
    }
  });

  it("repeats the first answer, even after other changes", async () => {
    const card = await fixture.card();
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    await authorizePurchase(purser.platform, "sandbox", purchase);
    const more = network.increment(purchase.authorization, 200);
    await incrementHold(purser.platform, "sandbox", more);
    await recordSettlement(purser.platform, "sandbox", network.clearing(purchase.authorization));
    await purser.as(fixture.owner).cards.updateStatus({ ...theCard(card), status: "FROZEN" });
    const repeat = await authorizePurchase(other.platform, "sandbox", purchase);
    expect(repeat).toMatchObject({
      response: { approved: true },
      transaction: { status: "COMPLETED", amount: 700 },
    });
    expect((await incrementHold(other.platform, "sandbox", more)).response.approved).toBe(true);
    expect(await entriesOf(card)).toHaveLength(3);
  });

  it("checks another request under the id of an approved one", async () => {
    const card = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" });
    const network = networkAt(card);
    const first = network.authorization({ amount: 500, exactId: "500 at noon" });
    const { networkId, authorization } = first;
    const second = network.authorization({ amount: 500_000, networkId, authorization, exactId: "500,000" });
    const declined = { approved: false, reason: "daily_limit_exceeded" };
    for (const [message, response] of [
      [first, { approved: true, reason: null }],
      [second, declined],
      [first, { approved: true, reason: null }],
      [second, declined],
    ] as const)
      expect((await authorizePurchase(purser.platform, "sandbox", message)).response).toEqual(response);
    expect(await usedOf(card)).toBe(500);
    expect(await entriesOf(card)).toHaveLength(2);

    // Taking back the second one leaves the first one.
    await declineLate(purser.platform, "sandbox", second);
    expect(await usedOf(card)).toBe(500);
    // After the end of the purchase the exact id still tells them apart.
    await recordSettlement(purser.platform, "sandbox", network.reversal(authorization));
    const { response } = await authorizePurchase(purser.platform, "sandbox", {
      ...second,
      amount: 700,
      exactId: "700",
    });
    expect(response.approved).toBe(true);
    expect(await usedOf(card)).toBe(700);
  });

  it("takes back the one of equal requests that was late, whenever its job runs", async () => {
    const card = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" });
    const receivedAt = purser.clock.now();
    const first = networkAt(card).authorization({ amount: 300, receivedAt });
    const later = (minutes: number) => ({ ...first, receivedAt: new Date(+receivedAt + minutes * minute) });
    const [second, third, lost] = [later(2), later(4), later(6)];
    for (const message of [first, second, third])
      await authorizePurchase(purser.platform, "sandbox", message);
    expect(await usedOf(card)).toBe(900);
    for (const _attempt of [1, 2]) {
      await declineLate(purser.platform, "sandbox", second);
      await declineLate(purser.platform, "sandbox", lost);
      expect(await usedOf(card)).toBe(600);
    }
    const answers = [first, second, third, lost].map((message) =>
      authorizePurchase(purser.platform, "sandbox", message),
    );
    const approved = (await Promise.all(answers)).map(({ response }) => response.approved);
    expect(approved).toEqual([true, false, true, false]);
  });

  it("refuses a purchase that was cleared before its request", async () => {
    const card = await fixture.card();
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    await recordSettlement(purser.platform, "sandbox", network.clearing(purchase.authorization, 500));
    expect(await refusalOf(authorizePurchase(purser.platform, "sandbox", purchase))).toBe(
      "TRANSACTION_FINAL",
    );
    expect(await usedOf(card)).toBe(500);
  });

  it("decides on a request after the last clearing of its authorization as on a purchase of its own", async () => {
    const card = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" });
    const network = networkAt(card);
    const send = (message: AuthorizationMessage) => authorizePurchase(purser.platform, "sandbox", message);
    const settle = (message: SettlementMessage) => recordSettlement(purser.platform, "sandbox", message);
    const first = await send(network.authorization({ amount: 500, authorization: "cleared" }));
    await settle(network.clearing("cleared", 480));
    const tooMuch = await send(network.authorization({ amount: 521, authorization: "cleared" }));
    expect(tooMuch.response).toEqual({ approved: false, reason: "daily_limit_exceeded" });
    const second = await send(network.authorization({ amount: 300, authorization: "cleared" }));
    expect(second.response.approved).toBe(true);
    expect(await usedOf(card)).toBe(780);
    expect(await settle(network.clearing("cleared", 290))).toMatchObject({ id: second.transaction.id });
    expect(await usedOf(card)).toBe(770);
    // A refund is of the purchase that it fits.
    await settle(network.refund("cleared", 480));
    const [refund] = await purser
      .as(fixture.owner)
      .events.list({ organizationId: fixture.organizationId, limit: 1 });
    expect(refund).toMatchObject({ data: { originalTransactionId: first.transaction.id } });
  });

  it("counts a new purchase under the id of an ended one now, although its network dates it by the first", async () => {
    const card = await fixture.card({ spendingLimit: 1000, limitInterval: "MONTHLY" });
    const now = purser.clock.now();
    const february = new Date("2026-02-26T09:00:00Z");
    const network = cardNetwork({ card: card.reference, at: february });
    const send = (message: AuthorizationMessage) => authorizePurchase(purser.platform, "sandbox", message);
    const first = network.authorization({ amount: 500 });
    const { authorization } = first;
    await send(first);
    await recordSettlement(purser.platform, "sandbox", network.expiry(authorization));
    await send(networkAt(card).authorization({ amount: 900 }));

    const { response } = await send(network.authorization({ authorization, amount: 300 }));
    expect(response).toEqual({ approved: false, reason: "monthly_limit_exceeded" });
    const expiresAt = new Date(february.getTime() + 31 * day);
    const last = await send(network.authorization({ authorization, amount: 100, expiresAt }));
    expect(last).toMatchObject({
      response: { approved: true },
      transaction: { purchasedAt: now, expiresAt: new Date(now.getTime() + 31 * day) },
    });
  });

  it("throws CARD_NOT_FOUND for a card that was not issued", async () => {
    const { authorization } = cardNetwork({ card: "unknown", at: purser.clock.now() });
    expect(await refusalOf(authorizePurchase(purser.platform, "sandbox", authorization({ amount: 1 })))).toBe(
      "CARD_NOT_FOUND",
    );
  });

  /**
   * Runs purchases concurrently with changes of the card. Returns the approvals with the terms in force at the time.
   */
  async function raceWith(terms: PolicyFields, change: (card: TestCard, round: number) => Promise<unknown>) {
    const card = await fixture.card({ ...terms, limitInterval: "MONTHLY" });
    const { authorization } = networkAt(card);
    const race = new AbortController();
    const results: DecisionResult[] = [];
    const approved = Promise.withResolvers<void>();
    const buyers = Array.from({ length: 20 }, async () => {
      for (let count = 0; count < 50 && !race.signal.aborted; count += 1) {
        const outcome = authorizePurchase(other.platform, "sandbox", authorization({ amount: 10 }));
        // A request that is overtaken repeatedly is refused in the end.
        const decided = await outcome.catch(expectUnavailable);
        if (decided !== null) results.push(decided);
        if (decided?.response.approved) approved.resolve();
      }
    });
    await Promise.race([approved.promise, Promise.all(buyers)]);
    for (let round = 0; round < 8; round += 1) await change(card, round);
    race.abort();
    await Promise.all(buyers);
    const history = await historyOf(purser, card.id);
    const counted = new Map((await entriesOf(card)).map((entry) => [entry.id, entry.counted]));
    const approvals = history.filter(({ entryId }) => entryId !== null && counted.get(entryId)! > 0);
    // Every answer is stored, and every stored decision was an answer.
    expect(approvals).toHaveLength(results.filter(({ response }) => response.approved).length);
    expect(await usedOf(card)).toBe(10 * approvals.length);
    const changes = history.filter(({ entryId }) => entryId === null);
    expect(changes).toHaveLength(9);
    expect(approvals.length).toBeGreaterThan(0);
    return { card, approvals, changes };
  }

  it("stores no approval decided before a freeze after the freeze", async () => {
    const { card, approvals, changes } = await raceWith({}, ({ organizationId, id: cardId }, round) =>
      purser.as(fixture.owner).cards.updateStatus({
        organizationId,
        cardId,
        status: round % 2 === 0 ? "FROZEN" : "ACTIVE",
      }),
    );
    for (const { sequence, status } of approvals) {
      expect(status).toBe("ACTIVE");
      expect(changes.findLast((change) => change.sequence < sequence)?.status).toBe("ACTIVE");
    }
    await purser.as(fixture.owner).cards.updateStatus({ ...theCard(card), status: "FROZEN" });
    const [next] = await authorizeAll([networkAt(card).authorization({ amount: 10 })]);
    expect(next!.response).toEqual({ approved: false, reason: "card_frozen" });
  });

  it("stores no approval decided before a policy change after the change", async () => {
    const { approvals } = await raceWith({ spendingLimit: 100 }, ({ organizationId, policyId }, round) =>
      purser.as(fixture.owner).cards.policies.update({
        organizationId,
        policyId,
        spendingLimit: [500, 50, 1500, 0, 800, 100, 1e3, 200][round]!,
      }),
    );
    for (const [index, { limits }] of approvals.entries()) {
      expect(10 * (index + 1)).toBeLessThanOrEqual(limits[0]!.amount);
    }
  });
});

const theCard = ({ organizationId, id: cardId }: TestCard) => ({ organizationId, cardId });

describe("incrementHold", () => {
  it("never holds more than the limit under concurrent increments, and leaves a declined hold unchanged", async () => {
    const card = await fixture.card({ spendingLimit: 1000, limitInterval: "WEEKLY" });
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 100 });
    const { transaction } = await authorizePurchase(purser.platform, "sandbox", purchase);
    const approved: string[] = [];
    for (let wave = 0; wave < 3; wave += 1) {
      const more = [1, 2, 3, 4].map(() => network.increment(purchase.authorization, 200));
      // Half of them are sent twice, to two processes.
      const sent = [...more, ...more.slice(2)].map(async (message, index) => {
        const { platform } = index < 3 ? purser : other;
        const { response } = await repeatWhileUnavailable(() => incrementHold(platform, "sandbox", message));
        if (response.approved) approved.push(message.networkId);
      });
      await Promise.all(sent);
    }
    expect(new Set(approved).size).toBe(4);
    expect(await usedOf(card)).toBe(900);
    const [row] = await purser.db
      .select()
      .from(cardTransactions)
      .where(eq(cardTransactions.id, transaction.id));
    expect(row).toMatchObject({ status: "PENDING", amount: 900, held: 900, authorized: 900 });
    expect(await entriesOf(card)).toHaveLength(13);
  });
});
