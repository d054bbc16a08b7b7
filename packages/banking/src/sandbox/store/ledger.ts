import {
  type Executor,
  type TenantKey,
  type Transaction,
  hasKey,
  sandboxBankAccounts as accounts,
  sandboxBankCustomers as customers,
  sandboxBankEntries as entries,
} from "@purser/db";
import { type SQL, and, asc, desc, eq, gt, gte, inArray, ne, sql } from "drizzle-orm";
import type { Balance, Entry } from "../ledger.ts";

export type CustomerRow = typeof customers.$inferSelect;

const entryColumns = {
  number: entries.number,
  kind: entries.kind,
  transaction: entries.transaction,
  replaces: entries.replaces,
  account: entries.account,
  status: entries.status,
  amount: entries.amount,
  type: entries.type,
  description: entries.description,
  category: entries.category,
  date: entries.date,
  settlesOn: entries.settlesOn,
};

const balanceColumns = { account: accounts.account, booked: accounts.booked, pending: accounts.pending };

/** Creates a customer with its accounts if there is none. */
export async function insertCustomer(
  transaction: Transaction,
  customer: Pick<CustomerRow, "organizationId" | "id" | "institutionId" | "name" | "openedOn">,
  opening: Pick<Balance, "account" | "booked">[],
): Promise<void> {
  const { organizationId, id: customerId } = customer;
  await transaction.insert(customers).values(customer).onConflictDoNothing();
  const rows = opening.map((balance) => ({ organizationId, customerId, ...balance }));
  await transaction.insert(accounts).values(rows).onConflictDoNothing();
}

/** Locks a customer's ledger. Every change takes this lock first, so that entries are numbered in order. */
export async function lockCustomer(transaction: Transaction, customer: TenantKey): Promise<CustomerRow> {
  const [row] = await transaction
    .select()
    .from(customers)
    .where(hasKey(customers, customer))
    .for("no key update");
  if (row === undefined) throw new Error("A consent without its customer");
  return row;
}

export function listSandboxBalances(db: Executor, customer: TenantKey): Promise<Balance[]> {
  return db
    .select(balanceColumns)
    .from(accounts)
    .where(and(eq(accounts.organizationId, customer.organizationId), eq(accounts.customerId, customer.id)))
    .orderBy(asc(accounts.account));
}

/** The pending transactions that are due to be posted on a day after this one, in order. */
export function listSettling(db: Executor, customer: TenantKey, after: string): Promise<Entry[]> {
  // Few transactions are pending at a time, so one lookup each is cheap.
  const isLatest = sql`NOT EXISTS (
    SELECT FROM ${entries} AS later
    WHERE later.organization_id = ${customer.organizationId} AND later.customer_id = ${customer.id}
      AND later.transaction = ${entries.transaction} AND later.number > ${entries.number})`;
  return db
    .select(entryColumns)
    .from(entries)
    .where(and(ofCustomer(customer), gt(entries.settlesOn, after), ne(entries.kind, "REMOVED"), isLatest))
    .orderBy(asc(entries.transaction));
}

/** Writes new entries, the resulting balances, and the last generated day. */
export async function appendEntries(
  transaction: Transaction,
  customer: TenantKey,
  added: readonly Entry[],
  balances: readonly Balance[],
  position: Pick<CustomerRow, "advancedTo" | "lastNumber">,
): Promise<void> {
  const { organizationId, id } = customer;
  // One array parameter for thousands of rows: a first write often covers two years of a customer.
  await transaction.execute(sql`
    INSERT INTO ${entries} (organization_id, customer_id, number, kind, transaction, replaces, account, status, amount,
      type, description, category, date, settles_on)
    SELECT ${organizationId}, ${id}, entry.*
    FROM jsonb_to_recordset(${JSON.stringify(added)}::text::jsonb) AS entry(number integer, kind text,
      transaction integer, replaces integer, account smallint, status text, amount bigint, type text,
      description text, category text, date date, "settlesOn" date)`);
  await transaction.execute(sql`
    UPDATE ${accounts} SET booked = balance.booked, pending = balance.pending
    FROM jsonb_to_recordset(${JSON.stringify(balances)}::text::jsonb)
      AS balance(account smallint, booked bigint, pending bigint)
    WHERE organization_id = ${organizationId} AND customer_id = ${id}
      AND ${accounts}.account = balance.account`);
  await transaction.update(customers).set(position).where(hasKey(customers, customer));
}

/** The entries after a position, in order. `chosen` limits them to some accounts. */
export function listEntries(
  db: Executor,
  customer: TenantKey,
  { after, rows, chosen }: { after: number; rows: number; chosen: number[] | null },
): Promise<Entry[]> {
  return db
    .select(entryColumns)
    .from(entries)
    .where(
      and(
        ofCustomer(customer),
        gt(entries.number, after),
        chosen ? inArray(entries.account, chosen) : undefined,
      ),
    )
    .orderBy(asc(entries.number))
    .limit(rows);
}

/** Lists the current transactions of an account from a day on, newest first. */
export function listCurrentEntries(
  db: Executor,
  customer: TenantKey,
  account: number,
  from: string,
): Promise<Entry[]> {
  const latest = db
    .selectDistinctOn([entries.transaction], entryColumns)
    .from(entries)
    .where(and(ofCustomer(customer), eq(entries.account, account)))
    .orderBy(asc(entries.transaction), desc(entries.number))
    .as("latest");
  return db
    .select()
    .from(latest)
    .where(and(ne(latest.kind, "REMOVED"), gte(latest.date, from)))
    .orderBy(desc(latest.date), desc(latest.number));
}

/** Finds the current state of a transaction; undefined if it was removed or never existed. */
export async function findTransaction(
  db: Executor,
  customer: TenantKey,
  transaction: number,
): Promise<Entry | undefined> {
  const [latest] = await db
    .select(entryColumns)
    .from(entries)
    .where(and(ofCustomer(customer), eq(entries.transaction, transaction)))
    .orderBy(desc(entries.number))
    .limit(1);
  return latest?.kind === "REMOVED" ? undefined : latest;
}

function ofCustomer(customer: TenantKey): SQL | undefined {
  return and(eq(entries.organizationId, customer.organizationId), eq(entries.customerId, customer.id));
}
