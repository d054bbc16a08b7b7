import type { PostgresJsDatabase } from "drizzle-orm/postgres-js";
import type { Sql } from "postgres";
import type * as schema from "../schema/index.ts";
import type { PoolUse } from "./slots.ts";

/** A pool of connections to the database, with every table. */
export interface Database extends PostgresJsDatabase<typeof schema> {
  /** The postgres.js client beneath, with the same limits. */
  readonly $client: Sql;
  readonly use: PoolUse;
  /** Waits for running queries, by default up to 5 seconds, and closes all connections. */
  close(timeoutMs?: number): Promise<void>;
}

/** An open transaction: the argument of the callback of `database.transaction`. */
export type Transaction = Parameters<Parameters<Database["transaction"]>[0]>[0];

/** Runs queries, inside or outside a transaction. */
export type Executor = Database | Transaction;
