import { describe, expect, it } from "vitest";
import { fakeLithicPurchase } from "./fake/network.ts";
import {
  LithicMerchant,
  lithicChannel,
  lithicResponse,
  lithicResult,
  readLithicRequest,
} from "./requests.ts";

type Purchase = Parameters<typeof fakeLithicPurchase>[0];
const buy = (purchase: Partial<Purchase> = {}) =>
  fakeLithicPurchase({ card: "00000000-0000-4000-8000-00000000ca4d", amount: 1250, ...purchase });
const receivedAt = new Date("2026-03-02T09:00:01Z");
const readRequest = (request: unknown) => readLithicRequest(request, receivedAt);
type Message = Extract<ReturnType<typeof readLithicRequest>, { networkId: string }>;
const requested = (purchase: Partial<Purchase> = {}) => readRequest(buy(purchase).request());

describe("readLithicRequest", () => {
  it("is an authorization, identified by its event token", () => {
    const purchase = buy();
    const { event_token, ...request } = purchase.request();
    expect(readRequest({ ...request, event_token })).toEqual({
      kind: "authorization",
      networkId: event_token,
      exactId: `${purchase.token}:${new Date(purchase.transaction.created).toISOString()}:1250`,
      card: "00000000-0000-4000-8000-00000000ca4d",
      at: new Date(purchase.transaction.created),
      authorization: purchase.token,
      amount: 1250,
      currency: "USD",
      merchant: { name: "CORNER COFFEE", id: "XRKGDPOWEWQRRWU", category: "5814", country: "US" },
      channel: "in_store",
      description: null,
      expiresAt: null,
    });
  });

  it("is identified by token, time and amount, and by when it arrived, outside the beta of event tokens", () => {
    const purchase = buy();
    const [request, again, more] = [purchase.request(), purchase.request(), purchase.increment(300)].map(
      ({ event_token: _token, ...fields }) => readRequest(fields) as Message,
    );
    expect(again).toEqual(request);
    expect(request!.receivedAt).toBe(receivedAt);
    expect(request!.networkId).toContain(purchase.token);
    expect(more).toMatchObject({ authorization: purchase.token, amount: 300 });
    expect(more!.networkId).not.toBe(request!.networkId);
  });

  it.each([
    ["the terminal accepts it", {}, true],
    ["the terminal does not", { partial: false }, false],
    ["the hold exceeds the purchase", { hold: { amount: 10_000, currency: "USD" } }, false],
    ["it pays out cash", { cash: 100 }, false],
  ])("may be approved in part if %s: %j", (_what, purchase, accepts) => {
    const message = requested({ partial: true, ...purchase });
    expect("acceptsPartialApproval" in message!).toBe(accepts);
  });

  it("is in the card's currency, for any merchant currency", () => {
    const foreign = requested({ amount: 1075, merchantAmount: 1250, merchantCurrency: "EUR" });
    expect(foreign).toMatchObject({ amount: 1075, currency: "USD" });
  });

  it.each([
    ["is more", { amount: 10_000, currency: "USD" }, 10_000],
    ["is the same", { amount: 1250, currency: "USD" }, 1250],
    ["is less", { amount: 500, currency: "USD" }, 1250],
    ["is zero", { amount: 0, currency: "USD" }, 1250],
    ["is negative, as in Lithic's own example", { amount: -10_000, currency: "USD" }, 10_000],
    ["is in another currency", { amount: 9000, currency: "EUR" }, 1250],
    ["is absent", null, 1250],
  ])(
    "asks for the greater of the hold and the purchase, for example for fuel: the hold %s",
    (_what, hold, amount) => {
      expect(requested({ hold })).toMatchObject({ amount, currency: "USD" });
    },
  );

  it.each([
    ["AUTHORIZATION", 1250],
    ["AUTHORIZATION", -1250],
    ["FINANCIAL_AUTHORIZATION", 1250],
    ["BALANCE_INQUIRY", 0],
  ] as const)("decides on %s", (status, amount) => {
    expect(requested({ status, amount })).toMatchObject({
      kind: "authorization",
      amount: Math.abs(amount),
    });
  });

  it.each([
    ["CREDIT_AUTHORIZATION", -1250],
    ["FINANCIAL_CREDIT_AUTHORIZATION", -1250],
  ] as const)("has no message for %s of %i", (status, amount) => {
    expect(requested({ status, amount })).toBeNull();
  });

  it("reads the channel", () => {
    expect(requested({ entry: { card: "NOT_PRESENT", pan: "ECOMMERCE" } })).toMatchObject({
      channel: "online",
    });
    expect(requested({ terminal: "ATM", cash: 1250 })).toMatchObject({ channel: "atm" });
    expect(requested({ cash: 1250 })).toMatchObject({ channel: "atm" });
    expect(requested({ cash: 250 })).toMatchObject({ channel: "in_store" });
  });

  it("holds longer at a hotel", () => {
    const purchase = buy({ merchant: { mcc: "3501" } });
    const expiresAt = new Date(Date.parse(purchase.transaction.created) + 31 * 24 * 60 * 60 * 1000);
    expect(readRequest(purchase.request())).toMatchObject({ expiresAt });
  });

  it.each([
    ["nothing", undefined, " invalid_type"],
    ["a new status", { ...buy().request(), status: "A_NEW_STATUS" }, "status invalid_value"],
    ["no amounts", { ...buy().request(), amounts: undefined }, "amounts invalid_type"],
    [
      "a fraction",
      { ...buy().request(), amounts: { cardholder: { amount: 12.5, currency: "USD" }, hold: null } },
      "amounts.cardholder.amount invalid_type",
    ],
    ["no card", { ...buy().request(), card: undefined }, "card invalid_type"],
    ["an empty token", { ...buy().request(), token: "" }, "token too_small"],
    ["an invalid time", { ...buy().request(), created: "yesterday" }, "created invalid_format"],
  ])("is unreadable, and so is declined and reported, with %s", (_what, request, issues) => {
    expect(readRequest(request)).toEqual({ kind: "unreadable", issues });
  });
});

