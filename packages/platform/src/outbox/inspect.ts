import type { Database, Executor } from "@purser/db";
import { type SQL, and, desc, sql } from "drizzle-orm";
import { sealedFor } from "../jobs/definition.ts";
import { isOurJob, runnerJobs } from "../jobs/table.ts";
import { type Keyring, unseal } from "../secrets.ts";
import { errorText, redact } from "@purser/core";

/** waiting → running → done; after a failure retrying, and in the end dead. */
export type OutboxState = "waiting" | "running" | "retrying" | "done" | "dead";

/** A job as an operator sees it in a list: nothing of what it carries. */
export interface OutboxEntry {
  id: string;
  job: string;
  state: OutboxState;
  attempts: number;
  createdAt: Date;
  /** When it runs next, or null when it does not. */
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

/** The newest jobs first. */
export async function listOutbox(db: Executor, { state, limit }: Filter): Promise<OutboxEntry[]> {
  const rows = await db
    .select()
    .from(runnerJobs)
    .where(and(isOurJob, state && inState(state)))
    .orderBy(desc(runnerJobs.createdOn), desc(runnerJobs.id))
    .limit(limit);
  return rows.map(entryOf);
}

/** One job with what it carries, tokens masked; null where there is none with this id. */
export async function showOutbox(
  db: Executor,
  keys: Keyring,
  id: string,
): Promise<(OutboxEntry & { data: unknown }) | null> {
  const [row] = await db.select().from(runnerJobs).where(theJob(id));
  return row === undefined ? null : { ...entryOf(row), data: carried(keys, row) };
}

/**
 * Lets a dead job run again, with all of its attempts. Gives false where there is no such job, or it is not dead.
 * A worker finds it within ten seconds.
 */
export async function replayOutbox(db: Database, id: string): Promise<boolean> {
  const revived = await db
    .update(runnerJobs)
    .set({ state: "retry", retryCount: 0, startedOn: null, completedOn: null, startAfter: sql`now()` })
    .where(and(theJob(id), inState("dead")))
    .returning({ id: runnerJobs.id });
  return revived.length > 0;
}

/** Forgets a dead job that is never to run again. Gives false where there is no such job, or it is not dead. */
export async function discardOutbox(db: Database, id: string): Promise<boolean> {
  const gone = await db
    .delete(runnerJobs)
    .where(and(theJob(id), inState("dead")))
    .returning({ id: runnerJobs.id });
  return gone.length > 0;
}

function theJob(id: string): SQL | undefined {
  // Whatever was typed, compared as text: what is no UUID is simply not found.
  return and(isOurJob, sql`${runnerJobs.id}::text = ${id}`);
}

function inState(state: OutboxState): SQL {
  const states = Object.entries(stateOf).filter(([, named]) => named === state);
  return sql`${runnerJobs.state}::text IN ${states.map(([theirs]) => theirs)}`;
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

function carried(keys: Keyring, row: typeof runnerJobs.$inferSelect): unknown {
  if (row.data === null) return null;
  try {
    const data: unknown = JSON.parse(unseal(keys, row.data.sealed, sealedFor(row.name, row.id)));
    return JSON.parse(JSON.stringify(data), masked);
  } catch (error) {
    return { unreadable: errorText(error) };
  }
}

/** A recipient is what the operator looks for; everything else may hold a token. */
function masked(field: string, value: unknown): unknown {
  return typeof value === "string" && field !== "to" ? redact(value) : value;
}
