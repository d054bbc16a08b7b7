import { type Person, type TestPurser, createTestPurser, explainQueries } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { moveCollectedEntries } from "./store/unsearchable.ts";

const history = 20_000;
const limit = 100;

let purser: TestPurser;
let owner: Person;
let teamId: string;
let connectionId: string;
let accountIds: string[];

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
  teamId = await purser.organization(owner);
  const bank = { provider: "sandbox", providerId: "sandbox-bank", consentId: "long" } as const;
  ({ id: connectionId } = await purser.as(owner).banking.connections.connect({ teamId, ...bank }));
  const accounts = await purser.as(owner).banking.accounts.list({ teamId });
  accountIds = accounts.map(({ id }) => id);
  await purser.db.execute(sql`
    INSERT INTO bank_transactions (organization_id, id, account_id, connection_id, external_id, status, amount,
      raw_amount, currency, type, description, transaction_date, category, created_at, updated_at, search)
    SELECT ${teamId}, 'btx_' || lpad(n::text, 26, '0'), (${sql.param(accountIds)}::text[])[1 + n % ${accountIds.length}::int],
      ${connectionId}, n::text, CASE WHEN n % 50 = 0 THEN 'PENDING' ELSE 'POSTED' END, n, n::text, 'GBP',
      CASE WHEN n % 20 = 1 THEN 'CREDIT' ELSE 'DEBIT' END, '', date '2024-03-01' + n / 30, 'CATEGORY_' || n % 8,
      now(), now(), array_to_tsvector(ARRAY[${teamId.slice(-6)} || 'rare' || n % 2000, ${teamId.slice(-6)} || 'always'])
    FROM generate_series(1, ${history}::int) AS n`);
  await purser.db.execute(sql`ANALYZE bank_transactions`);
  // PostgreSQL reads the whole table rather than a long list of entries that are not in the index yet.
  await moveCollectedEntries(purser.db);
});
afterAll(() => purser.close());

const listed = "bank_transactions_listed";
const ofAccount = "bank_transactions_of_account";
const byCategory = "bank_transactions_by_shown_category";
const byType = "bank_transactions_by_type";

describe("banking.transactions.list", () => {
  it.each([
    ["no filter", () => ({}), [listed]],
    ["an account", () => ({ accountId: accountIds[0] }), [ofAccount]],
    ["a range of days", () => ({ from: new Date("2024-06-01"), to: new Date("2024-08-31") }), [listed]],
    ["a rare type", () => ({ type: "CREDIT" as const }), [byType]],
    ["a frequent type", () => ({ type: "DEBIT" as const }), [byType, listed]],
    ["a category", () => ({ category: "CATEGORY_3" }), [byCategory]],
    [
      "a category of an account",
      () => ({ category: "CATEGORY_3", accountId: accountIds[0] }),
      [byCategory, ofAccount],
    ],
  ])("reads a page by an index in its order, by %s", async (_, filter, indexes) => {
    const [first] = await plansOfPage(filter());
    expect(first!.map(({ type }) => type)).toEqual(["Limit", "Index Scan"]);
    expect(indexes).toContain(first![1]!.index);
  });

  it("reads a page by its index, wherever in the list it continues", async () => {
    const after = `btx_${String(history / 10).padStart(26, "0")}`;
    const [position, page] = await plansOfPage({ after });
    expect(position!.map(({ type, rows }) => [type, rows])).toEqual([["Index Scan", 1]]);
    expect(page!.map(({ type, index }) => [type, index])).toEqual([
      ["Limit", undefined],
      ["Index Scan", listed],
    ]);
    expect(page![1]!.rows).toBe(limit + 1);
  });

  it("reads at most a page of each account of a connection", async () => {
    const [page] = await plansOfPage({ connectionId });
    const scan = page!.at(-1)!;
    expect([scan.type, scan.index]).toEqual(["Index Scan", ofAccount]);
    expect(accountIds.length).toBeGreaterThan(1);
    expect(scan.rows).toBe(accountIds.length * (limit + 1));
    expect(page!.some(({ type }) => type === "Seq Scan")).toBe(false);
  });

  it("finds a rare word by the search index, and a frequent one by walking the list", async () => {
    const walked = ["Limit", "Subquery Scan", "Limit", "WindowAgg", "Index Scan"];
    const [frequent, ...further] = await plansOfPage({ query: "Alw" });
    expect(frequent!.map(({ type }) => type)).toEqual(walked);
    expect(frequent!.at(-1)!.rows).toBeLessThan(2 * limit);
    expect(further).toEqual([]);

    const [first, ...others] = await plansOfPage({ query: "always rare1999" });
    expect(first!.map(({ type }) => type)).toEqual(walked);
    expect(others).toHaveLength(1);
    for (const plan of others) expect(plan.at(-1)).toMatchObject({ index: "bank_transactions_search" });
  });
});

function plansOfPage(filter: object) {
  const page = () => purser.as(owner).banking.transactions.list({ teamId, limit, ...filter });
  return explainQueries(purser, "bank_transactions", page);
}