describe("lithicResponse", () => {
  it("names the request, if it can be read", () => {
    const declined = { approved: false, reason: "merchant_blocked" };
    const request = buy().request();
    const result = "UNAUTHORIZED_MERCHANT";
    expect(lithicResponse(request, declined)).toEqual({ result, token: request.token });
    expect(lithicResponse(undefined, declined)).toEqual({ result, token: undefined });
  });
});

describe("lithicChannel", () => {
  const channel = (signals: {
    terminal?: string;
    card?: string;
    pan?: string;
    cash?: number;
    category?: string;
  }) => {
    const { terminal = null, card = null, pan = null, cash = 0, category = "5814" } = signals;
    const pos = { terminal: { type: terminal }, entry_mode: { card, pan } };
    return lithicChannel({ pos, category, cash, amount: 5000 });
  };

  it.each([
    [{ terminal: "ATM", card: "PRESENT", pan: "ICC" }, "atm"],
    [{ terminal: "POS_TERMINAL", card: "PRESENT", pan: "ICC", category: "6011" }, "atm"],
    [{ terminal: "POS_TERMINAL", card: "PRESENT", pan: "ICC", cash: 5000 }, "atm"],
    // The acquirer's fee is added to the amount.
    [{ terminal: "POS_TERMINAL", card: "PRESENT", pan: "ICC", cash: 5300 }, "atm"],
    [{ terminal: "POS_TERMINAL", card: "PRESENT", pan: "ICC", cash: 2000 }, "in_store"],
    [{ card: "PRESENT", pan: "CONTACTLESS" }, "in_store"],
    [{ card: "PRESENT", pan: "ICC" }, "in_store"],
    [{ card: "PRESENT", pan: "MAGNETIC_STRIPE" }, "in_store"],
    [{ card: "PRESENT", pan: "ERROR_MAGNETIC_STRIPE" }, "in_store"],
    [{ card: "PRESENT", pan: "BAR_CODE" }, "in_store"],
    [{ card: "PRESENT", pan: "UNKNOWN" }, "in_store"],
    [{ card: "PRESENT" }, "in_store"],
    [{ card: "UNKNOWN", pan: "ICC" }, "in_store"],
    [{ card: "PREAUTHORIZED", pan: "CONTACTLESS" }, "in_store"],
    [{ pan: "MAGNETIC_STRIPE" }, "in_store"],
    [{ card: "NOT_PRESENT", pan: "ECOMMERCE" }, "online"],
    [{ card: "NOT_PRESENT", pan: "CONTACTLESS" }, "online"],
    [{ card: "NOT_PRESENT" }, "online"],
    [{ card: "PRESENT", pan: "ECOMMERCE" }, "online"],
    [{ card: "PRESENT", pan: "CREDENTIAL_ON_FILE" }, "online"],
    [{ card: "PRESENT", pan: "KEY_ENTERED" }, "online"],
    [{ card: "PRESENT", pan: "ERROR_KEYED" }, "online"],
    [{ card: "PRESENT", pan: "MANUAL" }, "online"],
    [{ card: "PRESENT", pan: "SECURE_CARDLESS" }, "online"],
    [{ terminal: "ECOMMERCE", card: "PRESENT", pan: "ICC" }, "online"],
    [{ card: "UNKNOWN", pan: "UNKNOWN" }, "online"],
    [{ card: "UNKNOWN", pan: "OCR" }, "online"],
    [{}, "online"],
  ])("reads %j as %s", (signals, expected) => {
    expect(channel(signals)).toBe(expected);
  });

  it.each([null, undefined, {}, { entry_mode: null, terminal: null }])("reads %j as online", (pos) => {
    const read = pos as Parameters<typeof lithicChannel>[0]["pos"];
    expect(lithicChannel({ pos: read, category: null, cash: 0, amount: 0 })).toBe("online");
  });
});

