import { cardCounters, cardLedgerEntries, cardTransactions, cards } from "@purser/db";
import { deliverSandboxEvent } from "@purser/platform/inbox";
import {
  type TestPurser,
  countWaitingForLocks,
  createTestPurser,
  handlerOf,
  refusalOf,
} from "@purser/testing";
import { and, eq, gt } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { cardJobs } from "../job-definitions.ts";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { cardNetwork } from "../testing/network.ts";
import { cardReceivers } from "../webhooks.ts";
import { declineLate, recordApproval } from "./service/advise.ts";
import { authorizePurchase } from "./service/authorize.ts";
import { incrementHold } from "./service/increment.ts";
import { recordSettlement } from "./service/settle.ts";
import type { SettlementMessage } from "./service/settlement-rows.ts";

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

/** Sends a message through the webhook endpoint. Returns the response. */
async function send(
  type: string,
  { id, ...data }: { id: string } & Record<string, unknown>,
  platform = purser.platform,
) {
  const event = { id, type, data };
  const receipt = await deliverSandboxEvent(platform, cardReceivers(platform), { area: "cards", event });
  if (receipt.outcome !== "answered") throw new Error(receipt.outcome);
  return JSON.parse(receipt.response.body) as unknown;
}

describe("a card request", () => {
  const merchant = { name: "Corner Coffee" };
  const tooLate = { approved: false, reason: "decision_timed_out" };

  it("is refused if the decision takes too long, and a later approval is reversed", async () => {
    const [fresh, held] = [await fixture.card(), await fixture.card()];
    const at = purser.clock.now().toISOString();
    const purchase = { card: fresh.reference, at, amount: 500, currency: "GBP", merchant, channel: "online" };
    const before = networkAt(held).authorization({ amount: 300 });
    await authorizePurchase(purser.platform, "sandbox", before);
    const more = { card: held.reference, at, authorization: before.authorization, amount: 200 };
    // Unlike decision connections, these wait long enough for a lock. The limit is that of production.
    const patient = { ...purser.platform, decisionDb: purser.db, decisionTimeoutMs: undefined };
    const request = () => send("authorization.request", { id: "slow-purchase", ...purchase }, patient);
    const increment = () => send("increment.request", { id: "slow-increment", ...more }, patient);

    const answers = await purser.db.transaction(async (transaction) => {
      for (const { id } of [fresh, held])
        await transaction
          .select()
          .from(cards)
          .where(and(eq(cards.organizationId, fixture.organizationId), eq(cards.id, id)))
          .for("update");
      const late = await Promise.all([request(), increment()]);
      // Both decisions and their reversals. Otherwise a reversal may come first, and stores the decline itself.
      await expect.poll(() => countWaitingForLocks(purser.db)).toBe(4);
      return late;
    });
    expect(answers).toEqual([tooLate, tooLate]);

    await expect
      .poll(async () => (await ledgerOf(fresh)).rows)
      .toMatchObject([{ status: "DECLINED", declineReason: "decision_timed_out", amount: 500, held: 0 }]);
    // The earlier amount is held again only after the late approval is reversed.
    const reversals = and(eq(cardLedgerEntries.cardId, held.id), eq(cardLedgerEntries.kind, "REVERSAL"));
    await expect.poll(() => purser.db.$count(cardLedgerEntries, reversals)).toBe(1);
    expect((await ledgerOf(held)).used["DAY 2026-03-02"]).toBe(300);
    expect((await ledgerOf(fresh)).used).toEqual({});
    expect((await ledgerOf(held)).rows).toMatchObject([{ status: "PENDING", amount: 300, held: 300 }]);
    // A repeated request gets the first answer, not the later decision.
    expect(await Promise.all([request(), increment()])).toEqual([tooLate, tooLate]);
  });

  it("is refused and taken back if the connection is lost after the commit", async () => {
    const card = await fixture.card();
    // The statement, or the transaction on a cluster, has its effect, and its result never arrives.
    const decisionDb = new Proxy(purser.db, {
      get: (db, property, receiver) =>
        property === "execute" || property === "transaction"
          ? async (stored: never) => {
              await (db[property] as (stored: never) => Promise<unknown>)(stored);
              throw new Error("The connection is lost");
            }
          : (Reflect.get(db, property, receiver) as unknown),
    });
    const at = purser.clock.now().toISOString();
    const purchase = { card: card.reference, at, amount: 500, currency: "GBP", merchant, channel: "online" };
    const request = { id: "lost", ...purchase };
    const jobs = async () =>
      (await purser.db.$client`SELECT FROM pgboss.job WHERE name = ${cardJobs.declineLate.name}`).length;
    const before = await jobs();
    const decisions = { poolOf: () => Promise.resolve(decisionDb) } as never;
    const nodes = purser.platform.nodes && { ...purser.platform.nodes, decisions };
    const answer = await send("authorization.request", request, { ...purser.platform, decisionDb, nodes });
    expect(answer).toEqual({ approved: false, reason: "decision_timed_out" });
    // The process may die at any time from now on.
    await expect.poll(jobs).toBe(before + 1);
    await expect
      .poll(async () => (await ledgerOf(card)).rows)
      .toMatchObject([{ status: "DECLINED", declineReason: "decision_timed_out", held: 0 }]);
    expect((await ledgerOf(card)).used).toEqual({});
  });

  it("is taken back by a job, should the process die", async () => {
    const card = await fixture.card();
    const network = networkAt(card);
    const [approved, missing] = [
      network.authorization({ amount: 500 }),
      network.authorization({ amount: 7 }),
    ];
    await authorizePurchase(purser.platform, "sandbox", approved);
    const decline = handlerOf(purser.handlers, cardJobs.declineLate);
    for (const message of [approved, missing]) {
      const payload = JSON.parse(JSON.stringify({ issuer: "sandbox", message })) as never;
      await decline(payload, { id: "job", attempt: 1, last: false });
    }
    const reason = { status: "DECLINED", declineReason: "decision_timed_out", held: 0 };
    expect((await ledgerOf(card)).rows).toMatchObject([reason, reason]);
    // A decision that was still in progress stores nothing more.
    const { response } = await authorizePurchase(purser.platform, "sandbox", missing);
    expect(response).toEqual({ approved: false, reason: "decision_timed_out" });
    expect((await ledgerOf(card)).used).toEqual({});
  });

  it("is refused with the reason if it does not fit the purchase", async () => {
    const at = purser.clock.now().toISOString();
    const purchase = { amount: 500, currency: "GBP", merchant, channel: "online" };
    expect(await send("authorization.request", { id: "no-card", card: "unknown", at, ...purchase })).toEqual({
      approved: false,
      reason: "card_not_found",
    });
    const { reference: card } = await fixture.card();
    expect(
      await send("increment.request", { id: "no-hold", card, at, authorization: "none", amount: 1 }),
    ).toEqual({
      approved: false,
      reason: "card_transaction_not_found",
    });
  });
});

