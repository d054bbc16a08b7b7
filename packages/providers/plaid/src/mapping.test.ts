import { describe, expect, it } from "vitest";
import { Account, Numbers, Transaction } from "./responses.ts";
import { exactJson } from "./client.ts";
import { type FakeNumbers, fakeAccount, fakeTransaction } from "./fake/items.ts";
import { accountFacts, changePage, institutionFacts, scopesOf, transactionFacts } from "./mapping.ts";

type AccountFields = Parameters<typeof fakeAccount>[0];

const account = (fields: AccountFields = {}, numbers: Partial<FakeNumbers> | null = null) =>
  accountFacts(
    Account.parse(fakeAccount(fields)),
    numbers && Numbers.parse({ bacs: [], ach: [], eft: [], international: [], ...numbers }),
  );

const transaction = (fields: Partial<ReturnType<typeof fakeTransaction>> = {}) =>
  transactionFacts(Transaction.parse(fakeTransaction(fields)));

describe("accountFacts", () => {
  it("maps an account", () => {
    expect(account()).toEqual({
      externalId: "acc-1",
      name: "Current Account",
      accountNumber: null,
      sortCode: null,
      currency: "GBP",
      type: "CHECKING",
      balance: 11_000,
      availableBalance: 10_000,
      identifiers: [],
    });
  });

  it.each([
    ["Everyday", "Official", "Everyday"],
    [null, "Official", "Official"],
    ["  ", "Official", "Official"],
    [null, null, "checking"],
  ])("names one called %j, officially %j, %s", (name, official_name, expected) => {
    expect(account({ name, official_name })?.name).toBe(expected);
  });

  it.each([
    ["depository", "checking", "CHECKING"],
    ["depository", "savings", "SAVINGS"],
    ["depository", "cd", "SAVINGS"],
    ["depository", "money market", "SAVINGS"],
    ["depository", "prepaid", "CHECKING"],
    ["depository", null, "CHECKING"],
    ["other", "other", "CHECKING"],
    ["credit", "credit card", "CREDIT"],
    ["loan", "mortgage", "CREDIT"],
    ["investment", "isa", "INVESTMENT"],
    ["brokerage", "brokerage", "INVESTMENT"],
  ])("takes %s, %s for %s", (type, subtype, expected) => {
    expect(account({ type, subtype })?.type).toBe(expected);
  });

  it.each([
    ["depository", "-20.01", -2001],
    ["credit", "410.25", -41_025],
    ["loan", "56302.06", -5_630_206],
    ["credit", "-3", 300],
    ["credit", "0", 0],
    ["investment", "0.125", 12],
    ["investment", "0.135", 14],
  ])("counts a balance of a %s account, %s, as %i for its owner", (type, current, expected) => {
    expect(account({ type, balances: { current } })?.balance).toBe(expected);
  });

  it("counts in the currency's own minor unit", () => {
    expect(account({ balances: { current: "1250", iso_currency_code: "JPY" } })?.balance).toBe(1250);
    expect(account({ balances: { current: "1.2345", iso_currency_code: "KWD" } })?.balance).toBe(1234);
  });

  it("tells what is available, or that it is not told", () => {
    expect(account({ type: "credit", balances: { current: "10", available: "90" } })?.availableBalance).toBe(
      9000,
    );
    expect(account({ balances: { available: null } })?.availableBalance).toBeNull();
  });

  it("takes what is available for the balance where that is not told, but never on a card", () => {
    const balances = { current: null, available: "7" };
    expect(account({ balances })?.balance).toBe(700);
    expect(() => account({ type: "credit", balances })).toThrow("no balance");
    expect(() => account({ balances: { current: null, available: null } })).toThrow("no balance");
  });

  it("leaves out what has no currency of ISO 4217, and refuses to guess one", () => {
    expect(account({ balances: { iso_currency_code: null, unofficial_currency_code: "BTC" } })).toBeNull();
    expect(account({ balances: { iso_currency_code: "ZZQ" } })).toBeNull();
    expect(() => account({ balances: { iso_currency_code: null } })).toThrow("no currency");
  });

  it.each<[string, Partial<FakeNumbers>, object]>([
    [
      "BACS",
      { bacs: [{ account_id: "acc-1", account: "31926819", sort_code: "601613" }] },
      { accountNumber: "31926819", sortCode: "601613", identifiers: ["bacs:601613:31926819"] },
    ],
    [
      "ACH",
      { ach: [{ account_id: "acc-1", account: "1111222233330000", routing: "011401533" }] },
      {
        accountNumber: "1111222233330000",
        sortCode: null,
        identifiers: ["ach:011401533:1111222233330000"],
      },
    ],
    [
      "EFT",
      { eft: [{ account_id: "acc-1", account: "111122", institution: "021", branch: "01140" }] },
      { accountNumber: "111122", sortCode: null, identifiers: ["eft:021:01140:111122"] },
    ],
    [
      "IBAN",
      { international: [{ account_id: "acc-1", iban: "GB33 BUKB 2020 1555 5555 55", bic: "BUKBGB22" }] },
      {
        accountNumber: "GB33BUKB20201555555555",
        sortCode: null,
        identifiers: ["iban:GB33BUKB20201555555555"],
      },
    ],
    [
      "BACS beside IBAN",
      {
        bacs: [{ account_id: "acc-1", account: "31926819", sort_code: "601613" }],
        international: [{ account_id: "acc-1", iban: "GB29NWBK60161331926819", bic: "NWBKGB21" }],
      },
      {
        accountNumber: "31926819",
        sortCode: "601613",
        identifiers: ["bacs:601613:31926819", "iban:GB29NWBK60161331926819"],
      },
    ],
    [
      "another account's",
      { bacs: [{ account_id: "acc-2", account: "31926819", sort_code: "601613" }] },
      { accountNumber: null, sortCode: null, identifiers: [] },
    ],
  ])("takes the number from %s", (_scheme, numbers, expected) => {
    expect(account({}, numbers)).toMatchObject(expected);
  });

  it("takes no tokenized number, which changes at every link, but the lasting id beside it", () => {
    const token = {
      account_id: "acc-1",
      account: "9900",
      routing: "0211",
      is_tokenized_account_number: true,
    };
    expect(account({ persistent_account_id: "8cfb8beb" }, { ach: [token] })).toMatchObject({
      accountNumber: null,
      identifiers: ["plaid:8cfb8beb"],
    });
  });

  it("never takes the mask for a number", () => {
    expect(JSON.stringify(account({ mask: "4321" }))).not.toContain("4321");
  });
});

