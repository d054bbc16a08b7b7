import { describe, expect, it } from "vitest";
import { fakeTransaction } from "./fake/items.ts";
import { mapPlaidChanges, mapPlaidInstitution, mapPlaidTransaction, scopesOf } from "./mapping.ts";
import { PlaidTransaction } from "./responses.ts";

const transaction = (fields: Partial<ReturnType<typeof fakeTransaction>> = {}) =>
  mapPlaidTransaction(PlaidTransaction.parse(fakeTransaction(fields)));

describe("mapPlaidTransaction", () => {
  it("has every field of the port, with the amount in minor units and the direction beside it", () => {
    expect(transaction()).toEqual({
      accountId: "acc-1",
      externalId: "tx-1",
      pendingExternalId: null,
      status: "POSTED",
      amount: 1250,
      rawAmount: "12.50",
      currency: "GBP",
      type: "DEBIT",
      description: "COFFEE 0301 LONDON",
      merchantName: "Coffee",
      date: "2026-03-01",
      category: "FOOD_AND_DRINK",
    });
  });

  it.each([
    ["12.345", "GBP", 1234, "DEBIT"],
    ["12.355", "GBP", 1236, "DEBIT"],
    ["-12.345", "GBP", 1234, "CREDIT"],
    ["1e3", "JPY", 1000, "DEBIT"],
    ["0.001", "GBP", 0, "DEBIT"],
    ["0", "GBP", 0, "DEBIT"],
    ["90071992547409.91", "GBP", 9_007_199_254_740_991, "DEBIT"],
  ])("maps %s %s to %i, %s", (amount, iso_currency_code, minor, type) => {
    expect(transaction({ amount, iso_currency_code })).toMatchObject({
      amount: minor,
      type,
      rawAmount: amount,
    });
  });

  it("maps the status, and the id that a posted transaction had while pending", () => {
    expect(transaction({ pending: true })).toMatchObject({ status: "PENDING", pendingExternalId: null });
    expect(transaction({ pending_transaction_id: "tx-0" })).toMatchObject({
      status: "POSTED",
      pendingExternalId: "tx-0",
    });
  });

  it("accepts a missing category and description", () => {
    expect(transaction({ personal_finance_category: null })?.category).toBeNull();
    expect(transaction({ name: " " })?.description).toBe("Coffee");
    expect(transaction({ name: "", merchant_name: null })).toMatchObject({
      description: "",
      merchantName: null,
    });
  });

  it("throws for a currency outside ISO 4217, and for none", () => {
    const outside = { iso_currency_code: null, unofficial_currency_code: "ETH" };
    expect(() => transaction(outside)).toThrow("no currency of ISO 4217");
    expect(() => transaction({ iso_currency_code: null })).toThrow("no currency of ISO 4217");
  });

  it("throws for an amount beyond the safe integers", () => {
    expect(() => transaction({ amount: "90071992547409.92" })).toThrow(
      expect.objectContaining({ name: "BankError", kind: "outage" }),
    );
  });
});

describe("mapPlaidChanges", () => {
  const changes = {
    added: [],
    modified: [],
    removed: [],
    next_cursor: "abc",
    has_more: false,
    transactions_update_status: "HISTORICAL_UPDATE_COMPLETE",
  };

  it("maps removed transactions to their ids", () => {
    const removed = [
      { transaction_id: "tx-1", account_id: "acc-1" },
      { transaction_id: "tx-2", account_id: null },
    ];
    expect(mapPlaidChanges({ ...changes, removed })).toEqual({
      added: [],
      modified: [],
      removed: [
        { accountId: "acc-1", externalId: "tx-1" },
        { accountId: null, externalId: "tx-2" },
      ],
      cursor: "abc",
      hasMore: false,
      isHistoryComplete: true,
    });
  });

  it.each(["INITIAL_UPDATE_COMPLETE", "TRANSACTIONS_UPDATE_STATUS_UNKNOWN", null])(
    "takes a history with the status %s for incomplete",
    (transactions_update_status) => {
      expect(mapPlaidChanges({ ...changes, transactions_update_status }).isHistoryComplete).toBe(false);
    },
  );

  it("throws not_ready for an empty cursor", () => {
    expect(() => mapPlaidChanges({ ...changes, next_cursor: "" })).toThrow(
      expect.objectContaining({ kind: "not_ready" }),
    );
  });
});

describe("mapPlaidInstitution", () => {
  it("uses the first requested country of an institution in several", () => {
    const institution = { institution_id: "ins_2", name: "Severn Bank", country_codes: ["IE", "GB"] };
    expect(mapPlaidInstitution(institution, ["GB", "IE"]).country).toBe("GB");
    expect(mapPlaidInstitution(institution, ["US"]).country).toBe("IE");
  });

  it("has no known country without one", () => {
    const institution = { institution_id: "ins_2", name: "Severn Bank", country_codes: [] };
    expect(mapPlaidInstitution(institution, ["GB"]).country).toBe("ZZ");
  });
});

describe("scopesOf", () => {
  const item = {
    item_id: "item-1",
    institution_id: "ins_1",
    institution_name: null,
    webhook: null,
    error: null,
    products: null,
    consented_products: null,
    consent_expiration_time: null,
  };

  it.each([
    [null, null, ["accounts", "balances", "transactions"]],
    [["transactions", "auth"], null, ["accounts", "balances", "transactions", "account_numbers"]],
    [["transactions", "auth"], [], ["accounts", "balances", "transactions", "account_numbers"]],
    [
      ["transactions", "auth"],
      ["balance", "transactions"],
      ["accounts", "balances", "transactions"],
    ],
    [["identity"], null, ["accounts", "balances", "identity"]],
  ])("maps products %j with consented products %j", (products, consented_products, scopes) => {
    expect(scopesOf({ ...item, products, consented_products })).toEqual(scopes);
  });
});
