import type { Transaction } from "@purser/db";
import { type LedgerRow, amountOnDay } from "../rules/matching.ts";
import {
  type LedgerKey,
  findByDay,
  findByExternalId,
  listPending,
  listPosted,
  updateRows,
} from "../store/ledger.ts";
import { type Quarantined, deleteConflicts, insertQuarantined, keepAccepted } from "../store/quarantine.ts";
import { inheritFromDuplicates, isMergedRow, lockInheriting } from "../store/merge.ts";
import { type LedgerContext, epochOf } from "./ledger-context.ts";
import type { RowMatcher } from "./row-matcher.ts";

/** The number of posted rows that are read at once. */
const pageRows = 1000;

/** Removes rows from the ledger after all pages are written. */
export class RowRemoval {
  readonly #context: LedgerContext;
  readonly #transaction: Transaction;
  readonly #ledger: LedgerKey;
  readonly #matcher: RowMatcher;
  readonly #firstDays: ReadonlyMap<string, string>;

  /** @param firstDays The first day that was read of each account */
  constructor(context: LedgerContext, matcher: RowMatcher, firstDays: ReadonlyMap<string, string>) {
    this.#context = context;
    this.#transaction = context.transaction;
    this.#ledger = context.ledger;
    this.#matcher = matcher;
    this.#firstDays = firstDays;
  }

