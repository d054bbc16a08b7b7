import type { Access, BankProvider, TransactionData, WindowFeed } from "@purser/banking/ports";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Schemas } from "./api.ts";
import { exampleAccount, exampleTransaction, exampleTransactions } from "./fake/data.ts";
import { type YapilyFake, credentials, startYapilyFake } from "./fake/index.ts";
import { refuse, success } from "./fake/responses.ts";
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
  fake.transactions.clear();
  const { id, consentToken } = fake.addConsent();
  fake.accounts.set(consentToken, [exampleAccount({ id: "acc/1" }), exampleAccount({ id: "other" })]);
  access = { organizationId: "org_own", institutionId: "modelo-sandbox", consentId: id, token: consentToken };
});

type Row = Schemas["Transaction"];

async function readPages(signal = new AbortController().signal): Promise<TransactionData[][]> {
  const pages = [];
  for await (const page of (bank.feed as WindowFeed).transactions(access, "acc/1", "2026-01-01", signal)) {
    pages.push(page);
  }
  return pages;
}

const readAll = async () => (await readPages()).flat();
const readIds = async () => (await readAll()).map(({ externalId }) => externalId);

/** Changes the rows before each page except the first. */
function betweenPages(change: (rows: Row[], page: number) => Row[]): void {
  let pages = 0;
  fake.intercept = ({ path }) => {
    if (!path.endsWith("/transactions")) return undefined;
    pages += 1;
    if (pages > 1) fake.transactions.set("acc/1", change(fake.transactions.get("acc/1")!, pages));
    return undefined;
  };
}

const offsets = () =>
  fake.requests
    .filter(({ path }) => path !== "/institutions")
    .map(({ query }) => Number(query.get("offset")));

