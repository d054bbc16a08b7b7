import type { Executor } from "./connection/database.ts";

/**
 * Builds a query once per database instead of at every call, for reads of nearly every request: building costs Drizzle
 * more time than PostgreSQL needs to answer. Inputs are `sql.placeholder(…)`s, passed to `execute`. A transaction has its
 * own connection, so each transaction builds the query again.
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
