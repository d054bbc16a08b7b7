import type { AccountData, AccountType } from "@purser/banking/ports";
import { describe, expect, it } from "vitest";
import type { Schemas } from "./api.ts";
import { exampleAccount, typedBalance } from "./fake/data.ts";
import { mapYapilyAccount } from "./mapping.ts";

/** Maps the example account with other fields. */
const map = (over: Partial<Schemas["Account"]>): AccountData => mapYapilyAccount(exampleAccount(over));

type Identification = NonNullable<Schemas["Account"]["accountIdentifications"]>[number];
const identified = (...pairs: [Identification["type"], string][]): Partial<Schemas["Account"]> => ({
  accountIdentifications: pairs.map(([type, identification]) => ({ type, identification })),
});

describe("mapYapilyAccount", () => {
  it.each<[Schemas["AccountType"], AccountType]>([
    ["CURRENT", "CHECKING"],
    ["SALARY", "CHECKING"],
    ["E_MONEY", "CHECKING"],
    ["CASH_INCOME", "CHECKING"],
    ["CASH_PAYMENT", "CHECKING"],
    ["PREPAID_CARD", "CHECKING"],
    ["SETTLEMENT", "CHECKING"],
    ["CHARGES", "CHECKING"],
    ["COMMISSION", "CHECKING"],
    ["TAX", "CHECKING"],
    ["NON_RESIDENT_EXTERNAL", "CHECKING"],
    ["OTHER", "CHECKING"],
    ["UNKNOWN", "CHECKING"],
    ["SAVINGS", "SAVINGS"],
    ["MONEY_MARKET", "SAVINGS"],
    ["LIMITED_LIQUIDITY_SAVINGS_ACCOUNT", "SAVINGS"],
    ["OVERNIGHT_DEPOSIT", "SAVINGS"],
    ["CREDIT_CARD", "CREDIT"],
    ["CHARGE_CARD", "CREDIT"],
    ["LOAN", "CREDIT"],
    ["MORTGAGE", "CREDIT"],
    ["OVERDRAFT", "CREDIT"],
    ["MARGINAL_LENDING", "CREDIT"],
    ["CASH_TRADING", "INVESTMENT"],
  ])("maps the type %s to %s", (accountType, type) => {
    expect(map({ accountType })).toMatchObject({ type });
  });

  it("maps a missing or unknown type to CHECKING", () => {
    expect(map({ accountType: undefined as never })).toMatchObject({ type: "CHECKING" });
    expect(map({ accountType: "PIGGY_BANK" as never })).toMatchObject({ type: "CHECKING" });
  });

  it.each<[string, Partial<Schemas["Account"]>, string]>([
    ["the nickname", {}, "Household"],
    ["the holder without a nickname", { nickname: " " }, "R. Rastapopoulos"],
    [
      "the description without a holder",
      { nickname: null as never, accountNames: [], description: "Flex" },
      "Flex",
    ],
    [
      "the type without a description",
      { nickname: null as never, accountNames: null as never },
      "Personal - Current",
    ],
    ["a default without any of them", { nickname: "", accountNames: [{}], type: "" }, "Account"],
  ])("uses as name: %s", (_case, over, name) => {
    expect(map(over)).toMatchObject({ name });
  });

  it.each<[string, Partial<Schemas["Account"]>, Partial<AccountData>]>([
    [
      "the compact form of printed numbers",
      identified(["SORT_CODE", "70-00-01"], ["ACCOUNT_NUMBER", "7000 0002"]),
      { sortCode: "700001", accountNumber: "70000002", identifiers: ["bacs:700001:70000002"] },
    ],
    [
      "number and IBAN",
      identified(
        ["IBAN", "GB33 BUKB 2020 1555 5555 55"],
        ["SORT_CODE", "202015"],
        ["ACCOUNT_NUMBER", "55555555"],
      ),
      { accountNumber: "55555555", identifiers: ["bacs:202015:55555555", "iban:GB33BUKB20201555555555"] },
    ],
    [
      "the IBAN without an account number",
      identified(["IBAN", "de89370400440532013000"], ["BIC", "COBADEFFXXX"]),
      {
        accountNumber: "DE89370400440532013000",
        sortCode: null,
        identifiers: ["iban:DE89370400440532013000"],
      },
    ],
    [
      "no masked number",
      identified(["SORT_CODE", "**-**-01"], ["ACCOUNT_NUMBER", "xxxx0002"], ["IBAN", "DE89****3000"]),
      { accountNumber: null, sortCode: null, identifiers: [] },
    ],
    ["no last four digits", identified(["ACCOUNT_NUMBER", "0002"]), { accountNumber: null, identifiers: [] }],
    [
      "no card number, masked or not",
      identified(["PAN", "4111111111111111"], ["MASKED_PAN", "411111******1111"]),
      { accountNumber: null, sortCode: null, identifiers: [] },
    ],
    [
      "no identifier for a number without a sort code",
      identified(["ACCOUNT_NUMBER", "70000002"]),
      { accountNumber: "70000002", sortCode: null, identifiers: [] },
    ],
    [
      "nothing without identifications",
      { accountIdentifications: null as never },
      { accountNumber: null, sortCode: null, identifiers: [] },
    ],
  ])("returns %s", (_case, over, expected) => {
    expect(map(over)).toMatchObject(expected);
  });

  it.each<[string, Schemas["AccountBalance"][], number]>([
    [
      "INTERIM_BOOKED first",
      [typedBalance("EXPECTED", 3), typedBalance("CLOSING_BOOKED", 2), typedBalance("INTERIM_BOOKED", 1)],
      100,
    ],
    ["then CLOSING_BOOKED", [typedBalance("EXPECTED", 3), typedBalance("CLOSING_BOOKED", 2)], 200],
    ["then EXPECTED", [typedBalance("OPENING_BOOKED", 4), typedBalance("EXPECTED", 3)], 300],
    ["then the main balance", [typedBalance("OPENING_BOOKED", 4)], -1257],
    [
      "none that includes a credit line",
      [typedBalance("INTERIM_BOOKED", 9, { creditLineIncluded: true })],
      -1257,
    ],
    [
      "none of another currency",
      [typedBalance("INTERIM_BOOKED", 9, { balanceAmount: { amount: 9, currency: "EUR" } })],
      -1257,
    ],
  ])("uses as balance: %s", (_case, accountBalances, balance) => {
    expect(map({ accountBalances })).toMatchObject({ balance });
  });

  it.each<[string, Schemas["AccountBalance"][], number | null]>([
    [
      "INTERIM_AVAILABLE first",
      [typedBalance("CLOSING_AVAILABLE", 2), typedBalance("INTERIM_AVAILABLE", 1)],
      100,
    ],
    ["then CLOSING_AVAILABLE", [typedBalance("CLOSING_AVAILABLE", 2)], 200],
    [
      "the one without the credit line",
      [
        typedBalance("INTERIM_AVAILABLE", 500, { creditLineIncluded: true }),
        typedBalance("CLOSING_AVAILABLE", 2),
      ],
      200,
    ],
    [
      "none if all include a credit line",
      [typedBalance("INTERIM_AVAILABLE", 500, { creditLineIncluded: true })],
      null,
    ],
    ["none if there is none", [], null],
  ])("uses as available balance: %s", (_case, accountBalances, availableBalance) => {
    expect(map({ accountBalances })).toMatchObject({ availableBalance });
  });

  it.each<[Schemas["AccountType"], number | null]>([
    ["CURRENT", 9000],
    ["SAVINGS", 9000],
    ["CASH_TRADING", 9000],
    ["CREDIT_CARD", null],
    ["LOAN", null],
  ])("maps the available balance of %s, 90, to %s", (accountType, availableBalance) => {
    const accountBalances = [typedBalance("INTERIM_AVAILABLE", 90)];
    expect(map({ accountType, accountBalances })).toMatchObject({ availableBalance });
  });

  it.each<[Schemas["AccountType"], number, number]>([
    ["CREDIT_CARD", 250.1, -25010],
    ["CREDIT_CARD", -250.1, -25010],
    ["MORTGAGE", 100_000, -10_000_000],
    ["LOAN", 0, 0],
    ["CURRENT", 250.1, 25010],
    ["SAVINGS", -1, -100],
  ])("maps the balance of %s, %d, to %d", (accountType, amount, balance) => {
    expect(map({ accountType, accountBalances: [typedBalance("INTERIM_BOOKED", amount)] })).toMatchObject({
      balance,
    });
  });

  it.each<[string, number, number]>([
    ["GBP", 0.1 + 0.2, 30],
    ["GBP", 1.005, 100],
    ["GBP", 1.015, 102],
    ["GBP", 12_345_678_901_234.56, 1_234_567_890_123_456],
    ["JPY", 1250, 1250],
    ["BHD", 1.2345, 1234],
    ["GBP", 1e-7, 0],
  ])("rounds the text of %s %d half to even: %d", (currency, amount, balance) => {
    expect(map({ currency, balance: amount, accountBalances: [] })).toMatchObject({
      currency,
      balance,
    });
  });

  it("uses the currency of a balance for a missing one, and only balances in that", () => {
    const currency = undefined as never;
    expect(map({ currency })).toMatchObject({ currency: "GBP", balance: -1257 });
    const inEuros = { balanceAmount: { amount: 9, currency: "EUR" } };
    const accountBalances = [typedBalance("EXPECTED", 3), typedBalance("INTERIM_BOOKED", 9, inEuros)];
    expect(map({ currency, accountBalances })).toMatchObject({ currency: "GBP", balance: 300 });
  });

  it.each<[string, Partial<Schemas["Account"]>]>([
    ["no id", { id: "" }],
    ["no currency", { currency: "", accountBalances: [] }],
    ["an unknown currency", { currency: "POINTS" }],
    ["an amount out of range", { balance: 1e30, accountBalances: [] }],
  ])("throws for %s", (_case, over) => {
    expect(() => map(over)).toThrow(expect.objectContaining({ name: "BankError", kind: "outage" }));
  });
});
