import type { CardMessage } from "@purser/cards/ports";
import { outsideContract } from "@purser/vendor-contract";
import { describe, expect, it } from "vitest";
import type { FakeEvent } from "../fake/events.ts";
import { fakePurchase, issuingEvent } from "../fake/issuing/network.ts";
import { readStripeRequest } from "./requests.ts";
import { readStripeEvent } from "./transactions.ts";

const read = (event: FakeEvent) =>
  readStripeRequest(event) as Extract<ReturnType<typeof readStripeRequest>, { networkId: string }>;
type Purchase = Parameters<typeof fakePurchase>[0];
const buy = (purchase: Partial<Purchase> = {}) => fakePurchase({ card: "ic_1", amount: 1250, ...purchase });
const approved = { approved: true, reason: null };
const declined = (reason: string) => ({ approved: false, reason });

const messages = (event: FakeEvent) => readStripeEvent({ type: event.type, body: JSON.stringify(event) });
const decisions = (list: CardMessage[]) =>
  list.map(
    (message) => message.kind === "advice" && [message.networkId, message.request.kind, message.decision],
  );

describe("issuing_authorization.created", () => {
  it.each([
    [false, "webhook_timeout", declined("decision_timed_out")],
    [false, "webhook_error", declined("decision_timed_out")],
    [false, "webhook_declined", declined("decision_timed_out")],
    [false, "insufficient_funds", declined("issuer_declined")],
    [false, "suspected_fraud", declined("issuer_declined")],
    [false, "network_fallback", declined("issuer_declined")],
    // So the ledger shows why no purchase on an active card of a blocked cardholder succeeds.
    [false, "cardholder_blocked", declined("issuer_declined")],
    [false, "cardholder_inactive", declined("issuer_declined")],
    [false, "cardholder_verification_required", declined("issuer_declined")],
    [false, "card_inactive", declined("card_not_usable")],
    [false, "card_canceled", declined("card_not_usable")],
    [false, "card_expired", declined("card_not_usable")],
    [true, "webhook_timeout", approved],
    [true, "webhook_error", approved],
    [true, "network_fallback", approved],
    [true, "card_active", approved],
  ])("is advice on the same request: approved %s, reason %s", (isApproved, reason, decision) => {
    const purchase = buy({ merchant: { category_code: "6010" }, method: "chip", atmFee: 150 });
    const { networkId, card, at, ...request } = read(purchase.request());
    const event = purchase.decide(isApproved, reason);
    expect(request).toMatchObject({ kind: "authorization", amount: 1250, channel: "atm" });
    expect(messages(event)).toEqual([{ kind: "advice", networkId, card, at, request, decision }]);
  });

  it("is declined by the issuer for a reason of tomorrow", async () => {
    const purchase = buy();
    purchase.request();
    const event = await outsideContract(() => purchase.decide(false, "a_new_reason"));
    expect(messages(event)).toMatchObject([{ kind: "advice", decision: declined("issuer_declined") }]);
  });

  it("has no message for our approval that Stripe applied", () => {
    const purchase = buy();
    purchase.request();
    expect(messages(purchase.decide(true))).toEqual([]);
  });

  it("has no message for a credit to the card", () => {
    const purchase = buy({ amount: -500 });
    purchase.request();
    expect(messages(purchase.decide(true, "card_active"))).toEqual([]);
  });

  it("throws if it is invalid", () => {
    const event = issuingEvent("issuing_authorization.created", {
      ...buy().authorization,
      request_history: null,
    });
    expect(() => messages(event)).toThrow("Stripe: cannot parse issuing_authorization.created");
  });
});

describe("issuing_authorization.updated", () => {
  it("is advice on an increment that we did not decide, and repeats earlier advice", () => {
    const purchase = buy();
    const id = purchase.authorization.id;
    purchase.request();
    purchase.decide(true, "webhook_timeout");
    purchase.increment(300);
    purchase.decide(true);
    const increment = read(purchase.increment(200));
    const event = purchase.decide(false, "webhook_timeout");
    expect(decisions(messages(event))).toEqual([
      [`${id}:0`, "authorization", approved],
      [`${id}:2`, "increment", declined("decision_timed_out")],
    ]);
    expect(messages(event)[1]).toMatchObject({
      networkId: increment.networkId,
      request: { authorization: id, amount: 200 },
    });
  });

  it("names each request by its position in time, in any order of the history", () => {
    const purchase = buy();
    const id = purchase.authorization.id;
    purchase.request();
    purchase.decide(false, "insufficient_funds");
    purchase.request();
    const event = purchase.decide(true, "network_fallback");
    const reversed = structuredClone(event);
    (reversed.data.object as { request_history: object[] }).request_history.reverse();
    expect(messages(reversed)).toEqual(messages(event));
    expect(decisions(messages(event))).toEqual([
      [`${id}:0`, "authorization", declined("issuer_declined")],
      [`${id}:1`, "authorization", approved],
    ]);
  });

  it.each([
    ["the same second, the newest first", 0],
    ["two seconds, the oldest first", 1],
  ])("names requests of %s", (_case, pause) => {
    const purchase = buy();
    purchase.request();
    purchase.decide(true);
    purchase.increment(300);
    const event = structuredClone(purchase.decide(false, "insufficient_funds"));
    const object = event.data.object as { request_history: { created: number }[] };
    const [newest, oldest] = object.request_history;
    newest!.created = oldest!.created + pause;
    if (pause > 0) object.request_history.reverse();
    expect(decisions(messages(event))).toEqual([
      [`${purchase.authorization.id}:1`, "increment", declined("issuer_declined")],
    ]);
  });

  it("puts advice before other messages", () => {
    const purchase = buy();
    purchase.request();
    purchase.decide(true, "webhook_timeout");
    const [, closed] = purchase.capture(1250);
    expect(messages(closed).map(({ kind }) => kind)).toEqual(["advice", "clearing", "clearing"]);
    const reversed = messages(purchase.reversal());
    expect(reversed.map(({ kind }) => kind)).toEqual(["advice", "clearing", "reversal"]);
  });
});
