import { describe, expect, it } from "vitest";
import { type FakeAccount, type FakeNumbers, fakeAccount } from "./fake/items.ts";
import { mapPlaidAccount } from "./mapping.ts";
import { PlaidAccount, PlaidNumbers } from "./responses.ts";

/** The SDK lists types and subtypes, and requires a name. The adapter accepts unknown and missing ones. */
type Account = Omit<Partial<FakeAccount>, "balances" | "name" | "subtype" | "type"> & {
  name?: string | null;
  type?: string;
  subtype?: string | null;
  balances?: Partial<FakeAccount["balances"]>;
};

const account = (
  { balances = {}, ...fields }: Account = {},
  numbers: Partial<FakeNumbers> | null = null,
  withheld: string[] = [],
) =>
  mapPlaidAccount(
    PlaidAccount.parse({ ...fakeAccount({ balances }), ...fields }),
    numbers && PlaidNumbers.parse({ bacs: [], ach: [], eft: [], international: [], ...numbers }),
    new Set(withheld),
  );

describe("mapPlaidAccount", () => {
  it("has every field of the port, with the balances in minor units", () => {
    expect(account()).toEqual({
      externalId: "acc-1",
      name: "Current Account",
      accountNumber: null,
      sortCode: null,
      currency: "GBP",
      type: "CHECKING",
      balance: 11_000,
      availableBalance: 10_000,
      listsTransactions: true,
      identifiers: [],
    });
  });

  it.each([
    ["Everyday", "Official", "Everyday"],
    [null, "Official", "Official"],
    ["  ", "Official", "Official"],
    [null, null, "checking"],
  ])("reads the names %j and %j as %s", (name, official_name, expected) => {
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
  ])("maps %s, %s to %s", (type, subtype, expected) => {
    expect(account({ type, subtype })?.type).toBe(expected);
  });

  it("says which accounts Plaid lists transactions of", () => {
    const types = ["depository", "credit", "loan", "other", "investment", "brokerage"];
    const listed = types.filter((type) => account({ type })?.listsTransactions);
    expect(listed).toEqual(["depository", "credit", "loan", "other"]);
  });

  it.each([
    ["depository", "-20.01", -2001],
    ["credit", "410.25", -41_025],
    ["loan", "56302.06", -5_630_206],
    ["credit", "-3", 300],
    ["credit", "0", 0],
    ["investment", "0.125", 12],
    ["investment", "0.135", 14],
  ])("maps the balance of a %s account, %s, to %i", (type, current, expected) => {
    expect(account({ type, balances: { current } })?.balance).toBe(expected);
  });

  it("uses the minor unit of the currency", () => {
    expect(account({ balances: { current: "1250", iso_currency_code: "JPY" } })?.balance).toBe(1250);
    expect(account({ balances: { current: "1.2345", iso_currency_code: "KWD" } })?.balance).toBe(1234);
  });

  it.each([
    ["depository", "90", 9000],
    ["depository", null, null],
    ["investment", "90", 9000],
    // Plaid's amount is the unused credit.
    ["credit", "90", null],
    ["loan", "90", null],
  ])("maps the available balance of a %s account, %s, to %s", (type, available, expected) => {
    expect(account({ type, balances: { current: "10", available } })?.availableBalance).toBe(expected);
  });

  it("uses the available balance for a missing one, except on a card", () => {
    const balances = { current: null, available: "7" };
    expect(account({ balances })?.balance).toBe(700);
    expect(() => account({ type: "credit", balances })).toThrow("no balance");
    expect(() => account({ balances: { current: null, available: null } })).toThrow("no balance");
  });

  it.each([{}, { current: null, available: null }, { current: "1e30" }])(
    "maps no balances that the team withholds: %j",
    (balances) => {
      const withheld = account({ balances }, null, ["balances"]);
      expect(withheld).toMatchObject({ currency: "GBP", balance: null, availableBalance: null });
    },
  );

  it.each([
    { iso_currency_code: null, unofficial_currency_code: "BTC" },
    { iso_currency_code: "ZZQ" },
    { iso_currency_code: null },
  ])("throws for a currency outside ISO 4217, and for none: %j", (balances) => {
    expect(() => account({ balances })).toThrow("no currency of ISO 4217");
  });

  it.each<[string, Partial<FakeNumbers>, object]>([
    [
      "BACS",
      { bacs: [{ account_id: "acc-1", account: "31926819", sort_code: "601613" }] },
      { accountNumber: "31926819", sortCode: "601613", identifiers: ["bacs:601613:31926819"] },
    ],
    [
      "ACH",
      {
        ach: [{ account_id: "acc-1", account: "1111222233330000", routing: "011401533", wire_routing: null }],
      },
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
      "BACS and IBAN",
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
  ])("reads the number: %s", (_case, numbers, expected) => {
    expect(account({}, numbers)).toMatchObject(expected);
  });

  it("ignores a tokenized number, which differs per link, and uses the persistent account id", () => {
    const token = {
      account_id: "acc-1",
      account: "9900",
      routing: "0211",
      wire_routing: null,
      is_tokenized_account_number: true,
    };
    expect(account({ persistent_account_id: "8cfb8beb" }, { ach: [token] })).toMatchObject({
      accountNumber: null,
      identifiers: ["plaid:8cfb8beb"],
    });
  });

  it("never uses the mask as a number", () => {
    expect(JSON.stringify(account({ mask: "4321" }))).not.toContain("4321");
  });
});
