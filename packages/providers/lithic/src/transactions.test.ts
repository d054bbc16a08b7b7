import type { CardMessage } from "@purser/cards/ports";
import { outsideContract } from "@purser/vendor-contract";
import { describe, expect, it } from "vitest";
import { fakeLithicPurchase } from "./fake/network.ts";
import { readLithicTransaction } from "./transactions.ts";

const merchant = { name: "CORNER COFFEE", id: "XRKGDPOWEWQRRWU", category: "5814", country: "US" };
const buy = () => fakeLithicPurchase({ card: "00000000-0000-4000-8000-00000000ca4d", amount: 1250 });
/** An authorized purchase. */
const bought = () => {
  const purchase = buy();
  purchase.happen("AUTHORIZATION", 1250, { held: 1250 });
  return purchase;
};
const allMessages = (purchase: ReturnType<typeof buy>) => readLithicTransaction(purchase.update());
/** The messages without those of approvals, which most transactions start with. */
const messages = (purchase: ReturnType<typeof buy>) =>
  allMessages(purchase).filter(({ kind }) => kind !== "approval");
const brief = (list: CardMessage[]) =>
  list.map((message) => [
    message.kind,
    "amount" in message ? message.amount : "held" in message ? message.held : "-",
    ...("final" in message && message.final ? ["final"] : []),
  ]);

/** The type of each message of a transaction, without its amount. */
const about = (purchase: ReturnType<typeof buy>, networkId: string) => ({
  networkId,
  card: "00000000-0000-4000-8000-00000000ca4d",
  at: new Date(purchase.transaction.events.find(({ token }) => token === networkId)?.created ?? ""),
});
/** The same for a release of a hold, which says what was approved before it. */
const released = (purchase: ReturnType<typeof buy>, networkId: string) => ({
  ...about(purchase, networkId),
  approvedBefore: 1250,
});

