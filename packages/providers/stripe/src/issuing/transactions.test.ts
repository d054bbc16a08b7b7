import type { CardMessage } from "@purser/cards/ports";
import { describe, expect, it } from "vitest";
import type { FakeEvent } from "../fake/events.ts";
import { type FakeTransaction, fakePurchase, issuingEvent } from "../fake/issuing/network.ts";
import { readStripeEvent } from "./transactions.ts";

const messages = (event: FakeEvent) => readStripeEvent({ type: event.type, body: JSON.stringify(event) });
const buy = () => fakePurchase({ card: "ic_1", amount: 1250 });
const buyApproved = () => {
  const purchase = buy();
  purchase.request();
  purchase.decide(true);
  return purchase;
};
const kinds = (list: CardMessage[]) =>
  list.map((message) => [message.kind, "amount" in message ? message.amount : "-"]);

describe("issuing_authorization.updated", () => {
  const common = (event: FakeEvent, { authorization }: ReturnType<typeof buy>) => ({
    networkId: event.id,
    card: "ic_1",
    at: new Date(event.created * 1000),
    authorization: authorization.id,
  });

  it("is a full reversal", () => {
    const purchase = buyApproved();
    const event = purchase.reversal();
    expect(messages(event)).toEqual([{ ...common(event, purchase), kind: "reversal", amount: null }]);
  });

  it("is a partial reversal by the difference", () => {
    const purchase = buyApproved();
    const event = purchase.reversal(450);
    expect(messages(event)).toEqual([{ ...common(event, purchase), kind: "reversal", amount: 450 }]);
  });

  it("has the same result in any order", () => {
    const purchase = buyApproved();
    purchase.increment(500);
    const events = [purchase.decide(true), purchase.reversal(300), purchase.reversal(200)];
    const sum = (list: FakeEvent[]) =>
      list
        .flatMap(messages)
        .reduce((total, message) => total + ("amount" in message ? (message.amount ?? 0) : 0), 0);
    expect(sum(events)).toBe(500);
    expect(sum(events.toReversed())).toBe(500);
  });

  it("is an expiry", () => {
    const purchase = buyApproved();
    const event = purchase.expire();
    expect(messages(event)).toEqual([{ ...common(event, purchase), kind: "expiry" }]);
  });

  it("is the final clearing when it is closed, after all captures", () => {
    const purchase = buyApproved();
    const [first] = purchase.capture(400, { closes: false });
    const [second, closed] = purchase.capture(850);
    expect(messages(closed)).toEqual([
      ...messages(first),
      ...messages(second),
      {
        ...common(closed, purchase),
        kind: "clearing",
        amount: 0,
        final: true,
        merchant: { name: "CORNER COFFEE", id: "1234567890", category: "5814", country: "GB" },
      },
    ]);
    expect(kinds(messages(closed))).toEqual([
      ["clearing", 400],
      ["clearing", 850],
      ["clearing", 0],
    ]);
  });

  it("is a full reversal when it is closed without a capture", () => {
    expect(kinds(messages(buyApproved().close()))).toEqual([["reversal", null]]);
  });

  it("reports captures when it is closed after it has expired", () => {
    const purchase = buyApproved();
    purchase.expire();
    const [, closed] = purchase.capture(1250);
    expect(kinds(messages(closed))).toEqual([
      ["clearing", 1250],
      ["clearing", 0],
    ]);
  });

  it.each([
    ["reversal", (purchase: ReturnType<typeof buy>) => purchase.reversal()],
    ["expiry", (purchase: ReturnType<typeof buy>) => purchase.expire()],
  ])("reports the captures before the %s of the rest", (kind, end) => {
    const purchase = buyApproved();
    const [captured] = purchase.capture(400, { closes: false });
    const [capture, rest, ...others] = messages(end(purchase));
    expect([capture]).toEqual(messages(captured));
    expect([rest?.kind, others]).toEqual([kind, []]);
  });

  it("does not report a captured amount as reversed", () => {
    const purchase = buyApproved();
    const [, captured] = purchase.capture(400, { closes: false });
    Object.assign(captured.data.object, { amount: 850 });
    Object.assign(captured.data.previous_attributes!, { amount: 1250 });
    expect(messages(captured)).toEqual([]);
  });

  it("has only refunds for a credit to the card, which holds nothing", () => {
    const credit = fakePurchase({ card: "ic_1", amount: -600 });
    credit.request();
    credit.decide(true);
    const refunded = credit.refund(600);
    credit.authorization.transactions = [refunded.data.object as FakeTransaction];
    expect(kinds(messages(refunded))).toEqual([["refund", 600]]);
    expect(messages(credit.close())).toEqual(messages(refunded));
    expect(messages(credit.reversal())).toEqual(messages(refunded));
  });

  it("has no message for an approved increment", () => {
    const purchase = buyApproved();
    purchase.increment(300);
    expect(messages(purchase.decide(true))).toEqual([]);
  });

  it("has only advice for declined requests", () => {
    const purchase = buyApproved();
    purchase.increment(300);
    expect(kinds(messages(purchase.decide(false)))).toEqual([["advice", "-"]]);
    const never = buy();
    never.request();
    never.decide(false);
    never.authorization.status = "pending";
    expect(kinds(messages(never.close()))).toEqual([["advice", "-"]]);
  });

  it.each([
    ["metadata", { metadata: {} }],
    ["a status that ends nothing", { status: "a_former_status" }],
    ["nothing", undefined],
  ])("has no message for a change of %s", (_case, previous) => {
    expect(
      messages(issuingEvent("issuing_authorization.updated", buyApproved().authorization, previous)),
    ).toEqual([]);
  });
});

