import { type RandomSource, addToDay } from "@purser/core";
import type {
  AccountData,
  BankProvider,
  ChangePage,
  CursorFeed,
  TransactionData,
  WindowFeed,
} from "../ports.ts";
import { bankAccount, payment } from "./scripted-bank.ts";

/** A transaction at the vendor. The vendor's id depends on the consent, and on how often it was renamed. */
interface VendorTransaction extends Omit<TransactionData, "accountId" | "externalId" | "pendingExternalId"> {
  number: number;
  /** The number of the pending transaction that this one posted. */
  replaces: number | null;
  renamed: number;
}

type Change = { kind: "listed" | "removed"; number: number };

/** What one consent has been shown. */
interface ConsentLog {
  changes: Change[];
  /** The first day of which it was shown everything; null once that is the whole history. */
  completeFrom: string | null;
}

const pageSize = 7;
/** How many days a new consent shows at first. */
const initialDays = 30;

/**
 * A vendor in memory, with the behavior that vendors document: ids differ per consent; the history of a new consent
 * comes in two phases; posted transactions may get another id and description; holds of zero become payments, and
 * pending transactions may be posted with another amount and direction. It is the truth that the ledger is compared
 * with.
 */
export class ModelVendor {
  readonly #chance: RandomSource;
  readonly #today: () => string;
  readonly #kind: "cursor" | "window";
  readonly #consents = new Map<string, ConsentLog>();
  readonly transactions = new Map<number, VendorTransaction>();
  /** The numbers that the next reading omits by mistake. */
  readonly omitted = new Set<number>();
  /** The ids of transactions that nobody can read, in every reading. */
  readonly oddIds = new Set<string>();
  /** Whether ids are only positions in the list. */
  hasPositionalIds = false;
  /** Whether transactions of one amount have one id, like the reference of a standing order. */
  hasRepeatedIds = false;
  #lastNumber = 0;

  constructor(chance: RandomSource, kind: "cursor" | "window", today: () => string) {
    this.#chance = chance;
    this.#kind = kind;
    this.#today = today;
  }

