import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "drizzle-orm";
import { connect } from "./connection/connect.ts";
import type { Database } from "./connection/database.ts";
import { type DatabaseSettings, directDatabaseAddress } from "./pools.ts";

interface Options {
  channel: string;
  /** Called with the payload of each notification. */
  onNotification: (payload: string) => void;
  /** Called whenever the connection begins to listen. It has missed what was announced before. */
  onListening: () => void;
  /** See `ConnectOptions`. */
  lostBefore?: (() => number) | undefined;
}

/** How often the connection proves that it still listens. */
const heartbeatMs = 5000;
/** The pause after a failed attempt to connect. */
const retryMs = 250;

/**
 * Listens to a channel of PostgreSQL until it is closed, on a connection of its own that goes past a pooler: PgBouncer
 * in transaction mode drops LISTEN. A connection that ends or falls silent is replaced.
 */
export class Notifications {
  readonly #db: Database;
  readonly #channel: string;
  readonly #onListening: () => void;
  readonly #end = new AbortController();
  #isListening = false;
  #lost = Promise.withResolvers<void>();

  constructor(settings: DatabaseSettings, { channel, onNotification, onListening, lostBefore }: Options) {
    this.#channel = channel;
    this.#onListening = onListening;
    this.#db = connect(directDatabaseAddress(settings), {
      max: 1,
      applicationName: "purser listener",
      statementTimeoutMs: 2000,
      responseTimeoutMs: 3000,
      keepsConnections: true,
      onNotification,
      onClose: () => {
        this.#isListening = false;
        this.#lost.resolve();
      },
      ...(lostBefore && { lostBefore }),
    });
    void this.#run();
  }

  async close(timeoutMs?: number): Promise<void> {
    this.#end.abort();
    await this.#db.close(timeoutMs);
  }

  async #run(): Promise<void> {
    const { signal } = this.#end;
    while (!signal.aborted) {
      this.#lost = Promise.withResolvers();
      const isAlive = await this.#listen();
      await this.#pause(isAlive ? heartbeatMs : retryMs, isAlive);
    }
  }

  /** A connection that listens already is not changed by it, and responds. */
  async #listen(): Promise<boolean> {
    try {
      await this.#db.execute(sql`LISTEN ${sql.identifier(this.#channel)}`);
    } catch {
      return false;
    }
    if (!this.#isListening) {
      this.#isListening = true;
      this.#onListening();
    }
    return true;
  }

  async #pause(ms: number, untilLost: boolean): Promise<void> {
    const over = new AbortController();
    const signal = AbortSignal.any([this.#end.signal, over.signal]);
    const time = sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
    await (untilLost ? Promise.race([time, this.#lost.promise]) : time);
    over.abort();
  }
}
