import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testClock } from "@purser/core/testing";
import type { Access, AccountData, AccountType, BankProvider } from "@purser/banking/ports";
import type { Schemas } from "./api.ts";
import { refuse } from "./fake/responses.ts";
import { account, typedBalance } from "./fake/data.ts";
import { type YapilyFake, credentials, startYapilyFake } from "./fake/index.ts";
import { yapilyBank } from "./index.ts";

let fake: YapilyFake;
let bank: BankProvider;
let access: Access;

beforeAll(async () => {
  fake = await startYapilyFake();
  bank = yapilyBank({ ...credentials, baseUrl: fake.url, clock: testClock() });
});
afterAll(() => fake.close());
beforeEach(() => {
  fake.requests = [];
  fake.intercept = () => undefined;
  const { id, consentToken } = fake.addConsent();
  access = { organizationId: "org_own", institutionId: "modelo-sandbox", consentId: id, token: consentToken };
});

/** What the adapter makes of an account that differs so from the example. */
async function read(over: Partial<Schemas["Account"]>): Promise<AccountData> {
  fake.accounts.set(access.token!, [account(over)]);
  const [facts] = await bank.accounts(access);
  return facts!;
}

type Identification = NonNullable<Schemas["Account"]["accountIdentifications"]>[number];
const identified = (...pairs: [Identification["type"], string][]): Partial<Schemas["Account"]> => ({
  accountIdentifications: pairs.map(([type, identification]) => ({ type, identification })),
});