describe("readLithicTransaction", () => {
  it("reports each approval with the total so far, since its request may never have reached us", () => {
    const purchase = bought();
    purchase.happen("AUTHORIZATION", -250, { held: 1500 });
    purchase.happen("AUTHORIZATION_ADVICE", 1600, { held: 1600 });
    const request = { authorization: purchase.token, channel: "in_store", merchant };
    expect(allMessages(purchase)).toMatchObject([
      { kind: "approval", request: { ...request, amount: 1250 }, approved: 1250 },
      { kind: "approval", request: { ...request, amount: 250 }, approved: 1500 },
      { kind: "approval", request: { ...request, amount: 1600 }, approved: 1600 },
      { kind: "adjustment", held: 1600 },
    ]);
  });

  it("dates each approval by its own event, since another purchase may follow under the same token", () => {
    const purchase = fakeLithicPurchase({ card: "ca4d", amount: 1250, merchant: { mcc: "7011" } });
    purchase.happen("AUTHORIZATION", 1250, { held: 1250 });
    purchase.happen("AUTHORIZATION_EXPIRY", 1250);
    purchase.happen("AUTHORIZATION", 300, { held: 300 });
    purchase.transaction.events[2]!.created = "2026-04-06T10:00:00Z";
    expect(allMessages(purchase).at(-1)).toMatchObject({
      kind: "approval",
      at: new Date("2026-04-06T10:00:00Z"),
      request: { expiresAt: new Date("2026-05-07T10:00:00Z") },
    });
  });

  it("is a final clearing if nothing is held afterwards", () => {
    const purchase = bought();
    const event = purchase.happen("CLEARING", 1300, { status: "SETTLED" });
    expect(messages(purchase)).toEqual([
      {
        ...about(purchase, event),
        kind: "clearing",
        authorization: purchase.token,
        approvedBefore: 1250,
        amount: 1300,
        final: true,
        merchant,
      },
    ]);
  });

  it("is not a final clearing while something is held", () => {
    const purchase = bought();
    purchase.happen("CLEARING", 400, { held: 850 });
    expect(brief(messages(purchase))).toEqual([["clearing", 400]]);
    purchase.happen("CLEARING", 850, { status: "SETTLED" });
    expect(brief(messages(purchase))).toEqual([
      ["clearing", 400],
      ["clearing", 850, "final"],
    ]);
  });

  it("is a clearing without a hold if nothing was authorized", () => {
    const purchase = buy();
    purchase.happen("CLEARING", 700, { status: "SETTLED" });
    purchase.happen("CLEARING", 50, { status: "SETTLED" });
    const clearing = { kind: "clearing", authorization: purchase.token, final: true, isUnrequested: true };
    expect(messages(purchase)).toMatchObject([
      { ...clearing, amount: 700 },
      { ...clearing, amount: 50 },
    ]);
  });

  it("is a clearing without a hold if the authorization was declined", () => {
    const purchase = buy();
    purchase.happen("AUTHORIZATION", 1250, { status: "DECLINED", result: "USER_TRANSACTION_LIMIT" });
    purchase.happen("CLEARING", 700, { status: "SETTLED" });
    expect(messages(purchase)).toMatchObject([
      { kind: "advice" },
      { kind: "clearing", authorization: purchase.token, amount: 700 },
    ]);
  });

  it.each(["without an authorization", "after a decline"])("has a name for its refund: %s", (before) => {
    const purchase = buy();
    if (before === "after a decline")
      purchase.happen("AUTHORIZATION", 1250, { status: "DECLINED", result: "USER_TRANSACTION_LIMIT" });
    purchase.happen("CLEARING", 700, { status: "SETTLED" });
    purchase.happen("RETURN", 700, { status: "SETTLED", polarity: "CREDIT" });
    const authorization = purchase.token;
    expect(messages(purchase).slice(-2)).toMatchObject([
      { kind: "clearing", authorization, amount: 700 },
      { kind: "refund", authorization, amount: 700 },
    ]);
  });

  it("clears for any result", () => {
    const purchase = bought();
    purchase.happen("CLEARING", 1250, { status: "SETTLED", result: "CARD_CLOSED" });
    expect(brief(messages(purchase))).toEqual([["clearing", 1250, "final"]]);
  });

  it.each([
    ["CLEARING", "DECLINED", "DEBIT", "DECLINED"],
    ["RETURN", "ORIGINAL_NOT_FOUND", "CREDIT", "DECLINED"],
    ["RETURN", "ORIGINAL_NOT_FOUND", "CREDIT", "SETTLED"],
    ["RETURN_REVERSAL", "DECLINED", "DEBIT", "DECLINED"],
    ["CORRECTION_CREDIT", "DECLINED", "CREDIT", "DECLINED"],
    ["CORRECTION_DEBIT", "DECLINED", "DEBIT", "DECLINED"],
  ] as const)(
    "moves no money for %s with the result %s, as %s of a %s transaction",
    (type, result, polarity, status) => {
      const purchase = buy();
      purchase.happen(type, 1250, { status, result, polarity });
      expect(messages(purchase)).toEqual([]);
    },
  );

  it("is a reversal of a part", () => {
    const purchase = bought();
    const event = purchase.happen("AUTHORIZATION_REVERSAL", -450, { held: 800, polarity: "CREDIT" });
    expect(messages(purchase)).toEqual([
      { ...released(purchase, event), kind: "reversal", authorization: purchase.token, amount: 450 },
    ]);
  });

  it("is a reversal of the whole hold if it voids the transaction", () => {
    const purchase = bought();
    purchase.happen("AUTHORIZATION_REVERSAL", 450, { held: 800, polarity: "CREDIT" });
    purchase.happen("AUTHORIZATION_REVERSAL", 800, { status: "VOIDED", polarity: "CREDIT" });
    expect(brief(messages(purchase))).toEqual([
      ["reversal", 450],
      ["reversal", null],
    ]);
  });

  it("says what was approved before a hold was released, and not what was approved later", () => {
    const purchase = bought();
    purchase.happen("AUTHORIZATION", 250, { held: 1500 });
    purchase.happen("AUTHORIZATION_REVERSAL", 100, { held: 1400, polarity: "CREDIT" });
    purchase.happen("AUTHORIZATION", 300, { held: 1700 });
    purchase.happen("CLEARING", 1400, { held: 300 });
    purchase.happen("AUTHORIZATION_EXPIRY", 300, { status: "EXPIRED" });
    expect(messages(purchase)).toMatchObject([
      { kind: "reversal", approvedBefore: 1500 },
      { kind: "clearing", approvedBefore: 1800 },
      { kind: "expiry", approvedBefore: 1800 },
    ]);
  });

  it("is an expiry", () => {
    const purchase = bought();
    const event = purchase.happen("AUTHORIZATION_EXPIRY", 1250, { status: "EXPIRED", polarity: "CREDIT" });
    expect(messages(purchase)).toEqual([
      { ...released(purchase, event), kind: "expiry", authorization: purchase.token },
    ]);
  });

  it("adjusts the hold to an advice", () => {
    const purchase = bought();
    purchase.happen("AUTHORIZATION_REVERSAL", 250, { held: 1000, polarity: "CREDIT" });
    const event = purchase.happen("AUTHORIZATION_ADVICE", 400, { held: 400 });
    expect(messages(purchase).at(-1)).toEqual({
      ...released(purchase, event),
      kind: "adjustment",
      authorization: purchase.token,
      held: 400,
    });
    purchase.happen("AUTHORIZATION_ADVICE", 900, { held: 900 });
    purchase.happen("AUTHORIZATION_ADVICE", 800, { held: 800 });
    expect(brief(messages(purchase))).toEqual([
      ["reversal", 250],
      ["adjustment", 400],
      ["adjustment", 900],
      ["adjustment", 800],
    ]);
  });

  it("lowers the hold by the difference if another authorization follows the advice", () => {
    const purchase = bought();
    purchase.happen("AUTHORIZATION_ADVICE", 400, { held: 400 });
    purchase.happen("AUTHORIZATION", 250, { held: 650 });
    purchase.happen("AUTHORIZATION_ADVICE", 900, { held: 900 });
    purchase.happen("AUTHORIZATION", 100, { held: 1000 });
    expect(brief(messages(purchase))).toEqual([["reversal", 850]]);
  });

  it("is an approval by the network if the advice comes first", () => {
    const purchase = buy();
    const networkId = purchase.happen("AUTHORIZATION_ADVICE", 400, { held: 400 });
    purchase.happen("AUTHORIZATION_REVERSAL", 100, { held: 300 });
    purchase.happen("AUTHORIZATION_EXPIRY", 300);
    expect(allMessages(purchase)).toMatchObject([
      { kind: "approval", networkId, approved: 400 },
      { kind: "adjustment", networkId, held: 400 },
      { kind: "reversal", amount: 100 },
      { kind: "expiry" },
    ]);
  });

  it("sums several authorizations", () => {
    const purchase = bought();
    purchase.happen("AUTHORIZATION", 250, { held: 1500 });
    purchase.happen("AUTHORIZATION_ADVICE", 1400, { held: 1400 });
    expect(brief(messages(purchase))).toEqual([["adjustment", 1400]]);
  });

  it.each(["AUTHORIZATION_REVERSAL", "AUTHORIZATION_EXPIRY", "AUTHORIZATION_ADVICE"] as const)(
    "has no message for %s of a declined authorization",
    (type) => {
      const purchase = bought();
      purchase.happen(type, 450, { held: 1250, result: "ORIGINAL_NOT_FOUND" });
      expect(messages(purchase)).toEqual([]);
    },
  );

  it("clears a financial authorization at once, and undoes what is reversed of it", () => {
    const purchase = buy();
    purchase.happen("FINANCIAL_AUTHORIZATION", 1250, { status: "SETTLED" });
    const event = purchase.happen("AUTHORIZATION_REVERSAL", 250, { status: "SETTLED", polarity: "CREDIT" });
    expect(brief(messages(purchase))).toEqual([
      ["clearing", 1250, "final"],
      ["refund", 250],
    ]);
    expect(messages(purchase)).toMatchObject([
      { authorization: purchase.token },
      { ...about(purchase, event), authorization: purchase.token, undoesAuthorization: true },
    ]);
  });

  it("ignores declined events", () => {
    const purchase = buy();
    purchase.happen("FINANCIAL_AUTHORIZATION", 1250, { status: "DECLINED", result: "CARD_PAUSED" });
    purchase.happen("FINANCIAL_CREDIT_AUTHORIZATION", -1250, { status: "DECLINED", result: "CARD_PAUSED" });
    expect(brief(messages(purchase))).toEqual([["advice", "-"]]);
  });

  it.each([
    ["RETURN", 600, "CREDIT"],
    ["RETURN", -600, "CREDIT"],
    ["CORRECTION_CREDIT", -600, "CREDIT"],
    ["FINANCIAL_CREDIT_AUTHORIZATION", -600, "CREDIT"],
    ["CLEARING", -600, "CREDIT"],
  ] as const)("is a refund: %s of %i", (type, amount, polarity) => {
    const alone = buy();
    const event = alone.happen(type, amount, { status: "SETTLED", polarity });
    expect(messages(alone)).toEqual([
      { ...about(alone, event), kind: "refund", authorization: null, amount: 600, merchant },
    ]);
    const purchase = bought();
    purchase.happen("CLEARING", 1250, { status: "SETTLED" });
    purchase.happen(type, amount, { status: "SETTLED", polarity });
    expect(messages(purchase)).toMatchObject([
      { kind: "clearing", amount: 1250 },
      { kind: "refund", authorization: purchase.token, amount: 600 },
    ]);
  });

  it.each([
    ["RETURN_REVERSAL", { kind: "refund", amount: -600 }],
    ["CORRECTION_DEBIT", { kind: "clearing", amount: 600, final: true, isCorrection: true }],
  ] as const)("takes money of its own for a purchase: %s", (type, message) => {
    const purchase = bought();
    purchase.happen("CLEARING", 1250, { status: "SETTLED" });
    const event = purchase.happen(type, 600, { status: "SETTLED" });
    expect(messages(purchase).at(-1)).toEqual({
      ...about(purchase, event),
      authorization: purchase.token,
      merchant,
      ...message,
    });
  });

  it.each(["CREDIT_AUTHORIZATION", "CREDIT_AUTHORIZATION_ADVICE", "BALANCE_INQUIRY"] as const)(
    "has no message for %s",
    (type) => {
      const purchase = buy();
      purchase.happen(type, -500, { polarity: "CREDIT" });
      expect(messages(purchase)).toEqual([]);
    },
  );

  it("has no message for an event of tomorrow", async () => {
    const purchase = buy();
    purchase.happen("A_TYPE_OF_TOMORROW" as never, -500, { polarity: "CREDIT" });
    expect(await outsideContract(() => messages(purchase))).toEqual([]);
  });

  it("repeats earlier messages with the same ids, in order", () => {
    const purchase = bought();
    const steps = [
      ["AUTHORIZATION_REVERSAL", 250, 1000],
      ["CLEARING", 400, 600],
      ["CLEARING", 600, 0],
      ["RETURN", 100, 0],
    ] as const;
    const updates = steps.map(([type, amount, held]) => {
      purchase.happen(type, amount, { held });
      return messages(purchase);
    });
    const [last = []] = updates.slice(-1);
    for (const [index, update] of updates.entries()) expect(update).toEqual(last.slice(0, index + 1));
    const shuffled = purchase.update();
    shuffled.events.reverse();
    expect(readLithicTransaction(shuffled).slice(1)).toEqual(last);
  });

  it.each([
    ["nothing", undefined],
    ["no events", { ...bought().update(), events: undefined }],
    ["no card", { ...bought().update(), card_token: "" }],
    [
      "a hold that is not a number",
      { ...bought().update(), amounts: { hold: { amount: "0", currency: "USD" } } },
    ],
  ])("throws for %s, so that it is not lost", (_what, update) => {
    expect(() => readLithicTransaction(update)).toThrow("Lithic: cannot parse card_transaction.updated (");
  });
});
