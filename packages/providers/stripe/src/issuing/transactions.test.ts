import { describe, expect, it } from "vitest";
import type { FakeEvent } from "../fake/events.ts";
import type { CardMessage } from "@purser/cards/ports";
import { fakeEvent, fakePurchase } from "./fake/network.ts";
import { transactionMessages, transactionType, updateMessages } from "./transactions.ts";

const messages = (event: FakeEvent) =>
  event.type === transactionType ? transactionMessages(event) : updateMessages(event);
const buy = () => fakePurchase({ card: "ic_1", amount: 1250 });
/** A purchase that was approved. */
const bought = () => {
  const made = buy();
  made.request();
  made.decide(true);
  return made;
};
const kinds = (list: CardMessage[]) =>
  list.map((message) => [message.kind, "amount" in message ? message.amount : "-"]);

describe("issuing_authorization.updated", () => {
  const about = (event: FakeEvent, { authorization }: ReturnType<typeof buy>) => ({
    networkId: event.id,
    card: "ic_1",
    at: new Date(event.created * 1000),
    authorization: authorization.id,
  });

  it("is a reversal of all", () => {
    const purchase = bought();
    const event = purchase.reversal();
    expect(messages(event)).toEqual([{ ...about(event, purchase), kind: "reversal", amount: null }]);
  });

  it("is a reversal of a part, by the difference", () => {
    const purchase = bought();
    const event = purchase.reversal(450);
    expect(messages(event)).toEqual([{ ...about(event, purchase), kind: "reversal", amount: 450 }]);
  });

  it("has one result whatever the order of several", () => {
    const purchase = bought();
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
    const purchase = bought();
    const event = purchase.expire();
    expect(messages(event)).toEqual([{ ...about(event, purchase), kind: "expiry" }]);
  });

  it("ends the clearings when it is closed, all captures told before", () => {
    const purchase = bought();
    const [first] = purchase.capture(400, { closes: false });
    const [second, closed] = purchase.capture(850);
    expect(messages(closed)).toEqual([
      ...messages(first),
      ...messages(second),
      {
        ...about(closed, purchase),
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

  it("reverses what is closed without a capture", () => {
    expect(kinds(messages(bought().close()))).toEqual([["reversal", null]]);
  });

  it("tells captures again when it is closed after it has expired", () => {
    const purchase = bought();
    purchase.expire();
    const [, closed] = purchase.capture(1250);
    expect(kinds(messages(closed))).toEqual([
      ["clearing", 1250],
      ["clearing", 0],
    ]);
  });

  it("does not take what was captured for reversed", () => {
    const purchase = bought();
    const [, captured] = purchase.capture(400, { closes: false });
    Object.assign(captured.data.object, { amount: 850 });
    Object.assign(captured.data.previous_attributes!, { amount: 1250 });
    expect(messages(captured)).toEqual([]);
  });

  it("says nothing of growth, which was asked for", () => {
    const purchase = bought();
    purchase.increment(300);
    expect(messages(purchase.decide(true))).toEqual([]);
  });

  it("says of what was refused nothing but that", () => {
    const purchase = bought();
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
    ["a status that is no end", { status: "a_status_of_before" }],
    ["nothing", undefined],
  ])("says nothing where it changed by %s", (_what, previous) => {
    expect(messages(fakeEvent("issuing_authorization.updated", bought().authorization, previous))).toEqual(
      [],
    );
  });
});

describe("issuing_transaction.created", () => {
  it("is a clearing, of which it does not say whether it is the last", () => {
    const purchase = bought();
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

  it("is a clearing by itself where nothing was authorized", () => {
    expect(messages(buy().forceCapture(700))).toMatchObject([
      { kind: "clearing", authorization: null, amount: 700, final: true },
    ]);
  });

  it("is a refund, of a purchase or of none that is known", () => {
    const purchase = bought();
    const { id } = purchase.authorization;
    expect(messages(purchase.refund(600))).toMatchObject([
      { kind: "refund", authorization: id, amount: 600 },
    ]);
    expect(messages(purchase.refund(600, null))).toMatchObject([{ kind: "refund", authorization: null }]);
  });

  it("finds the ids in what is expanded", () => {
    const transaction = {
      ...buy().refund(600).data.object,
      card: { id: "ic_2" },
      authorization: { id: "iauth_2" },
    };
    expect(messages(fakeEvent("issuing_transaction.created", transaction))).toMatchObject([
      { card: "ic_2", authorization: "iauth_2" },
    ]);
  });

  it("says nothing of a type of tomorrow", () => {
    const transaction = { ...buy().refund(600).data.object, type: "fee" };
    expect(messages(fakeEvent("issuing_transaction.created", transaction))).toEqual([]);
  });
});

describe("an event about money that cannot be read", () => {
  it.each([
    ["issuing_transaction.created", { ...buy().forceCapture(1).data.object, amount: 1.5 }, "amount"],
    ["issuing_transaction.created", { ...buy().forceCapture(1).data.object, card: null }, "card"],
    ["issuing_authorization.updated", { ...bought().authorization, status: 7 }, "status"],
  ])("fails, so that it is not lost: %s", (type, object, field) => {
    expect(() => messages(fakeEvent(type, object))).toThrow(
      `Stripe, ${type}: it cannot be read (data.object.${field}`,
    );
  });

  it("says nothing of what it holds", () => {
    const event = fakeEvent("issuing_transaction.created", {
      number: "4000009990000013",
      id: 4000009990000013,
    });
    expect(() => messages(event)).toThrow(expect.not.stringContaining("4000009990000013") as Error);
  });
});
