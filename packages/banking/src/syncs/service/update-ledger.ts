import { hash } from "node:crypto";
import { addToDay, newId, utcDay } from "@purser/core";
import type { Transaction } from "@purser/db";
import { type TransactionData, minHistoryDays } from "../../ports.ts";
import { cleanExternalId, cleanTransaction } from "../rules/cleaning.ts";
import {
  type LedgerRow,
  type Reported,
  conflictsWithRow,
  contentOf,
  idPrefix,
  isRemoved,
  isPostedDifferently,
  isUnchanged,
  keyOf,
  splitIntoBatches,
} from "../rules/matching.ts";
import { missingFrom } from "../rules/windows.ts";
import { readEpochs, withHistory } from "../store/accounts.ts";
import {
  type LedgerKey,
  countDuplicates,
  findByExternalId,
  insertRows,
  updateRows,
} from "../store/ledger.ts";
import {
  type Quarantined,
  deleteQuarantined,
  findConfirmed,
  hasQuarantine,
  insertQuarantined,
  releaseAccounts,
} from "../store/quarantine.ts";
import { ChangeCounter } from "./change-counter.ts";
import { type LedgerContext, type LedgerScope, epochOf } from "./ledger-context.ts";
import { RowMatcher } from "./row-matcher.ts";
import { RowRemoval } from "./removal.ts";

type Pages = () => AsyncIterable<TransactionData[]>;

/**
 * Brings the ledger of one connection to what its bank reports: writes the transactions page by page, then removes what
 * is gone. Each row keeps its id, whatever ids the bank uses. A report that cannot be true goes into quarantine and
 * changes nothing.
 *
 * Returns the counts, the changes of each account, and whether the bank gave every transaction an id. Changes of a
 * transaction without an id cannot be followed: only the whole list, read from the beginning, shows them.
 */
export async function updateLedger(
  transaction: Transaction,
  ledger: LedgerKey,
  scope: LedgerScope,
  pages: Pages,
) {
  const { accountOf, isFullRead, reading, showsTransactions, isBackfilling } = scope;
  const accountIds = [...accountOf.values()].filter((id) => id !== null);
  const { organizationId } = ledger;
  const counter = new ChangeCounter();
  const context = {
    ...scope,
    transaction,
    ledger,
    counter,
    listsAll: isFullRead || reading.windowFrom !== null,
    listedFrom: firstListedDays(scope),
    knownAccounts: await withHistory(transaction, organizationId, accountIds),
    epochs: await readEpochs(transaction, organizationId, accountIds),
    hasQuarantined: await hasQuarantine(transaction, organizationId),
  };
  const { knownAccounts, listedFrom, listsAll } = context;
  const matcher = new RowMatcher(context);
  const update = new LedgerUpdate(context, matcher);

  // Only rows from before this sync can be matched.
  if (knownAccounts.size > 0) await update.eachPage(pages, (page) => matcher.noteIds(page));
  if (matcher.hasUnknownIds)
    await update.eachPage(pages, (page, number) => matcher.noteContent(page, number));
  const hasAllIds = await update.writePages(pages);

  await update.quarantineUnreadable();
  await update.releaseConfirmed();
  const removal = new RowRemoval(context, matcher, update.firstDays);
  await removal.removeNamed();
  await removal.removeReplaced([...update.newlyPosted.values()]);
  const isRead = (accountId: string) => reading.windowFrom === null || listedFrom.has(accountId);
  if (listsAll && showsTransactions)
    for (const accountId of [...knownAccounts].filter(isRead)) await removal.removeMissing(accountId);
  else if (reading.windowFrom === null && isBackfilling && reading.isHistoryComplete)
    for (const accountId of knownAccounts) await removal.removeStale(accountId);
  await counter.write(transaction, organizationId);
  return { counts: counter.counts, changes: counter.changes, hasAllIds };
}

/** The day of each account from which a bank that is read by days lists everything. */
function firstListedDays({ accountOf, now, reading }: LedgerScope): ReadonlyMap<string, string> {
  const servedFrom = addToDay(utcDay(now), -minHistoryDays);
  const days = new Map<string, string>();
  for (const [externalId, id] of accountOf) {
    const firstListed = reading.window.firstDay(externalId);
    const from = missingFrom(reading, { externalId, firstListed, servedFrom });
    if (id !== null && from !== null && !days.has(id)) days.set(id, from);
  }
  return days;
}