describe("declineLate", () => {
  it("reverses an approval once, and only what it still holds", async () => {
    const card = await fixture.card();
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    await authorizePurchase(purser.platform, "sandbox", purchase);
    const more = network.increment(purchase.authorization, 200);
    await incrementHold(purser.platform, "sandbox", more);
    await Promise.all([1, 2, 3].map(() => declineLate(purser.platform, "sandbox", more)));
    expect((await ledgerOf(card)).rows).toMatchObject([{ status: "PENDING", amount: 500, held: 500 }]);
    await recordSettlement(purser.platform, "sandbox", network.clearing(purchase.authorization));
    await declineLate(purser.platform, "sandbox", purchase);
    expect((await ledgerOf(card)).rows).toMatchObject([{ status: "COMPLETED", amount: 500 }]);
  });

  it("leaves room for the network's report that it has approved the purchase in our place", async () => {
    const card = await fixture.card();
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    const { authorization } = purchase;
    await authorizePurchase(purser.platform, "sandbox", purchase);
    await declineLate(purser.platform, "sandbox", purchase);
    expect((await ledgerOf(card)).used).toEqual({});
    await recordApproval(purser.platform, "sandbox", network.approval(authorization, 500, 500));
    const { rows, used } = await ledgerOf(card);
    expect(rows).toMatchObject([
      { status: "DECLINED", held: 0 },
      { status: "PENDING", held: 500, authorizationReference: authorization },
    ]);
    expect(used["DAY 2026-03-02"]).toBe(500);
    await recordApproval(purser.platform, "sandbox", network.approval(authorization, 500, 500));
    expect((await ledgerOf(card)).used["DAY 2026-03-02"]).toBe(500);
  });

  it("does not withdraw what the network has approved in our place, under the id of the request", async () => {
    const card = await fixture.card();
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    await authorizePurchase(purser.platform, "sandbox", purchase);
    await declineLate(purser.platform, "sandbox", purchase);
    const { networkId, authorization } = purchase;
    const report = { ...network.approval(authorization, 500, 500), networkId };
    await recordApproval(purser.platform, "sandbox", report);
    // The job of the late decline may run again, and the network repeat its report.
    await declineLate(purser.platform, "sandbox", purchase);
    await recordApproval(purser.platform, "sandbox", report);
    expect((await ledgerOf(card)).used["DAY 2026-03-02"]).toBe(500);
  });

  it("takes back no more of the network's total than it released", async () => {
    const card = await fixture.card();
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    const { authorization } = purchase;
    await authorizePurchase(purser.platform, "sandbox", purchase);
    await recordSettlement(purser.platform, "sandbox", network.reversal(authorization, 200));
    await declineLate(purser.platform, "sandbox", purchase);
    await recordApproval(purser.platform, "sandbox", network.approval(authorization, 500, 500));
    expect((await ledgerOf(card)).used["DAY 2026-03-02"]).toBe(300);
  });
});

