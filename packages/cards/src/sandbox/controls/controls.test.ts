import { day } from "@purser/core/testing";
import { cards as cardsTable, idempotencyKeys } from "@purser/db";
import { type Person, type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
let owner: Person;
let member: Person;
let organizationId: string;
let fundingAccountId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
  member = await purser.person();
  organizationId = await purser.organization(owner, { members: [member] });
  const { banking } = purser.as(owner);
  const bank = { provider: "sandbox", providerId: "sprout-bank", consentId: "cards" } as const;
  await banking.connections.connect({ teamId: organizationId, ...bank });
  const accounts = await banking.accounts.list({ teamId: organizationId });
  fundingAccountId = accounts.find(({ currency }) => currency === "GBP")!.id;
});
afterAll(() => purser.close());

const controls = (idempotencyKey: string | null = null) => purser.as(owner, { idempotencyKey }).sandbox.cards;
const merchant = { name: "Corner Shop", id: "m-1", category: "5411", country: "GB" };

async function newCard(rules: { spendingLimit?: number; limitInterval?: "DAILY" } = {}) {
  const { cards } = purser.as(owner);
  const { id: policyId } = await cards.policies.create({ organizationId, name: "Policy", ...rules });
  const fields = { organizationId, policyId, fundingAccountId, assignedToId: member.userId };
  const { id: cardId } = await cards.create({ ...fields, purpose: "BUSINESS" });
  return { cardId, policyId };
}

async function newPurchase(amount = 1000, rules = {}) {
  const { cardId, policyId } = await newCard(rules);
  const { id: transactionId } = await controls().authorize({ ...at(cardId), amount });
  return { cardId, policyId, transactionId };
}

const at = (cardId: string) => ({ cardId, merchant, channel: "in_store" }) as const;
const listed = (cardId: string) => purser.as(owner).cards.transactions.list({ organizationId, cardId });

/** The problem codes of failed calls, and "ok" for the others. */
async function outcomes(calls: Promise<unknown>[]): Promise<string[]> {
  const codes = calls.map((call) => call.then(() => "ok").catch(() => refusalOf(call)));
  return (await Promise.all(codes)).toSorted();
}

describe("sandbox.cards.authorize", () => {
  it("returns an approved transaction as the list does", async () => {
    const { cardId } = await newCard();
    const transaction = await controls().authorize({ ...at(cardId), amount: 1250 });
    expect(transaction).toEqual({
      id: expect.stringMatching(/^ctx_/),
      cardId,
      amount: 1250,
      currency: "GBP",
      merchantName: "Corner Shop",
      merchantId: "m-1",
      merchantCategory: "5411",
      description: null,
      status: "PENDING",
      declineReason: null,
      createdAt: purser.clock.now(),
      settledAt: null,
    });
    expect(await listed(cardId)).toEqual([transaction]);
  });

  it("returns a declined transaction with its reason", async () => {
    const { cardId } = await newCard({ spendingLimit: 1000 });
    const transaction = await controls().authorize({ ...at(cardId), amount: 1001 });
    expect(transaction).toMatchObject({ status: "DECLINED", declineReason: "transaction_limit_exceeded" });
    expect(await listed(cardId)).toEqual([transaction]);
    const abroad = await controls().authorize({ ...at(cardId), amount: 1, currency: "EUR" });
    expect(abroad).toMatchObject({ currency: "EUR", declineReason: "currency_not_supported" });
  });

  it("counts in the window of the given instant, past or future", async () => {
    const { cardId } = await newCard({ spendingLimit: 1000, limitInterval: "DAILY" });
    const statuses = [];
    for (const offset of [0, -day, 40 * day, 0, -day]) {
      const instant = new Date(purser.clock.now().getTime() + offset);
      const purchase = await controls().authorize({ ...at(cardId), amount: 600, at: instant });
      statuses.push(purchase.declineReason ?? purchase.status);
    }
    const declined = "daily_limit_exceeded";
    expect(statuses).toEqual(["PENDING", "PENDING", "PENDING", declined, declined]);
  });

  it("has one effect per message, however often it is repeated", async () => {
    const { cardId } = await newCard();
    const message = { ...at(cardId), amount: 700, networkId: "net-1" };
    const repeated = Array.from({ length: 8 }, () => controls().authorize(message));
    const [first, ...others] = await Promise.all(repeated);
    for (const other of others) expect(other).toEqual(first);
    expect(await listed(cardId)).toHaveLength(1);
    const { cardId: another } = await newCard();
    expect((await controls().authorize({ ...message, cardId: another })).cardId).toBe(another);
  });

  it("has one effect per idempotency key, even if the first answer was lost", async () => {
    const { cardId } = await newCard();
    const repeat = () => controls("once").authorize({ ...at(cardId), amount: 300 });
    const first = await repeat();
    expect(await repeat()).toEqual(first);
    // The process died after the message took effect, and the lease of the key expired.
    await purser.db.delete(idempotencyKeys).where(eq(idempotencyKeys.key, "once"));
    expect(await repeat()).toEqual(first);
    expect(await listed(cardId)).toHaveLength(1);
    purser.clock.advance(day + 1);
    expect((await repeat()).id).not.toBe(first.id);
  });

  it("is audited", async () => {
    const { cardId } = await newCard();
    const { id } = await controls().authorize({ ...at(cardId), amount: 300 });
    const [entry] = await purser.as(owner).organizations.audit.list({ id: organizationId, limit: 1 });
    const details = { ...at(cardId), amount: 300 };
    expect(entry).toMatchObject({ action: "sandbox.cards.authorize", subject: id, details });
  });

  it("finds the organization by the card, and refuses another one", async () => {
    const { cardId } = await newCard();
    const purchase = { ...at(cardId), amount: 100 };
    const organization = await purser.organization(owner);
    expect((await controls().authorize({ ...purchase, organizationId })).status).toBe("PENDING");
    for (const wrong of [
      { ...purchase, organizationId: organization },
      { ...purchase, cardId: purser.unknownId("card") },
    ]) {
      expect(await refusalOf(controls().authorize(wrong))).toBe("CARD_NOT_FOUND");
    }
    expect(await refusalOf(purser.as(member).sandbox.cards.authorize(purchase))).toBe("FORBIDDEN");
  });

  it("refuses cards of other issuers", async () => {
    const { cardId } = await newCard();
    await purser.db.update(cardsTable).set({ issuer: "lithic" }).where(eq(cardsTable.id, cardId));
    const refusal = refusalOf(controls().authorize({ ...at(cardId), amount: 100 }));
    expect(await refusal).toBe("NOT_SUPPORTED_BY_PROVIDER");
  });

  it.each([
    { amount: 0 },
    { amount: -1 },
    { amount: 1.5 },
    { amount: 1e12 + 1 },
    { currency: "gbp" },
    { networkId: "" },
  ])("refuses the input %j", async (wrong) => {
    const input = { ...at(purser.unknownId("card")), amount: 1, ...wrong };
    expect(await refusalOf(controls().authorize(input))).toBe("VALIDATION_FAILED");
  });
});

