import type { BankProvider } from "@purser/banking/ports";
import { minute, testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Schemas } from "./api.ts";
import { allFeatures, exampleInstitution } from "./fake/data.ts";
import { type YapilyFake, credentials, startYapilyFake } from "./fake/index.ts";
import { refuse, success } from "./fake/responses.ts";
import { yapilyBank } from "./bank.ts";

let fake: YapilyFake;
let bank: BankProvider;
const clock = testClock();

beforeAll(async () => {
  fake = await startYapilyFake();
});
afterAll(() => fake.close());
beforeEach(() => {
  fake.requests = [];
  fake.intercept = () => undefined;
  fake.institutions = [
    exampleInstitution({ id: "north", name: "North Bank" }),
    exampleInstitution({ id: "great-north", name: "Great North", fullName: "Great North Building Society" }),
    exampleInstitution({
      id: "rhein",
      name: "Rheinbank",
      countries: [{ countryCode2: "DE" }, { countryCode2: "AT" }],
    }),
  ];
  bank = yapilyBank({ ...credentials, baseUrl: fake.url, clock });
});

const ids = async (search: Parameters<BankProvider["institutions"]>[0]) =>
  (await bank.institutions(search)).map(({ id }) => id);

describe("yapilyBank.institutions", () => {
  it("authenticates as the application", async () => {
    await bank.institutions({});
    const { applicationId, applicationSecret } = credentials;
    const [scheme, encoded = ""] = fake.requests[0]!.headers.authorization!.split(" ");
    expect(scheme).toBe("Basic");
    expect(Buffer.from(encoded, "base64").toString()).toBe(`${applicationId}:${applicationSecret}`);
  });

  it("returns id, name, country and logo", async () => {
    expect(await bank.institution("north")).toEqual({
      id: "north",
      name: "North Bank",
      country: "GB",
      logoUrl: "https://images.example/north/logo",
    });
  });

  it.each<[string, Partial<Schemas["Institution"]>, object]>([
    [
      "the icon without a logo",
      { media: [{ type: "icon", source: "https://i.example/1" }] },
      { logoUrl: "https://i.example/1" },
    ],
    ["no image over http", { media: [{ type: "logo", source: "http://i.example/1" }] }, { logoUrl: null }],
    ["no image if there is none", { media: [] }, { logoUrl: null }],
    ["ZZ without a country", { countries: [] }, { country: "ZZ" }],
    ["a country in upper case", { countries: [{ countryCode2: "fr" }] }, { country: "FR" }],
  ])("returns %s", async (_case, over, expected) => {
    fake.institutions = [exampleInstitution({ id: "odd", ...over })];
    expect(await bank.institution("odd")).toMatchObject(expected);
  });

  it("reads null as missing", async () => {
    const empty = { id: "bare", name: null, fullName: null, countries: null, media: null, features: null };
    fake.intercept = () => success([empty]);
    expect(await bank.institutions({ query: "x" })).toEqual([]);
    expect(await bank.institution("bare")).toEqual({
      id: "bare",
      name: "bare",
      country: "ZZ",
      logoUrl: null,
    });
  });

  it("searches both names for the words in any order, ignores case, and puts names that begin with the query first", async () => {
    expect(await ids({ query: "NORTH" })).toEqual(["north", "great-north"]);
    expect(await ids({ query: "building soc" })).toEqual(["great-north"]);
    expect(await ids({ query: "bank north" })).toEqual(["north"]);
    expect(await ids({ query: " society  great" })).toEqual(["great-north"]);
    expect(await ids({ query: "nowhere" })).toEqual([]);
    expect(await ids({})).toEqual(["great-north", "north", "rhein"]);
  });

  it.each(["societe gen", "SOCIÉTÉ", "  générale ", "ost"])("ignores accents: %j", async (query) => {
    fake.institutions = [
      exampleInstitution({ id: "sg", name: "Société Générale", fullName: "Crédit Coopératif d'Österreich" }),
      exampleInstitution({ id: "other", name: "Sociable Bank" }),
    ];
    expect(await ids({ query })).toEqual(["sg"]);
  });

  it("searches by every country of an institution, and returns that country", async () => {
    expect(await bank.institutions({ country: "AT" })).toMatchObject([{ id: "rhein", country: "AT" }]);
    expect(await ids({ country: "GB", query: "great" })).toEqual(["great-north"]);
    expect(await ids({ country: "FR" })).toEqual([]);
  });

  it("returns only institutions with a page for sharing accounts and transactions", async () => {
    const without = (gone: string) => allFeatures.filter((feature) => feature !== gone);
    fake.institutions = [
      exampleInstitution({ id: "payments-only", features: [] }),
      exampleInstitution({ id: "no-page", features: without("INITIATE_ACCOUNT_REQUEST") }),
      exampleInstitution({ id: "no-transactions", features: without("ACCOUNT_TRANSACTIONS") }),
      exampleInstitution({ id: "no-accounts", features: without("ACCOUNTS") }),
      exampleInstitution({
        id: "bare-accounts",
        features: [...without("ACCOUNTS"), "ACCOUNTS_WITHOUT_BALANCE"],
      }),
    ];
    expect(await ids({})).toEqual(["bare-accounts"]);
    expect(await bank.institution("payments-only")).toMatchObject({ id: "payments-only" });
  });

  it("returns all, however many there are", async () => {
    fake.institutions = Array.from({ length: 1500 }, (_, index) =>
      exampleInstitution({ id: `bank-${index}` }),
    );
    expect(await ids({ atLeast: 500 })).toHaveLength(1500);
  });

  it("throws institution_not_found for an unknown id", async () => {
    await expect(bank.institution("north-2")).rejects.toMatchObject({ kind: "institution_not_found" });
  });

  it("requests the list once per ten minutes, also for concurrent calls", async () => {
    await Promise.all([bank.institutions({}), bank.institution("north"), bank.institutions({ query: "r" })]);
    clock.advance(10 * minute - 1);
    await bank.institutions({});
    expect(fake.requests).toHaveLength(1);
    clock.advance(1);
    fake.institutions = [];
    expect(await ids({})).toEqual([]);
    expect(fake.requests).toHaveLength(2);
  });

  it("requests the list again after a failure, which is not an empty list", async () => {
    fake.intercept = () => refuse("unavailable");
    await expect(bank.institutions({})).rejects.toMatchObject({ kind: "outage" });
    fake.intercept = () => ({ status: 200, body: {} });
    await expect(bank.institutions({})).rejects.toMatchObject({ kind: "outage" });
    fake.intercept = () => undefined;
    expect(await ids({ query: "rhein" })).toEqual(["rhein"]);
  });
});
