import { day } from "@purser/core/testing";
import { cardCounters, cardEvents, cardTransactions, cards } from "@purser/db";
import { deliverSandboxEvent } from "@purser/platform/inbox";
import { type TestPurser, createTestPurser, handlerOf, refusalOf } from "@purser/testing";
import { and, eq, gt } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cardJobs } from "../job-definitions.ts";
import { type CardFixture, type HeldCard, openWallet } from "../testing/card-scene.ts";
import { networkOf } from "../testing/network.ts";
import { cardReceivers } from "../webhooks.ts";
import { reverseLateApproval } from "./service/advise.ts";
import { authorize } from "./service/authorize.ts";
import { expireHolds } from "./service/expire.ts";
import { incrementHold } from "./service/increment.ts";
import { settle } from "./service/settle.ts";

let purser: TestPurser;
let wallet: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  wallet = await openWallet(purser);
});
afterAll(() => purser.close());

const networkAt = (card: HeldCard, at = purser.clock.now()) => networkOf({ card: card.reference, at });

async function ledgerOf({ id }: HeldCard) {
  const rows = await purser.db.select().from(cardTransactions).where(eq(cardTransactions.cardId, id));
  const counters = await purser.db
    .select()
    .from(cardCounters)
    .where(and(eq(cardCounters.cardId, id), gt(cardCounters.used, 0)));
  const used = Object.fromEntries(counters.map((one) => [`${one.period} ${one.startsOn}`, one.used]));
  return { rows, used };
}

/** Sends a message through the webhook endpoint. Returns the response. */
async function ask(
  type: string,
  { id, ...data }: { id: string } & Record<string, unknown>,
  platform = purser.platform,
) {
  const event = { id, type, data };
  const receipt = await deliverSandboxEvent(platform, cardReceivers(platform), { area: "cards", event });
  if (receipt.outcome !== "answered") throw new Error(receipt.outcome);
  return JSON.parse(receipt.answer.body) as unknown;
}

describe("a request that waits for a verdict", () => {
  const merchant = { name: "Corner Coffee" };
  const tooLate = { approved: false, reason: "decision_timed_out" };

  it("is refused if the decision takes too long, and a later approval is reversed", async () => {
    const [fresh, held] = [await wallet.card(), await wallet.card()];
    const at = purser.clock.now().toISOString();
    const purchase = { card: fresh.reference, at, amount: 500, currency: "GBP", merchant, channel: "online" };
    const before = networkAt(held).authorization({ amount: 300 });
    await authorize(purser.platform, "sandbox", before);
    const more = { card: held.reference, at, authorization: before.authorization, amount: 200 };
    // Unlike decision connections, these wait long enough for a lock.
    const patient = { ...purser.platform, decisionDb: purser.db };
    const request = () => ask("authorization.request", { id: "slow-purchase", ...purchase }, patient);
    const wish = () => ask("increment.request", { id: "slow-increment", ...more }, patient);

    const answers = await purser.db.transaction(async (transaction) => {
      for (const { id } of [fresh, held])
        await transaction.select().from(cards).where(eq(cards.id, id)).for("update");
      return Promise.all([request(), wish()]);
    });
    expect(answers).toEqual([tooLate, tooLate]);

    await expect
      .poll(async () => (await ledgerOf(fresh)).rows, { timeout: 5000 })
      .toMatchObject([{ status: "DECLINED", declineReason: "decision_timed_out", amount: 500, held: 0 }]);
    // The earlier amount is held again only after the late approval is reversed.
    const takenBack = and(eq(cardEvents.cardId, held.id), eq(cardEvents.kind, "REVERSAL"));
    await expect.poll(() => purser.db.$count(cardEvents, takenBack), { timeout: 5000 }).toBe(1);
    expect((await ledgerOf(held)).used["DAY 2026-03-02"]).toBe(300);
    expect((await ledgerOf(fresh)).used).toEqual({});
    expect((await ledgerOf(held)).rows).toMatchObject([{ status: "PENDING", amount: 300, held: 300 }]);
    // A repeated request gets the first answer, not the later decision.
    expect(await Promise.all([request(), wish()])).toEqual([tooLate, tooLate]);
  });

  it("is refused with the reason if it does not fit the purchase", async () => {
    const at = purser.clock.now().toISOString();
    const purchase = { amount: 500, currency: "GBP", merchant, channel: "online" };
    expect(
      await ask("authorization.request", { id: "no-card", card: "unheard of", at, ...purchase }),
    ).toEqual({
      approved: false,
      reason: "card_not_found",
    });
    const { reference: card } = await wallet.card();
    expect(
      await ask("increment.request", { id: "no-hold", card, at, authorization: "none", amount: 1 }),
    ).toEqual({
      approved: false,
      reason: "card_transaction_not_found",
    });
  });
});

describe("reverseLateApproval", () => {
  it("reverses an approval once, and only what it still holds", async () => {
    const card = await wallet.card();
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    await authorize(purser.platform, "sandbox", purchase);
    const more = network.increment(purchase.authorization, 200);
    await incrementHold(purser.platform, "sandbox", more);
    await Promise.all([1, 2, 3].map(() => reverseLateApproval(purser.platform, "sandbox", more)));
    expect((await ledgerOf(card)).rows).toMatchObject([{ status: "PENDING", amount: 500, held: 500 }]);
    await settle(purser.platform, "sandbox", network.clearing(purchase.authorization));
    await reverseLateApproval(purser.platform, "sandbox", purchase);
    await reverseLateApproval(purser.platform, "sandbox", network.authorization({ amount: 1 }));
    expect((await ledgerOf(card)).rows).toMatchObject([{ status: "COMPLETED", amount: 500 }]);
  });
});

