import type { Database } from "./database.ts";

const limited = new WeakSet<Database>();

/** Makes each transaction of a pool set its time limits, although its connections have them. */
export function limitTransactions(db: Database): void {
  limited.add(db);
}

/** Whether the transactions of a pool set their time limits. */
export function limitsTransactions(db: Database): boolean {
  return limited.has(db);
}
