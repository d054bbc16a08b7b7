import { day } from "@purser/core/testing";
import { cardCounters, cardTransactions, cards } from "@purser/db";
import { type TestPurser, countWaitingForLocks, createTestPurser, handlerOf } from "@purser/testing";
import { and, eq, gt } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { cardJobs } from "../job-definitions.ts";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { cardNetwork, repeatWhileUnavailable } from "../testing/network.ts";
import { type AuthorizationMessage, authorizePurchase } from "./service/authorize.ts";
import { expireHolds } from "./service/expire.ts";
import { incrementHold } from "./service/increment.ts";
import { recordSettlement } from "./service/settle.ts";

let purser: TestPurser;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());

const networkAt = (card: TestCard, at = purser.clock.now()) => cardNetwork({ card: card.reference, at });

async function ledgerOf({ id }: TestCard) {
  const rows = await purser.db.select().from(cardTransactions).where(eq(cardTransactions.cardId, id));
  const counters = await purser.db
    .select()
    .from(cardCounters)
    .where(and(eq(cardCounters.cardId, id), gt(cardCounters.used, 0)));
  const used = Object.fromEntries(counters.map((one) => [`${one.period} ${one.startsOn}`, one.used]));
  return { rows, used };
}

describe("the sweep of expired holds", () => {
  const sweep = () =>
    handlerOf(purser.handlers, cardJobs.sweep)(null, { id: "sweep", attempt: 1, last: false });

  it("releases uncleared holds after seven days, in the windows where they count", async () => {
    const card = await fixture.card();
    const network = networkAt(card);
    const cleared = network.authorization({ amount: 300 });
    const lodging = network.authorization({
      amount: 40,
      expiresAt: new Date(purser.clock.now().getTime() + 31 * day),
    });
    const forgotten = Array.from({ length: 101 }, () => network.authorization({ amount: 10 }));
    const messages = [cleared, lodging, ...forgotten];
    const send = (message: (typeof messages)[number]) =>
      repeatWhileUnavailable(() => authorizePurchase(purser.platform, "sandbox", message));
    await Promise.all(messages.map(send));
    await recordSettlement(purser.platform, "sandbox", network.clearing(cleared.authorization, 120, false));

    purser.clock.advance(7 * day - 1);
    await sweep();
    expect((await ledgerOf(card)).used).toMatchObject({ "DAY 2026-03-02": 1350, "MONTH 2026-03-01": 1350 });
    purser.clock.advance(1);
    // Two processes sweep at the same time.
    await Promise.all([sweep(), sweep()]);
    const { rows, used } = await ledgerOf(card);
    expect(used).toEqual({ "DAY 2026-03-02": 160, "WEEK 2026-03-02": 160, "MONTH 2026-03-01": 160 });
    const count = (reason: string | null, status: string) =>
      rows.filter((row) => row.declineReason === reason && row.status === status).length;
    expect(count("authorization_expired", "DECLINED")).toBe(101);
    expect(count(null, "COMPLETED")).toBe(1);
    expect(rows.find(({ status }) => status === "COMPLETED")).toMatchObject({
      amount: 120,
      settledAt: purser.clock.now(),
    });
    expect(rows.find(({ status }) => status === "PENDING")).toMatchObject({ amount: 40 });
    expect(
      rows.filter(({ declineReason }) => declineReason !== null).every(({ amount }) => amount === 10),
    ).toBe(true);
  });

  it("releases an increment with the rest of its purchase, seven days after the first request", async () => {
    const card = await fixture.card();
    const network = networkAt(card);
    const { authorization, ...purchase } = network.authorization({ amount: 300 });
    await authorizePurchase(purser.platform, "sandbox", { ...purchase, authorization });
    purser.clock.advance(6 * day);
    await incrementHold(purser.platform, "sandbox", network.increment(authorization, 50));
    expect((await ledgerOf(card)).rows).toMatchObject([{ status: "PENDING", held: 350 }]);
    purser.clock.advance(day);
    await sweep();
    expect((await ledgerOf(card)).rows).toMatchObject([{ status: "DECLINED", held: 0 }]);
  });

  it("releases the other holds if some fail, logs the failed ones, and throws at the end", async () => {
    const [broken, sound] = [await fixture.card(), await fixture.card()];
    for (const amount of [10, 20]) {
      await authorizePurchase(purser.platform, "sandbox", networkAt(broken).authorization({ amount }));
    }
    purser.clock.advance(1);
    await authorizePurchase(purser.platform, "sandbox", networkAt(sound).authorization({ amount: 40 }));
    await purser.db.update(cardCounters).set({ used: 0 }).where(eq(cardCounters.cardId, broken.id));
    purser.clock.advance(8 * day);

    const logged: object[] = [];
    const logger = { ...purser.platform.logger, error: (fields: object) => void logged.push(fields) };
    // As many as one batch reads fail. They must not block the rest.
    const expiring = expireHolds({ ...purser.platform, logger }, 2);
    const outcome = await expiring.then(String, (error: unknown) => error);
    expect(outcome).toBeInstanceOf(AggregateError);
    expect((outcome as AggregateError).errors).toHaveLength(2);
    expect((await ledgerOf(sound)).rows).toMatchObject([{ status: "DECLINED", held: 0 }]);
    const { rows } = await ledgerOf(broken);
    expect(new Set(rows.map(({ held }) => held))).toEqual(new Set([10, 20]));
    expect(new Set(logged)).toEqual(
      new Set(rows.map(({ id: transactionId }) => ({ transactionId, reason: expect.any(String) as string }))),
    );
    await purser.db.update(cardCounters).set({ used: 30 }).where(eq(cardCounters.cardId, broken.id));
    await sweep();
    expect((await ledgerOf(broken)).used).toEqual({});
  });

  it("leaves the next purchase of an authorization held that ended since the holds were listed", async () => {
    const [locked, card] = [await fixture.card(), await fixture.card()];
    const authorize = (message: AuthorizationMessage) =>
      authorizePurchase(purser.platform, "sandbox", message);
    await authorize(networkAt(locked).authorization({ amount: 10 }));
    purser.clock.advance(1);
    const { authorization, ...first } = networkAt(card).authorization({ amount: 20 });
    await authorize({ ...first, authorization });
    purser.clock.advance(8 * day);

    let sweeping: Promise<void> | undefined;
    await purser.db.transaction(async (transaction) => {
      const { organizationId } = fixture;
      const isLocked = and(eq(cards.organizationId, organizationId), eq(cards.id, locked.id));
      await transaction.select().from(cards).where(isLocked).for("update");
      sweeping = sweep();
      // Both holds are listed, and the first one waits for its card.
      await vi.waitFor(async () => expect(await countWaitingForLocks(purser.db)).toBe(1), {
        timeout: 60_000,
      });
      const network = networkAt(card);
      await recordSettlement(purser.platform, "sandbox", network.reversal(authorization));
      await authorize(network.authorization({ authorization, amount: 70 }));
    });
    await sweeping;
    const ended = async (one: TestCard) =>
      (await ledgerOf(one)).rows.map(({ status, amount }) => `${status} ${amount}`).toSorted();
    expect(await ended(locked)).toEqual(["DECLINED 10"]);
    expect(await ended(card)).toEqual(["DECLINED 20", "PENDING 70"]);
  });

  it("accepts a later clearing", async () => {
    const card = await fixture.card();
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    await authorizePurchase(purser.platform, "sandbox", purchase);
    purser.clock.advance(8 * day);
    await sweep();
    await recordSettlement(purser.platform, "sandbox", network.clearing(purchase.authorization));
    const { rows } = await ledgerOf(card);
    expect(rows.map(({ status, amount }) => `${status} ${amount}`).toSorted()).toEqual([
      "COMPLETED 500",
      "DECLINED 500",
    ]);
  });
});
