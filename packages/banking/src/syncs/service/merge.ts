import type { Transaction } from "@purser/db";
import { type LedgerRow, formerId } from "../rules/matching.ts";
import { combineDuplicates, pairDuplicates } from "../rules/duplicates.ts";
import { findByDay, findByExternalId, updateRows } from "../store/ledger.ts";
import {
  type AccountPair,
  type DuplicatePair,
  type MovedRow,
  countByDay,
  inheritFromDuplicates,
  listSomeRows,
  lockInheriting,
  moveQuarantine,
  moveRows,
  releaseRows,
  toMergedRow,
} from "../store/merge.ts";
import { ChangeCounter, type LedgerChange } from "./change-counter.ts";

/** What a merge did to the transactions of the account that ends. */
export interface MergeCounts {
  moved: number;
  /** Transactions that the continuing account has as well. Their rows are removed. */
  duplicates: number;
}

/** The result of a merge. */
interface MergedLedgers {
  counts: MergeCounts;
  /** What changed in the transactions of both accounts. */
  changes: ReadonlyMap<string, LedgerChange>;
}

/**
 * Moves the transactions of an account to another one that is the same account. Duplicates collapse into the row of the
 * continuing account. Their own rows are removed and keep their ids. Pending rows without a duplicate are removed: the
 * bank of the continuing account says what is pending. The caller holds the locks of both connections.
 */
export async function mergeLedgers(
  transaction: Transaction,
  pair: AccountPair,
  now: Date,
): Promise<MergedLedgers> {
  const merge = new LedgerMerge(transaction, pair, now);
  await merge.run();
  return merge;
}

/** The largest number of rows that are paired at once, unless one day has more. */
const chunkRows = 1000;

class LedgerMerge {
  readonly #transaction: Transaction;
  readonly #pair: AccountPair;
  readonly #now: Date;
  readonly #counter = new ChangeCounter();
  readonly counts: MergeCounts = { moved: 0, duplicates: 0 };

  constructor(transaction: Transaction, pair: AccountPair, now: Date) {
    this.#transaction = transaction;
    this.#pair = pair;
    this.#now = now;
  }

  get changes(): ReadonlyMap<string, LedgerChange> {
    return this.#counter.changes;
  }

