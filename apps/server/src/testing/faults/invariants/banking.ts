import { externalIdsOf } from "@purser/banking/sandbox";
import type { Tenant } from "../acknowledged-state.ts";
import { synchronize } from "../load/banking.ts";
import { readAll } from "../load/lists.ts";
import type { LoadContext } from "../load-context.ts";
import { compare } from "./organizations.ts";

interface TransactionText {
  account: string;
  id: string;
  status: string;
  amount: number;
  type: string;
  description: string;
  category: string | null;
  date: string;
}

/**
 * After a final sync, the stored transactions equal the bank's, and contain every acknowledged write once.
 */
export async function checkBanking(context: LoadContext, tenant: Tenant): Promise<void> {
  await synchronize(context, tenant);
  compare(
    context,
    `${tenant.name}'s bank transactions`,
    await storedTransactions(context, tenant),
    await transactionsAtBank(context, tenant),
  );
  await checkBalances(context, tenant);

  const { organizationId: teamId, bank } = tenant;
  const listed = await readAll<{ id: string; description: string }>(
    context,
    tenant,
    `/api/banking/transactions?teamId=${teamId}`,
  );
  const stored = listed.flatMap(({ description }) =>
    description.startsWith(`${tenant.name}-`) ? [description] : [],
  );
  const expected = bank.items.filter(
    ({ id, status, description }) => status === "POSTED" && (id !== null || stored.includes(description)),
  );
  compare(
    context,
    `${tenant.name}'s listed bank transactions`,
    stored,
    expected.map(({ description }) => description),
  );
}

async function storedTransactions(
  { processes }: LoadContext,
  { organizationId, bank }: Tenant,
): Promise<string[]> {
  const rows = await processes.query<TransactionText>(
    (sql) => sql`
      SELECT source.external_id AS account, booked.external_id AS id, status, amount::int, type, description, category,
        transaction_date::text AS date
      FROM bank_transactions booked
      JOIN bank_account_sources source USING (organization_id, connection_id, account_id)
      WHERE organization_id = ${organizationId} AND connection_id = ${bank.connectionId} AND status <> 'REMOVED'`,
  );
  return rows.map(describe);
}

async function transactionsAtBank(
  { processes }: LoadContext,
  { organizationId, bank }: Tenant,
): Promise<string[]> {
  const ids = externalIdsOf(organizationId, bank.consentId);
  const rows = await processes.query<TransactionText & { accountNumber: number; transactionNumber: number }>(
    (sql) => sql`
      SELECT * FROM (
        SELECT DISTINCT ON (transaction) kind, account AS "accountNumber", transaction AS "transactionNumber", status, amount::int, type,
          description, category, date::text
        FROM sandbox_bank_entries WHERE organization_id = ${organizationId} ORDER BY transaction, number DESC) latest
      WHERE kind <> 'REMOVED'`,
  );
  return rows.map((row) =>
    describe({ ...row, account: ids.account(row.accountNumber), id: ids.transaction(row.transactionNumber) }),
  );
}

const describe = ({ account, id, status, amount, type, description, category, date }: TransactionText) =>
  [id, account, date, status, type, amount, category, description].join(" ");

async function checkBalances({ processes, reportViolation }: LoadContext, tenant: Tenant): Promise<void> {
  const { organizationId, bank } = tenant;
  const ids = externalIdsOf(organizationId, bank.consentId);
  const atBank = await processes.query<{ account: number; booked: number }>(
    (sql) =>
      sql`SELECT account, booked::int FROM sandbox_bank_accounts WHERE organization_id = ${organizationId}`,
  );
  const stored = await processes.query<{ id: string; balance: number }>(
    (sql) => sql`
      SELECT external_id AS id, balance::int FROM bank_accounts account
      JOIN bank_account_sources source ON source.organization_id = account.organization_id
        AND source.account_id = account.id
      WHERE account.organization_id = ${organizationId}`,
  );
  for (const { account, booked } of atBank) {
    const { balance } = stored.find(({ id }) => id === ids.account(account)) ?? {};
    if (balance !== booked)
      reportViolation(
        `${tenant.name}'s account ${account} has the balance ${booked} at the bank and ${balance} in Purser`,
      );
  }
}
