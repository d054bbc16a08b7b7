import type { Sql } from "postgres";

const categories = ["GROCERIES", "TRAVEL", "RENT", "SALARY", "CLOUD_SERVICES", "MEALS", "OFFICE", "FEES"];

/** The category of an eighth of the rows. */
export const category = categories[2]!;

const days = 1000;

/**
 * Adds the transactions with these numbers to an organization's history of a thousand days, across all its accounts.
 */
export async function addTransactions(
  sql: Sql,
  organizationId: string,
  { from, to }: { from: number; to: number },
): Promise<void> {
  // Rebuilding an index takes a fraction of the time of adding to it row by row.
  const indexes = await sql<{ name: string; definition: string }[]>`
    SELECT indexrelid::regclass::text AS name, pg_get_indexdef(indexrelid) AS definition FROM pg_index
    WHERE indrelid = 'bank_transactions'::regclass AND NOT indisunique`;
  for (const { name } of indexes) await sql.unsafe(`DROP INDEX ${name}`);
  await sql.begin(async (transaction) => {
    // The rows are valid by construction. Foreign keys would look up the account of each row.
    await transaction`SET LOCAL session_replication_role = replica`;
    await transaction`
      WITH accounts AS (
        SELECT array_agg(id) AS ids, array_agg(connection_id) AS connections
        FROM bank_accounts WHERE organization_id = ${organizationId})
      INSERT INTO bank_transactions (organization_id, id, account_id, connection_id, external_id, status, amount,
        raw_amount, currency, type, description, transaction_date, category, created_at, updated_at)
      SELECT ${organizationId}, 'btx_' || lpad(n::text, 26, '0'), ids[place], connections[place], 'external-' || n,
        'POSTED', 100 + n * 7919 % 99900, '1.00', 'GBP', CASE WHEN n % 200 = 0 THEN 'CREDIT' ELSE 'DEBIT' END,
        'Corner Coffee ' || n, date '2023-01-01' + (n * ${days}::bigint / ${to}::bigint)::int,
        (${categories}::text[])[1 + n % ${categories.length}], now(), now()
      FROM accounts, generate_series(${from}::bigint, ${to}::bigint) AS n,
        LATERAL (SELECT 1 + (n % array_length(ids, 1))::int AS place) AS placed`;
  });
  await sql`SET maintenance_work_mem = '512MB'`;
  for (const { definition } of indexes) await sql.unsafe(definition);
  await sql`VACUUM ANALYZE bank_transactions`;
}
