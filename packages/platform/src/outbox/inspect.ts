import { errorText, redact } from "@purser/core";
import type { Database, Executor } from "@purser/db";
import { type SQL, and, desc, eq, inArray, notInArray, or, sql } from "drizzle-orm";
import { sealedFor } from "../jobs/definition.ts";
import type { HandledJob } from "../jobs/registry.ts";
import { isOurJob, isWaiting, runnerJobs } from "../jobs/table.ts";
import { type Keyring, unseal } from "../secrets.ts";

/** waiting → running → done. After a failure: retrying, and after the last attempt: dead. */
export type OutboxState = "waiting" | "running" | "retrying" | "done" | "dead";

/** A job in an operator's list, without its payload. */
export interface OutboxEntry {
  id: string;
  job: string;
  state: OutboxState;
  attempts: number;
  createdAt: Date;
  /** When it runs next; null if it does not. */
  nextAt: Date | null;
  lastError: string | null;
}

const stateOf = {
  created: "waiting",
  active: "running",
  retry: "retrying",
  completed: "done",
  cancelled: "dead",
  failed: "dead",
} as const satisfies Record<(typeof runnerJobs.$inferSelect)["state"], OutboxState>;

interface Filter {
  state?: OutboxState | undefined;
  limit: number;
}

/** Lists jobs, newest first. */
export async function listOutbox(db: Executor, { state, limit }: Filter): Promise<OutboxEntry[]> {
  const rows = await db
    .select()
    .from(runnerJobs)
    .where(and(isOurJob, state && inState(state)))
    .orderBy(desc(runnerJobs.createdOn), desc(runnerJobs.id))
    .limit(limit);
  return rows.map(entryOf);
}

/** Returns a job with its payload, in which tokens are masked; null if there is no job with this id, which is a UUID. */
export async function showJob(
  db: Executor,
  keys: Keyring,
  id: string,
): Promise<(OutboxEntry & { data: unknown }) | null> {
  const [row] = await db.select().from(runnerJobs).where(theJob(id));
  return row === undefined ? null : { ...entryOf(row), data: openPayload(keys, row) };
}

type Handled = readonly Pick<HandledJob, "definition">[];

/**
 * Lets a dead job run again, with all of its attempts. Returns false if there is no such job, it is not dead, or it has no
 * handler: it would wait, and no longer be listed as dead. A worker finds it within ten seconds.
 */
export async function replayJob(db: Database, handlers: Handled, id: string): Promise<boolean> {
  const revived = await db
    .update(runnerJobs)
    .set({ state: "retry", retryCount: 0, startedOn: null, completedOn: null, startAfter: sql`now()` })
    .where(and(theJob(id), inState("dead"), inArray(runnerJobs.name, namesOf(handlers))))
    .returning({ id: runnerJobs.id });
  return revived.length > 0;
}

/**
 * Deletes a job that is dead, or that waits in a queue without a handler, such as one of an earlier version. Returns false if
 * there is no such job.
 */
export async function discardJob(db: Database, handlers: Handled, id: string): Promise<boolean> {
  const neverRuns = and(isWaiting, notInArray(runnerJobs.name, namesOf(handlers)));
  const deleted = await db
    .delete(runnerJobs)
    .where(and(theJob(id), or(inState("dead"), neverRuns)))
    .returning({ id: runnerJobs.id });
  return deleted.length > 0;
}

const namesOf = (handlers: Handled) => handlers.map(({ definition }) => definition.name);

function theJob(id: string): SQL | undefined {
  // The primary key begins with the queue's name. Without the names, PostgreSQL would read every job.
  const inAnyQueue = sql`${runnerJobs.name} = ANY(ARRAY(SELECT queue.name FROM pgboss.queue))`;
  return and(isOurJob, inAnyQueue, eq(runnerJobs.id, id));
}

function inState(state: OutboxState): SQL {
  const states = Object.entries(stateOf).filter(([, ours]) => ours === state);
  return sql`${runnerJobs.state}::text IN ${states.map(([runnerState]) => runnerState)}`;
}

function entryOf(row: typeof runnerJobs.$inferSelect): OutboxEntry {
  const state = stateOf[row.state];
  const waits = row.state === "created" || row.state === "retry";
  return {
    id: row.id,
    job: row.name,
    state,
    // pg-boss counts an attempt when it fetches the job again, not when it puts it back.
    attempts: row.startedOn === null ? 0 : row.retryCount + 1,
    createdAt: row.createdOn,
    nextAt: waits ? row.startAfter : null,
    lastError: row.output?.message ?? row.output?.value?.message ?? null,
  };
}

function openPayload(keys: Keyring, row: typeof runnerJobs.$inferSelect): unknown {
  if (row.data === null) return null;
  try {
    const data: unknown = JSON.parse(unseal(keys, row.data.sealed, sealedFor(row.name, row.id)));
    return JSON.parse(JSON.stringify(data), mask);
  } catch (error) {
    return { unreadable: errorText(error) };
  }
}

/** The operator searches for the recipient. Every other text may contain a token. */
function mask(field: string, value: unknown): unknown {
  return typeof value === "string" && field !== "to" ? redact(value) : value;
}