describe("sandbox.cards.increment", () => {
  it("holds more", async () => {
    const { transactionId } = await newPurchase(1000);
    const after = await controls().increment({ transactionId, amount: 500 });
    expect(after).toMatchObject({ id: transactionId, status: "PENDING", amount: 1500 });
  });

  it("is declined with the reason as code, keeps the hold, and is decided again on a new request", async () => {
    const { cardId, policyId, transactionId } = await newPurchase(900, {
      spendingLimit: 1000,
      limitInterval: "DAILY",
    });
    const increment = () => controls("more").increment({ transactionId, amount: 101 });
    for (let time = 1; time <= 2; time += 1)
      expect(await refusalOf(increment())).toBe("DAILY_LIMIT_EXCEEDED");
    expect(await listed(cardId)).toMatchObject([{ status: "PENDING", amount: 900 }]);
    await purser.as(owner).cards.policies.update({ organizationId, policyId, spendingLimit: 2000 });
    for (let time = 1; time <= 2; time += 1) expect(await increment()).toMatchObject({ amount: 1001 });
  });
});

describe("sandbox.cards.reverse", () => {
  it("releases a part, then the whole hold, and keeps the last amount", async () => {
    const { transactionId } = await newPurchase(1000);
    const partly = await controls().reverse({ transactionId, amount: 400 });
    expect(partly).toMatchObject({ status: "PENDING", amount: 600 });
    const whole = await controls().reverse({ transactionId });
    expect(whole).toMatchObject({ status: "DECLINED", amount: 600, declineReason: "authorization_reversed" });
  });

  it("refuses more than the hold, and changes nothing", async () => {
    const { cardId, transactionId } = await newPurchase(1000);
    const refusal = refusalOf(controls().reverse({ transactionId, amount: 1001 }));
    expect(await refusal).toBe("AMOUNT_EXCEEDS_HOLD");
    expect(await listed(cardId)).toMatchObject([{ status: "PENDING", amount: 1000 }]);
  });
});

describe("sandbox.cards.expire", () => {
  it("ends the hold, and gives back its limit", async () => {
    const { cardId, transactionId } = await newPurchase(1000, {
      spendingLimit: 1000,
      limitInterval: "DAILY",
    });
    const after = await controls().expire({ transactionId });
    expect(after).toMatchObject({ status: "DECLINED", amount: 1000, declineReason: "authorization_expired" });
    expect((await controls().authorize({ ...at(cardId), amount: 1000 })).status).toBe("PENDING");
  });
});

