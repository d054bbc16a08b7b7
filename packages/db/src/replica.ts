import { setTimeout as sleep } from "node:timers/promises";
import { type Logger, errorText } from "@purser/core";
import { sql } from "drizzle-orm";
import type { Database } from "./connection/database.ts";
import { isUnavailable, sqlState } from "./connection/failure.ts";
import type { PoolUse } from "./connection/slots.ts";

const defaultLimits = {
  /** How long a read waits for the replica to catch up. */
  catchUpTimeoutMs: 100,
  /** How long the primary serves all reads after the replica failed or was late. */
  cooldownMs: 1000,
  /** Longer than the server's statement timeout: without an answer until then, the connection is dead. */
  responseTimeoutMs: 6000,
};

interface ReplicaOptions {
  primary: Database;
  /** Opens a pool on the replica. */
  open: (onClose: () => void) => Database;
  logger: Logger;
  /** Called once per read with its source: the replica, or why the primary replaced it. */
  onRead: (outcome: ReadOutcome) => void;
}

/** Why a read uses the primary: `unusable` is a database that is not its replica, or does not report its position. */
type FallbackReason = "unreachable" | "lagging" | "conflict" | "unusable";

type ReadOutcome = "replica" | FallbackReason;

/**
 * A streaming replica of the primary, for lists. When it is unreachable or lagging, reads use the primary instead.
 *
 * Each read first compares the replica's position with the end of the primary's write-ahead log. So callers see their
 * own writes and whatever the primary has shown, whichever process they talk to, and no process tracks who wrote what.
 * The replica may show a commit before it is acknowledged; a read from the primary may then miss it for an instant.
 */
export class Replica {
  readonly #options: ReplicaOptions;
  readonly #limits: typeof defaultLimits;
  #db: Database;
  /** The server that last answered as the primary. */
  #server: PrimaryServer = { startedAt: "", timeline: 0, cluster: "" };
  /** The replica shows everything that the primary's log holds up to this position, on that timeline. */
  #replayed = 0n;
  #refreshing: Promise<void> | undefined;
  /** When the replica last reported its position. */
  #reportedAt = 0;
  #cooldownUntil = 0;
  #reason: FallbackReason = "unreachable";
  #isUsed = true;

  constructor(options: ReplicaOptions, limits = defaultLimits) {
    this.#options = options;
    this.#limits = limits;
    this.#db = this.#open();
  }