/** The writes of one update, and what they count. */
class LedgerUpdate {
  readonly #context: LedgerContext;
  readonly #transaction: Transaction;
  readonly #ledger: LedgerKey;
  readonly #matcher: RowMatcher;
  /** The first day that was read of each account. */
  readonly firstDays = new Map<string, string>();
  /** Earlier rows of accounts that may have rows of a merge, which are posted now with another amount or day than before. */
  readonly newlyPosted = new Map<string, LedgerRow>();
  /**
   * The insert that the database executes while the next page is prepared. Later reads see its rows: the one connection of
   * the transaction runs statements in order.
   */
  #inserting: Promise<void> = Promise.resolve();
  /** Ids of the entries in quarantine about what this reading reports without a conflict, and with one. */
  readonly #confirmed = new Set<string>();
  readonly #quarantined = new Set<string>();
  /** Ids that the bank uses for several transactions of an account, by {@link keyOf}. */
  readonly #repeated = new Map<string, { id: null; accountId: string; externalId: string }>();
  /** The bank's ids of accounts that it does not list, although it lists their transactions. */
  readonly #unknownAccounts = new Set<string>();

  constructor(context: LedgerContext, matcher: RowMatcher) {
    this.#context = context;
    this.#transaction = context.transaction;
    this.#ledger = context.ledger;
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
    const { accountOf, reading } = this.#context;
    const duplicates = new Map<string, number>();
    let number = 0;
    for await (const page of pages()) {
      const reported: Reported[] = [];
      for (const one of page.filter((each) => !isRemoved(reading, each)).map(cleanTransaction)) {
        const accountId = accountOf.get(one.accountId);
        // Once the bank lists the account, the connection adopts it, and reads it from its beginning.
        if (accountId === undefined) this.#unknownAccounts.add(one.accountId);
        if (accountId === undefined || accountId === null) continue;
        // An id that the bank uses for several transactions identifies none of them.
        const given = one.externalId;
        const isUnique = given !== null && !reading.window.isRepeated(accountId, given, accountOf);
        const externalId = isUnique ? given : await this.#idByContent({ ...one, accountId }, duplicates);
        if (given !== null && !isUnique) {
          const repeated = { id: null, accountId, externalId: given };
          this.#repeated.set(keyOf(repeated), repeated);
        }
        reported.push({ ...one, accountId, externalId });
      }
      await work(reported, number);
      number += 1;
    }
    return duplicates.size === 0;
  }

