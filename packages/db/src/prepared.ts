import { SQL } from "drizzle-orm";
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

/**
 * Runs a statement whose text exists already, with `$1` for the first parameter. For what nearly every request writes: Drizzle
 * would join the text from its parts again at each call. Parameters are as the driver takes them
 * (`column.mapToDriverValue`).
 */
export async function executeText(db: Executor, text: string, parameters: readonly unknown[]): Promise<void> {
  await db.execute(new Text(text, parameters));
}

/** Never a part of other SQL, which would read its chunks. */
class Text extends SQL {
  readonly #query: { sql: string; params: unknown[] };

  constructor(text: string, parameters: readonly unknown[]) {
    super([]);
    this.#query = { sql: text, params: [...parameters] };
  }

  override toQuery() {
    return this.#query;
  }
}
