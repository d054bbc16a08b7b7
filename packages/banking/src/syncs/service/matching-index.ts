import type { Transaction } from "@purser/db";
import { type LedgerRow, type Reported, matchByContent, isOwnId } from "../rules/reconcile.ts";
import { type Ledger, findByDay, findByExternalId, findById } from "../store/ledger.ts";
import { LastPages } from "./last-pages.ts";

export const keyOf = ({ accountId, externalId }: { accountId: string; externalId: string }) =>
  `${accountId} ${externalId}`;

/**
 * Which rows a bank that lists all it has still lists: first those under the ids that are known, then those that say
 * the same under ids of which nothing is known. It is found out before anything is written, because only then is it
 * clear which of the other rows may have become something else.
 */
export class MatchingIndex {
  readonly #transaction: Transaction;
  readonly #ledger: Ledger;
  /** Accounts whose rows are to be found again. */
  readonly #old: ReadonlySet<string>;
  /** Whether the pages are a log of changes, and not a list of what is. */
  readonly #isLog: boolean;
  readonly #seen = new Set<string>();
  /** The row that each transaction of an unknown id is. */
  readonly #renamed = new Map<string, string>();
  readonly #keepingIds = new Set<string>();
  readonly #lastPages = new LastPages();
  /** What the bank itself says was pending and is posted now. */
  readonly #posted = new Set<string>();
  #unknown = 0;

  constructor(transaction: Transaction, ledger: Ledger, old: ReadonlySet<string>, isLog: boolean) {
    this.#transaction = transaction;
    this.#ledger = ledger;
    this.#old = old;
    this.#isLog = isLog;
  }

  /** Whether there were transactions under ids of which nothing is known. */
  get metUnknown(): boolean {
    return this.#unknown > 0;
  }

  /** Whether the bank lists this row, as far as is known by now. */
  hasSeen(id: string): boolean {
    return this.#seen.has(id);
  }

  /** Whether the bank says what this pending row has become: then it is nothing else. */
  isLinkedToPosted(row: LedgerRow): boolean {
    return this.#posted.has(keyOf(row));
  }

  /** Notes that the bank lists this row. */
  see(row: LedgerRow): void {
    if (this.#old.has(row.accountId)) this.#seen.add(row.id);
  }

  /** Whether the bank has named any row of this account by the id it had before: then it has not renamed the others. */
  keepsIds(accountId: string): boolean {
    return this.#keepingIds.has(accountId);
  }

  /**
   * The first time that a page is read: on which page an id stands last, what the bank says was posted, and
   * what is listed under an id that is known.
   */
  async recogniseById(page: Reported[], number: number): Promise<void> {
    for (const one of page) {
      if (this.#isLog) this.#lastPages.note(keyOf(one), number);
      const { accountId, pendingExternalId: externalId } = one;
      if (externalId !== null) this.#posted.add(keyOf({ accountId, externalId }));
    }
    const ofOld = page.filter(({ accountId }) => this.#old.has(accountId));
    if (ofOld.length === 0) return;
    const byId = await rowsNamedBy(this.#transaction, this.#ledger, ofOld);
    for (const one of ofOld) {
      const named = byId.get(keyOf(one));
      if (named !== undefined && !isOwnId(named.externalId)) this.#keepingIds.add(named.accountId);
      const row = rowOf(byId, one);
      if (row === undefined) this.#unknown += 1;
      else this.#seen.add(row.id);
    }
  }

  /** What a page says in earnest: a log tells of every change, and only the last word about a transaction counts. */
  latest(page: Reported[], number: number): Reported[] {
    return this.#isLog ? page.filter((one) => this.#lastPages.isLast(keyOf(one), number)) : page;
  }

  /** The second time: what is listed under another id than before, word for word. */
  async recogniseByContent(page: Reported[], number: number): Promise<void> {
    const ofOld = this.latest(page, number).filter(({ accountId }) => this.#old.has(accountId));
    const byId = await rowsNamedBy(this.#transaction, this.#ledger, ofOld);
    const unknown = ofOld.filter((one) => rowOf(byId, one) === undefined);
    const candidates = await this.unseenOn(unknown);
    for (const one of unknown) {
      // An id that stands twice means what it meant first; what else it is to mean is a lie.
      if (this.#renamed.has(keyOf(one))) continue;
      const row = matchByContent(
        candidates.filter(({ id }) => !this.#seen.has(id)),
        one,
      );
      if (row === null) continue;
      this.#renamed.set(keyOf(one), row.id);
      this.#seen.add(row.id);
    }
  }

  /** The rows that these transactions were found to be, by {@link keyOf}. */
  async rowsRenamedTo(reported: Reported[]): Promise<Map<string, LedgerRow>> {
    const renamed = reported.flatMap((one) => {
      const id = this.#renamed.get(keyOf(one));
      return id === undefined ? [] : [[keyOf(one), id] as const];
    });
    if (renamed.length === 0) return new Map();
    const ids = renamed.map(([, id]) => id);
    const rows = await findById(this.#transaction, this.#ledger, ids);
    const byRowId = new Map(rows.map((row) => [row.id, row]));
    return new Map(renamed.map(([key, id]) => [key, byRowId.get(id)!]));
  }

  /** The rows of the days and accounts of these transactions that the bank does not list, as far as is known. */
  async unseenOn(reported: Reported[]): Promise<LedgerRow[]> {
    if (reported.length === 0) return [];
    const accountIds = [...new Set(reported.map(({ accountId }) => accountId))];
    const days = [...new Set(reported.map(({ date }) => date))];
    const rows = await findByDay(this.#transaction, this.#ledger, accountIds, days);
    return rows.filter(({ id }) => !this.#seen.has(id));
  }
}

/** The rows under the ids that these transactions have, or had while they were pending, by {@link keyOf}. */
export async function rowsNamedBy(
  transaction: Transaction,
  ledger: Ledger,
  reported: Reported[],
): Promise<Map<string, LedgerRow>> {
  const pending = reported.flatMap(({ accountId, pendingExternalId }) =>
    pendingExternalId === null ? [] : [{ accountId, externalId: pendingExternalId }],
  );
  const rows = await findByExternalId(transaction, ledger, [...reported, ...pending]);
  return new Map(rows.map((row) => [keyOf(row), row]));
}

/**
 * The row that a transaction is by what the bank calls it, or says that it was called while it was pending. One that
 * was taken away is it only where no other row is, as after the account was linked again and back.
 */
export function rowOf(byId: ReadonlyMap<string, LedgerRow>, one: Reported): LedgerRow | undefined {
  return [byId.get(keyOf(one)), pendingRowOf(byId, one)].find((row) => row && row.status !== "REMOVED");
}

/** The row that was this transaction while it was pending, where the bank says which. */
export function pendingRowOf(byId: ReadonlyMap<string, LedgerRow>, one: Reported): LedgerRow | undefined {
  if (one.pendingExternalId === null) return undefined;
  const row = byId.get(keyOf({ accountId: one.accountId, externalId: one.pendingExternalId }));
  return row?.status === "POSTED" ? undefined : row;
}