describe("transactionFacts", () => {
  it("maps a transaction", () => {
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
    ["0", "GBP", 0, "CREDIT"],
    ["90071992547409.91", "GBP", 9_007_199_254_740_991, "DEBIT"],
  ])("counts %s %s as %i, %s", (amount, iso_currency_code, minor, type) => {
    expect(transaction({ amount, iso_currency_code })).toMatchObject({
      amount: minor,
      type,
      rawAmount: amount,
    });
  });

  it("tells pending from posted, and what a posted one was while it was pending", () => {
    expect(transaction({ pending: true })).toMatchObject({ status: "PENDING", pendingExternalId: null });
    expect(transaction({ pending_transaction_id: "tx-0" })).toMatchObject({
      status: "POSTED",
      pendingExternalId: "tx-0",
    });
  });

  it("does without category and description", () => {
    expect(transaction({ personal_finance_category: null })?.category).toBeNull();
    expect(transaction({ name: " " })?.description).toBe("Coffee");
    expect(transaction({ name: "", merchant_name: null })?.description).toBe("");
  });

  it("leaves out what has no currency of ISO 4217, and refuses to guess one", () => {
    expect(transaction({ iso_currency_code: null, unofficial_currency_code: "ETH" })).toBeNull();
    expect(() => transaction({ iso_currency_code: null })).toThrow("no currency");
  });

  it("refuses an amount that cannot be kept", () => {
    expect(() => transaction({ amount: "90071992547409.92" })).toThrow(
      expect.objectContaining({ name: "BankError", kind: "outage" }),
    );
  });
});

describe("changePage", () => {
  const changes = { added: [], modified: [], removed: [], next_cursor: "abc", has_more: false };

  it("keeps what is removed by its id", () => {
    const removed = [
      { transaction_id: "tx-1", account_id: "acc-1" },
      { transaction_id: "tx-2", account_id: null },
    ];
    expect(changePage({ ...changes, removed })).toEqual({
      added: [],
      modified: [],
      removed: [
        { accountId: "acc-1", externalId: "tx-1" },
        { accountId: null, externalId: "tx-2" },
      ],
      cursor: "abc",
      hasMore: false,
    });
  });

  it("does not take an empty cursor for an end", () => {
    expect(() => changePage({ ...changes, next_cursor: "" })).toThrow(
      expect.objectContaining({ kind: "not_ready" }),
    );
  });
});

describe("institutionFacts", () => {
  it("shows an institution of several countries in the first that was asked for", () => {
    const institution = { institution_id: "ins_2", name: "Severn Bank", country_codes: ["IE", "GB"] };
    expect(institutionFacts(institution, ["GB", "IE"]).country).toBe("GB");
    expect(institutionFacts(institution, ["US"]).country).toBe("IE");
  });
});

describe("scopesOf", () => {
  const item = {
    item_id: "item-1",
    institution_id: "ins_1",
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
  ])("reads products %j of which %j were consented to", (products, consented_products, scopes) => {
    expect(scopesOf({ ...item, products, consented_products })).toEqual(scopes);
  });
});

describe("exactJson", () => {
  it("keeps every digit of an amount, and other numbers as numbers", () => {
    const text =
      '{"amount": 12.50, "balances": {"current": 12345678901234567.89, "limit": null}, "count": 1.0}';
    expect(exactJson(text)).toEqual({
      amount: "12.50",
      balances: { current: "12345678901234567.89", limit: null },
      count: 1,
    });
  });

  it("leaves what is no JSON to the check of its form", () => {
    expect(exactJson("<html>")).toBe("<html>");
  });
});