describe("lithicResult", () => {
  it.each([
    ["card_closed", "CARD_PAUSED"],
    ["card_frozen", "CARD_PAUSED"],
    ["card_paused", "CARD_PAUSED"],
    ["card_expired", "CARD_PAUSED"],
    ["currency_not_supported", "UNAUTHORIZED_MERCHANT"],
    ["policy_not_started", "CARD_PAUSED"],
    ["policy_expired", "CARD_PAUSED"],
    ["day_not_allowed", "CARD_PAUSED"],
    ["atm_not_allowed", "UNAUTHORIZED_MERCHANT"],
    ["online_not_allowed", "UNAUTHORIZED_MERCHANT"],
    ["international_not_allowed", "UNAUTHORIZED_MERCHANT"],
    ["merchant_category_not_allowed", "UNAUTHORIZED_MERCHANT"],
    ["merchant_category_blocked", "UNAUTHORIZED_MERCHANT"],
    ["merchant_blocked", "UNAUTHORIZED_MERCHANT"],
    ["merchant_not_allowed", "UNAUTHORIZED_MERCHANT"],
    ["transaction_limit_exceeded", "INSUFFICIENT_FUNDS"],
    ["daily_limit_exceeded", "VELOCITY_EXCEEDED"],
    ["weekly_limit_exceeded", "VELOCITY_EXCEEDED"],
    ["monthly_limit_exceeded", "VELOCITY_EXCEEDED"],
    ["yearly_limit_exceeded", "VELOCITY_EXCEEDED"],
    ["all_time_limit_exceeded", "VELOCITY_EXCEEDED"],
    ["decision_timed_out", "UNDECIDED"],
    ["a_reason_of_tomorrow", "UNDECIDED"],
    [null, "UNDECIDED"],
  ])("maps %s to %s", (reason, result) => {
    expect(lithicResult(reason)).toBe(result);
  });
});

describe("LithicMerchant", () => {
  it("reads descriptor, acceptor id, category and country", () => {
    const merchant = {
      descriptor: "CORNER COFFEE",
      acceptor_id: "XRKGDPOWEWQRRWU ",
      mcc: "5814",
      country: "GBR",
    };
    expect(LithicMerchant.parse(merchant)).toEqual({
      name: "CORNER COFFEE",
      id: "XRKGDPOWEWQRRWU",
      category: "5814",
      country: "GB",
    });
  });

  it("accepts an empty merchant", () => {
    expect(LithicMerchant.parse({})).toEqual({
      name: "Unknown merchant",
      id: null,
      category: null,
      country: null,
    });
  });
});