  async run(): Promise<void> {
    const { organizationId, accountId } = this.#pair;
    const days = await countByDay(this.#transaction, organizationId, accountId);
    for (const chunk of chunksOf(days)) await this.#mergeDays(chunk);
    await this.#moveRest();
    await moveQuarantine(this.#transaction, this.#pair);
    await this.#counter.write(this.#transaction, organizationId);
  }

  get #moving() {
    return { now: this.#now, totals: this.#counter.totals };
  }

  async #mergeDays(days: string[]): Promise<void> {
    const { accountId, intoAccountId } = this.#pair;
    const rows = await findByDay(this.#transaction, this.#pair, [accountId], days);
    for (const row of rows) this.#counter.count(row, null);
    const continuing = await findByDay(this.#transaction, this.#pair, [intoAccountId], days);
    const duplicates = pairDuplicates(rows, continuing);
    await this.#collapse(duplicates);
    const others = rows.filter((row) => !duplicates.has(row));
    await this.#move(others);
    const paired = new Set(duplicates.values());
    await this.#inheritFromPending(
      others,
      continuing.filter((row) => !paired.has(row)),
    );
  }

  /**
   * Gives moved posted rows what a person set on pending rows that are probably the same payments. The bank may withdraw a
   * pending row, or no longer be there to post it, and then the row is removed.
   */
  async #inheritFromPending(moved: readonly LedgerRow[], continuing: readonly LedgerRow[]): Promise<void> {
    const pending = continuing.filter(({ status }) => status === "PENDING");
    const posted = moved.filter(({ status }) => status === "POSTED");
    const pairs = [...pairDuplicates(pending, posted)].map(([row, match]) => ({
      id: match.id,
      duplicateId: row.id,
    }));
    await this.#inherit(pairs, posted);
  }

  /** Gives rows what a person set on their duplicates. The changes of some of them are counted already. */
  async #inherit(pairs: readonly DuplicatePair[], counted: readonly LedgerRow[]): Promise<void> {
    const { organizationId } = this.#pair;
    const inheriting = await lockInheriting(this.#transaction, organizationId, pairs);
    const countedIds = new Set(counted.map(({ id }) => id));
    for (const row of inheriting.filter(({ id }) => !countedIds.has(id))) this.#counter.count(row, row);
    await inheritFromDuplicates(this.#transaction, organizationId, inheriting, this.#moving);
  }

  async #collapse(duplicates: ReadonlyMap<LedgerRow, LedgerRow>): Promise<void> {
    const { organizationId } = this.#pair;
    const rows = [...duplicates.keys()];
    this.counts.duplicates += rows.length;
    await moveRows(
      this.#transaction,
      this.#pair,
      rows.map((row) => ({ id: row.id, status: "REMOVED", formerId: formerId(row), isDuplicate: true })),
      this.#moving,
    );
    // The other bank's ids are free only now.
    const changed = await this.#restore(duplicates);
    const pairs = [...duplicates].map(([row, match]) => ({ id: match.id, duplicateId: row.id }));
    await this.#inherit(pairs, changed);
    const resolved = [...rows, ...changed].map(({ id }) => id);
    await releaseRows(this.#transaction, organizationId, resolved);
  }

  /** Restores the rows that only their own bank omits, with the ids of the other bank. Returns them. */
  async #restore(duplicates: ReadonlyMap<LedgerRow, LedgerRow>): Promise<LedgerRow[]> {
    const { organizationId } = this.#pair;
    const restored: LedgerRow[] = [];
    for (const [row, match] of duplicates) {
      const combined = combineDuplicates(row, match);
      if (combined === null) continue;
      restored.push(toMergedRow(combined));
      this.#counter.count(match, combined);
    }
    const changed: LedgerRow[] = [];
    for (const [connectionId, rows] of Map.groupBy(restored, (row) => row.connectionId)) {
      const found = await findByExternalId(this.#transaction, { organizationId, connectionId }, rows);
      const owners = new Map(found.map(({ externalId, id }) => [externalId, id]));
      for (const row of rows) {
        const isTaken = (owners.get(row.externalId) ?? row.id) !== row.id;
        changed.push(isTaken ? { ...row, externalId: formerId(row) } : row);
      }
    }
    await updateRows(this.#transaction, organizationId, changed, this.#moving);
    return changed;
  }

  async #move(rows: readonly Pick<LedgerRow, "id" | "status" | "transactionDate">[]): Promise<void> {
    const { intoAccountId: accountId } = this.#pair;
    const moved = rows.map((row): MovedRow => {
      const status = row.status === "PENDING" ? "REMOVED" : row.status;
      return { id: row.id, status, formerId: formerId(row), isDuplicate: false };
    });
    for (const { status, transactionDate } of rows.filter((row) => row.status === "POSTED")) {
      this.counts.moved += 1;
      this.#counter.count(null, { accountId, status, transactionDate });
    }
    await moveRows(this.#transaction, this.#pair, moved, this.#moving);
  }

  /** Moves the rows that were removed before. */
  async #moveRest(): Promise<void> {
    const { organizationId, accountId } = this.#pair;
    for (;;) {
      const rows = await listSomeRows(this.#transaction, organizationId, accountId, chunkRows);
      await this.#move(rows);
      if (rows.length < chunkRows) return;
    }
  }
}

/** Splits days into chunks of up to {@link chunkRows} rows, but never a day. */
function chunksOf(days: readonly { day: string; rows: number }[]): string[][] {
  const chunks: string[][] = [];
  let size = chunkRows;
  for (const { day, rows } of days) {
    if (size + rows > chunkRows) {
      chunks.push([]);
      size = 0;
    }
    chunks.at(-1)!.push(day);
    size += rows;
  }
  return chunks;
}
