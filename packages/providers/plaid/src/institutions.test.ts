import type { BankProvider } from "@purser/banking/ports";
import { minute, testClock } from "@purser/core/testing";
import { CountryCode, type Institution, Products } from "plaid";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { startPlaidBank } from "./fake/bank.ts";

let plaid: Awaited<ReturnType<typeof startPlaidBank>>;
let known: Institution[];
let bank: BankProvider;
const clock = testClock();

beforeAll(async () => {
  plaid = await startPlaidBank(clock);
  known = plaid.fake.institutions;
});
afterAll(async () => plaid.fake.close());
beforeEach(() => {
  plaid.fake.institutions = known;
  plaid.fake.requests.length = 0;
  bank = plaid.bankWith();
});

/** Institutions of which every third supports no transactions. */
const many = (count: number): Institution[] =>
  Array.from({ length: count }, (_, nth) => ({
    institution_id: `ins_${nth}`,
    name: `Bank ${nth}`,
    products: nth % 3 === 2 ? [Products.Identity] : [Products.Transactions],
    country_codes: [CountryCode.Gb],
    routing_numbers: [],
    oauth: true,
  }));
const offsets = () => plaid.fake.requests.map(({ body }) => body["offset"]);

describe("plaidBank.institutions", () => {
  it("searches by name, only for banks with transactions in the configured countries", async () => {
    expect(await bank.institutions({ query: " severn " })).toEqual([
      { id: "ins_2", name: "Severn Bank", country: "GB", logoUrl: null },
    ]);
    expect(plaid.fake.requests.at(-1)?.body).toEqual({
      query: "severn",
      products: ["transactions"],
      country_codes: ["GB", "IE"],
    });
  });

  it("lists the institutions of the configured countries", async () => {
    const names = (await bank.institutions({})).map(({ name }) => name);
    expect(names).toEqual(["Thames Bank", "Severn Bank"]);
    expect(plaid.fake.requests.at(-1)?.body).toMatchObject({ count: 500, offset: 0 });
  });

  it("lists the institutions of one country, and shows that country", async () => {
    expect(await bank.institutions({ country: "IE" })).toMatchObject([{ id: "ins_2", country: "IE" }]);
  });

  it("returns none for a country that is not configured, without a request", async () => {
    expect(await bank.institutions({ query: "Hudson", country: "US" })).toEqual([]);
    expect(plaid.fake.requests).toEqual([]);
  });

  it("throws if Plaid fails, is not empty, and is read later", async () => {
    plaid.fake.fail("/institutions/get", { code: "INTERNAL_SERVER_ERROR" });
    await expect(bank.institutions({})).rejects.toMatchObject({ kind: "outage" });
    expect(await bank.institutions({})).toHaveLength(2);
  });

  it("reads as many pages as the caller needs, each once in ten minutes, although pages have gaps", async () => {
    plaid.fake.institutions = many(1700);
    expect(await bank.institutions({ atLeast: 300 })).toHaveLength(334);
    expect(offsets()).toEqual([0]);
    const [found] = await Promise.all([
      bank.institutions({ atLeast: 600 }),
      bank.institutions({ atLeast: 600 }),
    ]);
    expect(found).toHaveLength(667);
    expect(offsets()).toEqual([0, 500]);
    const all = await bank.institutions({ atLeast: 5000 });
    expect(all.map(({ id }) => id)).toEqual(
      many(1700).flatMap(({ institution_id: id, products: [product] }) =>
        product === Products.Transactions ? [id] : [],
      ),
    );
    expect(offsets()).toEqual([0, 500, 1000, 1500]);
    await bank.institutions({ atLeast: 5000 });
    expect(offsets()).toHaveLength(4);
    clock.advance(10 * minute);
    await bank.institutions({ atLeast: 5000 });
    expect(offsets()).toHaveLength(8);
  });

  it("lists an institution once that moves to another page during the reading", async () => {
    plaid.fake.institutions = many(600);
    await bank.institutions({ atLeast: 1 });
    plaid.fake.institutions = [{ ...many(1)[0]!, institution_id: "ins_new" }, ...many(600)];
    const ids = (await bank.institutions({ atLeast: 600 })).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toHaveLength(400);
  });

  it("stops at a list that has no end", async () => {
    const products = [Products.Identity];
    plaid.fake.institutions = many(20_001).map((institution) => ({ ...institution, products }));
    await expect(bank.institutions({ atLeast: 30_000 })).rejects.toMatchObject({ kind: "outage" });
    expect(offsets()).toHaveLength(40);
  });
});
