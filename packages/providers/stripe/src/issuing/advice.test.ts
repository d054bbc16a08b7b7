import { describe, expect, it } from "vitest";
import type { FakeEvent } from "../fake/events.ts";
import type { CardMessage } from "@purser/cards/ports";
import { fakeEvent, fakePurchase } from "./fake/network.ts";
import { requestMessages } from "./requests.ts";
import { creationMessages, updateMessages } from "./transactions.ts";

type Purchase = Parameters<typeof fakePurchase>[0];
const buy = (purchase: Partial<Purchase> = {}) => fakePurchase({ card: "ic_1", amount: 1250, ...purchase });
const approved = { approved: true, reason: null };
const declined = (reason: string) => ({ approved: false, reason });

const messages = (event: FakeEvent) =>
  event.type === "issuing_authorization.created" ? creationMessages(event) : updateMessages(event);
const verdicts = (list: CardMessage[]) =>
  list.map(
    (message) => message.kind === "advice" && [message.networkId, message.request.kind, message.verdict],
  );

describe("issuing_authorization.created", () => {
  it.each([
    [false, "webhook_timeout", declined("decision_timed_out")],
    [false, "webhook_error", declined("decision_timed_out")],
    [false, "webhook_declined", declined("decision_timed_out")],
    [false, "insufficient_funds", declined("issuer_declined")],
    [false, "suspected_fraud", declined("issuer_declined")],
    [false, "network_fallback", declined("issuer_declined")],
    [false, "a_reason_of_tomorrow", declined("issuer_declined")],
    [true, "webhook_timeout", approved],
    [true, "webhook_error", approved],
    [true, "network_fallback", approved],
    [true, "card_active", approved],
  ])("is advice on the very request: approved %s, by %s", (isApproved, reason, verdict) => {
    const purchase = buy({ merchant: { category_code: "6010" }, method: "chip", atmFee: 150 });
    const [{ networkId, card, at, ...request }] = requestMessages(purchase.request()) as [CardMessage];
    const event = purchase.decide(isApproved, reason);
    expect(request).toMatchObject({ kind: "authorization", amount: 1250, channel: "atm" });
    expect(messages(event)).toEqual([{ kind: "advice", networkId, card, at, request, verdict }]);
  });

  it("says nothing of our approval that stands", () => {
    const purchase = buy();
    purchase.request();
    expect(messages(purchase.decide(true))).toEqual([]);
  });

  it("says nothing of money that is given to the card", () => {
    const purchase = buy({ amount: -500 });
    purchase.request();
    expect(messages(purchase.decide(true, "card_active"))).toEqual([]);
  });

  it("fails where it cannot be read, so that it is not lost", () => {
    const event = fakeEvent("issuing_authorization.created", {
      ...buy().authorization,
      request_history: null,
    });
    expect(() => messages(event)).toThrow("Stripe, issuing_authorization.created: it cannot be read");
  });
});

describe("issuing_authorization.updated", () => {
  it("is advice on the increment that was not decided by us, and says again what was told before", () => {
    const purchase = buy();
    const name = purchase.authorization.id;
    purchase.request();
    purchase.decide(true, "webhook_timeout");
    purchase.increment(300);
    purchase.decide(true);
    const [asked] = requestMessages(purchase.increment(200));
    const event = purchase.decide(false, "webhook_timeout");
    expect(verdicts(messages(event))).toEqual([
      [`${name}:0`, "authorization", approved],
      [`${name}:2`, "increment", declined("decision_timed_out")],
    ]);
    expect(messages(event)[1]).toMatchObject({
      networkId: asked!.networkId,
      request: { authorization: name, amount: 200 },
    });
  });

  it("tells of each request by its place, in whatever order the history is told", () => {
    const purchase = buy();
    const name = purchase.authorization.id;
    purchase.request();
    purchase.decide(false, "insufficient_funds");
    purchase.request();
    const event = purchase.decide(true, "network_fallback");
    const turned = structuredClone(event);
    (turned.data.object as { request_history: object[] }).request_history.reverse();
    expect(messages(turned)).toEqual(messages(event));
    expect(verdicts(messages(event))).toEqual([
      [`${name}:0`, "authorization", declined("issuer_declined")],
      [`${name}:1`, "authorization", approved],
    ]);
  });

  it("is advice before anything else", () => {
    const purchase = buy();
    purchase.request();
    purchase.decide(true, "webhook_timeout");
    const [, closed] = purchase.capture(1250);
    expect(messages(closed).map(({ kind }) => kind)).toEqual(["advice", "clearing", "clearing"]);
    expect(messages(purchase.reversal()).map(({ kind }) => kind)).toEqual(["advice", "reversal"]);
  });
});
