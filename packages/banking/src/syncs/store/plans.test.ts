import { type TestPurser, createTestPurser, explainQueries } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listPendingSince, withHistory } from "./accounts.ts";
import { findByDay, findByExternalId, findById, findPending, listPending, listPosted } from "./ledger.ts";

const history = 10_000;
const perDay = 20;
/** The maximum number of rows that a statement may read. */
const most = history / 20;

let purser: TestPurser;
let organizationId: string;
let connectionId: string;
let accountIds: string[];

beforeAll(async () => {
  purser = await createTestPurser();
  const owner = await purser.person();
  organizationId = await purser.organization(owner);
  const { connections, accounts } = purser.as(owner).banking;
  const bank = { provider: "sandbox", providerId: "sandbox-bank", consentId: "long" } as const;
  ({ id: connectionId } = await connections.connect({ teamId: organizationId, ...bank }));
  accountIds = (await accounts.list({ teamId: organizationId })).map(({ id }) => id);
  // The tables have no statistics, as in the middle of a first sync.
  await purser.db.execute(sql`
    INSERT INTO bank_transactions (organization_id, id, account_id, connection_id, external_id, status, amount,
      raw_amount, currency, type, description, transaction_date, category, created_at, updated_at)
    SELECT ${organizationId}, 'btx_' || n, (${sql.param(accountIds)}::text[])[1 + n % ${accountIds.length}::int],
      ${connectionId}, n::text, CASE WHEN n % 1000 = 0 THEN 'PENDING' ELSE 'POSTED' END, n, n::text, 'GBP', 'DEBIT',
      '', date '2024-03-01' + n / ${perDay}::int, NULL, now(), now()
    FROM generate_series(1, ${history}::int) AS n`);
});
afterAll(() => purser.close());

const ledger = () => ({ organizationId, connectionId });
const numbers = Array.from({ length: 100 }, (_, index) => index * 97 + 1);
const accountOf = (number: number) => accountIds[number % accountIds.length]!;

describe("the ledger of a connection", () => {
  it.each([
    ["the bank's ids", () => findByExternalId(purser.db, ledger(), numbers.map(externalKey))],
    ["ids", () => findById(purser.db, ledger(), numbers.map(idOf))],
    ["days", () => findByDay(purser.db, ledger(), accountIds, ["2024-04-01", "2025-01-01"])],
    ["the amounts of pending rows", () => findPending(purser.db, ledger(), [pendingKey])],
    ["the pending rows of an account", () => listPending(purser.db, ledger(), accountIds[0]!, null)],
    ["the oldest pending rows of accounts", () => listPendingSince(purser.db, ledger(), "2024-03-01")],
    ["the pages of an account", () => listPosted(purser.db, ledger(), accountIds[0]!, position, 50)],
    ["the accounts with any rows", () => withHistory(purser.db, organizationId, accountIds)],
  ])("is read by %s without a full scan", async (_, read) => {
    const plans = await explainQueries(purser, "bank_transactions", read);
    expect(plans.length).toBeGreaterThan(0);
    for (const { rows } of plans.flat()) expect(rows).toBeLessThanOrEqual(most);
  });
});

const position = { transactionDate: "2024-06-01", id: "" };
const pendingKey = { accountId: "bac_none", amount: 1000 };
const idOf = (number: number) => `btx_${number}`;
const externalKey = (number: number) => ({ accountId: accountOf(number), externalId: String(number) });
