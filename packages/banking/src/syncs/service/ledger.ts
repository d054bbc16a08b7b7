import { newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import type { TransactionData } from "../../ports.ts";
import { type LedgerRow, type Reported, isUnchanged, conflictsWithRow, isOwnId } from "../rules/reconcile.ts";
import {
  type Ledger,
  addToCounts,
  findByExternalId,
  insertRows,
  listPending,
  listPosted,
  updateRows,
  withHistory,
} from "../store/ledger.ts";
import { type Quarantined, listQuarantined, quarantine, releaseQuarantined } from "../store/quarantine.ts";
import { type MatchContext, matchRows } from "./matching.ts";
import { type IdMapping, nameTransactions, splitIntoBatches } from "./id-mapping.ts";
import { type Reading, isRemoved } from "./read.ts";
import { MatchingIndex, keyOf } from "./matching-index.ts";

interface Scope {
  reading: Reading;
  /** Whether the reading began at the beginning: then what is not in it may be gone. */
  fromBeginning: boolean;
  /** Whether such a reading holds all there ever was. */
  isComplete: boolean;
  /** Whether the bank shows transactions at all: where it does not, that says nothing of those that are known. */
  showsTransactions: boolean;
  now: Date;
}

/**
 * Brings the ledger of one connection to what its bank says: pages of transactions first, then what is gone. Every
 * row keeps its id, whatever ids the bank gives; what cannot be true is put into quarantine and changes nothing.
 */
export class LedgerUpdate {
  readonly #transaction: Transaction;
  readonly #ledger: Ledger;
  readonly #scope: Scope;
  readonly #naming: IdMapping;
  /** Accounts that had rows before: only there can anything be missing, or known under another id. */
  readonly #old: ReadonlySet<string>;
  readonly #quarantined: ReadonlySet<string>;
  readonly #recognition: MatchingIndex;
  /** The first day that was read of each account. */
  readonly #firstDays = new Map<string, string>();
  readonly #listed = new Map<string, number>();
  readonly #counts = { added: 0, modified: 0, removed: 0 };

  private constructor(
    transaction: Transaction,
    ledger: Ledger,
    scope: Scope,
    before: { naming: IdMapping; old: ReadonlySet<string>; quarantined: ReadonlySet<string> },
  ) {
    this.#transaction = transaction;
    this.#ledger = ledger;
    this.#scope = scope;
    this.#naming = before.naming;
    this.#old = before.old;
    this.#quarantined = before.quarantined;
    const isLog = scope.reading.windowFrom === null;
    const old = before.naming.listsAll ? before.old : new Set<string>();
    this.#recognition = new MatchingIndex(transaction, ledger, old, isLog);
  }

  /** `accountOf` gives our account for each of the bank's; null for one that another connection feeds by now. */
  static async begin(
    transaction: Transaction,
    ledger: Ledger,
    accountOf: ReadonlyMap<string, string | null>,
    scope: Scope,
  ): Promise<LedgerUpdate> {
    const accountIds = [...accountOf.values()].filter((id) => id !== null);
    const old = await withHistory(transaction, ledger.organizationId, accountIds);
    const quarantined = new Set((await listQuarantined(transaction, ledger)).map((one) => keyOf(one)));
    const listsAll = scope.fromBeginning || scope.reading.windowFrom !== null;
    const naming = { transaction, ledger, accountOf, listsAll, ordinals: new Map<string, number>() };
    return new LedgerUpdate(transaction, ledger, scope, { naming, old, quarantined });
  }

  /**
   * What is to be done with every page, one pass after the other: before anything is written it is found out what the
   * bank says in the end, and, where it lists all that it has, what of it is known.
   */
  async *passes(): AsyncGenerator<(page: TransactionData[]) => Promise<void>> {
    const recognition = this.#recognition;
    yield this.#pass((page, number) => recognition.recogniseById(page, number));
    if (recognition.metUnknown)
      yield this.#pass((page, number) => recognition.recogniseByContent(page, number));
    yield this.#pass((page, number) => this.#take(recognition.latest(page, number)));
  }

  /** Shows the pages to `work`, from the first one on, without what the bank takes back on a later one. */
  #pass(
    work: (page: Reported[], number: number) => Promise<void>,
  ): (page: TransactionData[]) => Promise<void> {
    let number = 0;
    this.#naming.ordinals.clear();
    return async (page) => {
      const standing = page.filter((facts) => !isRemoved(this.#scope.reading, facts));
      await work(await nameTransactions(this.#naming, standing), number);
      number += 1;
    };
  }

  /**
   * Whether the bank gave every transaction an id. What it changes of one without, it cannot say: only all that it
   * lists, read from the beginning, tells then.
   */
  get gaveIds(): boolean {
    return this.#naming.ordinals.size === 0;
  }

  async #take(reported: Reported[]): Promise<void> {
    for (const { accountId, date } of reported) {
      const first = this.#firstDays.get(accountId);
      if (first === undefined || date < first) this.#firstDays.set(accountId, date);
    }
    for (const [number, round] of splitIntoBatches(reported).entries())
      await this.#takeRound(round, number > 0);
  }

  async #takeRound(reported: Reported[], isLater: boolean): Promise<void> {
    const { organizationId } = this.#ledger;
    const rowOf = await matchRows(this.#search, reported);
    const inserted: LedgerRow[] = [];
    const updated: LedgerRow[] = [];
    const contradicted: Quarantined[] = [];
    const confirmed: { accountId: string; externalId: string }[] = [];
    for (const one of reported) {
      const row = rowOf(one);
      if (row === null) {
        inserted.push({ ...columnsOf(one, this.#ledger), id: newId("btx", this.#scope.now) });
        continue;
      }
      this.#recognition.see(row);
      if (conflictsWithRow(row, one, isLater && row.externalId === one.externalId)) {
        contradicted.push(this.#quarantineOf(row, "DIFFERENT_AMOUNT", one));
        continue;
      }
      confirmed.push(row, one);
      if (!isUnchanged(row, this.#ledger.connectionId, one)) {
        updated.push({ ...columnsOf(one, this.#ledger), id: row.id });
        this.#count(row.status, one.status, row.accountId);
      }
    }
    for (const row of inserted) {
      this.#recognition.see(row);
      this.#count("REMOVED", row.status, row.accountId);
    }
    await insertRows(this.#transaction, organizationId, inserted, this.#scope.now);
    await updateRows(this.#transaction, organizationId, updated, this.#scope.now);
    await quarantine(this.#transaction, contradicted, this.#scope.now);
    const released = confirmed.filter((one) => this.#quarantined.has(keyOf(one)));
    await releaseQuarantined(this.#transaction, this.#ledger, released);
  }

  get #search(): MatchContext {
    const { reading, fromBeginning, now } = this.#scope;
    const [transaction, ledger, naming] = [this.#transaction, this.#ledger, this.#naming];
    const [recognition, old] = [this.#recognition, this.#old];
    return { transaction, ledger, naming, recognition, old, reading, fromBeginning, now };
  }

  /** Takes away what is gone, and gives what changed in all. */
  async finish(): Promise<{ added: number; modified: number; removed: number }> {
    await this.#removeNamed();
    if (this.#naming.listsAll && this.#scope.showsTransactions) {
      for (const accountId of this.#old) await this.#removeMissing(accountId);
    }
    await addToCounts(this.#transaction, this.#ledger.organizationId, this.#listed);
    return this.#counts;
  }

  /** What the bank says that it has removed. */
  async #removeNamed(): Promise<void> {
    const named = [...this.#scope.reading.removed].flatMap((key) => {
      const [account, externalId] = JSON.parse(key) as [string | null, string];
      const accounts =
        account === null ? [...this.#naming.accountOf.values()] : [this.#naming.accountOf.get(account)];
      return accounts.filter((id) => typeof id === "string").map((accountId) => ({ accountId, externalId }));
    });
    for (let start = 0; start < named.length; start += 1000) {
      const rows = await findByExternalId(this.#transaction, this.#ledger, named.slice(start, start + 1000));
      await this.#remove(rows.filter(({ status }) => status !== "REMOVED"));
    }
  }

  /** What a bank that lists all it has does not list any more. */
  async #removeMissing(accountId: string): Promise<void> {
    const { reading, isComplete } = this.#scope;
    const { windowFrom } = reading;
    const isMissing = ({ id }: LedgerRow) => !this.#recognition.hasSeen(id);
    const pending = await listPending(this.#transaction, this.#ledger, accountId, windowFrom);
    await this.#remove(pending.filter(isMissing));
    const from = windowFrom ?? (isComplete ? "-infinity" : this.#firstDays.get(accountId));
    if (from === undefined) return;
    let after = { transactionDate: from, id: "" };
    for (;;) {
      const rows = await listPosted(this.#transaction, this.#ledger, accountId, after, 1000);
      const missing = rows.filter(isMissing);
      // A bank that is asked for days may leave out what it has booked; then a person has to look. But what it gave
      // no id is known by what it says alone: it says something else now, or comes back later as the same row.
      const isFlagged = (row: LedgerRow) => windowFrom !== null && !isOwnId(row.externalId);
      await this.#flag(missing.filter((row) => isFlagged(row)));
      await this.#remove(missing.filter((row) => !isFlagged(row)));
      if (rows.length < 1000) return;
      after = rows.at(-1)!;
    }
  }

  async #remove(rows: LedgerRow[]): Promise<void> {
    for (const row of rows) this.#count(row.status, "REMOVED", row.accountId);
    const removed = rows.map((row) => ({ ...row, status: "REMOVED" as const }));
    await updateRows(this.#transaction, this.#ledger.organizationId, removed, this.#scope.now);
  }

  async #flag(rows: LedgerRow[]): Promise<void> {
    const flagged = rows.map((row) => this.#quarantineOf(row, "MISSING_FROM_WINDOW", null));
    await quarantine(this.#transaction, flagged, this.#scope.now);
  }

  #quarantineOf(row: LedgerRow, reason: Quarantined["reason"], facts: Reported | null): Quarantined {
    const { accountId, externalId } = row;
    return { ...this.#ledger, accountId, externalId, reason, facts: JSON.stringify(facts) };
  }

  #count(before: LedgerRow["status"], after: LedgerRow["status"], accountId: string): void {
    const what = after === "REMOVED" ? "removed" : before === "REMOVED" ? "added" : "modified";
    this.#counts[what] += 1;
    const delta = Number(after === "POSTED") - Number(before === "POSTED");
    this.#listed.set(accountId, (this.#listed.get(accountId) ?? 0) + delta);
  }
}

function columnsOf(reported: Reported, { connectionId }: Ledger): Omit<LedgerRow, "id"> {
  const { pendingExternalId: _, date, ...facts } = reported;
  return { ...facts, connectionId, transactionDate: date };
}
