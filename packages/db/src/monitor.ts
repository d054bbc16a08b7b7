import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import type { Database } from "./connection/database.ts";
import { sqlState } from "./connection/failure.ts";
import type { PoolUse } from "./connection/slots.ts";
import { DatabaseClock } from "./database-clock.ts";
import { forgetServer } from "./event-era.ts";

/** As readiness reports it. A server that is read-only, such as a standby, stores nothing. */
export type DatabaseState = "ok" | "database read-only" | "database unreachable";

/** How long the database has to respond to a probe. */
export const probeTimeoutMs = 1000;
const intervalMs = 1000;
/** The pause before the next probe of a database that did not respond. */
const retryMs = 250;

/**
 * Probes the database on a connection of its own. So the answer does not depend on how busy the other connections are,
 * and a database that was silent is noticed as soon as it responds again.
 */
export class DatabaseMonitor {
  /** Set by each probe. */
  readonly clock = new DatabaseClock();
  readonly #db: Database;
  readonly #end = new AbortController();
  #probing: Promise<DatabaseState> | undefined;
  #isSilent = false;
  #failure: unknown;
  #lostBefore = 0;

  /** Takes a pool of one connection, and closes it at the end. */
  constructor(db: Database) {
    this.#db = db;
  }

  /** The use of its connection. */
  get use(): PoolUse {
    return this.#db.use;
  }

  /** Whether the database responds within a second, and accepts writes. Concurrent callers share one probe. */
  probe(): Promise<DatabaseState> {
    this.#probing ??= this.#probe().finally(() => (this.#probing = undefined));
    return this.#probing;
  }

  /**
   * Probes regularly until the monitor is closed. Without that, only callers of `probe` notice a silence. Resolves after
   * the first probe, when the clock is set. Throws if the server has no connection left for probes: what works on the connections
   * that others hold would never be ready.
   */
  async start(): Promise<void> {
    await this.probe();
    if (sqlState(this.#failure) === "53300") throw this.#failure;
    void this.#run();
  }

  /**
   * When the database responded again after its last silence, as `performance.now()`; 0 if there was none. What a
   * connection sent before may be lost.
   */
  readonly lostBefore = (): number => this.#lostBefore;

  /** For a pool whose connections may lead to another server from now on. */
  forgetServer(db: Database): void {
    forgetServer(db, this.#db);
  }

  async close(timeoutMs?: number): Promise<void> {
    this.#end.abort();
    await this.#db.close(timeoutMs);
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      const state = await this.probe();
      const pauseMs = state === "database unreachable" ? retryMs : intervalMs;
      await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
    }
  }

  async #probe(): Promise<DatabaseState> {
    const timeout = new AbortController();
    const { signal } = timeout;
    const silence = sleep(probeTimeoutMs, "silent" as const, { signal }).catch(() => "silent" as const);
    const answer = await Promise.race([this.#ask(), silence]);
    timeout.abort();
    if (answer === "silent") {
      this.#isSilent = true;
      return "database unreachable";
    }
    if (this.#isSilent && answer !== "database unreachable") {
      this.#isSilent = false;
      this.#lostBefore = performance.now();
    }
    return answer;
  }

  async #ask(): Promise<DatabaseState> {
    try {
      const sentAt = performance.now();
      const [answer] = await this.#db.execute<{ readOnly: "on" | "off"; now: number }>(
        sql`SELECT current_setting('transaction_read_only') AS "readOnly",
          (EXTRACT(epoch FROM clock_timestamp()) * 1000)::float8 AS now`,
      );
      this.clock.measure(answer!.now, sentAt, performance.now());
      this.#failure = undefined;
      return answer!.readOnly === "on" ? "database read-only" : "ok";
    } catch (error) {
      this.#failure = error;
      return "database unreachable";
    }
  }
}
