import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { minute, testClock } from "@purser/core/testing";
import type { BankProvider } from "@purser/banking/ports";
import type { Schemas } from "./api.ts";
import { refuse, success } from "./fake/responses.ts";
import { allFeatures, institution } from "./fake/data.ts";
import { type YapilyFake, credentials, startYapilyFake } from "./fake/index.ts";
import { yapilyBank } from "./index.ts";

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
    institution({ id: "north", name: "North Bank" }),
    institution({ id: "great-north", name: "Great North", fullName: "Great North Building Society" }),
    institution({
      id: "rhein",
      name: "Rheinbank",
      countries: [{ countryCode2: "DE" }, { countryCode2: "AT" }],
    }),
  ];
  bank = yapilyBank({ ...credentials, baseUrl: fake.url, clock });
});

const ids = async (search: Parameters<BankProvider["institutions"]>[0]) =>
  (await bank.institutions(search)).map(({ id }) => id);

describe("yapily institutions", () => {
  it("signs in as the application", async () => {
    await bank.institutions({});
    const { applicationId, applicationSecret } = credentials;
    const [scheme, encoded = ""] = fake.requests[0]!.headers.authorization!.split(" ");
    expect(scheme).toBe("Basic");
    expect(Buffer.from(encoded, "base64").toString()).toBe(`${applicationId}:${applicationSecret}`);
  });

  it("have id, name, country and logo", async () => {
    expect(await bank.institution("north")).toEqual({
      id: "north",
      name: "North Bank",
      country: "GB",
      logoUrl: "https://images.example/north/logo",
    });
  });

  it.each<[string, Partial<Schemas["Institution"]>, object]>([
    [
      "the icon where there is no logo",
      { media: [{ type: "icon", source: "https://i.example/1" }] },
      { logoUrl: "https://i.example/1" },
    ],
    ["no picture over http", { media: [{ type: "logo", source: "http://i.example/1" }] }, { logoUrl: null }],
    ["no picture where there is none", { media: [] }, { logoUrl: null }],
    ["an unknown country where there is none", { countries: [] }, { country: "ZZ" }],
    ["a country in upper case", { countries: [{ countryCode2: "fr" }] }, { country: "FR" }],
  ])("show %s", async (_what, over, shown) => {
    fake.institutions = [institution({ id: "odd", ...over })];
    expect(await bank.institution("odd")).toMatchObject(shown);
  });

  it("read null as absent", async () => {
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

  it("are found by a part of either name, in any case, those that begin with it first", async () => {
    expect(await ids({ query: "NORTH" })).toEqual(["north", "great-north"]);
    expect(await ids({ query: "building soc" })).toEqual(["great-north"]);
    expect(await ids({ query: "nowhere" })).toEqual([]);
    expect(await ids({})).toEqual(["great-north", "north", "rhein"]);
  });

  it("are found by each of their countries, and then shown in it", async () => {
    expect(await bank.institutions({ country: "AT" })).toMatchObject([{ id: "rhein", country: "AT" }]);
    expect(await ids({ country: "GB", query: "great" })).toEqual(["great-north"]);
    expect(await ids({ country: "FR" })).toEqual([]);
  });

  it("are listed only where accounts and transactions can be shared by way of a page", async () => {
    const without = (gone: string) => allFeatures.filter((feature) => feature !== gone);
    fake.institutions = [
      institution({ id: "payments-only", features: [] }),
      institution({ id: "no-page", features: without("INITIATE_ACCOUNT_REQUEST") }),
      institution({ id: "no-transactions", features: without("ACCOUNT_TRANSACTIONS") }),
      institution({ id: "no-accounts", features: without("ACCOUNTS") }),
      institution({ id: "bare-accounts", features: [...without("ACCOUNTS"), "ACCOUNTS_WITHOUT_BALANCE"] }),
    ];
    expect(await ids({})).toEqual(["bare-accounts"]);
    expect(await bank.institution("payments-only")).toMatchObject({ id: "payments-only" });
  });

  it("are at most a hundred at a time", async () => {
    fake.institutions = Array.from({ length: 101 }, (_, index) => institution({ id: `bank-${index}` }));
    expect(await ids({})).toHaveLength(100);
  });

  it("are not found under an id that Yapily does not list", async () => {
    await expect(bank.institution("north-2")).rejects.toMatchObject({ kind: "institution_not_found" });
  });

  it("are asked for once in ten minutes, however many look", async () => {
    await Promise.all([bank.institutions({}), bank.institution("north"), bank.institutions({ query: "r" })]);
    clock.advance(10 * minute - 1);
    await bank.institutions({});
    expect(fake.requests).toHaveLength(1);
    clock.advance(1);
    fake.institutions = [];
    expect(await ids({})).toEqual([]);
    expect(fake.requests).toHaveLength(2);
  });

  it("are asked for again after a failure, which is never an empty list", async () => {
    fake.intercept = () => refuse("unavailable");
    await expect(bank.institutions({})).rejects.toMatchObject({ kind: "outage" });
    fake.intercept = () => ({ status: 200, body: {} });
    await expect(bank.institutions({})).rejects.toMatchObject({ kind: "outage" });
    fake.intercept = () => undefined;
    expect(await ids({ query: "rhein" })).toEqual(["rhein"]);
  });
});
