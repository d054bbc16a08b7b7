import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { testClock } from "@purser/core/testing";
import type { Access, BankProvider, TransactionData, WindowFeed } from "@purser/banking/ports";
import type { Schemas } from "./api.ts";
import { refuse, success } from "./fake/responses.ts";
import { account, transaction, transactions } from "./fake/data.ts";
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
  fake.transactions.clear();
  const { id, consentToken } = fake.addConsent();
  fake.accounts.set(consentToken, [account({ id: "acc/1" }), account({ id: "other" })]);
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

/** Changes the rows each time a page, from the second on, is about to be read. */
function betweenPages(change: (rows: Row[], page: number) => Row[]): void {
  let pages = 0;
  fake.intercept = ({ path }) => {
    if (!path.endsWith("/transactions")) return undefined;
    pages += 1;
    if (pages > 1) fake.transactions.set("acc/1", change(fake.transactions.get("acc/1")!, pages));
    return undefined;
  };
}

const offsets = () => fake.requests.map(({ query }) => Number(query.get("offset")));

describe("yapily transactions on several pages", () => {
  const names = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, index) => `t-${from + index}`);
  const arrival = (id: string, date = "2026-02-28T00:00:00Z") =>
    transaction({ id, date, bookingDateTime: date });

  it("come once each, though pages overlap", async () => {
    fake.transactions.set("acc/1", transactions(2500));
    expect(await readIds()).toEqual(names(0, 2500));
    expect(offsets()).toEqual([0, 900, 1800]);
  });

  it.each([1000, 1001, 1099, 1900, 1901])("end where they end: %d", async (count) => {
    fake.transactions.set("acc/1", transactions(count));
    expect(await readIds()).toEqual(names(0, count));
    expect(offsets()).toHaveLength(1 + Math.ceil((count - 1000) / 900));
  });

  it.each([1000, 1500, 1900])("end where no total is given, too: %d", async (count) => {
    const rows = transactions(count);
    fake.intercept = ({ query }) => {
      const offset = Number(query.get("offset"));
      return { status: 200, body: { data: rows.slice(offset, offset + 1000) } };
    };
    expect(await readIds()).toEqual(names(0, count));
  });

  it("are all read where the bank gives fewer at a time than it was asked for", async () => {
    const rows = transactions(300);
    fake.intercept = ({ query }) => {
      const offset = Number(query.get("offset"));
      return success(rows.slice(offset, offset + 40), 200, { pagination: { totalCount: 300 } });
    };
    expect(await readIds()).toEqual(names(0, 300));
  });

  it("that arrive between pages are read, and hide none", async () => {
    fake.transactions.set("acc/1", transactions(2500));
    betweenPages((rows, page) => [...rows, arrival(`new-${page}`)]);
    expect(await readIds()).toEqual([...names(0, 2500), "new-2", "new-3"]);
  });

  it("that arrive with a day long past hide none", async () => {
    fake.transactions.set("acc/1", transactions(2500));
    const late = Array.from({ length: 150 }, (_, index) =>
      arrival(`late-${index}`, "2026-01-01T00:00:00.001Z"),
    );
    betweenPages((rows, page) => (page === 2 ? [...rows, ...late] : rows));
    const seen = (await readIds()).filter((id) => id!.startsWith("t-"));
    expect(seen).toEqual(names(0, 2500));
  });

  it.each([1, 99, 100, 101, 900])("that vanish between pages, %d of them, hide none", async (count) => {
    fake.transactions.set("acc/1", transactions(2500));
    betweenPages((rows, page) => (page === 2 ? rows.slice(count) : rows));
    expect(await readIds()).toEqual(names(0, 2500));
  });

  it("that vanish one after the other hide none", async () => {
    fake.transactions.set("acc/1", transactions(4500));
    betweenPages((rows) => rows.slice(60));
    expect(await readIds()).toEqual(names(0, 4500));
  });

  it("are all read where pending ones become booked between pages", async () => {
    const rows = transactions(1500);
    for (const row of rows.slice(700, 950)) row.status = "PENDING";
    fake.transactions.set("acc/1", rows);
    betweenPages((present) => [
      ...present.filter(({ status }) => status !== "PENDING"),
      ...present.filter(({ status }) => status === "PENDING").map(({ id }) => arrival(`booked-${id}`)),
    ]);
    const seen = await readIds();
    expect(seen).toEqual([...names(0, 1500), ...names(700, 950).map((id) => `booked-${id}`)]);
  });

  it("that are left when most have vanished are the end", async () => {
    fake.transactions.set("acc/1", transactions(2500));
    betweenPages((rows) => rows.slice(0, 850));
    expect(await readIds()).toEqual(names(0, 1000));
  });

  it("are a failure where they never hold still", async () => {
    let pages = 0;
    fake.intercept = ({ query }) => {
      pages += 1;
      const offset = Number(query.get("offset"));
      const rows = transactions(1000).map((row) => ({ ...row, id: `${pages}-${offset}-${row.id}` }));
      return success(rows, 200, { pagination: { totalCount: 100_000 } });
    };
    await expect(readAll()).rejects.toMatchObject({ kind: "outage" });
    expect(pages).toBeLessThan(40);
  });

  it("are a failure where Yapily counts some and gives none", async () => {
    fake.intercept = () => success([], 200, { pagination: { totalCount: 3 } });
    await expect(readAll()).rejects.toMatchObject({ kind: "outage" });
  });

  it("that are equal in everything, as twins without ids are, all come", async () => {
    const twin = transaction({ id: "", enrichment: {}, date: "2026-01-15T00:00:00Z" });
    fake.transactions.set("acc/1", [
      ...transactions(990),
      ...Array.from({ length: 20 }, () => twin),
      arrival("last"),
    ]);
    expect((await readIds()).filter((id) => id === null)).toHaveLength(20);
  });

  it("with the same id for different ones all come", async () => {
    const rows = transactions(1500).map((row, index) => ({ ...row, id: `same-${index % 2}` }));
    fake.transactions.set("acc/1", rows);
    expect(await readIds()).toHaveLength(1500);
  });

  it("give the pages before a failure, and then the failure", async () => {
    fake.transactions.set("acc/1", transactions(1500));
    fake.intercept = ({ query }) => (query.get("offset") === "900" ? refuse("failedDependency") : undefined);
    const feed = (bank.feed as WindowFeed).transactions(access, "acc/1", "2026-01-01", AbortSignal.any([]));
    const pages = feed[Symbol.asyncIterator]();
    expect((await pages.next()).value).toHaveLength(1000);
    await expect(pages.next()).rejects.toMatchObject({ kind: "outage" });
  });
});
