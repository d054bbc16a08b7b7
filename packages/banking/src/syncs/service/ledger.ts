import { createHash } from "node:crypto";
import { newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import { BankError, type TransactionData } from "../../ports.ts";
import {
  type LedgerRow,
  type Reading,
  type Reported,
  cleanTransaction,
  conflictsWithRow,
  contentOf,
  idPrefix,
  isOwnId,
  isRemoved,
  isUnchanged,
  keyOf,
  splitIntoBatches,
} from "../rules/matching.ts";
import {
  type Ledger,
  addToCounts,
  countDuplicates,
  findByExternalId,
  insertRows,
  listPending,
  listPosted,
  updateRows,
  withHistory,
} from "../store/ledger.ts";
import { type Quarantined, listQuarantined, quarantine, releaseQuarantined } from "../store/quarantine.ts";
import { RowMatcher } from "./matching.ts";

interface LedgerScope {
  reading: Reading;
  /** Our account for each of the bank's; null for an account that another connection feeds. */
  accountOf: ReadonlyMap<string, string | null>;
  /** Whether the reading began at the beginning: then a row that is not in it may be gone. */
  fromBeginning: boolean;
  /** Whether such a reading holds the whole history. */
  isComplete: boolean;
  /** Whether the consent covers transactions. If it does not, their absence says nothing. */
  showsTransactions: boolean;
  now: Date;
}

type Pages = () => AsyncIterable<TransactionData[]>;

/**
 * Brings the ledger of one connection to what its bank reports: writes the transactions page by page, then removes what
 * is gone. Each row keeps its id, whatever ids the bank uses. A report that cannot be true goes into quarantine and
 * changes nothing.
 *
 * Returns the counts, and whether the bank gave every transaction an id. Changes of a transaction without an id cannot
 * be followed: only the whole list, read from the beginning, shows them.
 */
export async function updateLedger(
  transaction: Transaction,
  ledger: Ledger,
  scope: LedgerScope,
  pages: Pages,
) {
  const { accountOf, fromBeginning, reading, showsTransactions } = scope;
  const accountIds = [...accountOf.values()].filter((id) => id !== null);
  const knownAccounts = await withHistory(transaction, ledger.organizationId, accountIds);
  const quarantined = new Set((await listQuarantined(transaction, ledger)).map((one) => keyOf(one)));
  const listsAll = fromBeginning || reading.windowFrom !== null;
  const matcher = new RowMatcher(transaction, ledger, { ...scope, listsAll, knownAccounts });
  const update = new LedgerUpdate(transaction, ledger, { ...scope, listsAll, quarantined }, matcher);

  await update.eachPage(pages, (page, number) => matcher.noteIds(page, number));
  if (matcher.hasUnknownIds)
    await update.eachPage(pages, (page, number) => matcher.noteContent(page, number));
  const gaveIds = await update.eachPage(pages, (page, number) => update.write(matcher.latest(page, number)));

  await update.removeNamed();
  if (listsAll && showsTransactions)
    for (const accountId of knownAccounts) await update.removeMissing(accountId);
  return { counts: await update.finish(), gaveIds };
}

/** The writes of one update, and what they count. */
class LedgerUpdate {
  readonly #transaction: Transaction;
  readonly #ledger: Ledger;
  readonly #scope: LedgerScope & { listsAll: boolean; quarantined: ReadonlySet<string> };
  readonly #matcher: RowMatcher;
  /** The first day that was read of each account. */
  readonly #firstDays = new Map<string, string>();
  /** By how many the listed transactions of each account change. */
  readonly #deltas = new Map<string, number>();
  readonly #counts = { added: 0, modified: 0, removed: 0 };

  constructor(
    transaction: Transaction,
    ledger: Ledger,
    scope: LedgerScope & { listsAll: boolean; quarantined: ReadonlySet<string> },
    matcher: RowMatcher,
  ) {
    this.#transaction = transaction;
    this.#ledger = ledger;
    this.#scope = scope;
    this.#matcher = matcher;
  }

  /**
   * Shows every page to `work`, with our account ids and without blank ids. Leaves out what a later page removes and
   * what another connection feeds. Returns whether the bank gave every transaction an id.
   */
  async eachPage(
    pages: Pages,
    work: (page: readonly Reported[], number: number) => Promise<void>,
  ): Promise<boolean> {
    const { accountOf, reading } = this.#scope;
    const duplicates = new Map<string, number>();
    let number = 0;
    for await (const page of pages()) {
      const reported: Reported[] = [];
      for (const one of page.filter((each) => !isRemoved(reading, each)).map(cleanTransaction)) {
        const accountId = accountOf.get(one.accountId);
        // It must not be lost: the next sync reads it again, with a new list of accounts.
        if (accountId === undefined)
          throw new BankError("outage", "The bank lists a transaction of an account that it does not list");
        if (accountId === null) continue;
        const externalId =
          one.externalId?.trim() || (await this.#idByContent({ ...one, accountId }, duplicates));
        const pendingExternalId = one.pendingExternalId?.trim() || null;
        reported.push({ ...one, accountId, externalId, pendingExternalId });
      }
      await work(reported, number);
      number += 1;
    }
    return duplicates.size === 0;
  }

  /** An id made of the content and a number for duplicates. A list of changes continues the numbers of earlier syncs. */
  async #idByContent(one: TransactionData, duplicates: Map<string, number>): Promise<string> {
    const digest = createHash("sha256").update(contentOf(one)).digest("base64url").slice(0, 22);
    const prefix = idPrefix(digest);
    const before =
      duplicates.get(prefix) ??
      (this.#scope.listsAll
        ? 0
        : await countDuplicates(this.#transaction, this.#ledger, one.accountId, prefix));
    duplicates.set(prefix, before + 1);
    return `${prefix}${before + 1}`;
  }

  /** Inserts or updates the rows of a page. */
  async write(page: readonly Reported[]): Promise<void> {
    for (const { accountId, date } of page) {
      const first = this.#firstDays.get(accountId);
      if (first === undefined || date < first) this.#firstDays.set(accountId, date);
    }
    for (const [number, batch] of splitIntoBatches(page).entries()) await this.#writeBatch(batch, number > 0);
  }

  async #writeBatch(batch: readonly Reported[], isRepeated: boolean): Promise<void> {
    const { now, quarantined } = this.#scope;
    const { organizationId, connectionId } = this.#ledger;
    const matches = await this.#matcher.match(batch);
    const inserted: LedgerRow[] = [];
    const updated: LedgerRow[] = [];
    const conflicting: Quarantined[] = [];
    const confirmed: { accountId: string; externalId: string }[] = [];
    for (const one of batch) {
      const row = matches.get(one);
      if (row === undefined) {
        inserted.push({ ...columnsOf(one, connectionId), id: newId("btx", now) });
      } else if (conflictsWithRow(row, one, isRepeated && row.externalId === one.externalId)) {
        conflicting.push(this.#quarantineRow(row, "DIFFERENT_AMOUNT", one));
      } else {
        confirmed.push(row, one);
        if (isUnchanged(row, connectionId, one)) continue;
        updated.push({ ...columnsOf(one, connectionId), id: row.id });
        this.#count(row.status, one.status, row.accountId);
      }
    }
    for (const row of inserted) {
      this.#matcher.noteListed(row);
      this.#count("REMOVED", row.status, row.accountId);
    }
    await insertRows(this.#transaction, organizationId, inserted, now);
    await updateRows(this.#transaction, organizationId, updated, now);
    await quarantine(this.#transaction, conflicting, now);
    const released = confirmed.filter((one) => quarantined.has(keyOf(one)));
    await releaseQuarantined(this.#transaction, this.#ledger, released);
  }

  /** Removes what the bank says it removed. */
  async removeNamed(): Promise<void> {
    const { reading, accountOf } = this.#scope;
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

  /** Removes the rows of an account that a bank no longer lists although it lists all that it has. */
  async removeMissing(accountId: string): Promise<void> {
    const { isComplete, reading } = this.#scope;
    const { windowFrom } = reading;
    const isMissing = (row: LedgerRow) => !this.#matcher.isListed(row);
    const pending = await listPending(this.#transaction, this.#ledger, accountId, windowFrom);
    await this.#remove(pending.filter(isMissing));
    const from = windowFrom ?? (isComplete ? "-infinity" : this.#firstDays.get(accountId));
    if (from === undefined) return;
    // A bank that is read by days may omit a booked transaction: a person has to look. A row without an id of the
    // bank is known by its content alone: its content has changed, or it is listed again later as the same row.
    const isFlagged = (row: LedgerRow) => windowFrom !== null && !isOwnId(row.externalId);
    let after = { transactionDate: from, id: "" };
    for (;;) {
      const rows = await listPosted(this.#transaction, this.#ledger, accountId, after, 1000);
      const missing = rows.filter(isMissing);
      const flagged = missing.filter(isFlagged);
      await quarantine(
        this.#transaction,
        flagged.map((row) => this.#quarantineRow(row, "MISSING_FROM_WINDOW", null)),
        this.#scope.now,
      );
      await this.#remove(missing.filter((row) => !isFlagged(row)));
      if (rows.length < 1000) return;
      after = rows.at(-1)!;
    }
  }

  /** Stores the number of listed transactions per account. Returns the counts of the sync. */
  async finish(): Promise<{ added: number; modified: number; removed: number }> {
    await addToCounts(this.#transaction, this.#ledger.organizationId, this.#deltas);
    return this.#counts;
  }

  async #remove(rows: readonly LedgerRow[]): Promise<void> {
    for (const row of rows) this.#count(row.status, "REMOVED", row.accountId);
    const removed = rows.map((row) => ({ ...row, status: "REMOVED" as const }));
    await updateRows(this.#transaction, this.#ledger.organizationId, removed, this.#scope.now);
  }

  #quarantineRow(row: LedgerRow, reason: Quarantined["reason"], facts: Reported | null): Quarantined {
    const { accountId, externalId } = row;
    return { ...this.#ledger, accountId, externalId, reason, facts: JSON.stringify(facts) };
  }

  #count(before: LedgerRow["status"], after: LedgerRow["status"], accountId: string): void {
    const change = after === "REMOVED" ? "removed" : before === "REMOVED" ? "added" : "modified";
    this.#counts[change] += 1;
    const delta = Number(after === "POSTED") - Number(before === "POSTED");
    this.#deltas.set(accountId, (this.#deltas.get(accountId) ?? 0) + delta);
  }
}

function columnsOf(reported: Reported, connectionId: string): Omit<LedgerRow, "id"> {
  const { pendingExternalId: _, date, ...columns } = reported;
  return { ...columns, connectionId, transactionDate: date };
}
