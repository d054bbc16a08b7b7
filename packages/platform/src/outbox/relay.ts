import { type Logger, errorText } from "@purser/core";
import { isAmong, outboxJobs, searchAllOrganizations } from "@purser/db";
import { and, eq, lte, sql } from "drizzle-orm";
import type { PgBoss } from "pg-boss";
import { runnerDb } from "../jobs/pg-boss.ts";
import { type Databases, changeOrganization } from "../organization-node.ts";

/** A job in the shard of an organization, which a transaction there has enqueued. */
export type OutboxJob = Omit<typeof outboxJobs.$inferSelect, "createdAt">;

export interface RelayOptions extends Databases {
  logger: Pick<Logger, "warn">;
  boss: PgBoss;
  /** The jobs that have a queue. */
  names: readonly string[];
}

/** How many jobs one search returns, of each shard. */
const searchLimit = 1000;

/**
 * Moves jobs from the shards of organizations into the queue, which is on the coordinator. A job is in the queue before it is
 * deleted here, and has the same id there: one that is moved twice is there once.
 */
export class OutboxRelay {
  readonly #options: RelayOptions;
  #waiting: OutboxJob[] = [];
  #running: Promise<void> | undefined;

  constructor(options: RelayOptions) {
    this.#options = options;
  }

  /** Moves the jobs of a transaction that has committed. If that fails, `moveLeft` of any process does it later. */
  move(jobs: readonly OutboxJob[]): void {
    this.#waiting.push(...jobs);
    this.#running ??= this.#run();
  }

  /** Moves the jobs that have been left for this time, as by a process that has died, and waits for those of `move`. */
  async moveLeft({ leftForMs }: { leftForMs: number }): Promise<void> {
    const { db, names } = this.#options;
    await this.#running;
    const isLeft = sql`now() - ${leftForMs} * interval '1 millisecond'`;
    for (;;) {
      const left = await searchAllOrganizations(db, (all) =>
        all
          .select()
          .from(outboxJobs)
          .where(and(isAmong(outboxJobs.name, names), lte(outboxJobs.createdAt, isLeft)))
          .limit(searchLimit),
      );
      await this.#move(left);
      if (left.length < searchLimit) return;
    }
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const jobs = this.#waiting;
      this.#waiting = [];
      await this.#move(jobs).catch((error: unknown) =>
        this.#options.logger.warn({ reason: errorText(error) }, "Jobs are put into the queue later"),
      );
    }
    this.#running = undefined;
  }

  async #move(jobs: readonly OutboxJob[]): Promise<void> {
    const { boss, db } = this.#options;
    for (const [name, ofName] of Map.groupBy(jobs, (job) => job.name))
      await boss.insert(
        name,
        ofName.map(({ id, payload }) => ({ id, data: { sealed: payload } })),
        { db: runnerDb(db) },
      );
    const byOrganization = Map.groupBy(jobs, ({ organizationId }) => organizationId);
    await Promise.all([...byOrganization].map(([id, moved]) => this.#delete(id, moved)));
  }

  async #delete(organizationId: string, jobs: readonly OutboxJob[]): Promise<void> {
    const ids = jobs.map(({ id }) => id);
    await changeOrganization(this.#options, organizationId, async (transaction) => {
      await transaction
        .delete(outboxJobs)
        .where(and(eq(outboxJobs.organizationId, organizationId), isAmong(outboxJobs.id, ids)));
    });
  }
}