describe("yapilyBank.feed.transactions on several pages", () => {
  const names = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `t-${from + index}`);
  const arrival = (id: string, date = "2026-02-28T00:00:00Z") =>
    exampleTransaction({ id, date, bookingDateTime: date });

  it("returns each row once, although pages overlap", async () => {
    fake.transactions.set("acc/1", exampleTransactions(2500));
    expect(await readIds()).toEqual(names(0, 2500));
    expect(offsets()).toEqual([0, 900, 1800]);
  });

  it.each([1000, 1001, 1099, 1900, 1901])("stops after the last row: %d", async (count) => {
    fake.transactions.set("acc/1", exampleTransactions(count));
    expect(await readIds()).toEqual(names(0, count));
    expect(offsets()).toHaveLength(1 + Math.ceil((count - 1000) / 900));
  });

  it.each([1000, 1500, 1900])("stops after the last row without a total: %d", async (count) => {
    const rows = exampleTransactions(count);
    fake.intercept = ({ query }) => {
      const offset = Number(query.get("offset"));
      return { status: 200, body: { data: rows.slice(offset, offset + 1000) } };
    };
    expect(await readIds()).toEqual(names(0, count));
  });

  it("reads all rows if the bank returns smaller pages than requested", async () => {
    const rows = exampleTransactions(300);
    fake.intercept = ({ query }) => {
      const offset = Number(query.get("offset"));
      return success(rows.slice(offset, offset + 40), 200, { pagination: { totalCount: 300 } });
    };
    expect(await readIds()).toEqual(names(0, 300));
  });

  it("reads rows that arrive between pages, and misses none", async () => {
    fake.transactions.set("acc/1", exampleTransactions(2500));
    betweenPages((rows, page) => [...rows, arrival(`new-${page}`)]);
    expect(await readIds()).toEqual([...names(0, 2500), "new-2", "new-3"]);
  });

  it("misses no row if older rows arrive between pages", async () => {
    fake.transactions.set("acc/1", exampleTransactions(2500));
    const late = Array.from({ length: 150 }, (_, index) =>
      arrival(`late-${index}`, "2026-01-01T00:00:00.001Z"),
    );
    betweenPages((rows, page) => (page === 2 ? [...rows, ...late] : rows));
    const seen = (await readIds()).filter((id) => id!.startsWith("t-"));
    expect(seen).toEqual(names(0, 2500));
  });

  it.each([1, 99, 100, 101, 900])("misses no row if %d rows disappear between pages", async (count) => {
    fake.transactions.set("acc/1", exampleTransactions(2500));
    betweenPages((rows, page) => (page === 2 ? rows.slice(count) : rows));
    expect(await readIds()).toEqual(names(0, 2500));
  });

  it("misses no row if rows disappear before every page", async () => {
    fake.transactions.set("acc/1", exampleTransactions(4500));
    betweenPages((rows) => rows.slice(60));
    expect(await readIds()).toEqual(names(0, 4500));
  });

  it("misses no row if pending rows are booked between pages", async () => {
    const rows = exampleTransactions(1500);
    for (const row of rows.slice(700, 950)) row.status = "PENDING";
    fake.transactions.set("acc/1", rows);
    betweenPages((present) => [
      ...present.filter(({ status }) => status !== "PENDING"),
      ...present.filter(({ status }) => status === "PENDING").map(({ id }) => arrival(`booked-${id}`)),
    ]);
    const seen = await readIds();
    expect(seen).toEqual([...names(0, 1500), ...names(700, 950).map((id) => `booked-${id}`)]);
  });

  it("stops if most rows have disappeared", async () => {
    fake.transactions.set("acc/1", exampleTransactions(2500));
    betweenPages((rows) => rows.slice(0, 850));
    expect(await readIds()).toEqual(names(0, 1000));
  });

  it("throws if the rows never stop moving", async () => {
    let pages = 0;
    fake.intercept = ({ query }) => {
      pages += 1;
      const offset = Number(query.get("offset"));
      const rows = exampleTransactions(1000).map((row) => ({ ...row, id: `${pages}-${offset}-${row.id}` }));
      return success(rows, 200, { pagination: { totalCount: 100_000 } });
    };
    await expect(readAll()).rejects.toMatchObject({ kind: "outage" });
    expect(pages).toBeLessThan(40);
  });

  it("throws if Yapily counts rows and returns none", async () => {
    fake.intercept = () => success([], 200, { pagination: { totalCount: 3 } });
    await expect(readAll()).rejects.toMatchObject({ kind: "outage" });
  });

  it("returns all of several equal rows without ids", async () => {
    const duplicate = exampleTransaction({ id: "", enrichment: {}, date: "2026-01-15T00:00:00Z" });
    fake.transactions.set("acc/1", [
      ...exampleTransactions(990),
      ...Array.from({ length: 20 }, () => duplicate),
      arrival("last"),
    ]);
    expect((await readIds()).filter((id) => id === null)).toHaveLength(20);
  });

  it("returns equal rows without ids that are far apart, before and after the end of a page", async () => {
    const date = "2026-01-15T00:00:00Z";
    const rows: Row[] = exampleTransactions(1200).map((row) => ({ ...row, date, bookingDateTime: date }));
    const fee = exampleTransaction({ id: "", enrichment: {}, date, bookingDateTime: date });
    for (const place of [850, 950, 1050, 1150]) rows[place] = fee;
    fake.transactions.set("acc/1", rows);
    const ids = await readIds();
    expect([ids.length, ids.filter((id) => id === null).length]).toEqual([1200, 4]);
  });

  it("returns all of several different rows with the same id", async () => {
    const rows = exampleTransactions(1500).map((row, index) => ({ ...row, id: `same-${index % 2}` }));
    fake.transactions.set("acc/1", rows);
    expect(await readIds()).toHaveLength(1500);
  });

  it("returns the pages before a failure, and then throws", async () => {
    fake.transactions.set("acc/1", exampleTransactions(1500));
    fake.intercept = ({ query }) => (query.get("offset") === "900" ? refuse("failedDependency") : undefined);
    const feed = (bank.feed as WindowFeed).transactions(access, "acc/1", "2026-01-01", AbortSignal.any([]));
    const pages = feed[Symbol.asyncIterator]();
    expect((await pages.next()).value).toHaveLength(1000);
    await expect(pages.next()).rejects.toMatchObject({ kind: "outage" });
  });
});
