import { day } from "@purser/core/testing";
import { cards as cardTable } from "@purser/db";
import { type Person, refusalOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordAdvice } from "../authorizations/service/advise.ts";
import { authorizePurchase } from "../authorizations/service/authorize.ts";
import { type CardScene, cornerShop, setCardScene } from "../testing/card-scene.ts";
import { adviceOn, cardNetwork } from "../testing/network.ts";

let scene: CardScene;
let organizationId: string;
/** The cards of the member and of the owner. */
let cardId: string;
let ownersCardId: string;

const diner = { name: "Diner", category: "5812" };

beforeAll(async () => {
  scene = await setCardScene();
  ({ organizationId } = scene);
  const policyId = await scene.policy({ spendingLimit: 500 });
  cardId = await scene.newCard(policyId);
  ownersCardId = await scene.newCard(policyId, scene.owner);
  const { clock } = scene.purser;
  const { cards: network } = scene.purser.as(scene.owner).sandbox;
  // One a day: a pending one, a refund, a declined one, and two in the same millisecond.
  const first = await scene.buy(cardId, { amount: 100 });
  clock.advance(day);
  await scene.buy(ownersCardId, { amount: 200, merchant: diner });
  await network.clear({ transactionId: first.id });
  clock.advance(day);
  await network.refund({ transactionId: first.id, amount: 30 });
  clock.advance(day);
  await scene.buy(cardId, { amount: 501, merchant: diner });
  clock.advance(day);
  await scene.buy(cardId, { amount: 300, at: new Date("2026-01-01T00:00:00.000Z") });
  await scene.buy(ownersCardId, { amount: 400 });
});
afterAll(() => scene.purser.close());

const list = (input: object = {}, person = scene.owner) =>
  scene.purser.as(person).cards.transactions.list({ organizationId, ...input });
const amounts = async (input: object = {}, person = scene.owner) =>
  (await list(input, person)).map(({ amount }) => amount);
const at = (text: string) => new Date(text);