describe("the sweep of expired holds", () => {
  const sweep = () =>
    handlerOf(purser.handlers, cardJobs.sweep)(null, { id: "sweep", attempt: 1, last: false });

  it("releases uncleared holds after seven days, in the windows where they count", async () => {
    const card = await wallet.card();
    const network = networkAt(card);
    const cleared = network.authorization({ amount: 300 });
    const lodging = network.authorization({
      amount: 40,
      expiresAt: new Date(purser.clock.now().getTime() + 31 * day),
    });
    const forgotten = Array.from({ length: 101 }, () => network.authorization({ amount: 10 }));
    const messages = [cleared, lodging, ...forgotten];
    await Promise.all(messages.map((message) => authorize(purser.platform, "sandbox", message)));
    await settle(purser.platform, "sandbox", network.clearing(cleared.authorization, 120, false));

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

  it("releases the other holds if some fail, logs the failed ones, and throws at the end", async () => {
    const [broken, sound] = [await wallet.card(), await wallet.card()];
    for (const amount of [10, 20]) {
      await authorize(purser.platform, "sandbox", networkAt(broken).authorization({ amount }));
    }
    purser.clock.advance(1);
    await authorize(purser.platform, "sandbox", networkAt(sound).authorization({ amount: 40 }));
    await purser.db.update(cardCounters).set({ used: 0 }).where(eq(cardCounters.cardId, broken.id));
    purser.clock.advance(8 * day);

    const logged: object[] = [];
    const logger = { ...purser.platform.logger, error: (facts: object) => void logged.push(facts) };
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

  it("accepts a later clearing", async () => {
    const card = await wallet.card();
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    await authorize(purser.platform, "sandbox", purchase);
    purser.clock.advance(8 * day);
    await sweep();
    await settle(purser.platform, "sandbox", network.clearing(purchase.authorization));
    const { rows } = await ledgerOf(card);
    expect(rows.map(({ status, amount }) => `${status} ${amount}`).toSorted()).toEqual([
      "COMPLETED 500",
      "DECLINED 500",
    ]);
  });
});

describe("organizations.settings.update", () => {
  const move = (timeZone: string) =>
    purser.as(wallet.owner).organizations.settings.update({ id: wallet.organizationId, timeZone });

  it("recounts spending in the new time zone", async () => {
    const card = await wallet.card({ spendingLimit: 1000, limitInterval: "DAILY" });
    purser.clock.set("2026-04-01T00:30:00.000Z");
    const lastNight = networkAt(card, new Date("2026-03-31T23:30:00.000Z"));
    const purchase = lastNight.authorization({ amount: 900 });
    await authorize(purser.platform, "sandbox", purchase);
    await settle(purser.platform, "sandbox", lastNight.clearing(purchase.authorization, 700));
    const other = { "DAY 2026-03-31": 700, "WEEK 2026-03-30": 700, "MONTH 2026-03-01": 700 };
    expect((await ledgerOf(card)).used).toEqual(other);

    await move("Asia/Kathmandu");
    expect((await ledgerOf(card)).used).toEqual({
      "DAY 2026-04-01": 700,
      "WEEK 2026-03-30": 700,
      "MONTH 2026-04-01": 700,
    });
    const now = networkAt(card);
    const { verdict } = await authorize(purser.platform, "sandbox", now.authorization({ amount: 301 }));
    expect(verdict).toEqual({ approved: false, reason: "daily_limit_exceeded" });

    await move("UTC");
    expect((await ledgerOf(card)).used).toEqual(other);
    const again = await authorize(purser.platform, "sandbox", now.authorization({ amount: 1000 }));
    expect(again.verdict.approved).toBe(true);
  });

  it("keeps the count of an old hold, so that it can be released", async () => {
    const card = await wallet.card();
    purser.clock.set("2026-08-10T12:00:00.000Z");
    const network = networkAt(card, new Date("2026-06-30T23:30:00.000Z"));
    const purchase = network.authorization({ amount: 900, expiresAt: new Date("2026-09-10T00:00:00.000Z") });
    await authorize(purser.platform, "sandbox", purchase);
    for (const timeZone of ["Asia/Kathmandu", "America/Los_Angeles", "UTC"]) await move(timeZone);
    await settle(purser.platform, "sandbox", network.reversal(purchase.authorization));
    const { rows, used } = await ledgerOf(card);
    expect(rows).toMatchObject([
      { status: "DECLINED", declineReason: "authorization_reversed", amount: 900 },
    ]);
    expect(used).toEqual({});
  });
});

describe("settle", () => {
  it("records messages about a final purchase, and refuses only requests", async () => {
    const card = await wallet.card();
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    await authorize(purser.platform, "sandbox", purchase);
    await settle(purser.platform, "sandbox", network.clearing(purchase.authorization));
    const again = () => network.clearing(purchase.authorization, 80);
    expect(await refusalOf(settle(purser.platform, "sandbox", again(), { isRequest: true }))).toBe(
      "TRANSACTION_FINAL",
    );
    expect(await settle(purser.platform, "sandbox", again())).toMatchObject({
      status: "COMPLETED",
      amount: 80,
    });
    expect((await ledgerOf(card)).rows).toHaveLength(2);
  });
});
