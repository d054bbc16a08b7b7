import { externalIdsOf } from "@purser/banking/sandbox";
import type { Tenant } from "../ledger.ts";
import { synchronise } from "../load/banking.ts";
import { readAll } from "../load/lists.ts";
import type { LoadContext } from "../world.ts";
import { compare } from "./organizations.ts";

interface Facts {
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
 * After a final synchronization, the ledger equals the bank's transactions and contains all acknowledged writes once.
 */
export async function checkBanking(world: LoadContext, tenant: Tenant): Promise<void> {
  await synchronise(world, tenant);
  compare(
    world,
    `${tenant.name}'s bank transactions`,
    await ourBooks(world, tenant),
    await itsBooks(world, tenant),
  );
  await checkBalances(world, tenant);

  const { organizationId: teamId, bank } = tenant;
  const listed = await readAll<{ id: string; description: string }>(
    world,
    tenant,
    `/api/banking/transactions?teamId=${teamId}`,
  );
  const made = listed.flatMap(({ description }) =>
    description.startsWith(`${tenant.name}-`) ? [description] : [],
  );
  const expected = bank.items.filter(
    ({ id, status, description }) => status === "POSTED" && (id !== null || made.includes(description)),
  );
  compare(
    world,
    `${tenant.name}'s listed bank transactions`,
    made,
    expected.map(({ description }) => description),
  );
}

async function ourBooks({ processes }: LoadContext, { organizationId, bank }: Tenant): Promise<string[]> {
  const rows = await processes.look<Facts>(
    (sql) => sql`
      SELECT source.external_id AS account, booked.external_id AS id, status, amount::int, type, description, category,
        transaction_date::text AS date
      FROM bank_transactions booked
      JOIN bank_account_sources source USING (organization_id, connection_id, account_id)
      WHERE organization_id = ${organizationId} AND connection_id = ${bank.connectionId} AND status <> 'REMOVED'`,
  );
  return rows.map(written);
}

async function itsBooks({ processes }: LoadContext, { organizationId, bank }: Tenant): Promise<string[]> {
  const ids = externalIdsOf(organizationId, bank.consentId);
  const rows = await processes.look<Facts & { place: number; named: number }>(
    (sql) => sql`
      SELECT * FROM (
        SELECT DISTINCT ON (transaction) kind, account AS place, transaction AS named, status, amount::int, type,
          description, category, date::text
        FROM sandbox_bank_entries WHERE organization_id = ${organizationId} ORDER BY transaction, number DESC) latest
      WHERE kind <> 'REMOVED'`,
  );
  return rows.map((row) =>
    written({ ...row, account: ids.account(row.place), id: ids.transaction(row.named) }),
  );
}

const written = ({ account, id, status, amount, type, description, category, date }: Facts) =>
  [id, account, date, status, type, amount, category, description].join(" ");

async function checkBalances({ processes, complain }: LoadContext, tenant: Tenant): Promise<void> {
  const { organizationId, bank } = tenant;
  const ids = externalIdsOf(organizationId, bank.consentId);
  const theirs = await processes.look<{ account: number; booked: number }>(
    (sql) =>
      sql`SELECT account, booked::int FROM sandbox_bank_accounts WHERE organization_id = ${organizationId}`,
  );
  const ours = await processes.look<{ id: string; balance: number }>(
    (sql) => sql`
      SELECT external_id AS id, balance::int FROM bank_accounts account
      JOIN bank_account_sources source ON source.organization_id = account.organization_id
        AND source.account_id = account.id
      WHERE account.organization_id = ${organizationId}`,
  );
  for (const { account, booked } of theirs) {
    const { balance } = ours.find(({ id }) => id === ids.account(account)) ?? {};
    if (balance !== booked)
      complain(`${tenant.name}'s account ${account} has ${booked} at the bank, here ${balance}`);
  }
}
