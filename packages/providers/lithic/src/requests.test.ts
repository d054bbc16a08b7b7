import { describe, expect, it } from "vitest";
import { fakePurchase } from "./fake/network.ts";
import { isCredit, requestMessages } from "./requests.ts";

type Purchase = Parameters<typeof fakePurchase>[0];
const buy = (purchase: Partial<Purchase> = {}) =>
  fakePurchase({ card: "card-token", amount: 1250, ...purchase });
const requested = (purchase: Partial<Purchase> = {}) => requestMessages(buy(purchase).request());

describe("requestMessages", () => {
  it("is an authorization, known by its token", () => {
    const purchase = buy();
    expect(requestMessages(purchase.request())).toEqual([
      {
        kind: "authorization",
        networkId: purchase.token,
        card: "card-token",
        at: new Date(purchase.transaction.created),
        authorization: purchase.token,
        amount: 1250,
        currency: "USD",
        merchant: { name: "CORNER COFFEE", id: "XRKGDPOWEWQRRWU", category: "5814", country: "US" },
        channel: "in_store",
        description: null,
        expiresAt: null,
      },
    ]);
  });

  it("is in the card's currency, whatever the merchant's", () => {
    const foreign = requested({ amount: 1075, merchantAmount: 1250, merchantCurrency: "EUR" });
    expect(foreign).toMatchObject([{ amount: 1075, currency: "USD" }]);
  });

  it.each([
    ["is more", { amount: 10_000, currency: "USD" }, 10_000],
    ["is the same", { amount: 1250, currency: "USD" }, 1250],
    ["is in another currency", { amount: 9000, currency: "EUR" }, 1250],
    ["is not told", null, 1250],
  ])("takes what is held, as for fuel: it %s", (_what, hold, amount) => {
    expect(requested({ hold })).toMatchObject([{ amount, currency: "USD" }]);
  });

  it.each([
    ["AUTHORIZATION", 1250],
    ["FINANCIAL_AUTHORIZATION", 1250],
    ["BALANCE_INQUIRY", 0],
  ])("decides on %s", (status, amount) => {
    expect(requested({ status, amount })).toMatchObject([{ kind: "authorization", amount }]);
  });

  it.each([
    ["CREDIT_AUTHORIZATION", -1250],
    ["FINANCIAL_CREDIT_AUTHORIZATION", -1250],
    ["AUTHORIZATION", -1250],
    ["A_STATUS_OF_TOMORROW", 1250],
  ])("has nothing to decide on with %s of %i", (status, amount) => {
    expect(requested({ status, amount })).toEqual([]);
  });

  it("reads the way in which the card is used", () => {
    expect(requested({ entry: { card: "NOT_PRESENT", pan: "ECOMMERCE" } })).toMatchObject([
      { channel: "online" },
    ]);
    expect(requested({ terminal: "ATM", cash: 1250 })).toMatchObject([{ channel: "atm" }]);
    expect(requested({ cash: 1250 })).toMatchObject([{ channel: "atm" }]);
    expect(requested({ cash: 250 })).toMatchObject([{ channel: "in_store" }]);
  });

  it("holds for longer at a hotel", () => {
    const purchase = buy({ merchant: { mcc: "3501" } });
    const expiresAt = new Date(Date.parse(purchase.transaction.created) + 31 * 24 * 60 * 60 * 1000);
    expect(requestMessages(purchase.request())).toMatchObject([{ expiresAt }]);
  });

  it.each([
    ["nothing", undefined],
    ["no amounts", { ...buy().request(), amounts: undefined }],
    [
      "a fraction",
      { ...buy().request(), amounts: { cardholder: { amount: 12.5, currency: "USD" }, hold: null } },
    ],
    ["no card", { ...buy().request(), card: undefined }],
    ["no token", { ...buy().request(), token: "" }],
    ["no time", { ...buy().request(), created: "yesterday" }],
  ])("says nothing, and so is refused, with %s", (_what, request) => {
    expect(requestMessages(request)).toEqual([]);
  });
});

describe("isCredit", () => {
  it("tells what gives money to the card from what takes it", () => {
    const statuses = [
      "CREDIT_AUTHORIZATION",
      "FINANCIAL_CREDIT_AUTHORIZATION",
      "AUTHORIZATION",
      "BALANCE_INQUIRY",
    ];
    expect(statuses.map((status) => isCredit(buy({ status }).request()))).toEqual([true, true, false, false]);
    expect(isCredit(undefined)).toBe(false);
  });
});