describe("an authorization with many purchases that ended without money", () => {
  it("holds no approval of them again", async () => {
    const card = await fixture.card();
    const network = networkAt(card);
    const buy = async () => {
      const purchase = network.authorization({ amount: 100, authorization: "monthly" });
      await authorizePurchase(purser.platform, "sandbox", purchase);
    };
    for (let ended = 0; ended < 41; ended += 1) {
      await buy();
      await recordSettlement(purser.platform, "sandbox", network.reversal("monthly"));
    }
    await buy();
    await recordApproval(purser.platform, "sandbox", network.approval("monthly", 100, 4200));
    expect((await ledgerOf(card)).used["DAY 2026-03-02"]).toBe(100);
  });
});

describe("organizations.settings.update", () => {
  const move = async (timeZone: string) => {
    await purser.as(fixture.owner).organizations.settings.update({ id: fixture.organizationId, timeZone });
    await purser.drain();
  };

  it("recounts spending in the new time zone", async () => {
    const card = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" });
    purser.clock.set("2026-04-01T00:30:00.000Z");
    const lastNight = networkAt(card, new Date("2026-03-31T23:30:00.000Z"));
    const purchase = lastNight.authorization({ amount: 900 });
    await authorizePurchase(purser.platform, "sandbox", purchase);
    await recordSettlement(purser.platform, "sandbox", lastNight.clearing(purchase.authorization, 700));
    const other = { "DAY 2026-03-31": 700, "WEEK 2026-03-30": 700, "MONTH 2026-03-01": 700 };
    expect((await ledgerOf(card)).used).toEqual(other);

    await move("Asia/Kathmandu");
    expect((await ledgerOf(card)).used).toEqual({
      "DAY 2026-04-01": 700,
      "WEEK 2026-03-30": 700,
      "MONTH 2026-04-01": 700,
    });
    const now = networkAt(card);
    const { response } = await authorizePurchase(
      purser.platform,
      "sandbox",
      now.authorization({ amount: 301 }),
    );
    expect(response).toEqual({ approved: false, reason: "daily_limit_exceeded" });

    await move("UTC");
    expect((await ledgerOf(card)).used).toEqual(other);
    const again = await authorizePurchase(purser.platform, "sandbox", now.authorization({ amount: 1000 }));
    expect(again.response.approved).toBe(true);
  });

  it("keeps the count of an old hold, so that it can be released", async () => {
    const card = await fixture.card();
    purser.clock.set("2026-08-10T12:00:00.000Z");
    const network = networkAt(card, new Date("2026-06-30T23:30:00.000Z"));
    const purchase = network.authorization({ amount: 900, expiresAt: new Date("2026-09-10T00:00:00.000Z") });
    await authorizePurchase(purser.platform, "sandbox", purchase);
    for (const timeZone of ["Asia/Kathmandu", "America/Los_Angeles", "UTC"]) await move(timeZone);
    await recordSettlement(purser.platform, "sandbox", network.reversal(purchase.authorization));
    const { rows, used } = await ledgerOf(card);
    expect(rows).toMatchObject([
      { status: "DECLINED", declineReason: "authorization_reversed", amount: 900 },
    ]);
    expect(used).toEqual({});
  });
});