describe("issuing_transaction.created", () => {
  it("is a clearing that is not known to be the last", () => {
    const purchase = buyApproved();
    const [event] = purchase.capture(1300);
    expect(messages(event)).toEqual([
      {
        kind: "clearing",
        networkId: (event.data.object as { id: string }).id,
        card: "ic_1",
        at: new Date((event.data.object as unknown as { created: number }).created * 1000),
        authorization: purchase.authorization.id,
        amount: 1300,
        final: false,
        merchant: { name: "CORNER COFFEE", id: "1234567890", category: "5814", country: "GB" },
      },
    ]);
  });

  it("is a final clearing if nothing was authorized", () => {
    expect(messages(buy().forceCapture(700))).toMatchObject([
      { kind: "clearing", authorization: null, amount: 700, final: true },
    ]);
  });

  it("is a refund, with or without a known purchase", () => {
    const purchase = buyApproved();
    const { id } = purchase.authorization;
    expect(messages(purchase.refund(600))).toMatchObject([
      { kind: "refund", authorization: id, amount: 600 },
    ]);
    expect(messages(purchase.refund(600, null))).toMatchObject([{ kind: "refund", authorization: null }]);
  });

  it("is a negative refund if the merchant takes a refund back", () => {
    expect(kinds(messages(buyApproved().refund(-600)))).toEqual([["refund", -600]]);
  });

  it("reads the ids of expanded objects", () => {
    const transaction = {
      ...buy().refund(600).data.object,
      card: { id: "ic_2" },
      authorization: { id: "iauth_2" },
    };
    expect(messages(issuingEvent("issuing_transaction.created", transaction))).toMatchObject([
      { card: "ic_2", authorization: "iauth_2" },
    ]);
  });

  it("has no message for an unknown type", () => {
    const transaction = { ...buy().refund(600).data.object, type: "fee" };
    expect(messages(issuingEvent("issuing_transaction.created", transaction))).toEqual([]);
  });
});

describe("an invalid event about money", () => {
  it.each([
    ["issuing_transaction.created", { ...buy().forceCapture(1).data.object, amount: 1.5 }, "amount"],
    ["issuing_transaction.created", { ...buy().forceCapture(1).data.object, card: null }, "card"],
    ["issuing_transaction.created", { ...buy().forceCapture(1).data.object, amount: 1 }, "amount"],
    ["issuing_authorization.updated", { ...buyApproved().authorization, status: 7 }, "status"],
  ])("throws: %s", (type, object, field) => {
    expect(() => messages(issuingEvent(type, object))).toThrow(
      `Stripe: cannot parse ${type} (data.object.${field}`,
    );
  });

  it("throws an error without any of its values", () => {
    const event = issuingEvent("issuing_transaction.created", {
      number: "4000009990000013",
      id: 4000009990000013,
    });
    expect(() => messages(event)).toThrow(expect.not.stringContaining("4000009990000013") as Error);
  });
});
