import { cardCounters, cardTransactions } from "@purser/db";
import { type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { and, eq, gt } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { adviceOn, cardNetwork } from "../testing/network.ts";
import { recordAdvice, declineLate } from "./service/advise.ts";
import { type AuthorizationMessage, authorizePurchase } from "./service/authorize.ts";
import { incrementHold } from "./service/increment.ts";
import { recordSettlement } from "./service/settle.ts";

let purser: TestPurser;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());

const limited = { spendingLimit: 1000, limitInterval: "DAILY" } as const;
const networkAt = (card: TestCard) => cardNetwork({ card: card.reference, at: purser.clock.now() });
const rowsOf = ({ id }: TestCard) =>
  purser.db
    .select()
    .from(cardTransactions)
    .where(eq(cardTransactions.cardId, id))
    .orderBy(cardTransactions.id);

/** The amount that counts against the card's limits. All three windows agree, because everything happens on one day. */
async function usedOf({ id }: TestCard): Promise<number> {
  const counters = await purser.db
    .select()
    .from(cardCounters)
    .where(and(eq(cardCounters.cardId, id), gt(cardCounters.used, 0)));
  expect([0, 3]).toContain(counters.length);
  expect(new Set(counters.map(({ used }) => used)).size).toBeLessThanOrEqual(1);
  return counters[0]?.used ?? 0;
}

async function ledgerOf(card: TestCard) {
  const rows = await rowsOf(card);
  const shown = rows.map(({ status, amount, held, declineReason: reason }) =>
    [status, amount, held, ...(reason === null ? [] : [reason])].join(" "),
  );
  return { rows: shown, used: await usedOf(card) };
}

const ours = {
  request: (message: AuthorizationMessage) => authorizePurchase(purser.platform, "sandbox", message),
  withdraw: (message: AuthorizationMessage) => declineLate(purser.platform, "sandbox", message),
};
const adviseOn = (message: Parameters<typeof adviceOn>[0], reason?: Parameters<typeof adviceOn>[1]) =>
  recordAdvice(purser.platform, "sandbox", adviceOn(message, reason));

/** Our decision, its withdrawal for lateness, and the network's advice, in every order. */
const orders = [
  ["request", "advise"],
  ["advise", "request"],
  ["request", "withdraw", "advise"],
  ["request", "advise", "withdraw"],
  ["advise", "request", "withdraw"],
] as const;