  /** The responses for the script of a bank. */
  script() {
    const accounts: BankProvider["accounts"] = async ({ consentId }) => [
      bankAccount({ externalId: `account-${consentId}` }) satisfies AccountData,
    ];
    const changes: CursorFeed["changes"] = async ({ consentId }, cursor, _signal, report) => {
      this.#reportOdd(consentId, report);
      return this.#page(consentId, Number(cursor ?? 0));
    };
    const transactions: WindowFeed["transactions"] = ({ consentId }, _account, from, _signal, report) => {
      this.#reportOdd(consentId, report);
      return this.#list(consentId, from);
    };
    return { feed: this.#kind, isComplete: false, accounts, changes, transactions };
  }

  add(fields: Partial<VendorTransaction> = {}): number {
    const number = (this.#lastNumber += 1);
    const chance = this.#chance;
    const {
      accountId: _a,
      externalId: _e,
      pendingExternalId: _p,
      ...base
    } = payment({
      amount: chance.whole(0, 4) * 50,
      description: chance.pick(["TESCO", "CAFE", "TFL"]),
      status: chance.happens(0.4) ? "PENDING" : "POSTED",
      type: chance.happens(0.8) ? "DEBIT" : "CREDIT",
      date: this.#dayBefore(chance.pick([0, 0, 1, 2, 5, 12, 60, 300])),
    });
    this.transactions.set(number, { ...base, number, replaces: null, renamed: 0, ...fields });
    this.#announce({ kind: "listed", number });
    return number;
  }

  /** Posts a pending transaction: under its id, or under a new one that names it. */
  post(pending: VendorTransaction): void {
    const chance = this.#chance;
    const change = {
      status: "POSTED" as const,
      ...(chance.happens(0.4) && { amount: pending.amount + 100 }),
      ...(chance.happens(0.2) && {
        type: pending.type === "DEBIT" ? ("CREDIT" as const) : ("DEBIT" as const),
      }),
    };
    if (chance.happens(0.3)) return this.#change(pending, change);
    this.#replace(pending, { ...change, replaces: pending.number });
  }

  /** Removes a transaction and adds it under another id. */
  #replace(one: VendorTransaction, change: Partial<VendorTransaction> = {}): void {
    this.add({ ...one, replaces: null, ...change, number: this.#lastNumber + 1 });
    this.remove(one);
  }

  remove({ number }: VendorTransaction): void {
    this.transactions.delete(number);
    this.#announce({ kind: "removed", number });
  }

  /** Changes a transaction in a way that its kind of vendor does. */
  alter(one: VendorTransaction): void {
    const chance = this.#chance;
    if (one.status === "PENDING") return this.#change(one, { amount: chance.whole(0, 4) * 50 });
    if (this.#kind === "cursor" && chance.happens(0.5)) return this.#replace(one);
    if (this.#kind === "cursor") return this.#change(one, { description: chance.pick(["TESCO", "CAFE"]) });
    const renamed = one.renamed + 1;
    this.#change(
      one,
      chance.pick([
        { renamed },
        { renamed, description: `${one.description} LTD` },
        { description: `${one.description} GB` },
        { amount: one.amount + 50 },
        { type: one.type === "DEBIT" ? ("CREDIT" as const) : ("DEBIT" as const) },
      ]),
    );
  }

  /** The vendor has read the whole history of every consent. */
  completeHistory(): void {
    for (const log of this.#consents.values()) {
      if (log.completeFrom === null) continue;
      const shown = new Set(log.changes.map(({ number }) => number));
      const missing = [...this.transactions.keys()].filter((number) => !shown.has(number));
      log.changes.push(...missing.map((number): Change => ({ kind: "listed", number })));
      log.completeFrom = null;
    }
  }

  /** The first day of which a consent was shown everything; null for the whole history. */
  completeFrom(consentId: string): string | null {
    return this.#kind === "window" ? null : this.#logOf(consentId).completeFrom;
  }

  /** The transactions that a consent shows now: all of them, or those of the first phase. */
  shown(consentId: string): VendorTransaction[] {
    const all = [...this.transactions.values()].filter(({ number }) => !this.omitted.has(number));
    if (this.#kind === "window") return all;
    const numbers = new Set(this.#logOf(consentId).changes.map(({ number }) => number));
    return all.filter(({ number }) => numbers.has(number));
  }

  #reportOdd(consentId: string, report: Parameters<CursorFeed["changes"]>[3]): void {
    const accountId = `account-${consentId}`;
    for (const externalId of this.oddIds)
      report?.({ kind: "transaction", accountId, externalId, problem: "no currency" });
  }

  #change(one: VendorTransaction, change: Partial<VendorTransaction>): void {
    this.transactions.set(one.number, { ...one, ...change });
    this.#announce({ kind: "listed", number: one.number });
  }

  #announce(change: Change): void {
    for (const log of this.#consents.values()) log.changes.push(change);
  }

  #logOf(consentId: string): ConsentLog {
    const known = this.#consents.get(consentId);
    if (known !== undefined) return known;
    const from = this.#dayBefore(initialDays);
    const recent = [...this.transactions.values()].filter(({ date }) => date >= from);
    const changes = recent.map(({ number }): Change => ({ kind: "listed", number }));
    const log = { changes, completeFrom: this.transactions.size === recent.length ? null : from };
    this.#consents.set(consentId, log);
    return log;
  }

  #page(consentId: string, from: number): ChangePage {
    const { changes, completeFrom } = this.#logOf(consentId);
    const page = changes.slice(from, from + pageSize);
    // Vendors report the present state of a transaction, whenever it changed.
    const present = new Set(
      page.map(({ number }) => number).filter((number) => this.transactions.has(number)),
    );
    const removed = page.filter(({ kind, number }) => kind === "removed" && !present.has(number));
    const next = from + page.length;
    return {
      added: [...present].map((number) => this.#dataOf(consentId, this.transactions.get(number)!)),
      modified: [],
      removed: removed.map(({ number }) => ({
        accountId: `account-${consentId}`,
        externalId: `${consentId}-${number}-0`,
      })),
      cursor: String(next),
      hasMore: next < changes.length,
      isHistoryComplete: completeFrom === null,
    };
  }

  async *#list(consentId: string, from: string): AsyncGenerator<TransactionData[]> {
    const listed = this.shown(consentId).filter(({ date }) => date >= from);
    const data = listed
      .toSorted((one, other) => (one.date < other.date ? 1 : -1))
      .map((one, index) => ({
        ...this.#dataOf(consentId, one),
        ...(this.hasPositionalIds && { externalId: String(index), pendingExternalId: null }),
        ...(this.hasRepeatedIds && { externalId: `order-${one.amount}`, pendingExternalId: null }),
      }));
    for (let start = 0; start < data.length; start += pageSize) yield data.slice(start, start + pageSize);
  }

  #dataOf(consentId: string, one: VendorTransaction): TransactionData {
    const { number, replaces, renamed, ...fields } = one;
    return {
      ...fields,
      accountId: `account-${consentId}`,
      externalId: `${consentId}-${number}-${renamed}`,
      pendingExternalId: replaces === null ? null : `${consentId}-${replaces}-0`,
    };
  }

  #dayBefore(days: number): string {
    return addToDay(this.#today(), -days);
  }
}