describe("sandbox.cards.clear", () => {
  it("clears the whole hold by default", async () => {
    const { transactionId } = await newPurchase(1000);
    const settled = { status: "COMPLETED", amount: 1000, settledAt: purser.clock.now() };
    expect(await controls().clear({ transactionId })).toMatchObject(settled);
  });

  it("clears parts until the final one, and more than the hold", async () => {
    const { transactionId } = await newPurchase(1000);
    const part = await controls().clear({ transactionId, amount: 300, final: false });
    expect(part).toMatchObject({ status: "PENDING", amount: 1000, settledAt: null });
    const whole = await controls().clear({ transactionId, amount: 900 });
    expect(whole).toMatchObject({ id: transactionId, status: "COMPLETED", amount: 1200 });
  });

  it("is accepted without a hold, and can be refunded", async () => {
    const { cardId } = await newCard({ spendingLimit: 10 });
    const forced = await controls().clear({ cardId, amount: 500, merchant: { name: "Ferry" }, final: true });
    expect(forced).toMatchObject({ cardId, status: "COMPLETED", amount: 500, merchantName: "Ferry" });
    const refund = await controls().refund({ transactionId: forced.id });
    expect(refund).toMatchObject({ amount: -500, merchantName: "Ferry" });
  });

  it("ends a purchase once under concurrent clearings", async () => {
    const { cardId, transactionId } = await newPurchase(1000);
    const calls = Array.from({ length: 3 }, () => controls().clear({ transactionId, amount: 1000 }));
    expect(await outcomes(calls)).toEqual(["TRANSACTION_FINAL", "TRANSACTION_FINAL", "ok"]);
    expect(await listed(cardId)).toHaveLength(1);
  });

  it.each([
    ["neither a transaction nor a card", {}],
    ["both", { transactionId: "ctx_1", cardId: "card_1", amount: 1, merchant }],
    ["a card without an amount", { cardId: "card_1", merchant }],
    ["a card without a merchant", { cardId: "card_1", amount: 1 }],
    ["a merchant of a transaction", { transactionId: "ctx_1", merchant }],
    ["a partial clearing without a hold", { cardId: "card_1", amount: 1, merchant, final: false }],
  ])("refuses input with %s", async (_what, input) => {
    expect(await refusalOf(controls().clear(input))).toBe("VALIDATION_FAILED");
  });

  it("throws a not-found problem for an unknown id", async () => {
    const [transactionId, cardId] = [purser.unknownId("ctx"), purser.unknownId("card")];
    expect(await refusalOf(controls().clear({ transactionId }))).toBe("CARD_TRANSACTION_NOT_FOUND");
    expect(await refusalOf(controls().clear({ cardId, amount: 1, merchant }))).toBe("CARD_NOT_FOUND");
  });
});

describe("sandbox.cards.refund", () => {
  it("is a transaction of its own, for a part or for the rest", async () => {
    const { cardId, transactionId } = await newPurchase(1000);
    await controls().clear({ transactionId });
    const part = await controls().refund({ transactionId, amount: 300 });
    expect(part).toMatchObject({ status: "COMPLETED", amount: -300, merchantName: "Corner Shop" });
    expect(await controls().refund({ transactionId })).toMatchObject({ amount: -700 });
    expect(await refusalOf(controls().refund({ transactionId }))).toBe("AMOUNT_EXCEEDS_CLEARED");
    expect((await listed(cardId)).map(({ amount }) => amount)).toEqual([-700, -300, 1000]);
  });

  it("is accepted without a purchase", async () => {
    const { cardId } = await newCard();
    const refund = await controls().refund({ cardId, amount: 250, merchant: { name: "Shop" } });
    expect(refund).toMatchObject({ cardId, status: "COMPLETED", amount: -250, merchantName: "Shop" });
  });

  it("is refused before the clearing, and for more than it", async () => {
    const { transactionId } = await newPurchase(1000);
    expect(await refusalOf(controls().refund({ transactionId }))).toBe("TRANSACTION_NOT_SETTLED");
    await controls().clear({ transactionId });
    const beyond = refusalOf(controls().refund({ transactionId, amount: 1001 }));
    expect(await beyond).toBe("AMOUNT_EXCEEDS_CLEARED");
  });
});

describe("a final transaction", () => {
  it.each(["clear", "reverse", "refund"] as const)("does not change after %s", async (end) => {
    const { cardId, transactionId } = await newPurchase(1000);
    if (end === "refund") await controls().clear({ transactionId });
    const { id } = await controls()[end]({ transactionId });
    const before = await listed(cardId);
    const again = [
      controls().increment({ transactionId: id, amount: 1 }),
      controls().reverse({ transactionId: id, amount: 9999 }),
      controls().expire({ transactionId: id }),
      controls().clear({ transactionId: id, amount: 1 }),
      ...(end === "clear" ? [] : [controls().refund({ transactionId: id })]),
    ];
    expect(new Set(await outcomes(again))).toEqual(new Set(["TRANSACTION_FINAL"]));
    expect(await listed(cardId)).toEqual(before);
  });
});
