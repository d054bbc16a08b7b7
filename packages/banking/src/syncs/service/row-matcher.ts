import type { Transaction } from "@purser/db";
import {
  type LedgerRow,
  type Reported,
  conflictsWithRow,
  formerId,
  isSyntheticId,
  isRemoved,
  keyOf,
  matchByAmountAndDay,
  matchByContent,
  matchById,
  matchMerged,
  matchPosted,
  matchRemoved,
  matchReplaced,
  mayBecome,
} from "../rules/matching.ts";
import {
  type LedgerKey,
  findByDay,
  findByExternalId,
  findById,
  findPending,
  updateRows,
} from "../store/ledger.ts";
import { isMergedRow } from "../store/merge.ts";
import { type LedgerContext, epochOf } from "./ledger-context.ts";

/**
 * Finds the row of each reported transaction. The first of these steps that finds a row decides:
 *
 * 1. {@link matchById}: by external id, or by the bank's link from posted to pending.
 * 2. {@link matchByContent}: the same content under another id.
 * 3. {@link matchRemoved}: a removed row, by external id or link.
 * 4. {@link matchReplaced}: the same content in a row that the bank removes.
 * 5. {@link matchPosted}: a pending row that was posted without a link, by amount within eight days.
 * 6. {@link matchByAmountAndDay}: the same amount and day with another description.
 * 7. {@link matchMerged}: the same amount and day in a row that a merge brought.
 *
 * Steps 2 and 4 to 7 match only rows that the bank no longer lists under their ids, so it reads all pages twice, and three times
 * if step 2 has anything to do: {@link noteIds} finds the rows of step 1, {@link noteContent} those of step 2, and
 * {@link match} decides. A first sync has no such rows, and reads all pages once.
 */
export class RowMatcher {
  readonly #context: LedgerContext;
  readonly #transaction: Transaction;
  readonly #ledger: LedgerKey;
  /** Whether the pages are a change feed: then only the last entry of each id counts. */
  readonly #isChangeFeed: boolean;
  /** Ids of rows that the bank lists. */
  readonly #listed = new Set<string>();
  /** Ids of rows that the bank lists under their external ids. */
  readonly #listedById = new Set<string>();
  /** Ids of listed rows that were not in the ledger before this reading: new ones, and removed ones that return. */
  readonly #added = new Set<string>();
  /** The row id of each transaction that the bank lists under another id than before, by {@link keyOf}. */
  readonly #renamed = new Map<string, string>();
  /** Accounts in which the bank still uses at least one earlier id, so it has not renamed the others there. */
  readonly #stableAccounts = new Set<string>();
  /** Pending ids that the bank links to a posted transaction, by {@link keyOf}. */
  readonly #linked = new Set<string>();
  #hasUnknownIds = false;

  constructor(context: LedgerContext) {
    this.#context = context;
    this.#transaction = context.transaction;
    this.#ledger = context.ledger;
    this.#isChangeFeed = context.reading.windowFrom === null;
  }

  /** The first pass: notes the ids of a page. */
  async noteIds(page: readonly Reported[]): Promise<void> {
    for (const { accountId, pendingExternalId: externalId } of page) {
      if (externalId !== null) this.#linked.add(keyOf({ accountId, externalId }));
    }
    const relisted = this.#ofRelistedAccounts(page);
    const byId = await this.#rowsById(relisted);
    for (const one of relisted) {
      const row = this.#matchById(byId, one);
      if (row === undefined) {
        this.#hasUnknownIds = true;
        continue;
      }
      // While the history is read, an id from after the account was linked again says nothing about earlier ones.
      const isEarlier = this.#context.listsAll || row.idEpoch < epochOf(this.#context, row);
      if (isEarlier && row.externalId === one.externalId && !isSyntheticId(row.externalId))
        this.#stableAccounts.add(row.accountId);
      this.#listed.add(row.id);
      this.#listedById.add(row.id);
    }
  }

  /** Whether the bank lists ids that we do not know. Otherwise the second pass finds nothing. */
  get hasUnknownIds(): boolean {
    return this.#hasUnknownIds;
  }