  /**
   * Removes what the bank says it removed. It follows the writes: a pending row that was posted has the posted id by now, so
   * the removal of its pending id finds no row.
   */
  async removeNamed(): Promise<void> {
    const { reading, accountOf } = this.#context;
    const named = [...reading.removed].flatMap((key) => {
      const [account, externalId] = JSON.parse(key) as [string | null, string];
      const accounts = account === null ? [...accountOf.values()] : [accountOf.get(account)];
      return accounts.filter((id) => typeof id === "string").map((accountId) => ({ accountId, externalId }));
    });
    for (let start = 0; start < named.length; start += 1000) {
      const rows = await findByExternalId(this.#transaction, this.#ledger, named.slice(start, start + 1000));
      await this.#remove(rows.filter(({ status }) => status !== "REMOVED"));
    }
  }

  /**
   * Removes the rows of a merge of which the bank has now posted the payment in another row, which gets what a person set. Each
   * posted row accounts for one.
   */
  async removeReplaced(posted: readonly LedgerRow[]): Promise<void> {
    if (posted.length === 0) return;
    const { organizationId } = this.#ledger;
    const accountIds = [...new Set(posted.map(({ accountId }) => accountId))];
    const days = [...new Set(posted.map(({ transactionDate }) => transactionDate))];
    const rows = await findByDay(this.#transaction, this.#ledger, accountIds, days);
    const isMerged = (row: LedgerRow) => row.status === "POSTED" && isMergedRow(row, this.#ledger);
    const merged = Map.groupBy(rows.filter(isMerged), amountOnDay);
    const replaced = posted.flatMap((row) => {
      const duplicate = merged.get(amountOnDay(row))?.shift();
      return duplicate === undefined ? [] : [{ id: row.id, duplicate }];
    });
    const pairs = replaced.map(({ id, duplicate }) => ({ id, duplicateId: duplicate.id }));
    const inheriting = await lockInheriting(this.#transaction, organizationId, pairs);
    const write = { now: this.#context.now, totals: this.#context.counter.totals };
    await inheritFromDuplicates(this.#transaction, organizationId, inheriting, write);
    await this.#remove(replaced.map(({ duplicate }) => duplicate));
  }

  /**
   * Removes the rows of an account that a bank no longer lists although it lists all that it has. What a merge brought stays:
   * this bank has never listed it. A bank that is read by
   * days may omit a posted transaction by mistake: the row goes into quarantine, and returns when the bank lists it
   * again.
   */
  async removeMissing(accountId: string): Promise<void> {
    const { isComplete, listedFrom } = this.#context;
    // Null for a change feed such as Plaid's, which does not list days.
    const windowFrom = listedFrom.get(accountId) ?? null;
    const isMissing = (row: LedgerRow) => !this.#matcher.isListed(row) && !isMergedRow(row, this.#ledger);
    const pending = await listPending(this.#transaction, this.#ledger, accountId, windowFrom);
    await this.#remove(pending.filter(isMissing));
    const from = windowFrom ?? (isComplete ? "-infinity" : this.#firstDays.get(accountId));
    if (from === undefined) return;
    for await (const rows of this.#postedFrom(accountId, from)) {
      if (windowFrom === null) await this.#removeUnlisted(rows, isMissing);
      else await this.#quarantineMissing(rows.filter(isMissing));
    }
  }

  /**
   * Removes the rows of earlier epochs that the bank has not listed again, now that its feed reaches as far back as it
   * ever will. Rows from before its first day stay, and so does what a merge brought.
   */
  async removeStale(accountId: string): Promise<void> {
    const isStale = (row: LedgerRow) => row.idEpoch < epochOf(this.#context, row);
    if (epochOf(this.#context, { accountId }) === 0) return;
    const pending = await listPending(this.#transaction, this.#ledger, accountId, null);
    await this.#remove(pending.filter(isStale));
    const firstPosted = await this.#firstPosted(accountId, (row) => !isStale(row));
    const current = [...pending.filter((row) => !isStale(row)), ...firstPosted];
    const [firstDay] = current.map(({ transactionDate }) => transactionDate).toSorted();
    if (firstDay === undefined) return;
    const isUnlisted = (row: LedgerRow) => isStale(row) && !isMergedRow(row, this.#ledger);
    for await (const rows of this.#postedFrom(accountId, firstDay))
      await this.#removeUnlisted(rows, isUnlisted);
  }

  async #firstPosted(accountId: string, isWanted: (row: LedgerRow) => boolean): Promise<LedgerRow[]> {
    for await (const rows of this.#postedFrom(accountId, "-infinity")) {
      const first = rows.find(isWanted);
      if (first !== undefined) return [first];
    }
    return [];
  }

  /** Reads the posted rows in chunks of whole days, because {@link #removeUnlisted} compares the rows of a day. */
  async *#postedFrom(accountId: string, transactionDate: string): AsyncGenerator<LedgerRow[]> {
    let after = { transactionDate, id: "" };
    let rest: LedgerRow[] = [];
    for (;;) {
      const page = await listPosted(this.#transaction, this.#ledger, accountId, after, pageRows);
      const rows = [...rest, ...page];
      if (page.length < pageRows) return yield rows;
      after = page.at(-1)!;
      // The next page may have more rows of the last day.
      const lastDay = after.transactionDate;
      yield rows.filter((row) => row.transactionDate < lastDay);
      rest = rows.filter((row) => row.transactionDate === lastDay);
    }
  }

  /**
   * Removes posted rows that a bank with a change feed does not list. A row that another connection has read, before the
   * account was linked again, goes into quarantine: this bank has never shown it, so only the owner can decide
   * whether it belongs to the account. If the reading adds a row of the same amount on that day, the bank has listed it
   * again. Each added row accounts for one, and a row that was there before only for itself.
   */
  async #removeUnlisted(rows: readonly LedgerRow[], isUnlisted: (row: LedgerRow) => boolean): Promise<void> {
    const added = rows.filter((row) => this.#matcher.isAdded(row));
    const relisted = Map.groupBy(added, amountOnDay);
    const unlisted = rows.filter(isUnlisted);
    const foreign = unlisted.filter(({ connectionId }) => connectionId !== this.#ledger.connectionId);
    const missing = [...Map.groupBy(foreign, amountOnDay)].flatMap(([amount, alike]) =>
      alike.slice(relisted.get(amount)?.length ?? 0),
    );
    const quarantined = new Set(missing);
    await this.#remove(unlisted.filter((row) => !quarantined.has(row)));
    await this.#quarantineMissing(missing);
  }

  async #quarantineMissing(rows: readonly LedgerRow[]): Promise<void> {
    const { organizationId, connectionId } = this.#ledger;
    const { hasQuarantined, now } = this.#context;
    const accepted = hasQuarantined ? await keepAccepted(this.#transaction, organizationId, rows, now) : null;
    const missing = rows.filter(({ id }) => !accepted?.has(id));
    const reports = missing.map(({ id, accountId, externalId }): Quarantined => ({
      accountId,
      connectionId,
      externalId,
      transactionId: id,
      reason: "MISSING_FROM_WINDOW",
      report: "null",
    }));
    await insertQuarantined(this.#transaction, organizationId, reports, now);
    await this.#remove(missing);
  }

  async #remove(rows: readonly LedgerRow[]): Promise<void> {
    for (const row of rows) this.#context.counter.count(row, null);
    const removed = rows.map((row) => ({ ...row, status: "REMOVED" as const }));
    const { organizationId } = this.#ledger;
    const { hasQuarantined, now } = this.#context;
    const { totals } = this.#context.counter;
    await updateRows(this.#transaction, organizationId, removed, { now, totals });
    // Accepting such an entry would bring the row back, beside what the bank lists in its place.
    if (hasQuarantined) await deleteConflicts(this.#transaction, organizationId, removed);
  }
}
