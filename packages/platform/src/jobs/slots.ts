import { setTimeout as sleep } from "node:timers/promises";
import { and, eq } from "drizzle-orm";
import type { PgBoss } from "pg-boss";
import { leaseMs, renewMs } from "../leases.ts";
import { runnerDb } from "./pg-boss.ts";
import type { HandledJob } from "./registry.ts";
import { type JobAttemptResult, type JobPlatform, type StoredJob, runJobAttempt } from "./run.ts";
import { runnerJobs } from "./table.ts";

/** The largest number of jobs of one kind that run at the same time in this process. */
const maxRunning = 10;

const options = {
  // A batch ends with its slowest job. Alone, a slow job delays no other.
  batchSize: 1,
  // With LISTEN, polling only finds jobs whose retry delay has ended.
  pollingIntervalSeconds: 1,
  notifyPollingIntervalSeconds: 10,
  includeMetadata: true,
  heartbeatRefreshSeconds: renewMs / 1000,
  perJobResults: true,
} as const;

/** How long the result of a job is offered to the database. Then its heartbeat has stopped, and the job runs again. */
const settleTimeoutMs = leaseMs;
const settlePauseMs = 250;

/** A pg-boss worker, which runs one job after another. */
interface Slot {
  /** The id of its pg-boss worker. */
  id: string;
  /** The job that it runs; null while it waits for one. */
  jobId: string | null;
}

/** An attempt that has ended. */
interface EndedAttempt extends Pick<StoredJob, "id" | "retryCount"> {
  result: JobAttemptResult;
}

/**
 * Runs the jobs of one kind, each in a slot of its own. One slot waits for the next job unless {@link maxRunning} are
 * running, so an idle kind costs one poll, however many jobs may run.
 */
export class JobSlots {
  readonly #boss: PgBoss;
  readonly #platform: JobPlatform;
  readonly #handled: HandledJob;
  readonly #waiting = new Set<Slot>();
  readonly #closing = new Set<Promise<void>>();
  /** The latest result of each pg-boss worker, in case pg-boss cannot store it. */
  readonly #results = new Map<string, EndedAttempt>();
  #running = 0;
  #isStopping = false;

  constructor(boss: PgBoss, platform: JobPlatform, handled: HandledJob) {
    this.#boss = boss;
    this.#platform = platform;
    this.#handled = handled;
  }

  /** The queue of these jobs. */
  get name(): string {
    return this.#handled.definition.name;
  }

  /** Fetches the next job at once, if fewer than {@link maxRunning} are running. */
  wake(): void {
    for (const { id } of this.#waiting) this.#boss.notifyWorker(id);
  }

  /** Opens a slot, which fetches the next job at once. */
  async open(): Promise<void> {
    const slot: Slot = { id: "", jobId: null };
    this.#waiting.add(slot);
    slot.id = await this.#boss.work(this.name, options, ([job]: StoredJob[]) => this.#run(slot, job!));
  }

  /**
   * Stores the latest result of a pg-boss worker that failed. pg-boss tries only once, so a short loss of the database
   * would leave the job active until its heartbeat has expired. Does nothing if the result is stored: pg-boss reports a
   * failed fetch of jobs in the same way.
   */
  async storeResult(worker: string): Promise<void> {
    const latest = this.#results.get(worker);
    if (latest === undefined) return;
    this.#results.delete(worker);
    const deadline = performance.now() + settleTimeoutMs;
    while (performance.now() < deadline && !this.#isStopping) {
      await sleep(settlePauseMs, undefined, { ref: false });
      try {
        return await this.#store(latest);
      } catch {
        // The database is still away.
      }
    }
  }

  /** Stores a result, unless it is stored or the job has been given to another worker since. */
  #store({ id, retryCount, result }: EndedAttempt): Promise<void> {
    const { name } = this;
    return this.#platform.db.transaction(async (transaction) => {
      const isUnstored = and(
        eq(runnerJobs.name, name),
        eq(runnerJobs.id, id),
        eq(runnerJobs.state, "active"),
        eq(runnerJobs.retryCount, retryCount),
      );
      // pg-boss itself would fail a job in whatever state, also while it runs again.
      const [unstored] = await transaction.select().from(runnerJobs).where(isUnstored).for("update");
      if (unstored === undefined) return;
      const here = { db: runnerDb(transaction) };
      if (result.status === "completed") await this.#boss.complete(name, id, null, here);
      else await this.#boss.fail(name, id, { message: result.reason }, here);
    });
  }

  /** Takes no more jobs, and waits until the results of the running ones are stored. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await Promise.all([this.#boss.offWork(this.name), ...this.#closing]);
  }

  async #run(slot: Slot, job: StoredJob) {
    slot.jobId = job.id;
    this.#results.delete(slot.id);
    this.#waiting.delete(slot);
    this.#running += 1;
    const needsSlot = this.#waiting.size === 0 && this.#running < maxRunning && !this.#isStopping;
    if (needsSlot) await this.open();
    const result = await runJobAttempt(this.#platform, this.#handled, job);
    this.#running -= 1;
    this.#results.set(slot.id, { id: job.id, retryCount: job.retryCount, result });
    // pg-boss gives up on a job that takes too long. The slot may run another one since.
    if (slot.jobId === job.id) this.#release(slot);
    if (result.status === "completed") return [{ id: job.id, status: "completed" as const }];
    const status = result.status === "dead" ? ("deadletter" as const) : ("failed" as const);
    return [{ id: job.id, status, output: { message: result.reason } }];
  }

  /** Closes a slot whose job has ended. If no other slot waits, this one fetches the next job at once. */
  #release(slot: Slot): void {
    slot.jobId = null;
    if (this.#isStopping) return;
    if (this.#waiting.size === 0) {
      this.#waiting.add(slot);
      this.#boss.notifyWorker(slot.id);
      return;
    }
    const closed = this.#boss.offWork(this.name, { id: slot.id, wait: true });
    this.#closing.add(closed);
    void closed.finally(() => {
      this.#closing.delete(closed);
      this.#results.delete(slot.id);
    });
  }
}
