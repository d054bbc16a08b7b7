import {
  type Database,
  bankAccountSources,
  bankAccounts,
  bankConnections,
  bankDailyTotals,
  bankQuarantine,
  bankSyncPages,
  bankSyncs,
  bankTransactions,
  sandboxBankAccounts,
  sandboxBankEntries,
} from "@purser/db";
import { type Column, asc, eq } from "drizzle-orm";
import type { TransactionData } from "../ports.ts";
import { type ExternalIds, externalIdsOf } from "../sandbox/external-ids.ts";
import { merchantNameIn } from "../sandbox/merchants.ts";

/** The stored bank data of an organization. */
export type StoredLedger = Awaited<ReturnType<typeof readLedger>>;
export type StoredRow = StoredLedger["rows"][number];

export async function readLedger(db: Database, organizationId: string) {
  const of = (table: { organizationId: Column }) => eq(table.organizationId, organizationId);
  const [rows, totals, accounts, sources, connections, quarantine, syncs, pages] = await Promise.all([
    db.select().from(bankTransactions).where(of(bankTransactions)).orderBy(asc(bankTransactions.id)),
    db.select().from(bankDailyTotals).where(of(bankDailyTotals)),
    db.select().from(bankAccounts).where(of(bankAccounts)).orderBy(asc(bankAccounts.id)),
    db.select().from(bankAccountSources).where(of(bankAccountSources)),
    db.select().from(bankConnections).where(of(bankConnections)).orderBy(asc(bankConnections.id)),
    db.select().from(bankQuarantine).where(of(bankQuarantine)).orderBy(asc(bankQuarantine.id)),
    db.select().from(bankSyncs).where(of(bankSyncs)).orderBy(asc(bankSyncs.id)),
    db.select().from(bankSyncPages).where(of(bankSyncPages)),
  ]);
  return { rows, totals, accounts, sources, connections, quarantine, syncs, pages };
}

/** A transaction at the bank, with every state that it had under its present id. */
export type ListedTransaction = typeof sandboxBankEntries.$inferSelect & {
  /** The first transaction of the chain that became this one. Pending and posted share it. */
  root: number;
  history: (typeof sandboxBankEntries.$inferSelect)[];
};

/** The state of the bank, folded from its log. */
export async function readTruth(db: Database, organizationId: string) {
  const of = (table: { organizationId: Column }) => eq(table.organizationId, organizationId);
  const [log, balances] = await Promise.all([
    db
      .select()
      .from(sandboxBankEntries)
      .where(of(sandboxBankEntries))
      .orderBy(asc(sandboxBankEntries.number)),
    db.select().from(sandboxBankAccounts).where(of(sandboxBankAccounts)),
  ]);
  const roots = new Map<number, number>();
  for (const { kind, transaction, replaces } of log) {
    if (kind === "ADDED") roots.set(transaction, replaces === null ? transaction : roots.get(replaces)!);
  }
  const listed = [...Map.groupBy(log, ({ transaction }) => transaction).values()].flatMap(
    (history): ListedTransaction[] => {
      const last = history.at(-1)!;
      return last.kind === "REMOVED" ? [] : [{ ...last, root: roots.get(last.transaction)!, history }];
    },
  );
  return { listed, balances, rootOf: (transaction: number) => roots.get(transaction)! };
}
export type BankState = Awaited<ReturnType<typeof readTruth>>;

/** Connects the two: the consent of the connection in use. */
export interface CurrentConsent {
  organizationId: string;
  connectionId: string;
  consentId: string;
}

/** The bank's transaction that a row's id refers to; null if that id identifies none. */
export function transactionOf(
  { organizationId, connectionId, consentId }: CurrentConsent,
  row: StoredRow,
): number | null {
  if (row.connectionId !== connectionId) return null;
  let ids = idsOf.get(consentId);
  if (ids === undefined) idsOf.set(consentId, (ids = externalIdsOf(organizationId, consentId)));
  return ids.transactionOf(row.externalId);
}

/** The codecs for each consent's ids. Their keys are derived once. */
const idsOf = new Map<string, ExternalIds>();

/** Maps each of the bank's accounts to ours. */
export function accountsOf(
  { organizationId, connectionId, consentId }: CurrentConsent,
  { sources }: StoredLedger,
) {
  const ids = externalIdsOf(organizationId, consentId);
  return new Map(
    sources.flatMap((source): [number, string][] => {
      const account = ids.accountOf(source.externalId);
      const isOurs = source.connectionId === connectionId && source.supersededAt === null && account !== null;
      return isOurs ? [[account, source.accountId]] : [];
    }),
  );
}

export const isPresent = ({ status }: StoredRow) => status !== "REMOVED";

/** The daily totals of these rows, or those that are stored, without zeros and in one order. */
export function totalsOfRows(rows: readonly StoredRow[]): string[] {
  const totals = new Map<string, [bigint, bigint]>();
  for (const row of rows.filter(({ status }) => status === "POSTED")) {
    const amount = BigInt(row.amount);
    for (const category of ["all", `category ${row.ownCategory ?? row.category ?? ""}`]) {
      const key = [row.accountId, row.transactionDate, row.currency, category].join("|");
      const [moneyIn, moneyOut] = totals.get(key) ?? [0n, 0n];
      totals.set(key, row.type === "CREDIT" ? [moneyIn + amount, moneyOut] : [moneyIn, moneyOut + amount]);
    }
  }
  return [...totals].flatMap(([key, [moneyIn, moneyOut]]) => totalText(key, moneyIn, moneyOut)).toSorted();
}

export const totalsStored = ({ totals }: Pick<StoredLedger, "totals">): string[] =>
  totals
    .flatMap(({ accountId, day, currency, byCategory, category, moneyIn, moneyOut }) => {
      const key = [accountId, day, currency, byCategory ? `category ${category}` : "all"];
      return totalText(key.join("|"), moneyIn, moneyOut);
    })
    .toSorted();

const totalText = (key: string, moneyIn: bigint, moneyOut: bigint): string[] =>
  moneyIn === 0n && moneyOut === 0n ? [] : [`${key}: ${moneyIn} in, ${moneyOut} out`];

/** Two transactions with the same key are duplicates. */
export const contentOfRow = (row: StoredRow) =>
  [row.accountId, row.transactionDate, row.amount, row.type, row.description].join("|");
export const contentOfListed = (one: ListedTransaction, accounts: ReadonlyMap<number, string>) =>
  [accounts.get(one.account), one.date, one.amount, one.type, one.description].join("|");

export const contentOfRepeated = (
  { organizationId, consentId }: CurrentConsent,
  { accountId, date, amount, type, description }: TransactionData,
  accounts: ReadonlyMap<number, string>,
) => {
  const account = externalIdsOf(organizationId, consentId).accountOf(accountId)!;
  return [accounts.get(account), date, amount, type, description].join("|");
};

export const isListedAs = (row: StoredRow, one: ListedTransaction) =>
  row.status === one.status &&
  row.amount === one.amount &&
  row.type === one.type &&
  row.description === one.description &&
  row.merchantName === merchantNameIn("GB", one.description) &&
  row.transactionDate === one.date &&
  row.category === one.category;