describe("recordSettlement", () => {
  it("records messages about a final purchase, and refuses only requests", async () => {
    const card = await fixture.card();
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    await authorizePurchase(purser.platform, "sandbox", purchase);
    await recordSettlement(purser.platform, "sandbox", network.clearing(purchase.authorization));
    const again = () => network.clearing(purchase.authorization, 80);
    expect(await refusalOf(recordSettlement(purser.platform, "sandbox", again(), { isRequest: true }))).toBe(
      "TRANSACTION_FINAL",
    );
    expect(await recordSettlement(purser.platform, "sandbox", again())).toMatchObject({
      status: "COMPLETED",
      amount: 80,
    });
    expect((await ledgerOf(card)).rows).toHaveLength(2);
  });

  it.each(["expired", "declined"])("refunds what was cleared of a purchase that had %s", async (end) => {
    const card = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" });
    const network = networkAt(card);
    const purchase = network.authorization({ amount: end === "expired" ? 500 : 1500 });
    const { authorization } = purchase;
    await authorizePurchase(purser.platform, "sandbox", purchase);
    if (end === "expired") await recordSettlement(purser.platform, "sandbox", network.expiry(authorization));
    const record = (message: SettlementMessage) => recordSettlement(purser.platform, "sandbox", message);
    const cleared = await record(network.clearing(authorization, 500));
    const refund = await record(network.refund(authorization, 200));
    const { organizationId } = fixture;
    const [event] = await purser.as(fixture.owner).events.list({ organizationId, limit: 1 });
    expect(event).toMatchObject({ subject: { id: refund.id }, data: { originalTransactionId: cleared.id } });
    // The second one does not fit any more.
    await record(network.refund(authorization, 400));
    const { rows } = await ledgerOf(card);
    expect(rows.find(({ id }) => id === cleared.id)).toMatchObject({ cleared: 500, refunded: 200 });
    // Another request is still about the authorization, and a purchase of its own.
    const again = network.authorization({ amount: 100, authorization });
    expect((await authorizePurchase(purser.platform, "sandbox", again)).response.approved).toBe(true);
    const { id } = await record(network.clearing(authorization, 100));
    expect(id).not.toBe(cleared.id);
    const last = await record(network.refund(authorization, 300));
    expect(last.amount).toBe(-300);
    expect((await ledgerOf(card)).rows.find((row) => row.id === cleared.id)).toMatchObject({ refunded: 500 });
  });
});
