import type { Access, AccountData, BankProvider, UnreadableItem } from "@purser/banking/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Schemas } from "./api.ts";
import { exampleAccount, typedBalance } from "./fake/data.ts";
import { type YapilyFake, credentials, startYapilyFake } from "./fake/index.ts";
import { internalError, refuse } from "./fake/responses.ts";
import type { FakeResponse } from "./fake/server.ts";
import { yapilyBank } from "./bank.ts";

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

/** Reads the example account with other fields. */
async function read(over: Partial<Schemas["Account"]>): Promise<AccountData> {
  fake.accounts.set(access.token!, [exampleAccount(over)]);
  const [data] = await bank.accounts(access);
  return data!;
}

/** An account without a balance, as some banks list it. */
const bare = { balance: undefined as never, accountBalances: undefined as never };

function refuseBalances(response: FakeResponse): void {
  fake.intercept = ({ path }) => (path.endsWith("/balances") ? response : undefined);
}

describe("yapilyBank.accounts", () => {
  it("reads accounts with the consent's token", async () => {
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

  it("returns all accounts, which can be none", async () => {
    fake.accounts.set(access.token!, [exampleAccount({ id: "1" }), exampleAccount({ id: "2" })]);
    expect((await bank.accounts(access)).map(({ externalId }) => externalId)).toEqual(["1", "2"]);
    fake.accounts.set(access.token!, []);
    expect(await bank.accounts(access)).toEqual([]);
  });

  it("requests the balances of an account if the list has none", async () => {
    fake.balances.set("700004000000000000000002", {
      mainBalanceAmount: { amount: 7, currency: "GBP" },
      balances: [typedBalance("INTERIM_BOOKED", 8), typedBalance("INTERIM_AVAILABLE", 9)],
    });
    expect(await read(bare)).toMatchObject({ balance: 800, availableBalance: 900 });
    fake.balances.set("700004000000000000000002", { mainBalanceAmount: { amount: 7, currency: "GBP" } });
    expect(await read({ ...bare, currency: undefined as never })).toMatchObject({
      balance: 700,
      currency: "GBP",
    });
    fake.balances.clear();
    await expect(read(bare)).rejects.toMatchObject({ kind: "outage" });
  });

  it("leaves out an account whose only balance is in another currency", async () => {
    fake.accounts.set(access.token!, [exampleAccount({ id: "odd", ...bare }), exampleAccount({ id: "2" })]);
    fake.balances.set("odd", { mainBalanceAmount: { amount: 7, currency: "EUR" }, balances: [] });
    const unreadable: UnreadableItem[] = [];
    const accounts = await bank.accounts(access, (item) => unreadable.push(item));
    fake.balances.clear();
    expect(accounts.map(({ externalId }) => externalId)).toEqual(["2"]);
    expect(unreadable).toMatchObject([{ kind: "account", accountId: "odd" }]);
  });

  it.each([
    ["does not find", refuse("notFound")],
    ["does not find, as it answers Yapily", refuse("missingAtBank")],
    ["refuses", refuse("insufficientRights")],
    ["calls a wrong request", refuse("failedDependency", { institutionError: { httpStatusCode: 400 } })],
    ["does not allow", refuse("failedDependency", { institutionError: { httpStatusCode: 405 } })],
    ["does not offer", refuse("notImplemented")],
    ["fails to answer", refuse("failedDependency")],
    ["does not answer in time", refuse("gatewayTimeout")],
    ["answers what Yapily fails to read", internalError],
  ])(
    "leaves out an account whose balances the bank %s, while the consent is in force",
    async (_how, response) => {
      fake.accounts.set(access.token!, [exampleAccount({ id: "odd", ...bare }), exampleAccount({ id: "2" })]);
      refuseBalances(response);
      const unreadable: UnreadableItem[] = [];
      const accounts = await bank.accounts(access, (item) => unreadable.push(item));
      expect(accounts.map(({ externalId }) => externalId)).toEqual(["2"]);
      expect(unreadable).toMatchObject([{ kind: "account", accountId: "odd" }]);
    },
  );

  it("leaves out the only account if the bank refuses its balances for good", async () => {
    fake.accounts.set(access.token!, [exampleAccount({ id: "odd", ...bare })]);
    refuseBalances(refuse("notImplemented"));
    const unreadable: UnreadableItem[] = [];
    expect(await bank.accounts(access, (item) => unreadable.push(item))).toEqual([]);
    expect(unreadable).toMatchObject([{ kind: "account", accountId: "odd" }]);
  });

  it.each([
    ["fails to give the balances of any account", refuse("failedDependency"), "outage"],
    ["cannot be reached through Yapily", refuse("unavailable"), "outage"],
  ])("throws if the bank %s", async (_how, response, kind) => {
    fake.accounts.set(access.token!, [
      exampleAccount({ id: "1", ...bare }),
      exampleAccount({ id: "2", ...bare }),
    ]);
    refuseBalances(response);
    await expect(bank.accounts(access, () => undefined)).rejects.toMatchObject({ kind });
  });

  it.each([
    ["limits the rate", refuse("tooManyRequests"), "rate_limited"],
    ["does not accept the token", refuse("consentUnauthorized"), "reauthorization_required"],
  ])("throws if the bank %s of a request for balances", async (_how, response, kind) => {
    fake.accounts.set(access.token!, [exampleAccount({ id: "1", ...bare }), exampleAccount({ id: "2" })]);
    refuseBalances(response);
    await expect(bank.accounts(access, () => undefined)).rejects.toMatchObject({ kind });
  });

  it("throws if the consent is gone from Yapily when balances are requested", async () => {
    fake.accounts.set(access.token!, [exampleAccount({ id: "1", ...bare }), exampleAccount({ id: "2" })]);
    fake.intercept = ({ path }) => {
      if (path.endsWith("/balances")) return refuse("consentUnauthorized");
      return path.startsWith("/consents/") ? refuse("notFound") : undefined;
    };
    await expect(bank.accounts(access, () => undefined)).rejects.toMatchObject({ kind: "consent_not_found" });
  });

  it("neither requests nor maps balances that the team withholds", async () => {
    fake.accounts.set(access.token!, [
      exampleAccount({ id: "1", ...bare }),
      exampleAccount({ id: "2" }),
      exampleAccount({ id: "3", balance: 1e30, accountBalances: [] }),
    ]);
    const limited = { ...access, withheldScopes: new Set(["balances"]) };
    expect(await bank.accounts(limited)).toMatchObject(
      ["1", "2", "3"].map((externalId) => ({ externalId, balance: null, availableBalance: null })),
    );
    expect(fake.requests.map(({ path }) => path)).toEqual(["/accounts"]);
  });

  it.each([[{}], [{ data: null }], [{ data: {} }], ["not JSON"], ["[]"], [""]])(
    "throws for the response %j, which is not an empty list",
    async (body) => {
      fake.intercept = () => ({ status: 200, body });
      await expect(bank.accounts(access)).rejects.toMatchObject({ kind: "outage" });
    },
  );

  it.each(["consentRevoked", "insufficientRights", "consentUnauthorized", "notFound"] as const)(
    "throws reauthorization_required for %s",
    async (name) => {
      fake.intercept = ({ path }) => (path === "/accounts" ? refuse(name) : undefined);
      await expect(bank.accounts(access)).rejects.toMatchObject({ kind: "reauthorization_required" });
    },
  );

  it("throws outage for wrong credentials of the application", async () => {
    const unauthorized = yapilyBank({
      ...credentials,
      applicationSecret: "old",
      baseUrl: fake.url,
      clock: testClock(),
    });
    await expect(unauthorized.accounts(access)).rejects.toMatchObject({ kind: "outage" });
  });

  it("throws reauthorization_required for an erased token, without a request", async () => {
    const erased = bank.accounts({ ...access, token: null });
    await expect(erased).rejects.toMatchObject({ kind: "reauthorization_required" });
    expect(fake.requests).toEqual([]);
  });
});
