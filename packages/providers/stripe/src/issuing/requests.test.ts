import { outsideContract } from "@purser/vendor-contract";
import { describe, expect, it } from "vitest";
import { fakePurchase, issuingEvent } from "../fake/issuing/network.ts";
import { readStripeRequest } from "./requests.ts";

type Purchase = Parameters<typeof fakePurchase>[0];
const buy = (purchase: Partial<Purchase> = {}) => fakePurchase({ card: "ic_1", amount: 1250, ...purchase });
const buyApproved = () => {
  const purchase = buy();
  purchase.request();
  purchase.decide(true);
  return purchase;
};
const requested = (purchase: Partial<Purchase> = {}) => readStripeRequest(buy(purchase).request());

describe("issuing_authorization.request", () => {
  it("is an authorization", () => {
    const purchase = buy();
    const event = purchase.request();
    expect(readStripeRequest(event)).toEqual({
      kind: "authorization",
      networkId: `${purchase.authorization.id}:0`,
      card: "ic_1",
      at: new Date(purchase.authorization.created * 1000),
      authorization: purchase.authorization.id,
      amount: 1250,
      currency: "GBP",
      merchant: { name: "CORNER COFFEE", id: "1234567890", category: "5814", country: "GB" },
      channel: "in_store",
      description: null,
      expiresAt: null,
    });
  });

  it("is in the currency of the card, not of the merchant", () => {
    const foreign = requested({ amount: 1075, merchantAmount: 1250, merchantCurrency: "eur" });
    expect(foreign).toMatchObject({ amount: 1075, currency: "GBP" });
  });

  it("is an increment by the additional amount if one was approved before", () => {
    const purchase = buyApproved();
    const event = purchase.increment(300);
    expect(readStripeRequest(event)).toEqual({
      kind: "increment",
      networkId: `${purchase.authorization.id}:1`,
      card: "ic_1",
      at: new Date(event.created * 1000),
      authorization: purchase.authorization.id,
      amount: 300,
    });
  });

  it("may be approved in part if its amount is controllable, but not an increment", () => {
    expect(requested()).not.toHaveProperty("acceptsPartialApproval");
    expect(requested({ controllable: true })).toMatchObject({ amount: 1250, acceptsPartialApproval: true });
    const purchase = buy({ controllable: true });
    purchase.request();
    purchase.decide(true);
    expect(readStripeRequest(purchase.increment(300))).not.toHaveProperty("acceptsPartialApproval");
  });

  it("is an increment also after a declined increment", () => {
    const purchase = buyApproved();
    purchase.increment(300);
    purchase.decide(false);
    const networkId = `${purchase.authorization.id}:2`;
    expect(readStripeRequest(purchase.increment(200))).toMatchObject({
      networkId,
      kind: "increment",
      amount: 200,
    });
  });

  it("is an authorization again after a declined one", () => {
    const purchase = buy();
    purchase.request();
    purchase.decide(false);
    expect(readStripeRequest(purchase.request())).toMatchObject({ kind: "authorization", amount: 1250 });
  });

  it("is an authorization also after an approved verification of the card", () => {
    const purchase = buy({ amount: 0 });
    purchase.request();
    purchase.decide(true);
    const event = purchase.increment(1250);
    expect(readStripeRequest(event)).toMatchObject({
      kind: "authorization",
      networkId: `${purchase.authorization.id}:1`,
      at: new Date(event.created * 1000),
      amount: 1250,
    });
    purchase.decide(true);
    expect(readStripeRequest(purchase.increment(300))).toMatchObject({ kind: "increment", amount: 300 });
  });

  it("is dated by itself, and not by a declined one before it", () => {
    const purchase = buy({ merchant: { category_code: "7011" } });
    purchase.request();
    purchase.decide(false);
    const event = { ...purchase.request(), created: Date.parse("2026-04-06T10:00:00Z") / 1000 };
    expect(readStripeRequest(event)).toMatchObject({
      at: new Date("2026-04-06T10:00:00Z"),
      expiresAt: new Date("2026-05-07T10:00:00Z"),
    });
  });

  it("may have no amount, as when a merchant stores a card", () => {
    expect(requested({ amount: 0, method: "online" })).toMatchObject({ amount: 0, channel: "online" });
  });

  it("holds longer at a hotel", () => {
    const purchase = buy({ merchant: { category_code: "7011" } });
    const at = purchase.authorization.created * 1000;
    const expiresAt = new Date(at + 31 * 24 * 60 * 60 * 1000);
    expect(readStripeRequest(purchase.request())).toMatchObject({ at: new Date(at), expiresAt });
  });

  it.each([
    ["chip", null, "5814", null, "in_store"],
    ["contactless", null, "5814", null, "in_store"],
    ["contactless", "present", "5814", null, "in_store"],
    ["swipe", null, "5814", null, "in_store"],
    ["contactless", "not_present", "5814", null, "online"],
    ["online", null, "5814", null, "online"],
    ["keyed_in", null, "5814", null, "online"],
    ["keyed_in", "present", "5814", null, "online"],
    ["chip", null, "6011", null, "atm"],
    ["online", null, "6011", null, "atm"],
    ["chip", null, "6010", null, "in_store"],
    ["chip", null, "6010", 150, "atm"],
    ["chip", null, "6010", 0, "in_store"],
  ] as const)(
    "%s, card %s, category %s, ATM fee %s: %s",
    (method, presence, category_code, atmFee, channel) => {
      expect(requested({ method, presence, atmFee, merchant: { category_code } })).toMatchObject({ channel });
    },
  );

  it.each([
    [1250, "atm"],
    [1249, "in_store"],
  ])("is a withdrawal if all of its 1250 is cash, as at a bank: %i, %s", (cash, channel) => {
    expect(requested({ cash, method: "chip", merchant: { category_code: "6010" } })).toMatchObject({
      channel,
    });
  });

  it("reads a method of tomorrow as online", async () => {
    expect(await outsideContract(() => requested({ method: "a_new_method" }))).toMatchObject({
      channel: "online",
    });
  });

  it("accepts a merchant without details", async () => {
    const merchant = { name: null, network_id: null, category_code: null, country: null };
    expect(await outsideContract(() => requested({ merchant }))).toMatchObject({
      merchant: { name: "Unknown merchant", id: null, category: null, country: null },
    });
  });

  it.each([
    ["no event", undefined, " invalid_type"],
    ["no object", { data: {}, created: 1 }, "data.object invalid_type"],
    [
      "no pending request",
      issuingEvent("issuing_authorization.request", buy().authorization),
      "data.object.pending_request invalid_type",
    ],
  ])("is unreadable, so it is declined and reported, with %s", (_case, event, issues) => {
    expect(readStripeRequest(event)).toEqual({ kind: "unreadable", issues });
  });

  it("has no message for a credit to the card", () => {
    expect(readStripeRequest(buy({ amount: -100 }).request())).toBeNull();
  });
});
