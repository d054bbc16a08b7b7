import { day } from "@purser/core/testing";
import { outsideContract } from "@purser/vendor-contract";
import type { Lithic } from "lithic";
import { describe, expect, it } from "vitest";
import { fakeLithicPurchase, lithicDetailOf } from "./fake/network.ts";
import { lithicResponse, readLithicRequest } from "./requests.ts";
import { readLithicTransaction } from "./transactions.ts";

const receivedAt = new Date("2026-03-02T09:00:01Z");
const read = (request: unknown) =>
  readLithicRequest(request, receivedAt) as Extract<
    ReturnType<typeof readLithicRequest>,
    { networkId: string }
  >;
type Purchase = Parameters<typeof fakeLithicPurchase>[0];
const buy = (purchase: Partial<Purchase> = {}) =>
  fakeLithicPurchase({ card: "00000000-0000-4000-8000-00000000ca4d", amount: 1250, ...purchase });
type Event = Lithic.Transaction.Event;
const decline = (purchase: ReturnType<typeof buy>, type: Event["type"], details: Event["detailed_results"]) =>
  purchase.happen(type, 1250, { status: "DECLINED", result: "DECLINED", details });
const messages = (purchase: ReturnType<typeof buy>) => readLithicTransaction(purchase.update());

describe("a declined transaction", () => {
  it.each([
    ["CUSTOMER_ASA_TIMEOUT", "decision_timed_out"],
    ["MALFORMED_ASA_RESPONSE", "decision_timed_out"],
    ["CUSTOM_ASA_RESULT", "decision_timed_out"],
    ["INSUFFICIENT_FUNDS", "issuer_declined"],
    ["CARD_PIN_INCORRECT", "issuer_declined"],
    ["LITHIC_SYSTEM_ERROR", "issuer_declined"],
    ["CARD_PAUSED", "card_not_usable"],
    ["CARD_CLOSED", "card_not_usable"],
    ["CARD_EXPIRED", "card_not_usable"],
  ] as const)("is advice on the request: %s", (detail, reason) => {
    const purchase = buy({ merchant: { mcc: "7011" }, entry: { card: "NOT_PRESENT" } });
    const { event_token: eventToken, ...withoutEventToken } = purchase.request();
    const { networkId, card, at: requestedAt, receivedAt: _, ...request } = read(withoutEventToken);
    expect(networkId).toBe(`${purchase.token}:${new Date(purchase.transaction.created).toISOString()}:1250`);
    const event = decline(purchase, "AUTHORIZATION", [detail]);
    const otherIds = [networkId, purchase.token];
    const decision = { approved: false, reason };
    const at = new Date(purchase.transaction.events[0]!.created);
    const later = { ...request, expiresAt: new Date(at.getTime() + 31 * day) };
    expect(messages(purchase)).toEqual([
      { kind: "advice", networkId: event, otherIds, card, at, request: later, decision },
    ]);
    expect(event).toBe(eventToken);
    const expiresAt = new Date(requestedAt.getTime() + 31 * day);
    expect(request).toMatchObject({ channel: "online", expiresAt });
  });

  it("is declined by us if we answered without a decision", () => {
    const purchase = buy();
    const { result } = lithicResponse(purchase.request(), { approved: false, reason: null });
    decline(purchase, "AUTHORIZATION", [lithicDetailOf(result)]);
    expect(messages(purchase)).toMatchObject([{ decision: { reason: "decision_timed_out" } }]);
  });

  it("is declined by the issuer for a result of tomorrow", async () => {
    const purchase = buy();
    decline(purchase, "AUTHORIZATION", ["A_RESULT_OF_TOMORROW" as never]);
    expect(await outsideContract(() => messages(purchase))).toMatchObject([
      { kind: "advice", decision: { approved: false, reason: "issuer_declined" } },
    ]);
  });

  it.each(["FINANCIAL_AUTHORIZATION", "BALANCE_INQUIRY"] as const)("covers %s too", (type) => {
    const purchase = buy();
    decline(purchase, type, []);
    expect(messages(purchase)).toMatchObject([{ kind: "advice", decision: { reason: "issuer_declined" } }]);
  });

  it("is repeated with every later update", () => {
    const purchase = buy();
    decline(purchase, "AUTHORIZATION", ["CUSTOMER_ASA_TIMEOUT"]);
    const first = messages(purchase);
    purchase.happen("CLEARING", 700, { status: "SETTLED" });
    expect(messages(purchase).slice(0, 1)).toEqual(first);
    expect(messages(purchase)[1]).toMatchObject({ kind: "clearing", authorization: purchase.token });
  });

  it("names only the declined request if another one is approved", () => {
    const purchase = buy();
    purchase.happen("AUTHORIZATION", 1250, { held: 1250 });
    const networkId = decline(purchase, "AUTHORIZATION", ["INSUFFICIENT_FUNDS"]);
    expect(messages(purchase)).toMatchObject([
      { kind: "advice", networkId, otherIds: [] },
      { kind: "approval", approved: 1250 },
    ]);
  });

  describe("by the network in our place, after our approval", () => {
    /** A transaction that the network declined by an event after the approval of its request. */
    const standIn = (
      approved: Event["type"],
      declined: Event["type"],
      reversal?: Extract<Event["type"], "AUTHORIZATION_REVERSAL">,
    ) => {
      const purchase = buy();
      const request = purchase.happen(approved, 1250, { held: 1250 });
      if (reversal) purchase.happen(reversal, 1250, { status: "VOIDED", polarity: "CREDIT" });
      const event = decline(purchase, declined, []);
      return { purchase, request, event, authorization: purchase.token };
    };
    const timedOut = { approved: false, reason: "decision_timed_out" };

    it("is advice on the request, and releases what an earlier update may have held", () => {
      const { purchase, request, event, authorization } = standIn("AUTHORIZATION", "AUTHORIZATION_ADVICE");
      expect(messages(purchase)).toMatchObject([
        { kind: "advice", networkId: request, decision: timedOut },
        { kind: "reversal", networkId: event, authorization, amount: null },
      ]);
    });

    it("gives back what an earlier update may have taken", () => {
      const { purchase, request, event, authorization } = standIn("FINANCIAL_AUTHORIZATION", "CLEARING");
      expect(messages(purchase)).toMatchObject([
        { kind: "advice", networkId: request, decision: timedOut },
        { kind: "refund", networkId: event, authorization, amount: null, undoesAuthorization: true },
      ]);
    });

    it("is no approval again if the merchant has reversed the purchase before", () => {
      const { purchase } = standIn("AUTHORIZATION", "AUTHORIZATION_ADVICE", "AUTHORIZATION_REVERSAL");
      expect(messages(purchase).map(({ kind }) => kind)).toEqual(["advice", "reversal"]);
    });

    it("has no message without an approval before it", () => {
      const purchase = buy();
      decline(purchase, "AUTHORIZATION_ADVICE", ["CARD_PIN_INCORRECT"]);
      expect(messages(purchase)).toEqual([]);
    });
  });

  it("is no advice for a credit to the cardholder", () => {
    const purchase = buy();
    decline(purchase, "CREDIT_AUTHORIZATION", ["CARD_CLOSED"]);
    expect(messages(purchase)).toEqual([]);
  });
});
