import type { Transaction } from "@purser/db";
import { LastPages } from "../rules/last-pages.ts";
import {
  type LedgerRow,
  type Reading,
  type Reported,
  formerId,
  isOwnId,
  isRemoved,
  keyOf,
  matchByAmountAndDay,
  matchByContent,
  matchById,
  matchByLink,
  matchPosted,
} from "../rules/matching.ts";
import {
  type Ledger,
  findByDay,
  findByExternalId,
  findById,
  findPending,
  updateRows,
} from "../store/ledger.ts";

interface MatchScope {
  reading: Reading;
  /** Whether the reading began at the beginning. */
  fromBeginning: boolean;
  /** Whether the bank lists all that it has, and not only what changed. */
  listsAll: boolean;
  /** Our account for each of the bank's; null for an account that another connection feeds. */
  accountOf: ReadonlyMap<string, string | null>;
  /** Accounts that had rows before this sync: only their rows can be matched. */
  knownAccounts: ReadonlySet<string>;
  now: Date;
}

/**
 * Finds the row that each reported transaction is. All pages are shown to it up to three times before any is final:
 *
 * 1. {@link noteIds}: which rows the bank still lists under the ids that we know.
 * 2. {@link noteContent}, only if there are unknown ids: which rows the bank lists under other ids, word for word.
 * 3. {@link match}: the row of each transaction. Only now is it clear which rows the bank no longer lists, and a
 *    transaction may have replaced one of those.
 */
export class RowMatcher {
  readonly #transaction: Transaction;
  readonly #ledger: Ledger;
  readonly #scope: MatchScope;
  /** Whether the pages are a log of changes: then only the last entry of each id counts. */
  readonly #isLog: boolean;
  readonly #lastPages = new LastPages();
  /** Ids of rows that the bank lists. */
  readonly #listed = new Set<string>();
  /** The row id of each transaction that the bank lists under another id than before, by {@link keyOf}. */
  readonly #renamed = new Map<string, string>();
  /** Accounts in which the bank still uses an id of before: it has not renamed the others there. */
  readonly #stableAccounts = new Set<string>();
  /** Pending ids of which the bank says what they became, by {@link keyOf}. */
  readonly #linked = new Set<string>();
  #hasUnknownIds = false;

  constructor(transaction: Transaction, ledger: Ledger, scope: MatchScope) {
    this.#transaction = transaction;
    this.#ledger = ledger;
    this.#scope = scope;
    this.#isLog = scope.reading.windowFrom === null;
  }