describe("yapily accounts", () => {
  it("are read with the consent's token", async () => {
    expect(await read({})).toEqual({
      externalId: "700004000000000000000002",
      name: "Household",
      accountNumber: "70000002",
      sortCode: "700001",
      currency: "GBP",
      type: "CHECKING",
      balance: -1257,
      availableBalance: null,
      identifiers: ["bacs:700001:70000002"],
    });
    expect(fake.requests).toMatchObject([{ path: "/accounts", headers: { consent: access.token } }]);
  });

  it("are all that there are, which may be none", async () => {
    fake.accounts.set(access.token!, [account({ id: "1" }), account({ id: "2" })]);
    expect((await bank.accounts(access)).map(({ externalId }) => externalId)).toEqual(["1", "2"]);
    fake.accounts.set(access.token!, []);
    expect(await bank.accounts(access)).toEqual([]);
  });

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
  ])("of the type %s are %s", async (accountType, type) => {
    expect(await read({ accountType })).toMatchObject({ type });
  });

  it("of no type, or a new one, are CHECKING", async () => {
    expect(await read({ accountType: undefined as never })).toMatchObject({ type: "CHECKING" });
    expect(await read({ accountType: "PIGGY_BANK" as never })).toMatchObject({ type: "CHECKING" });
  });

  it.each<[string, Partial<Schemas["Account"]>, string]>([
    ["the nickname", {}, "Household"],
    ["the holder where there is none", { nickname: " " }, "R. Rastapopoulos"],
    ["the product after that", { nickname: null as never, accountNames: [], description: "Flex" }, "Flex"],
    ["the type after that", { nickname: null as never, accountNames: null as never }, "Personal - Current"],
    ["a plain word at last", { nickname: "", accountNames: [{}], type: "" }, "Account"],
  ])("are named by %s", async (_what, over, name) => {
    expect(await read(over)).toMatchObject({ name });
  });

  it.each<[string, Partial<Schemas["Account"]>, Partial<AccountData>]>([
    [
      "the compact form of printed numbers",
      identified(["SORT_CODE", "70-00-01"], ["ACCOUNT_NUMBER", "7000 0002"]),
      { sortCode: "700001", accountNumber: "70000002", identifiers: ["bacs:700001:70000002"] },
    ],
    [
      "number and IBAN side by side",
      identified(
        ["IBAN", "GB33 BUKB 2020 1555 5555 55"],
        ["SORT_CODE", "202015"],
        ["ACCOUNT_NUMBER", "55555555"],
      ),
      { accountNumber: "55555555", identifiers: ["bacs:202015:55555555", "iban:GB33BUKB20201555555555"] },
    ],
    [
      "the IBAN where it is the number",
      identified(["IBAN", "de89370400440532013000"], ["BIC", "COBADEFFXXX"]),
      {
        accountNumber: "DE89370400440532013000",
        sortCode: null,
        identifiers: ["iban:DE89370400440532013000"],
      },
    ],
    [
      "no mask",
      identified(["SORT_CODE", "**-**-01"], ["ACCOUNT_NUMBER", "xxxx0002"], ["IBAN", "DE89****3000"]),
      { accountNumber: null, sortCode: null, identifiers: [] },
    ],
    ["no last four digits", identified(["ACCOUNT_NUMBER", "0002"]), { accountNumber: null, identifiers: [] }],
    [
      "no card's number, masked or not",
      identified(["PAN", "4111111111111111"], ["MASKED_PAN", "411111******1111"]),
      { accountNumber: null, sortCode: null, identifiers: [] },
    ],
    [
      "no identifier of a number without its sort code",
      identified(["ACCOUNT_NUMBER", "70000002"]),
      { accountNumber: "70000002", sortCode: null, identifiers: [] },
    ],
    [
      "nothing where there is nothing",
      { accountIdentifications: null as never },
      { accountNumber: null, sortCode: null, identifiers: [] },
    ],
  ])("show %s", async (_what, over, facts) => {
    expect(await read(over)).toMatchObject(facts);
  });

  it.each<[string, Schemas["AccountBalance"][], number]>([
    [
      "INTERIM_BOOKED first",
      [typedBalance("EXPECTED", 3), typedBalance("CLOSING_BOOKED", 2), typedBalance("INTERIM_BOOKED", 1)],
      100,
    ],
    ["then CLOSING_BOOKED", [typedBalance("EXPECTED", 3), typedBalance("CLOSING_BOOKED", 2)], 200],
    ["then EXPECTED", [typedBalance("OPENING_BOOKED", 4), typedBalance("EXPECTED", 3)], 300],
    ["then the headline", [typedBalance("OPENING_BOOKED", 4)], -1257],
    [
      "none that counts borrowed money",
      [typedBalance("INTERIM_BOOKED", 9, { creditLineIncluded: true })],
      -1257,
    ],
    [
      "none of another currency",
      [typedBalance("INTERIM_BOOKED", 9, { balanceAmount: { amount: 9, currency: "EUR" } })],
      -1257,
    ],
  ])("have as their balance %s", async (_what, accountBalances, balance) => {
    expect(await read({ accountBalances })).toMatchObject({ balance });
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
      "unknown where all count the credit line",
      [typedBalance("INTERIM_AVAILABLE", 500, { creditLineIncluded: true })],
      null,
    ],
    ["unknown where none is given", [], null],
  ])("have available %s", async (_what, accountBalances, availableBalance) => {
    expect(await read({ accountBalances })).toMatchObject({ availableBalance });
  });

  it.each<[Schemas["AccountType"], number, number]>([
    ["CREDIT_CARD", 250.1, -25010],
    ["CREDIT_CARD", -250.1, -25010],
    ["MORTGAGE", 100_000, -10_000_000],
    ["LOAN", 0, 0],
    ["CURRENT", 250.1, 25010],
    ["SAVINGS", -1, -100],
  ])("of the type %s with %d are worth %d to their owner", async (accountType, amount, balance) => {
    expect(
      await read({ accountType, accountBalances: [typedBalance("INTERIM_BOOKED", amount)] }),
    ).toMatchObject({
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
  ])("in %s round %d half to even, on its text: %d", async (currency, amount, balance) => {
    expect(await read({ currency, balance: amount, accountBalances: [] })).toMatchObject({
      currency,
      balance,
    });
  });

  it("take their currency from a balance where they name none", async () => {
    expect(await read({ currency: undefined as never })).toMatchObject({ currency: "GBP", balance: -1257 });
  });

  it("are asked for their balance where the list has none", async () => {
    fake.balances.set("700004000000000000000002", {
      mainBalanceAmount: { amount: 7, currency: "GBP" },
      balances: [typedBalance("INTERIM_BOOKED", 8), typedBalance("INTERIM_AVAILABLE", 9)],
    });
    const bare = { balance: undefined as never, accountBalances: undefined as never };
    expect(await read(bare)).toMatchObject({ balance: 800, availableBalance: 900 });
    fake.balances.set("700004000000000000000002", { mainBalanceAmount: { amount: 7, currency: "GBP" } });
    expect(await read({ ...bare, currency: undefined as never })).toMatchObject({
      balance: 700,
      currency: "GBP",
    });
    fake.balances.clear();
    await expect(read(bare)).rejects.toMatchObject({ kind: "outage" });
  });

  it.each<[string, Partial<Schemas["Account"]>]>([
    ["no id", { id: "" }],
    ["no currency", { currency: "", accountBalances: [] }],
    ["a currency that is none", { currency: "POINTS" }],
    ["an amount out of range", { balance: 1e30, accountBalances: [] }],
  ])("with %s are a failure, and no account is left out", async (_what, over) => {
    await expect(read(over)).rejects.toMatchObject({ name: "BankError", kind: "outage" });
  });

  it.each([[{}], [{ data: null }], [{ data: {} }], ["not JSON"], ["[]"], [""]])(
    "take %j for a failure, not for no accounts",
    async (body) => {
      fake.intercept = () => ({ status: 200, body });
      await expect(bank.accounts(access)).rejects.toMatchObject({ kind: "outage" });
    },
  );

  it.each(["consentRevoked", "insufficientRights", "consentUnauthorized", "notFound"] as const)(
    "want a new authorization where the bank says %s",
    async (name) => {
      fake.intercept = ({ path }) => (path === "/accounts" ? refuse(name) : undefined);
      await expect(bank.accounts(access)).rejects.toMatchObject({ kind: "reauthorization_required" });
    },
  );

  it("blame nobody's consent where the application's own credentials are wrong", async () => {
    const locked = yapilyBank({
      ...credentials,
      applicationSecret: "old",
      baseUrl: fake.url,
      clock: testClock(),
    });
    await expect(locked.accounts(access)).rejects.toMatchObject({ kind: "outage" });
  });

  it("want a new authorization where the token was erased, without asking", async () => {
    const erased = bank.accounts({ ...access, token: null });
    await expect(erased).rejects.toMatchObject({ kind: "reauthorization_required" });
    expect(fake.requests).toEqual([]);
  });
});
