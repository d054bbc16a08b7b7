import { setTimeout as sleep } from "node:timers/promises";
import { type Logger, errorText } from "@purser/core";
import { type Database, type ServerEras, serverEras } from "@purser/db";
import { sql } from "drizzle-orm";

/** The channel on which processes announce the organizations that have new events. */
export const eventChannel = "purser_events";

/**
 * How long announcements are collected, and the shortest time between two. Each is one statement, whatever its number of
 * organizations, and every process that sends webhooks then looks for endpoints.
 */
const collectMs = 25;
const betweenMs = 100;

/** Knows the eras of new events, and notifies all processes which organizations have some. */
export class EventLog {
  readonly #db: Database;
  readonly #logger: Logger;
  #waiting: Set<string> | undefined;
  #nextAt = 0;

  constructor({ db, logger }: { db: Database; logger: Logger }) {
    this.#db = db;
    this.#logger = logger;
  }

  /** The eras of the events that are recorded now (`serverEras` of `@purser/db`). */
  eras(): Promise<ServerEras> {
    return serverEras(this.#db);
  }

  /**
   * A hint and no more: a process that misses it finds the events a few seconds later. It follows the commit, because
   * NOTIFY inside the transactions of changes would make their commits wait for each other.
   */
  announce(organizationIds: Iterable<string>): void {
    const isFirst = this.#waiting === undefined;
    const waiting = (this.#waiting ??= new Set());
    for (const id of organizationIds) waiting.add(id);
    if (isFirst) void this.#send();
  }

  async #send(): Promise<void> {
    await sleep(Math.max(collectMs, this.#nextAt - performance.now()));
    this.#nextAt = performance.now() + betweenMs;
    const announced = [...this.#waiting!];
    this.#waiting = undefined;
    try {
      await this.#db.execute(
        sql`SELECT pg_notify(${eventChannel}, id) FROM unnest(${sql.param(announced)}::text[]) AS id`,
      );
    } catch (error) {
      this.#logger.debug({ reason: errorText(error) }, "New events were not announced");
    }
  }
}
