import type { Executor } from "./connection/connect.ts";

/**
 * A query that is built once for a database instead of at every call, for reads that nearly every request makes:
 * building costs Drizzle more than PostgreSQL takes to answer. Its inputs are `sql.placeholder(…)`s, given to
 * `execute`. In a transaction it is built anew, since a transaction has a connection of its own.
 */
export function prepareOnce<Statement>(
  build: (db: Executor) => { prepare(name: string): Statement },
): (db: Executor) => Statement {
  const statements = new WeakMap<Executor, Statement>();
  return (db) => {
    const known = statements.get(db);
    if (known !== undefined) return known;
    // The driver names prepared statements itself.
    const statement = build(db).prepare("");
    statements.set(db, statement);
    return statement;
  };
}