  /** An id made of the content and a number for duplicates. A change feed continues the numbers of earlier syncs. */
  async #idByContent(one: TransactionData, duplicates: Map<string, number>): Promise<string> {
    const digest = hash("sha256", contentOf(one), "base64url").slice(0, 22);
    const prefix = idPrefix(digest);
    const before =
      duplicates.get(prefix) ??
      (this.#context.listsAll
        ? 0
        : await countDuplicates(this.#transaction, this.#ledger, one.accountId, prefix));
    duplicates.set(prefix, before + 1);
    return `${prefix}${before + 1}`;
  }

  /** Inserts or updates the rows of every page. Returns whether the bank gave every transaction an id. */
  async writePages(pages: Pages): Promise<boolean> {
    try {
      return await this.eachPage(pages, (page, number) => this.#write(this.#matcher.latest(page, number)));
    } finally {
      // If it failed, it is the cause of every later failure.
      await this.#inserting;
    }
  }

  async #write(page: readonly Reported[]): Promise<void> {
    for (const { accountId, date } of page) {
      const first = this.firstDays.get(accountId);
      if (first === undefined || date < first) this.firstDays.set(accountId, date);
    }
    for (const [number, batch] of splitIntoBatches(page).entries()) await this.#writeBatch(batch, number > 0);
  }

  /** A later batch of a page has ids, or links to pending ids, that an earlier batch of it has written. */
  async #writeBatch(batch: readonly Reported[], isLaterBatch: boolean): Promise<void> {
    const { now, hasQuarantined } = this.#context;
    const { organizationId, connectionId } = this.#ledger;
    const rows = await this.#matcher.match(batch, isLaterBatch);
    const inserted: LedgerRow[] = [];
    const updated: LedgerRow[] = [];
    const conflicting: Quarantined[] = [];
    const confirmed: { id: string; accountId: string; externalId: string }[] = [];
    for (const one of batch) {
      const row = rows.get(one);
      const idEpoch = epochOf(this.#context, one);
      if (row === undefined) {
        inserted.push({ ...columnsOf(one, connectionId, idEpoch), id: newId("btx", now) });
      } else if (conflictsWithRow(row, one, isLaterBatch && row.externalId === one.externalId)) {
        conflicting.push(this.#quarantineReport(one, row));
      } else {
        confirmed.push({ ...one, id: row.id });
        if (isUnchanged(row, connectionId, idEpoch, one)) continue;
        const changed = { ...columnsOf(one, connectionId, idEpoch), id: row.id };
        updated.push(changed);
        if (idEpoch > 0 && isPostedDifferently(row, changed)) this.newlyPosted.set(row.id, changed);
        this.#context.counter.count(row, changed);
      }
    }
    for (const row of inserted) {
      confirmed.push(row);
      this.#matcher.noteAdded(row);
      this.#context.counter.count(null, row);
    }
    const write = { now, totals: this.#context.counter.totals };
    await this.#inserting;
    this.#inserting = insertRows(this.#transaction, organizationId, inserted, write);
    this.#inserting.catch(() => undefined);
    await updateRows(this.#transaction, organizationId, updated, write);
    await this.#quarantine(conflicting);
    if (!hasQuarantined) return;
    for (const id of await findConfirmed(this.#transaction, this.#ledger, confirmed)) this.#confirmed.add(id);
  }

  async #quarantine(reports: readonly Quarantined[]): Promise<void> {
    const { organizationId } = this.#ledger;
    const ids = await insertQuarantined(this.#transaction, organizationId, reports, this.#context.now);
    for (const id of ids) this.#quarantined.add(id);
  }

  /** Releases what the bank now reports without a conflict. One id may have a conflict and another transaction too. */
  async releaseConfirmed(): Promise<void> {
    if (!this.#context.hasQuarantined) return;
    const repeated = await findConfirmed(this.#transaction, this.#ledger, [...this.#repeated.values()]);
    for (const id of repeated) this.#confirmed.add(id);
    const released = [...this.#confirmed].filter((id) => !this.#quarantined.has(id));
    await deleteQuarantined(this.#transaction, this.#ledger.organizationId, released);
  }

  /**
   * Quarantines what cannot be read or belongs to no account. The rows of such transactions stay as they are. An account that
   * is not ours yet stands for its transactions.
   */
  async quarantineUnreadable(): Promise<void> {
    const { accountOf, hasQuarantined } = this.#context;
    const unreadable = this.#context.unreadable.filter(
      ({ kind, accountId }) => kind === "account" || accountId === null || accountOf.get(accountId) !== null,
    );
    const { connectionId } = this.#ledger;
    const entry = { connectionId, transactionId: null };
    const quarantinedId = (id: string | null) => cleanExternalId(id) ?? "";
    const unknown = [...this.#unknownAccounts].map((account): Quarantined => {
      const report = JSON.stringify({ accountId: account });
      const externalId = quarantinedId(account);
      return { ...entry, accountId: null, externalId, reason: "UNKNOWN_ACCOUNT", report };
    });
    const items = unreadable.map((item): Quarantined => {
      const accountId = (item.accountId !== null && accountOf.get(item.accountId)) || null;
      const isAccount = item.kind === "account";
      const externalId = quarantinedId(isAccount ? item.accountId : item.externalId);
      return { ...entry, accountId, externalId, reason: "UNREADABLE", report: JSON.stringify(item) };
    });
    const known = items.flatMap(({ accountId, externalId }) =>
      accountId === null ? [] : [{ accountId, externalId }],
    );
    for (const row of await findByExternalId(this.#transaction, this.#ledger, known))
      this.#matcher.noteListed(row);
    const wrong = new Set([...unknown, ...items].map(({ externalId }) => externalId));
    const readableAccountIds = [...accountOf.keys()].map(quarantinedId).filter((id) => !wrong.has(id));
    if (hasQuarantined) await releaseAccounts(this.#transaction, this.#ledger, readableAccountIds);
    await this.#quarantine([...unknown, ...items]);
  }

  #quarantineReport(one: Reported, row: LedgerRow): Quarantined {
    const { accountId, externalId } = one;
    return {
      accountId,
      connectionId: this.#ledger.connectionId,
      externalId,
      transactionId: row.id,
      reason: "DIFFERENT_AMOUNT",
      report: JSON.stringify(one),
    };
  }
}

function columnsOf(reported: Reported, connectionId: string, idEpoch: number): Omit<LedgerRow, "id"> {
  const { pendingExternalId: _, date, ...columns } = reported;
  return { ...columns, connectionId, idEpoch, transactionDate: date };
}
