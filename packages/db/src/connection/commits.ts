import type { Database, Transaction } from "./database.ts";

/** What runs after the commit of each open transaction. */
const pending = new WeakMap<Transaction, (() => void)[]>();

/**
 * Runs a function after a transaction has committed, and never if it rolls back. If the process dies in between, it does
 * not run either: it may only hint at what the database says anyway. A function that is registered in a savepoint runs
 * even if the savepoint is rolled back, as long as the transaction commits.
 */
export function afterCommit(transaction: Transaction, run: () => void): void {
  const registered = pending.get(transaction);
  if (registered === undefined) throw new Error("This transaction was not opened by a database of connect()");
  registered.push(run);
}

/** Returns the database, whose transactions run what is registered with `afterCommit`. */
export function notifyingOfCommits(db: Database): Database {
  const begin = db.transaction.bind(db);
  const transaction: Database["transaction"] = async (work, config) => {
    let committed: (() => void)[] = [];
    const result = await begin((opened) => {
      committed = [];
      return work(registering(opened, committed));
    }, config);
    for (const run of committed) run();
    return result;
  };
  return Object.assign(db, { transaction });
}

/** Savepoints share the list of their transaction. */
function registering(opened: Transaction, committed: (() => void)[]): Transaction {
  pending.set(opened, committed);
  const savepoint = opened.transaction.bind(opened);
  const transaction: Transaction["transaction"] = (work) =>
    savepoint((nested) => work(registering(nested, committed)));
  return Object.assign(opened, { transaction });
}