describe("cards.transactions.list", () => {
  it("lists exactly the documented fields", async () => {
    const [declined] = await list({ status: "DECLINED" });
    expect(declined).toEqual({
      id: expect.stringMatching(/^ctx_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      cardId,
      amount: 501,
      currency: "GBP",
      merchantName: "Diner",
      merchantId: null,
      merchantCategory: "5812",
      description: null,
      status: "DECLINED",
      declineReason: "transaction_limit_exceeded",
      settledAt: null,
      createdAt: at("2026-03-05T09:00:00.000Z"),
    });
    const [completed] = (await list({ status: "COMPLETED" })).slice(-1);
    expect(completed).toMatchObject({
      amount: 100,
      merchantId: "m-1",
      settledAt: at("2026-03-03T09:00:00.000Z"),
    });
  });

  it("lists the newest first, a refund with a negative amount", async () => {
    expect(await amounts()).toEqual([400, 300, 501, -30, 200, 100]);
  });

  it.each([
    [{ status: "PENDING" }, [400, 300, 200]],
    [{ status: "COMPLETED" }, [-30, 100]],
    [{ merchantCategory: "5812" }, [501, 200]],
    [{ merchantCategory: "5812", status: "PENDING" }, [200]],
    [{ merchantCategory: "581" }, []],
    [{ merchantCategory: "" }, []],
    [{ minAmount: 300 }, [400, 300, 501]],
    [{ maxAmount: 200 }, [-30, 200, 100]],
    [{ maxAmount: -1 }, [-30]],
    [{ minAmount: 200, maxAmount: 200 }, [200]],
    // The range applies to the creation time, not to the time of purchase.
    [{ from: at("2026-03-05T09:00:00.000Z") }, [400, 300, 501]],
    [{ from: at("2026-03-05T09:00:00.001Z") }, [400, 300]],
    [{ to: at("2026-03-03T09:00:00.000Z") }, [200, 100]],
    [{ to: at("2026-03-03T08:59:59.999Z") }, [100]],
    [{ from: at("2026-03-06T09:00:00.000Z"), to: at("2026-03-06T09:00:00.000Z") }, [400, 300]],
    [{ from: at("0001-01-01T00:00:00.000Z"), to: at("1969-12-31T23:59:59.999Z") }, []],
    [
      { from: at("0001-01-01T00:00:00.000Z"), to: at("9999-12-31T23:59:59.999Z") },
      [400, 300, 501, -30, 200, 100],
    ],
    [{ from: at("9999-12-31T23:59:59.999Z") }, []],
  ])("filters by %j, with inclusive ranges", async (input, expected) => {
    expect(await amounts(input)).toEqual(expected);
  });

  it("continues after the last item, with any filters", async () => {
    for (const filter of [{}, { cardId }, { status: "PENDING" }, { merchantCategory: "5411" }]) {
      const all = await list(filter);
      const pages = [];
      for (let after: string | undefined; pages.length < all.length; after = pages.at(-1)!.id) {
        pages.push(...(await list({ ...filter, limit: 1, ...(after && { after }) })));
      }
      expect(pages).toEqual(all);
    }
  });

  it("shows members the transactions of their own cards", async () => {
    expect(await amounts({}, scene.member)).toEqual([300, 501, -30, 100]);
    expect(await amounts({ limit: 2 }, scene.member)).toEqual([300, 501]);
    expect(await amounts({ merchantCategory: "5812" }, scene.member)).toEqual([501]);
    expect(await amounts({ cardId }, scene.member)).toEqual([300, 501, -30, 100]);
    expect(await amounts({}, scene.other)).toEqual([]);
    const both = await scene.newCard(await scene.policy());
    await scene.buy(both, { amount: 7 });
    expect(await amounts({ limit: 3 }, scene.member)).toEqual([7, 300, 501]);
  });

  it("follows a card to its new holder", async () => {
    const handed = await scene.newCard(await scene.policy(), scene.other);
    await scene.buy(handed, { amount: 9 });
    const { cards } = scene.purser.as(scene.owner);
    await cards.update({ organizationId, cardId: handed, assignedToId: scene.owner.userId });
    expect(await amounts({}, scene.other)).toEqual([]);
    expect(await refusalOf(list({ cardId: handed }, scene.other))).toBe("CARD_NOT_FOUND");
  });

  it("shows each holder of a card the transactions of their own time with it", async () => {
    const { purser, owner, member, other } = scene;
    const { cards, sandbox } = purser.as(owner);
    const handed = await scene.newCard(await scene.policy(), other);
    const pass = (to: Person) => cards.update({ organizationId, cardId: handed, assignedToId: to.userId });
    const seen = (person: Person) => amounts({ cardId: handed }, person);
    const first = await scene.buy(handed, { amount: 11 });
    await pass(member);
    const second = await scene.buy(handed, { amount: 22 });
    expect(await seen(member)).toEqual([22]);
    expect((await amounts({}, member)).slice(0, 2)).not.toContain(11);
    // Clearings change a purchase, and a refund of it is a transaction of its own.
    await sandbox.cards.clear({ transactionId: first.id });
    await sandbox.cards.refund({ transactionId: first.id });
    expect(await seen(member)).toEqual([22]);
    await sandbox.cards.clear({ transactionId: second.id });
    await sandbox.cards.refund({ transactionId: second.id });
    expect(await seen(member)).toEqual([-22, 22]);
    const explain = (transactionId: string, person: Person) =>
      purser.as(person).cards.transactions.explain({ organizationId, transactionId });
    expect(await explain(second.id, member)).toMatchObject({ outcome: "approved" });
    expect(await refusalOf(explain(first.id, member))).toBe("CARD_TRANSACTION_NOT_FOUND");
    expect(await refusalOf(explain(second.id, other))).toBe("CARD_TRANSACTION_NOT_FOUND");
    expect(await refusalOf(list({ after: first.id }, member))).toBe("VALIDATION_FAILED");

    await pass(other);
    expect(await seen(other)).toEqual([-11, 11]);
    expect(await amounts({}, member)).not.toContain(22);
    await pass(member);
    expect(await seen(member)).toEqual([-22, 22]);
    expect(await amounts({ cardId: handed, limit: 1 }, member)).toEqual([-22]);
    expect(await seen(owner)).toEqual([-22, -11, 22, 11]);
  });

  it("does not find an unknown card, one of another organization, or one of another member", async () => {
    const elsewhere = await scene.purser.organization(scene.owner);
    expect(await refusalOf(list({ cardId: scene.purser.unknownId("card") }))).toBe("CARD_NOT_FOUND");
    expect(await refusalOf(list({ organizationId: elsewhere, cardId }))).toBe("CARD_NOT_FOUND");
    expect(await refusalOf(list({ cardId: ownersCardId }, scene.member))).toBe("CARD_NOT_FOUND");
    expect(await list({ organizationId: elsewhere })).toEqual([]);
  });

  it.each([
    [{ from: at("2026-01-02"), to: at("2026-01-01") }],
    [{ minAmount: 2, maxAmount: 1 }],
    [{ minAmount: 0.5 }],
    [{ status: "pending" }],
    [{ merchantCategory: "c".repeat(256) }],
    [{ after: "ctx_1" }],
    [{ limit: 1001 }],
    [{ card: "x" }],
  ])("refuses %j", async (input) => {
    expect(await refusalOf(list(input))).toBe("VALIDATION_FAILED");
  });
});

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
      ...uneventful,
    };
    expect(await explain(approved.id)).toEqual({
      outcome: "approved",
      reason: null,
      requestedAmount: 100,
      approvedAmount: 100,
      used: 0,
      remaining: 250,
      ...basis,
    });
    expect(await explain(declined.id)).toEqual({
      outcome: "declined",
      reason: "weekly_limit_exceeded",
      requestedAmount: 151,
      approvedAmount: 0,
      used: 100,
      remaining: 150,
      ...basis,
    });
  });

  it("shows the purchase as decided, even after later messages", async () => {
    const { id } = await scene.buy(cardId);
    const before = await explain(id);
    scene.purser.clock.advance(1000);
    const { cards: network } = scene.purser.as(scene.owner).sandbox;
    await network.increment({ transactionId: id, amount: 50 });
    await network.reverse({ transactionId: id });
    expect(await explain(id)).toMatchObject({ ...before, increments: [{ outcome: "approved", amount: 50 }] });
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

  it("shows a withdrawn approval as declined", async () => {
    const [row] = await scene.purser.db.select().from(cardTable).where(eq(cardTable.id, cardId));
    const { clock, platform } = scene.purser;
    const network = cardNetwork({ card: row!.issuerReference!, at: clock.now() });
    const purchase = network.authorization({ amount: 100 });
    const { transaction } = await authorizePurchase(platform, "sandbox", purchase);
    clock.advance(1000);
    await recordAdvice(platform, "sandbox", adviceOn(purchase, "issuer_declined"));
    expect(await explain(transaction.id)).toMatchObject({
      outcome: "declined",
      reason: "issuer_declined",
      decidedAt: clock.now(),
      limit: 500,
    });
  });

  it("shows no decision for a transaction without a request", async () => {
    const { cards: network } = scene.purser.as(scene.owner).sandbox;
    const forced = await network.clear({ cardId, amount: 900, merchant: cornerShop });
    const refund = await network.refund({ cardId, amount: 20, merchant: cornerShop });
    const unasked = { requestedAmount: null, approvedAmount: null };
    const undecided = { outcome: "not_requested", reason: null, ...unasked, ...nothing, increments: [] };
    expect(await explain(forced.id)).toEqual({
      ...undecided,
      decidedAt: forced.createdAt,
      origin: "force_post",
      amountBeyondApproval: 900,
    });
    expect(await explain(refund.id)).toEqual({
      ...undecided,
      decidedAt: refund.createdAt,
      origin: "refund",
      amountBeyondApproval: 0,
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