  /** The second pass: notes the rows that a page lists under unknown ids (step 2). */
  async noteContent(page: readonly Reported[], number: number): Promise<void> {
    const relisted = this.#ofRelistedAccounts(this.latest(page, number));
    const byId = await this.#rowsById(relisted);
    const unknown = relisted.filter(
      (one) => this.#matchById(byId, one) === undefined && !this.#isRepeated(byId, one),
    );
    const candidates = await this.#candidatesOnDaysOf(unknown);
    for (const one of unknown) {
      // An id that appears twice belongs to its first transaction.
      if (this.#renamed.has(keyOf(one))) continue;
      const isFitting = (row: LedgerRow) =>
        this.#isCandidate(row) && (!isMergedRow(row, this.#ledger) || mayBecome(row, one));
      const row = matchByContent(candidates.filter(isFitting), one);
      if (row === null) continue;
      this.#renamed.set(keyOf(one), row.id);
      this.#listed.add(row.id);
    }
  }

  /** The entries of a page that no later page of the change feed replaces. */
  latest(page: readonly Reported[], number: number): readonly Reported[] {
    const { accountOf, reading } = this.#context;
    return this.#isChangeFeed ? page.filter((one) => reading.lastPages.isLast(one, number, accountOf)) : page;
  }

  /** The last pass: finds the row of each of these transactions, each row once. A transaction without a row is new. */
  async match(batch: readonly Reported[], isLaterBatch: boolean): Promise<ReadonlyMap<Reported, LedgerRow>> {
    // Each id is on one page only, so the ids of a new account cannot have rows yet.
    const mayHaveRows = isLaterBatch ? batch : this.#ofKnownAccounts(batch);
    const byId = await this.#rowsById(mayHaveRows, batch);
    const others = batch.filter((one) => this.#matchById(byId, one) === undefined);
    const renamed = await this.#renamedRows(others);
    const unknown = this.#ofKnownAccounts(others.filter((one) => !renamed.has(keyOf(one))));
    const withdrawn = await this.#withdrawnOnDaysOf(unknown);
    const pending = await this.#vanishedPending(unknown);
    const { reworded, merged } = await this.#ofSameAmount(unknown);

    const { listsAll, reading } = this.#context;
    const isPartial = !listsAll && !reading.isHistoryComplete;
    const rows = new Map<Reported, LedgerRow>();
    const taken = new Set<string>();
    const isFree = (row: LedgerRow | null | undefined) => row && !taken.has(row.id);
    for (const one of batch) {
      const steps = [
        () => this.#matchById(byId, one),
        // Found by `matchByContent` in the second pass.
        () => renamed.get(keyOf(one)),
        () => this.#matchRemoved(byId, one),
        () => matchReplaced(withdrawn.filter(isFree), one),
        () => matchPosted(pending.filter(isFree), one),
        () => matchByAmountAndDay(reworded.filter(isFree), one, isPartial),
        () => matchMerged(merged.filter(isFree), one),
      ];
      const match = steps.map((step) => step()).find(isFree);
      if (!match) continue;
      taken.add(match.id);
      rows.set(one, match);
      if (match.status === "REMOVED") this.noteAdded(match);
      else this.noteListed(match);
    }
    // Also of those that the bank links to their pending row: a removed row may have the posted id.
    await this.#releaseIds(byId, batch, rows);
    return rows;
  }

  /** Notes that the bank lists this row. */
  noteListed({ id, accountId }: LedgerRow): void {
    if (!this.#listsEarlierRows(accountId)) return;
    this.#listed.add(id);
    this.#listedById.add(id);
  }

  /** Notes that the bank lists this row, which was not in the ledger before. */
  noteAdded(row: LedgerRow): void {
    if (this.#listsEarlierRows(row.accountId)) this.#added.add(row.id);
    this.noteListed(row);
  }

  /** Whether this reading has added the row to the ledger. */
  isAdded({ id }: LedgerRow): boolean {
    return this.#added.has(id);
  }

  /** Whether the bank lists this row, as far as the passes so far show. */
  isListed({ id }: LedgerRow): boolean {
    return this.#listed.has(id);
  }

  /**
   * Step 1. Where the bank may reuse ids (it is read by days, or the account was linked again), an id that conflicts with
   * its row is another transaction. So is one whose row is posted on another day that the bank does not list: it has not
   * withdrawn that row. Elsewhere trust the id and quarantine the change.
   */
  #matchById(byId: ReadonlyMap<string, LedgerRow>, one: Reported): LedgerRow | undefined {
    const row = matchById(byId, one);
    if (row === undefined) return undefined;
    const isSure = this.#isChangeFeed && row.idEpoch === epochOf(this.#context, row);
    return isSure || !(conflictsWithRow(row, one) || this.#isElsewhere(row, one)) ? row : undefined;
  }

  #isElsewhere({ accountId, status, transactionDate }: LedgerRow, { date }: Reported): boolean {
    const from = this.#context.listedFrom.get(accountId);
    return from !== undefined && status === "POSTED" && transactionDate < from && transactionDate !== date;
  }

  /** Step 3. A removed row that step 2 has found belongs to that transaction, whatever its id. */
  #matchRemoved(byId: ReadonlyMap<string, LedgerRow>, one: Reported): LedgerRow | undefined {
    const row = matchRemoved(byId, one);
    return row && !this.isListed(row) ? row : undefined;
  }

  /** Whether the id of an unmatched transaction already belongs to another one of this reading. */
  #isRepeated(byId: ReadonlyMap<string, LedgerRow>, one: Reported): boolean {
    const row = byId.get(keyOf(one));
    return row !== undefined && row.status !== "REMOVED" && this.#listedById.has(row.id);
  }

  /** The transactions of accounts whose rows the bank lists again. */
  #ofRelistedAccounts(page: readonly Reported[]): readonly Reported[] {
    return page.filter(({ accountId }) => this.#listsEarlierRows(accountId));
  }

  /** Whether the bank lists rows of this account again: all of them, or those of earlier epochs. */
  #listsEarlierRows(accountId: string): boolean {
    const { listsAll, isBackfilling, knownAccounts } = this.#context;
    if (!knownAccounts.has(accountId)) return false;
    return listsAll || (isBackfilling && epochOf(this.#context, { accountId }) > 0);
  }

  /** Whether a transaction under another id may be this row. */
  readonly #isCandidate = (row: LedgerRow): boolean =>
    !this.isListed(row) && (this.#context.listsAll || row.idEpoch < epochOf(this.#context, row));

  #ofKnownAccounts(reported: readonly Reported[]): readonly Reported[] {
    return reported.filter(({ accountId }) => this.#context.knownAccounts.has(accountId));
  }

  /** The rows under the ids that these transactions have, or had while they were pending, by {@link keyOf}. */
  async #rowsById(reported: readonly Reported[], posted = reported): Promise<ReadonlyMap<string, LedgerRow>> {
    const pending = posted.flatMap(({ accountId, pendingExternalId }) =>
      pendingExternalId === null ? [] : [{ accountId, externalId: pendingExternalId }],
    );
    const rows = await findByExternalId(this.#transaction, this.#ledger, [...reported, ...pending]);
    return new Map(rows.map((row) => [keyOf(row), row]));
  }

  /** The rows of step 2, by {@link keyOf}. */
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

  /** Takes the ids that now belong to other rows from the rows that had them. */
  async #releaseIds(
    byId: ReadonlyMap<string, LedgerRow>,
    reported: readonly Reported[],
    rows: ReadonlyMap<Reported, LedgerRow>,
  ): Promise<void> {
    const released = reported.flatMap((one) => {
      const holder = byId.get(keyOf(one));
      return holder === undefined || holder.id === rows.get(one)?.id ? [] : [holder];
    });
    const renamed = released.map((row) => ({ ...row, externalId: formerId(row) }));
    const { now, counter } = this.#context;
    const write = { now, totals: counter.totals };
    await updateRows(this.#transaction, this.#ledger.organizationId, renamed, write);
  }

  /** Pending rows of the accounts and amounts of posted transactions that the bank no longer lists and does not link. */
  async #vanishedPending(unknown: readonly Reported[]): Promise<LedgerRow[]> {
    const posted = unknown.filter(({ status }) => status === "POSTED");
    if (posted.length === 0) return [];
    const pending = await findPending(this.#transaction, this.#ledger, posted);
    return pending.filter((row) => this.#isCandidate(row) || this.#isWithdrawn(row)).filter(this.#isUnlinked);
  }

  /** The rows of the days and accounts of these transactions that the bank says it removed, and does not link. */
  async #withdrawnOnDaysOf(reported: readonly Reported[]): Promise<LedgerRow[]> {
    if (this.#context.reading.removed.size === 0) return [];
    const rows = await this.#rowsOnDaysOf(reported);
    return rows.filter((row) => this.#isWithdrawn(row)).filter(this.#isUnlinked);
  }

  #isWithdrawn(row: LedgerRow): boolean {
    const { accountOf, reading } = this.#context;
    if (row.connectionId !== this.#ledger.connectionId || this.isListed(row)) return false;
    const accountId = [...accountOf].find(([, id]) => id === row.accountId)?.[0] ?? null;
    return isRemoved(reading, { accountId, externalId: row.externalId });
  }

  readonly #isUnlinked = (row: LedgerRow): boolean => !this.#linked.has(keyOf(row));

  /**
   * Rows that the bank may list with another description: its own only where it has renamed everything, and those that a merge
   * brought always, because it may list the payment at any time.
   */
  async #ofSameAmount(unknown: readonly Reported[]): Promise<Record<"reworded" | "merged", LedgerRow[]>> {
    const hasRenamed = ({ accountId }: { accountId: string }) =>
      this.#listsEarlierRows(accountId) && !this.#stableAccounts.has(accountId);
    const mayBeKnown = unknown.filter((one) => hasRenamed(one) || epochOf(this.#context, one) > 0);
    const rows = await this.#candidatesOnDaysOf(mayBeKnown);
    const [merged, own] = [true, false].map((isMerged) =>
      rows.filter((row) => isMergedRow(row, this.#ledger) === isMerged),
    );
    return { reworded: own!.filter(hasRenamed), merged: merged! };
  }

  /** The rows of the days and accounts of these transactions that the bank does not list so far, its own rows first. */
  async #candidatesOnDaysOf(reported: readonly Reported[]): Promise<LedgerRow[]> {
    const rows = await this.#rowsOnDaysOf(reported);
    const isMerged = (row: LedgerRow) => Number(isMergedRow(row, this.#ledger));
    return rows.filter(this.#isCandidate).toSorted((one, other) => isMerged(one) - isMerged(other));
  }

  async #rowsOnDaysOf(reported: readonly Reported[]): Promise<LedgerRow[]> {
    if (reported.length === 0) return [];
    const accountIds = [...new Set(reported.map(({ accountId }) => accountId))];
    const days = [...new Set(reported.map(({ date }) => date))];
    return findByDay(this.#transaction, this.#ledger, accountIds, days);
  }
}
