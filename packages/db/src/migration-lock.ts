import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@purser/core";
import { sql } from "drizzle-orm";
import { connect } from "./connection/connect.ts";
import type { Database } from "./connection/database.ts";
import { isUnavailable } from "./connection/failure.ts";

/** The advisory lock of the process that migrates. Any constant works. */
const migrationLock = 7_871_633_901;

/** Until the next look at whether another process still migrates. */
const lockPauseMs = 200;
/** When a process first says that it waits for another one, and how often it says so again. */
const warningMs = { first: 2000, next: 10_000 };

/** How often the database is asked whether it still responds, and how long it may take. */
const probePauseMs = 1000;
const probeTimeoutMs = 3000;

/** A database that is asked all the time whether it responds. */
interface ResponsiveDatabase {
  url: string;
  /** A small pool with limits of time. */
  db: Database;
  /** See `ConnectOptions`. Every connection to the database is lost once it does not respond. */
  lostBefore: () => number;
}

/**
 * Runs `work`, which may take as long as it needs while the database responds. Once it does not, this throws, and ends what
 * has been sent on a connection with `lostBefore`. Without that, a network that falls silent would keep a process waiting for
 * a quarter of an hour.
 */
export async function whileResponding<Result>(
  url: string,
  work: (database: ResponsiveDatabase) => Promise<Result>,
): Promise<Result> {
  const db = connect(url, { max: 2, statementTimeoutMs: probeTimeoutMs, responseTimeoutMs: probeTimeoutMs });
  const over = new AbortController();
  let lostAt = 0;
  const silence = untilSilent(db, over.signal).finally(() => (lostAt = performance.now()));
  try {
    return await Promise.race([work({ url, db, lostBefore: () => lostAt }), silence]);
  } finally {
    over.abort();
    await db.close(probePauseMs);
  }
}

/** Throws once the database does not respond. */
async function untilSilent(db: Database, signal: AbortSignal): Promise<never> {
  for (;;) {
    await sleep(probePauseMs, undefined, { signal });
    // A single connection may also end for reasons of its own.
    if (!(await responds(db).catch(() => false))) await responds(db);
  }
}

async function responds(db: Database): Promise<true> {
  try {
    await db.execute(sql`SELECT 1`);
  } catch (error) {
    if (isUnavailable(error)) throw error;
  }
  return true;
}

/** Gets a warning while this process waits for another one. */
export type MigrationLogger = Pick<Logger, "warn">;

/**
 * Runs `work` on a connection without limits of time, while no other process migrates the database. The lock belongs to that
 * connection.
 */
export async function migratingAlone<Result>(
  { url, lostBefore }: ResponsiveDatabase,
  work: (db: Database) => Promise<Result>,
  logger?: MigrationLogger,
): Promise<Result> {
  const unlimited = { statementTimeoutMs: 0, lockTimeoutMs: 0, idleInTransactionTimeoutMs: 0 };
  const db = connect(url, { max: 1, ...unlimited, lostBefore });
  try {
    await waitForLock(db, logger);
    // PostgreSQL then notices within half a minute that this machine has died, and gives the lock to another process.
    await db.execute(sql`
      SELECT set_config('tcp_keepalives_idle', '10', false),
        set_config('tcp_keepalives_interval', '5', false),
        set_config('tcp_keepalives_count', '4', false)`);
    return await work(db);
  } finally {
    await db.close();
  }
}

/**
 * Waits until no other process migrates. By asking repeatedly: a statement that waits holds a snapshot, and the other process
 * waits for the end of every snapshot when it builds an index `CONCURRENTLY`.
 */
async function waitForLock(db: Database, logger: MigrationLogger | undefined): Promise<void> {
  let warningAt = performance.now() + warningMs.first;
  for (;;) {
    const [row] = await db.execute<{ locked: boolean }>(
      sql`SELECT pg_try_advisory_lock(${migrationLock}) AS locked`,
    );
    if (row!.locked) return;
    if (performance.now() >= warningAt) {
      warningAt = performance.now() + warningMs.next;
      logger?.warn(
        await holderOfLock(db),
        "Another process migrates the database, and this one waits for it. If that process is gone, end its connection: SELECT pg_terminate_backend(pid)",
      );
    }
    await sleep(lockPauseMs);
  }
}

/** Who migrates. Empty if it has just ended. */
async function holderOfLock(db: Database): Promise<object> {
  const [holder] = await db.execute(sql`
    SELECT pid, client_addr::text AS address, backend_start::text AS since
    FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'advisory' AND granted AND objsubid = 1
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND ((classid::bigint << 32) | objid::bigint) = ${migrationLock}::bigint`);
  return { ...holder };
}
