import { cards as cardTable } from "@purser/db";
import { refusalOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordAdvice } from "../authorizations/service/advise.ts";
import { authorizePurchase } from "../authorizations/service/authorize.ts";
import { type CardScene, cornerShop, setCardScene } from "../testing/card-scene.ts";
import { adviceOn, cardNetwork } from "../testing/network.ts";

let scene: CardScene;
let organizationId: string;
/** The card of the member. */
let cardId: string;

beforeAll(async () => {
  scene = await setCardScene();
  ({ organizationId } = scene);
  cardId = await scene.newCard(await scene.policy({ spendingLimit: 500 }));
});
afterAll(() => scene.purser.close());

const at = (text: string) => new Date(text);

describe("cards.transactions.explain", () => {
  const explain = (transactionId: string, person = scene.owner) =>
    scene.purser.as(person).cards.transactions.explain({ organizationId, transactionId });
  const uneventful = { origin: "authorization", increments: [], amountBeyondApproval: 0 };
  const nothing = { limit: null, used: null, remaining: null, resetsAt: null, interval: null };

  it("shows the terms that a decision was based on, even after the policy has changed", async () => {
    const policyId = await scene.policy({ spendingLimit: 250, limitInterval: "WEEKLY" });
    const card = await scene.newCard(policyId);
    const [approved, declined] = [await scene.buy(card), await scene.buy(card, { amount: 151 })];
    const { policies } = scene.purser.as(scene.owner).cards;
    await policies.update({ organizationId, policyId, spendingLimit: null });
    const decidedAt = scene.purser.clock.now();
    const basis = {
      limit: 250,
      interval: "WEEKLY",
      resetsAt: at("2026-03-09T00:00:00.000Z"),
      decidedAt,
      channel: "in_store",
      merchantCountry: "GB",
      withdrawnApproval: null,
      ...uneventful,
    };
    expect(await explain(approved.id)).toEqual({
      outcome: "approved",
      reason: null,
      requestedAmount: 100,
      approvedAmount: 100,
      used: 0,
      remaining: 250,
      canCheck: false,
      transaction: approved,
      ...basis,
    });
    expect(await explain(declined.id)).toEqual({
      outcome: "declined",
      reason: "weekly_limit_exceeded",
      requestedAmount: 151,
      approvedAmount: 0,
      used: 100,
      remaining: 150,
      canCheck: true,
      transaction: declined,
      ...basis,
    });
  });

  it("names no limit of a purchase in another currency", async () => {
    const card = await scene.newCard(await scene.policy({ spendingLimit: 50 }));
    const { id } = await scene.buy(card, { amount: 1000, currency: "EUR" });
    const reason = "currency_not_supported";
    expect(await explain(id)).toMatchObject({ reason, requestedAmount: 1000, ...nothing });
  });

  it("shows the purchase as decided, even after later messages", async () => {
    const { id } = await scene.buy(cardId);
    const { transaction, ...before } = await explain(id);
    scene.purser.clock.advance(1000);
    const { cards: network } = scene.purser.as(scene.owner).sandbox;
    await network.increment({ transactionId: id, amount: 50 });
    await network.reverse({ transactionId: id });
    expect(await explain(id)).toMatchObject({
      ...before,
      increments: [{ outcome: "approved", amount: 50 }],
      transaction: {
        ...transaction,
        amount: 150,
        status: "DECLINED",
        declineReason: "authorization_reversed",
      },
    });
    expect(before).toMatchObject({
      outcome: "approved",
      limit: 500,
      interval: "PER_TRANSACTION",
      resetsAt: null,
    });
  });

  it("shows the decision on each increment", async () => {
    const { id } = await scene.buy(cardId);
    const { cards: network } = scene.purser.as(scene.owner).sandbox;
    expect(await refusalOf(network.increment({ transactionId: id, amount: 401 }))).toBe(
      "TRANSACTION_LIMIT_EXCEEDED",
    );
    await network.increment({ transactionId: id, amount: 400 });
    const decidedAt = scene.purser.clock.now();
    const basis = { limit: 500, used: 100, remaining: 400, resetsAt: null, interval: "PER_TRANSACTION" };
    const whole = { amount: 400, requestedAmount: 400, approvedAmount: 400 };
    const none = { amount: 401, requestedAmount: 401, approvedAmount: 0 };
    expect((await explain(id)).increments).toEqual([
      { outcome: "declined", reason: "transaction_limit_exceeded", ...basis, ...none, decidedAt },
      { outcome: "approved", reason: null, ...basis, ...whole, decidedAt },
    ]);
  });

  it("shows what a merchant cleared beyond the approval", async () => {
    const { cards: network } = scene.purser.as(scene.owner).sandbox;
    const beyond = async (clearings: number[], released = 0) => {
      const { id: transactionId } = await scene.buy(cardId);
      if (released > 0) await network.reverse({ transactionId, amount: released });
      for (const [index, amount] of clearings.entries())
        await network.clear({ transactionId, amount, final: index === clearings.length - 1 });
      return (await explain(transactionId)).amountBeyondApproval;
    };
    expect([await beyond([100]), await beyond([60]), await beyond([130])]).toEqual([0, 0, 30]);
    expect([await beyond([60, 70]), await beyond([90], 40)]).toEqual([30, 30]);
  });

  it.each([
    ["", 1000],
    [", also by a process whose clock is behind", -1000],
  ])("shows a withdrawn approval as declined%s", async (_case, later) => {
    const [row] = await scene.purser.db.select().from(cardTable).where(eq(cardTable.id, cardId));
    const { clock, platform } = scene.purser;
    const network = cardNetwork({ card: row!.issuerReference!, at: clock.now() });
    const purchase = network.authorization({ amount: 100 });
    const { transaction } = await authorizePurchase(platform, "sandbox", purchase);
    const approvedAt = clock.now();
    clock.advance(later);
    await recordAdvice(platform, "sandbox", adviceOn(purchase, "issuer_declined"));
    expect(await explain(transaction.id)).toMatchObject({
      outcome: "declined",
      reason: "issuer_declined",
      decidedAt: clock.now(),
      limit: 500,
      withdrawnApproval: { approvedAt, approvedAmount: 100 },
      canCheck: false,
    });
  });

  it("shows no decision for a transaction without a request", async () => {
    const { cards: network } = scene.purser.as(scene.owner).sandbox;
    const forced = await network.clear({ cardId, amount: 900, merchant: cornerShop });
    const refund = await network.refund({ cardId, amount: 20, merchant: cornerShop });
    const unasked = { requestedAmount: null, approvedAmount: null };
    const used = { channel: "online", merchantCountry: "GB", canCheck: false, withdrawnApproval: null };
    const undecided = {
      outcome: "not_requested",
      reason: null,
      ...unasked,
      ...nothing,
      ...used,
      increments: [],
    };
    expect(await explain(forced.id)).toEqual({
      ...undecided,
      decidedAt: forced.createdAt,
      origin: "force_post",
      amountBeyondApproval: 900,
      transaction: forced,
    });
    expect(await explain(refund.id)).toEqual({
      ...undecided,
      decidedAt: refund.createdAt,
      origin: "refund",
      amountBeyondApproval: 0,
      transaction: refund,
    });
  });

  it("is visible to owners and the cardholder only", async () => {
    const { id } = await scene.buy(cardId);
    const elsewhere = await scene.purser.organization(scene.owner);
    expect(await explain(id, scene.member)).toEqual(await explain(id));
    expect(await refusalOf(explain(id, scene.other))).toBe("CARD_TRANSACTION_NOT_FOUND");
    expect(await refusalOf(explain(scene.purser.unknownId("ctx")))).toBe("CARD_TRANSACTION_NOT_FOUND");
    const { transactions } = scene.purser.as(scene.owner).cards;
    const there = { organizationId: elsewhere, transactionId: id };
    expect(await refusalOf(transactions.explain(there))).toBe("CARD_TRANSACTION_NOT_FOUND");
  });
});
