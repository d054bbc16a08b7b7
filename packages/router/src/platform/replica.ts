import { setTimeout as pause } from "node:timers/promises";
import { type Database, type PoolUse, isUnavailable, sqlState } from "@purser/db";
import { sql } from "drizzle-orm";
import { type Logger, errorText } from "@purser/core";
import type { Meter } from "./meter.ts";

/** All in milliseconds. */
const usual = {
  /** How long a reading waits for the replica to catch up. */
  patience: 100,
  /** For how long the primary has all readings after the replica was not there in time. */
  rest: 1000,
  /** What has no answer after so long never will have: longer than the server lets a statement run. */
  silence: 6000,
};

interface Places {
  primary: Database;
  /** Opens a pool on the replica. */
  open: (onClose: () => void) => Database;
  logger: Logger;
  meter: Meter;
}

/** Why the primary is asked: `unusable` is a database that is no replica of it, or does not say how far it is. */
type Reason = "away" | "behind" | "conflict" | "unusable";

/**
 * A streaming replica of the primary, for lists. It may be away or behind at any time, and no caller notices.
 *
 * What it shows is compared with the primary's log as that is when a reading begins. So nobody has to remember who
 * wrote what: callers see their own writes and never go back in time, whichever processes they talk to.
 */
export class Replica {
  readonly #places: Places;
  readonly #limits: typeof usual;
  #db: Database;
  /** Everything that was committed up to here in the primary's log, the replica shows. */
  #replayed = 0n;
  #asking: Promise<void> | undefined;
  /** When somebody last learned how far the replica is. */
  #toldAt = 0;
  #restsUntil = 0;
  #reason: Reason = "away";
  #isUsed = true;

  constructor(places: Places, limits = usual) {
    this.#places = places;
    this.#limits = limits;
    this.#db = this.#open();
  }

  /**
   * Runs a reading on the replica if that shows, by now or in a moment, everything that was committed before this
   * call, else on the primary; and once more on the primary if the replica breaks it off.
   */
  async read<Result>(run: (db: Database) => Promise<Result>): Promise<Result> {
    if (!(await this.#isUpToDate())) return this.#onPrimary(run);
    try {
      return await this.#answered(run);
    } catch (error) {
      if (!isReplicasFault(error)) throw error;
      this.#giveUp(error, reasonOf(error));
      return this.#onPrimary(run);
    }
  }

  /** How the connections to the replica are used. */
  get use(): PoolUse {
    return this.#db.use;
  }

  close(): Promise<void> {
    return this.#db.close();
  }

  #onPrimary<Result>(run: (db: Database) => Promise<Result>): Promise<Result> {
    const { meter, primary } = this.#places;
    meter.count("purser_replica_fallbacks_total", { reason: this.#reason });
    return run(primary);
  }

  async #isUpToDate(): Promise<boolean> {
    if (performance.now() < this.#restsUntil) return false;
    const position = await writtenTo(this.#places.primary);
    const start = performance.now();
    try {
      if (this.#replayed < position) await within(this.#limits.patience, this.#catchUp(position));
    } catch (error) {
      // What runs out may be the patience with one that does answer.
      this.#giveUp(error, this.#toldAt > start ? "behind" : reasonOf(error));
      return false;
    }
    if (!this.#isUsed) this.#places.logger.info({}, "Lists are read from the replica again");
    this.#isUsed = true;
    return true;
  }

  async #catchUp(position: bigint): Promise<void> {
    for (let wait = 1; this.#replayed < position && wait < this.#limits.patience; wait *= 2) {
      // Those who come while an answer is under way share it: what it says stays true.
      this.#asking ??= this.#answered((db) => this.#ask(db)).finally(() => (this.#asking = undefined));
      await this.#asking;
      if (this.#replayed < position) await pause(wait);
    }
    if (this.#replayed < position) throw new Error("The replica is behind");
  }

  async #ask(db: Database): Promise<void> {
    const position = await replayedBy(db, this.#places.primary);
    this.#toldAt = performance.now();
    if (db === this.#db && position > this.#replayed) this.#replayed = position;
  }

  #giveUp(error: unknown, reason: Reason): void {
    this.#reason = reason;
    this.#restsUntil = performance.now() + this.#limits.rest;
    const { cause = error } = error as Error;
    if (this.#isUsed)
      this.#places.logger.warn({ reason: errorText(cause) }, "Lists are read from the primary for now");
    this.#isUsed = false;
  }

  /** A server that vanishes leaves connections that look open for many minutes; new ones may find it again. */
  #answered<Result>(run: (db: Database) => Promise<Result>): Promise<Result> {
    const asked = this.#db;
    return within(this.#limits.silence, run(asked), () => {
      if (asked !== this.#db) return;
      this.#db = this.#open();
      void asked.close().catch(() => undefined);
    });
  }

  #open(): Database {
    // Whoever answers at the address after a connection has ended may be behind the one that answered before.
    const forget = () => void (this.#replayed = 0n);
    forget();
    return this.#places.open(forget);
  }
}

/** Up to where the log is written, in bytes: whatever anybody can see was committed before, and stands before it. */
async function writtenTo(primary: Database): Promise<bigint> {
  const [log] = await primary.execute<{ position: string }>(
    sql`SELECT (pg_current_wal_flush_lsn() - '0/0')::bigint AS position`,
  );
  return BigInt(log!.position);
}

/** Up to where the primary's log has been replayed. Throws where the database is no replica, or of another one. */
async function replayedBy(db: Database, primary: Database): Promise<bigint> {
  const [log] = await db.execute<{ position: string | null; cluster: string }>(
    sql`SELECT CASE WHEN pg_is_in_recovery() THEN (pg_last_wal_replay_lsn() - '0/0')::bigint END AS position,
          system_identifier AS cluster FROM pg_control_system()`,
  );
  const { position, cluster } = log!;
  if (position === null || cluster !== (await clusterOf(primary))) {
    throw new Error("REPLICA_DATABASE_URL leads to no replica of this database");
  }
  return BigInt(position);
}

/** The number that a database shares with its replicas, and with nobody else. */
async function clusterOf(primary: Database): Promise<string> {
  const known = clusters.get(primary);
  if (known !== undefined) return known;
  const [row] = await primary.execute<{ cluster: string }>(
    sql`SELECT system_identifier AS cluster FROM pg_control_system()`,
  );
  clusters.set(primary, row!.cluster);
  return row!.cluster;
}

const clusters = new WeakMap<Database, string>();

/** It was not there, or had to end a query that stood in the way of what it replays. */
function isReplicasFault(error: unknown): boolean {
  return reasonOf(error) !== "unusable";
}

function reasonOf(error: unknown): Reason {
  if (isUnavailable(error)) return "away";
  return sqlState(error) === "40001" ? "conflict" : "unusable";
}

/** The same promise, but a rejection after so many milliseconds. */
function within<Result>(
  milliseconds: number,
  promise: Promise<Result>,
  onTimeout?: () => void,
): Promise<Result> {
  const { promise: bounded, resolve, reject } = Promise.withResolvers<Result>();
  const timer = setTimeout(() => {
    onTimeout?.();
    const code = "ETIMEDOUT";
    reject(Object.assign(new Error(`The replica did not answer within ${milliseconds} ms`), { code }));
  }, milliseconds);
  promise.then(resolve, reject).finally(() => clearTimeout(timer));
  return bounded;
}