describe("recordAdvice", () => {
  const cases = orders.flatMap((order) => [500, 1500].map((amount) => ({ order, amount })));

  it.each(cases)("holds what the network approved of $amount: $order", async ({ order, amount }) => {
    const card = await fixture.card(limited);
    const network = networkAt(card);
    const message = network.authorization({ amount });
    const run = async () => {
      for (const act of order) await (act === "advise" ? adviseOn(message) : ours[act](message));
    };
    await run();
    const ledger = await ledgerOf(card);
    expect(ledger.used).toBe(amount);
    expect(ledger.rows.filter((row) => row.startsWith("PENDING"))).toEqual([`PENDING ${amount} ${amount}`]);
    await run();
    expect(await ledgerOf(card)).toEqual(ledger);
    // From now on a repeated request gets the network's decision.
    expect((await ours.request(message)).response).toEqual({ approved: true, reason: null });
    await recordSettlement(purser.platform, "sandbox", network.clearing(message.authorization, 400));
    const rows = await rowsOf(card);
    expect(rows.filter(({ status }) => status === "COMPLETED")).toMatchObject([{ amount: 400, held: 0 }]);
    expect(rows.some(({ status }) => status === "PENDING")).toBe(false);
    expect(await usedOf(card)).toBe(400);
  });

  it.each(cases)("holds nothing that the network declined of $amount: $order", async ({ order, amount }) => {
    const card = await fixture.card(limited);
    const message = networkAt(card).authorization({ amount });
    const run = async () => {
      for (const act of order)
        await (act === "advise" ? adviseOn(message, "issuer_declined") : ours[act](message));
    };
    await run();
    const ledger = await ledgerOf(card);
    // The first decline sets the origin.
    const ownReason =
      amount > 1000 ? "daily_limit_exceeded" : order[1] === "withdraw" ? "decision_timed_out" : null;
    const reason = (order[0] === "request" && ownReason) || "issuer_declined";
    expect(ledger).toEqual({ rows: [`DECLINED ${amount} 0 ${reason}`], used: 0 });
    await run();
    expect(await ledgerOf(card)).toEqual(ledger);
    expect((await ours.request(message)).response.approved).toBe(false);
  });

  it("approves nothing more after the network exceeded the limit", async () => {
    const card = await fixture.card(limited);
    const network = networkAt(card);
    await adviseOn(network.authorization({ amount: 1500 }));
    const { response } = await ours.request(network.authorization({ amount: 1 }));
    expect(response).toEqual({ approved: false, reason: "daily_limit_exceeded" });
    const [forced] = await rowsOf(card);
    const { organizationId } = fixture;
    const { transactions } = purser.as(fixture.owner).cards;
    const explained = await transactions.explain({ organizationId, transactionId: forced!.id });
    expect(explained).toMatchObject({ outcome: "approved", reason: null, limit: null });
  });

  it("records a decline of the issuer without a request, with its origin", async () => {
    const card = await fixture.card(limited);
    expect(await adviseOn(networkAt(card).authorization({ amount: 70 }), "issuer_declined")).toBe(true);
    const [row] = await rowsOf(card);
    expect(row).toMatchObject({ status: "DECLINED", amount: 70, authorized: 0, expiresAt: null });
    const { organizationId } = fixture;
    const { transactions } = purser.as(fixture.owner).cards;
    const explained = await transactions.explain({ organizationId, transactionId: row!.id });
    expect(explained).toMatchObject({ outcome: "declined", reason: "issuer_declined", limit: null });
  });

  it.each([
    ["PAUSED", "card_paused"],
    ["FROZEN", "card_frozen"],
    ["CLOSED", "card_closed"],
    ["ACTIVE", "issuer_declined"],
  ] as const)("names the status of a %s card that the issuer declined by itself", async (status, reason) => {
    const card = await fixture.card(limited);
    const { organizationId, id: cardId } = card;
    const early = networkAt(card).authorization({ amount: 60 });
    await ours.request(early);
    if (status !== "ACTIVE")
      await purser.as(fixture.owner).cards.updateStatus({ organizationId, cardId, status });
    // Declined before a request to us, and after our approval.
    await adviseOn(networkAt(card).authorization({ amount: 70 }), "card_not_usable");
    await adviseOn(early, "card_not_usable");
    const rows = [`DECLINED 60 0 ${reason}`, `DECLINED 70 0 ${reason}`];
    expect(await ledgerOf(card)).toEqual({ rows, used: 0 });
    const { transactions } = purser.as(fixture.owner).cards;
    const [newest] = await transactions.list({ organizationId, cardId });
    const explained = await transactions.explain({ organizationId, transactionId: newest!.id });
    expect(explained).toMatchObject({ outcome: "declined", reason, canCheck: status !== "ACTIVE" });
  });

  it("names the expiry of a card that its issuer declined by itself", async () => {
    const card = await fixture.card(limited);
    const { authorization } = cardNetwork({ card: card.reference, at: new Date("2099-01-01T00:00:00Z") });
    await adviseOn(authorization({ amount: 70 }), "card_not_usable");
    expect((await ledgerOf(card)).rows).toEqual(["DECLINED 70 0 card_expired"]);
  });

  it.each([
    ["a decline", 1500, "DECLINED 1500 0 daily_limit_exceeded"],
    ["a verification of the card", 0, "COMPLETED 0 0"],
    ["the last clearing", 500, "COMPLETED 500 0"],
  ])("records a declined attempt after %s as a purchase of its own", async (_case, amount, ended) => {
    const card = await fixture.card(limited);
    const network = networkAt(card);
    const first = network.authorization({ amount });
    const { authorization } = first;
    const [refused, late, approved] = [70, 80, 90].map((more) =>
      network.authorization({ amount: more, authorization }),
    );
    await ours.request(first);
    if (amount === 500) await recordSettlement(purser.platform, "sandbox", network.clearing(authorization));
    const used = await usedOf(card);
    for (const isRepeated of [false, true]) {
      expect(await adviseOn(refused!, "issuer_declined")).toBe(!isRepeated);
      await ours.withdraw(late!);
    }
    await ours.request(late!);
    await ours.request(approved!);
    const declined = ["DECLINED 70 0 issuer_declined", "DECLINED 80 0 decision_timed_out"];
    expect(await ledgerOf(card)).toEqual({ rows: [ended, ...declined, "PENDING 90 90"], used: used + 90 });
    await recordSettlement(purser.platform, "sandbox", network.clearing(authorization));
    expect((await ledgerOf(card)).rows.at(-1)).toBe("COMPLETED 90 0");
  });

  it("records a declined request under a hold as a declined increment, unless it came before the hold", async () => {
    const card = await fixture.card(limited);
    const network = networkAt(card);
    const { authorization, ...purchase } = network.authorization({ amount: 500 });
    const { transaction } = await ours.request({ ...purchase, authorization });
    const more = network.authorization({ amount: 200, authorization });
    const early = { ...more, networkId: "early", at: new Date(more.at.getTime() - 1) };
    expect(await adviseOn(early, "issuer_declined")).toBe(false);
    for (const isRepeated of [false, true]) expect(await adviseOn(more, "issuer_declined")).toBe(!isRepeated);
    expect(await ledgerOf(card)).toEqual({ rows: ["PENDING 500 500"], used: 500 });
    const { organizationId } = card;
    const { transactions } = purser.as(fixture.owner).cards;
    const explained = await transactions.explain({ organizationId, transactionId: transaction.id });
    const declined = { outcome: "declined", reason: "issuer_declined", amount: 200, approvedAmount: 0 };
    expect(explained).toMatchObject({ outcome: "approved", increments: [declined] });
  });

  it("ignores a declined attempt from before a purchase that has ended", async () => {
    const card = await fixture.card(limited);
    const network = networkAt(card);
    const refused = network.authorization({ amount: 70 });
    const { authorization } = refused;
    const at = new Date(refused.at.getTime() + 1000);
    await ours.request(network.authorization({ amount: 90, authorization, at }));
    await recordSettlement(purser.platform, "sandbox", network.reversal(authorization, null));
    expect(await adviseOn(refused, "issuer_declined")).toBe(false);
    expect((await ledgerOf(card)).rows).toEqual(["DECLINED 90 0 authorization_reversed"]);
  });

  it("ignores a declined attempt at the time of a purchase that is held and then cleared", async () => {
    const card = await fixture.card(limited);
    const network = networkAt(card);
    const refused = network.authorization({ amount: 70 });
    const { authorization } = refused;
    purser.clock.advance(1000);
    // Its request has the time of the first one too.
    await ours.request(network.authorization({ amount: 90, authorization }));
    expect(await adviseOn(refused, "issuer_declined")).toBe(false);
    await recordSettlement(purser.platform, "sandbox", network.clearing(authorization));
    expect(await adviseOn(refused, "issuer_declined")).toBe(false);
    await recordSettlement(purser.platform, "sandbox", network.refund(authorization, 90));
    expect((await ledgerOf(card)).rows).toEqual(["COMPLETED 90 0", "COMPLETED -90 0"]);
  });

  it("handles each increment separately", async () => {
    const card = await fixture.card(limited);
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    await ours.request(purchase);
    const name = purchase.authorization;
    const [carried, notCarried, refused, unrequested] = [200, 100, 900, 50].map((amount) =>
      network.increment(name, amount),
    );
    for (const one of [carried!, notCarried!, refused!]) await incrementHold(purser.platform, "sandbox", one);
    expect(await ledgerOf(card)).toEqual({ rows: ["PENDING 800 800"], used: 800 });

    const adviseOnAll = async () => [
      await adviseOn(carried!),
      await adviseOn(notCarried!, "decision_timed_out"),
      await adviseOn(refused!),
      await adviseOn(unrequested!),
      await adviseOn(network.increment("unknown", 5)),
    ];
    expect(await adviseOnAll()).toEqual([true, true, true, true, false]);
    expect(await adviseOnAll()).toEqual([false, false, false, false, false]);
    const ledger = { rows: ["PENDING 1650 1650"], used: 1650 };
    expect(await ledgerOf(card)).toEqual(ledger);
    // Repeated advice neither decides nor reverses again.
    const { response } = await incrementHold(purser.platform, "sandbox", unrequested!);
    expect(response.approved).toBe(true);
    for (const one of [carried!, refused!, unrequested!]) await declineLate(purser.platform, "sandbox", one);
    expect(await ledgerOf(card)).toEqual(ledger);
  });

  it("does not decide on an increment that the network has already declined", async () => {
    const card = await fixture.card(limited);
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    await ours.request(purchase);
    const more = network.increment(purchase.authorization, 100);
    expect(await adviseOn(more, "decision_timed_out")).toBe(true);
    const { response } = await incrementHold(purser.platform, "sandbox", more);
    expect(response).toEqual({ approved: false, reason: "decision_timed_out" });
    expect(await ledgerOf(card)).toEqual({ rows: ["PENDING 500 500"], used: 500 });
  });

  it("releases the rest of a partly released hold", async () => {
    const card = await fixture.card(limited);
    const network = networkAt(card);
    const purchase = network.authorization({ amount: 500 });
    await ours.request(purchase);
    await recordSettlement(purser.platform, "sandbox", network.reversal(purchase.authorization, 200));
    expect(await adviseOn(purchase, "issuer_declined")).toBe(true);
    expect(await ledgerOf(card)).toEqual({ rows: ["DECLINED 300 0 issuer_declined"], used: 0 });
  });

  it("changes nothing after the clearing", async () => {
    const card = await fixture.card(limited);
    const network = networkAt(card);
    const [early, requested] = [
      network.authorization({ amount: 500 }),
      network.authorization({ amount: 300 }),
    ];
    await ours.request(requested);
    for (const { authorization } of [early, requested])
      await recordSettlement(purser.platform, "sandbox", network.clearing(authorization, 300));
    for (const reason of [null, "issuer_declined"] as const) {
      expect([await adviseOn(early, reason), await adviseOn(requested, reason)]).toEqual([false, false]);
    }
    expect(await usedOf(card)).toBe(600);
  });

  it("throws CARD_NOT_FOUND for a card that was not issued", async () => {
    const { authorization } = cardNetwork({ card: "unknown", at: purser.clock.now() });
    expect(await refusalOf(adviseOn(authorization({ amount: 1 })))).toBe("CARD_NOT_FOUND");
  });
});
