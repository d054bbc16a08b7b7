import type { sandboxBankEntries } from "@purser/db";
import type { TransactionStatus, TransactionType } from "../ports.ts";

/** A change of a transaction at the bank. */
export interface Entry extends TransactionState {
  number: number;
  kind: (typeof sandboxBankEntries.$inferSelect)["kind"];
  /** The number of the entry that added the transaction. */
  transaction: number;
  /** The pending transaction that this one replaced when it was posted. */
  replaces: number | null;
}

/** The current state of a transaction at the bank. */
export interface TransactionState {
  account: number;
  status: TransactionStatus;
  /** In minor units, 0 or more. */
  amount: number;
  type: TransactionType;
  description: string;
  category: string | null;
  /** The bank's day, `YYYY-MM-DD`. */
  date: string;
  /** The day on which the bank posts a pending transaction; null if it never does so automatically. */
  settlesOn: string | null;
}

export interface Balance {
  account: number;
  booked: number;
  /** The sum of pending transactions. Outgoing money is negative. */
  pending: number;
}

/** A customer's ledger during a write: appends entries and updates the balances. */
export class CustomerLedger {
  readonly entries: Entry[] = [];
  #lastNumber: number;
  readonly #balances: Map<number, Balance>;

  constructor(lastNumber: number, balances: readonly Balance[]) {
    this.#lastNumber = lastNumber;
    this.#balances = new Map(balances.map((balance) => [balance.account, { ...balance }]));
  }

  get lastNumber(): number {
    return this.#lastNumber;
  }

  get balances(): Balance[] {
    return [...this.#balances.values()];
  }

  balance(account: number): Balance {
    const balance = this.#balances.get(account);
    if (balance === undefined) throw new Error(`The customer has no account ${account}`);
    return balance;
  }

  add(state: TransactionState, replaces: number | null = null): Entry {
    const transaction = this.#lastNumber + 1;
    return this.#append({ ...state, kind: "ADDED", transaction, replaces }, 1);
  }

  modify(entry: Entry, change: Partial<TransactionState>): Entry {
    this.#weigh(entry, -1);
    return this.#append({ ...entry, ...change, kind: "MODIFIED" }, 1);
  }

  remove(entry: Entry): void {
    this.#append({ ...entry, kind: "REMOVED" }, -1);
  }

  /** Posts a pending transaction as banks do: adds a new one and removes the pending one. */
  post(entry: Entry, change: Partial<Pick<TransactionState, "amount" | "date">>): Entry {
    const posted = this.add({ ...entry, ...change, status: "POSTED", settlesOn: null }, entry.transaction);
    this.remove(entry);
    return posted;
  }

  #append(change: Omit<Entry, "number">, weight: 1 | -1): Entry {
    this.#lastNumber += 1;
    const entry: Entry = { ...change, number: this.#lastNumber };
    this.entries.push(entry);
    this.#weigh(entry, weight);
    return entry;
  }

  #weigh({ account, status, amount, type }: TransactionState, weight: 1 | -1): void {
    const sum = status === "POSTED" ? "booked" : "pending";
    this.balance(account)[sum] += weight * (type === "CREDIT" ? amount : -amount);
  }
}

/** The ledger as its first reader sees it: only current transactions, numbered from 1. */
export function withoutRemoved(entries: readonly Entry[]): Entry[] {
  const removed = new Set(
    entries.flatMap(({ kind, transaction }) => (kind === "REMOVED" ? [transaction] : [])),
  );
  const current = entries.filter(({ transaction }) => !removed.has(transaction));
  return current.map((entry, index) => ({
    ...entry,
    number: index + 1,
    transaction: index + 1,
    replaces: null,
  }));
}