  /**
   * Runs a read on the replica if the replica shows everything that was committed before this call, now or after a
   * short wait; otherwise on the primary. Repeats the read on the primary if the replica aborts it.
   */
  async read<Result>(run: (db: Database) => Promise<Result>): Promise<Result> {
    if (!(await this.#isUpToDate())) return this.#onPrimary(run);
    try {
      const result = await this.#answered(run);
      this.#options.onRead("replica");
      return result;
    } catch (error) {
      if (!isReplicaFailure(error)) throw error;
      this.#giveUp(error, reasonOf(error));
      return this.#onPrimary(run);
    }
  }

  /** How busy the connections to the replica are. */
  get use(): PoolUse {
    return this.#db.use;
  }

  close(timeoutMs?: number): Promise<void> {
    return this.#db.close(timeoutMs);
  }

  #onPrimary<Result>(run: (db: Database) => Promise<Result>): Promise<Result> {
    const { onRead, primary } = this.#options;
    onRead(this.#reason);
    return run(primary);
  }

  async #isUpToDate(): Promise<boolean> {
    if (performance.now() < this.#cooldownUntil) return false;
    const { primary } = this.#options;
    const { position, startedAt } = await writtenTo(primary);
    if (startedAt !== this.#server.startedAt) {
      this.#server = { startedAt, ...(await identityOf(primary)) };
      // After a failover, the replica may have replayed what the new primary never had.
      this.#replayed = 0n;
    }
    const start = performance.now();
    try {
      if (this.#replayed < position)
        await rejectAfter(this.#limits.catchUpTimeoutMs, this.#catchUp(position));
    } catch (error) {
      // The timeout may also end the wait for a replica that does answer.
      this.#giveUp(error, this.#reportedAt > start ? "lagging" : reasonOf(error));
      return false;
    }
    if (!this.#isUsed) this.#options.logger.info({}, "Lists are read from the replica again");
    this.#isUsed = true;
    return true;
  }

  async #catchUp(position: bigint): Promise<void> {
    for (let wait = 1; this.#replayed < position && wait < this.#limits.catchUpTimeoutMs; wait *= 2) {
      // Concurrent reads share one request: a reported position never becomes wrong.
      this.#refreshing ??= this.#answered((db) => this.#refresh(db)).finally(
        () => (this.#refreshing = undefined),
      );
      await this.#refreshing;
      if (this.#replayed < position) await sleep(wait);
    }
    if (this.#replayed < position) throw new Error("The replica is behind");
  }

  async #refresh(db: Database): Promise<void> {
    const { position, timeline, cluster } = await replayedBy(db);
    if (cluster !== this.#server.cluster)
      throw new Error("REPLICA_DATABASE_URL does not point to a replica of this database");
    if (timeline !== this.#server.timeline)
      throw new Error("The replica is not on the timeline of the primary");
    this.#reportedAt = performance.now();
    if (db === this.#db && position > this.#replayed) this.#replayed = position;
  }

  #giveUp(error: unknown, reason: FallbackReason): void {
    this.#reason = reason;
    this.#cooldownUntil = performance.now() + this.#limits.cooldownMs;
    const { cause = error } = error as Error;
    if (this.#isUsed)
      this.#options.logger.warn({ reason: errorText(cause) }, "Lists are read from the primary for now");
    this.#isUsed = false;
  }

  /** A server that vanishes leaves connections that look open for minutes: replace them after a timeout. */
  #answered<Result>(run: (db: Database) => Promise<Result>): Promise<Result> {
    const used = this.#db;
    return rejectAfter(this.#limits.responseTimeoutMs, run(used), () => {
      if (used !== this.#db) return;
      this.#db = this.#open();
      void used.close().catch(() => undefined);
    });
  }

  #open(): Database {
    // After a connection has ended, another server may answer at this address, and it may be further behind.
    const forget = () => void (this.#replayed = 0n);
    forget();
    return this.#options.open(forget);
  }
}

interface ServerIdentity {
  /** The identifier that only a database and its replicas share. */
  cluster: string;
  /** The timeline of its log. */
  timeline: number;
}

interface PrimaryServer extends ServerIdentity {
  /** When its process started, which tells it from every other. A primary keeps its timeline until it starts again. */
  startedAt: string;
}

/**
 * The end of the primary's flushed log, in bytes. Every visible commit is before it, and perhaps one that is about to become
 * visible. This runs before each read: it reads no file, as the functions of the control file do.
 */
async function writtenTo(primary: Database): Promise<{ position: bigint; startedAt: string }> {
  const [log] = await primary.execute<{ position: string; startedAt: string }>(
    sql`SELECT (pg_current_wal_flush_lsn() - '0/0')::bigint AS position, pg_postmaster_start_time()::text AS "startedAt"`,
  );
  return { ...log!, position: BigInt(log!.position) };
}

async function identityOf(primary: Database): Promise<ServerIdentity> {
  const [server] = await primary.execute<ServerIdentity & Record<string, unknown>>(
    sql`SELECT ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int AS timeline,
          system_identifier AS cluster FROM pg_control_system()`,
  );
  return server!;
}

/** The replayed position in the log of the replica's primary. Throws if the database is not a replica. */
async function replayedBy(db: Database): Promise<ServerIdentity & { position: bigint }> {
  // A replica follows a timeline before its next checkpoint records that. Then only some roles may ask what it receives.
  const [log] = await db.execute<{ position: string | null; timeline: number; cluster: string }>(
    sql`SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::bigint END AS position,
          greatest(timeline_id, (SELECT received_tli FROM pg_stat_wal_receiver)) AS timeline,
          system_identifier AS cluster FROM pg_control_system(), pg_control_checkpoint()`,
  );
  const { position } = log!;
  if (position === null) throw new Error("REPLICA_DATABASE_URL points to no replica");
  return { ...log!, position: BigInt(position) };
}

/** The replica was unreachable, or cancelled a query that conflicted with its replay. */
function isReplicaFailure(error: unknown): boolean {
  return reasonOf(error) !== "unusable";
}

function reasonOf(error: unknown): FallbackReason {
  if (isUnavailable(error)) return "unreachable";
  return sqlState(error) === "40001" ? "conflict" : "unusable";
}

/** Rejects with ETIMEDOUT if the promise has not settled in time. */
function rejectAfter<Result>(
  timeoutMs: number,
  promise: Promise<Result>,
  onTimeout?: () => void,
): Promise<Result> {
  const { promise: bounded, resolve, reject } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => {
    onTimeout?.();
    const code = "ETIMEDOUT";
    reject(Object.assign(new Error(`The replica did not answer within ${timeoutMs} ms`), { code }));
  }, timeoutMs);
  promise.then(resolve, reject).finally(() => clearTimeout(timer));
  return bounded;
}