  /** Pass 1: the ids of a page. */
  async noteIds(page: readonly Reported[], number: number): Promise<void> {
    for (const one of page) {
      if (this.#isLog) this.#lastPages.note(keyOf(one), number);
      const { accountId, pendingExternalId: externalId } = one;
      if (externalId !== null) this.#linked.add(keyOf({ accountId, externalId }));
    }
    const relisted = this.#relisted(page);
    const byId = await this.#rowsById(relisted);
    for (const one of relisted) {
      const named = byId.get(keyOf(one));
      if (named !== undefined && !isOwnId(named.externalId)) this.#stableAccounts.add(named.accountId);
      const row = matchById(byId, one);
      if (row === undefined) this.#hasUnknownIds = true;
      else this.#listed.add(row.id);
    }
  }

  /** Whether the bank lists ids that we do not know: only then is pass 2 of use. */
  get hasUnknownIds(): boolean {
    return this.#hasUnknownIds;
  }

  /** Pass 2: the content of what a page lists under unknown ids. */
  async noteContent(page: readonly Reported[], number: number): Promise<void> {
    const relisted = this.#relisted(this.latest(page, number));
    const byId = await this.#rowsById(relisted);
    const unknown = relisted.filter((one) => matchById(byId, one) === undefined);
    const candidates = await this.#unlistedOnDaysOf(unknown);
    for (const one of unknown) {
      // An id that appears twice stands for its first transaction.
      if (this.#renamed.has(keyOf(one))) continue;
      const unlisted = candidates.filter(({ id }) => !this.#listed.has(id));
      const row = matchByContent(unlisted, one);
      if (row === null) continue;
      this.#renamed.set(keyOf(one), row.id);
      this.#listed.add(row.id);
    }
  }

  /** The entries of a page that no later page of the log replaces. */
  latest(page: readonly Reported[], number: number): readonly Reported[] {
    return this.#isLog ? page.filter((one) => this.#lastPages.isLast(keyOf(one), number)) : page;
  }

  /** Pass 3: finds the row of each of these transactions, each row once. A transaction without one is new. */
  async match(batch: readonly Reported[]): Promise<ReadonlyMap<Reported, LedgerRow>> {
    const byId = await this.#rowsById(batch);
    const unnamed = batch.filter((one) => matchById(byId, one) === undefined);
    const renamed = await this.#renamedRows(unnamed);
    await this.#releaseIds(
      unnamed.filter((one) => renamed.has(keyOf(one))).map((one) => byId.get(keyOf(one))),
    );
    const unknown = this.#ofKnownAccounts(unnamed.filter((one) => !renamed.has(keyOf(one))));
    const pending = await this.#vanishedPending(unknown);
    const reworded = await this.#reworded(unknown);

    const matches = new Map<Reported, LedgerRow>();
    const taken = new Set<string>();
    const isFree = (row: LedgerRow | null | undefined) => row && !taken.has(row.id);
    for (const one of batch) {
      const row = [
        matchById(byId, one),
        renamed.get(keyOf(one)),
        // A row that was removed, as after an account is linked again and back.
        byId.get(keyOf(one)),
        matchByLink(byId, one),
      ].find(isFree);
      const match =
        row ?? matchPosted(pending.filter(isFree), one) ?? matchByAmountAndDay(reworded.filter(isFree), one);
      if (match === null) continue;
      taken.add(match.id);
      matches.set(one, match);
      this.noteListed(match);
    }
    return matches;
  }

  /** Notes that the bank lists this row. */
  noteListed({ id, accountId }: LedgerRow): void {
    if (this.#scope.listsAll && this.#scope.knownAccounts.has(accountId)) this.#listed.add(id);
  }

  /** Whether the bank lists this row, as far as the passes so far show. */
  isListed({ id }: LedgerRow): boolean {
    return this.#listed.has(id);
  }

  /** The transactions of known accounts, if the bank lists all that it has: their rows are all listed again. */
  #relisted(page: readonly Reported[]): readonly Reported[] {
    return this.#scope.listsAll ? this.#ofKnownAccounts(page) : [];
  }

  #ofKnownAccounts(reported: readonly Reported[]): readonly Reported[] {
    return reported.filter(({ accountId }) => this.#scope.knownAccounts.has(accountId));
  }

  /** The rows under the ids that these transactions have, or had while they were pending, by {@link keyOf}. */
  async #rowsById(reported: readonly Reported[]): Promise<ReadonlyMap<string, LedgerRow>> {
    if (reported.length === 0) return new Map();
    const pending = reported.flatMap(({ accountId, pendingExternalId }) =>
      pendingExternalId === null ? [] : [{ accountId, externalId: pendingExternalId }],
    );
    const rows = await findByExternalId(this.#transaction, this.#ledger, [...reported, ...pending]);
    return new Map(rows.map((row) => [keyOf(row), row]));
  }

  /** The rows that pass 2 found, by {@link keyOf}. */
  async #renamedRows(reported: readonly Reported[]): Promise<ReadonlyMap<string, LedgerRow>> {
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

  /** Takes the ids from removed rows that now belong to other rows. */
  async #releaseIds(rows: readonly (LedgerRow | undefined)[]): Promise<void> {
    const released = rows
      .filter((row) => row !== undefined)
      .map((row) => ({ ...row, externalId: formerId(row) }));
    await updateRows(this.#transaction, this.#ledger.organizationId, released, this.#scope.now);
  }

  /** Pending rows of the accounts and amounts of posted transactions that the bank no longer lists and does not link. */
  async #vanishedPending(unknown: readonly Reported[]): Promise<LedgerRow[]> {
    const posted = unknown.filter(({ status }) => status === "POSTED");
    if (posted.length === 0) return [];
    const pending = await findPending(this.#transaction, this.#ledger, posted);
    return pending.filter((row) => this.#hasVanished(row) && !this.#linked.has(keyOf(row)));
  }

  #hasVanished(row: LedgerRow): boolean {
    const { listsAll, accountOf, reading } = this.#scope;
    if (listsAll) return !this.isListed(row);
    const accountId = [...accountOf].find(([, id]) => id === row.accountId)?.[0] ?? null;
    return isRemoved(reading, { accountId, externalId: row.externalId });
  }

  /** Rows that the bank may list in other words: only where it has renamed everything. */
  async #reworded(unknown: readonly Reported[]): Promise<LedgerRow[]> {
    if (!this.#scope.fromBeginning) return [];
    return this.#unlistedOnDaysOf(unknown.filter(({ accountId }) => !this.#stableAccounts.has(accountId)));
  }

  /** The rows of the days and accounts of these transactions that the bank does not list so far. */
  async #unlistedOnDaysOf(reported: readonly Reported[]): Promise<LedgerRow[]> {
    if (reported.length === 0) return [];
    const accountIds = [...new Set(reported.map(({ accountId }) => accountId))];
    const days = [...new Set(reported.map(({ date }) => date))];
    const rows = await findByDay(this.#transaction, this.#ledger, accountIds, days);
    return rows.filter((row) => !this.isListed(row));
  }
}
