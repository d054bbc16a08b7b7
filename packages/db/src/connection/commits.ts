import type { Database, Transaction } from "./database.ts";

/** Stores rows that were collected during a transaction. */
export type CollectedWriter<Row> = (transaction: Transaction, rows: readonly Row[]) => Promise<void>;

/** What an open transaction does at its end. */
interface AtEnd {
  db: Database;
  /** See `setOrganization`. */
  organizationId: string | null;
  rows: { write: CollectedWriter<never>; row: unknown }[];
  committed: (() => void)[];
}

const pending = new WeakMap<Transaction, AtEnd>();

/**
 * Writes a row at the end of a transaction, together with all others of the same writer: one statement instead of one for
 * each. Until then the transaction itself does not see the row. What was added in a savepoint goes with it.
 */
export function writeBeforeCommit<Row>(
  transaction: Transaction,
  write: CollectedWriter<Row>,
  row: Row,
): void {
  atEndOf(transaction).rows.push({ write, row });
}

/**
 * Runs a function after a transaction has committed, and never if it rolls back. If the process dies in between, it does
 * not run either: it may only hint at what the database says anyway. A function that is registered in a savepoint runs
 * even if the savepoint is rolled back, as long as the transaction commits.
 */
export function afterCommit(transaction: Transaction, run: () => void): void {
  atEndOf(transaction).committed.push(run);
}

/** Returns the pool of an open transaction. */
export const poolOfTransaction = (transaction: Transaction): Database => atEndOf(transaction).db;

/** Says that a transaction on the node of a cluster changes the tables of one organization alone. */
export function setOrganization(transaction: Transaction, organizationId: string): void {
  atEndOf(transaction).organizationId = organizationId;
}

/** The organization whose tables alone a transaction changes; null for all others. */
export const organizationOfTransaction = (transaction: Transaction): string | null =>
  atEndOf(transaction).organizationId;

function atEndOf(transaction: Transaction): AtEnd {
  const registered = pending.get(transaction);
  if (registered === undefined) throw new Error("This transaction was not opened by a database of connect()");
  return registered;
}

/** Returns the database, whose transactions do what is registered with `writeBeforeCommit` and `afterCommit`. */
export function endingTransactions(db: Database): Database {
  const begin = db.transaction.bind(db);
  const transaction: Database["transaction"] = async (work, config) => {
    let atEnd: AtEnd = { db, organizationId: null, rows: [], committed: [] };
    const result = await begin(async (opened) => {
      atEnd = { db, organizationId: null, rows: [], committed: [] };
      const worked = await work(registering(opened, atEnd));
      await writeCollected(opened, atEnd);
      return worked;
    }, config);
    for (const run of atEnd.committed) run();
    return result;
  };
  return Object.assign(db, { transaction });
}

/** Savepoints share what their transaction does at its end. */
function registering(opened: Transaction, atEnd: AtEnd): Transaction {
  pending.set(opened, atEnd);
  const savepoint = opened.transaction.bind(opened);
  const transaction: Transaction["transaction"] = async (work) => {
    const { length } = atEnd.rows;
    try {
      return await savepoint((nested) => work(registering(nested, atEnd)));
    } catch (error) {
      atEnd.rows.length = length;
      throw error;
    }
  };
  return Object.assign(opened, { transaction });
}

async function writeCollected(transaction: Transaction, { rows }: AtEnd): Promise<void> {
  for (const [write, written] of Map.groupBy(rows, (one) => one.write)) {
    await write(transaction, written.map(({ row }) => row) as never[]);
  }
}
