import { type Database, type Migration, type QueryTracer, connect, migrate } from "@purser/db";
import { migrateJobs } from "./jobs.ts";
import type { Settings } from "./settings.ts";

/** Where nobody looks at traces, there is none. */
type MaybeTracer = QueryTracer | null | undefined;

/** Opens the pool that these settings describe. A statement limit of 0 milliseconds is none; the default is 5,000. */
export function openDatabase(settings: Settings, statementTimeoutMs = 5000, tracer?: MaybeTracer): Database {
  return connect(databaseAddress(settings), {
    max: settings.databasePoolSize,
    prepare: settings.databasePrepare,
    statementTimeoutMs,
    tracer,
  });
}

/**
 * Opens the few connections of decisions that a card network waits for: whatever else goes on takes nothing from them,
 * and what takes long is given up while the network still listens.
 */
export function openDecisionDatabase(settings: Settings, tracer?: MaybeTracer): Database {
  return connect(databaseAddress(settings), {
    max: settings.decisionPoolSize,
    prepare: settings.databasePrepare,
    applicationName: "purser decisions",
    poolWaitMs: 500,
    lockTimeoutMs: 800,
    statementTimeoutMs: 1000,
    connectTimeoutMs: 1000,
    tracer,
  });
}

/**
 * Opens the few connections of work that holds a lock while it asks somebody outside: others may wait long for their
 * turn there, and take nothing from the pool that requests use.
 */
export function openLockDatabase(settings: Settings, tracer?: MaybeTracer): Database {
  return connect(databaseAddress(settings), {
    max: 4,
    prepare: settings.databasePrepare,
    applicationName: "purser locks",
    poolWaitMs: 30_000,
    // A provider takes up to eight seconds, and others may be before us.
    lockTimeoutMs: 20_000,
    statementTimeoutMs: 25_000,
    idleInTransactionTimeoutMs: 15_000,
    tracer,
  });
}

/** Opens a pool on the replica at this address. */
export function openReplicaDatabase(
  settings: Settings,
  url: string,
  onClose: () => void,
  tracer?: MaybeTracer,
): Database {
  return connect(url, {
    max: settings.databasePoolSize,
    prepare: settings.databasePrepare,
    applicationName: "purser replica",
    onClose,
    tracer,
  });
}

/** Opens two connections, past a pooler, for work that takes as long as it needs: a backup, a restore. */
export function openPatientDatabase(settings: Settings): Database {
  return connect(settings.directDatabaseUrl ?? databaseAddress(settings), {
    max: 2,
    applicationName: "purser backup",
    statementTimeoutMs: 0,
    lockTimeoutMs: 10_000,
    idleInTransactionTimeoutMs: 0,
  });
}

/**
 * Brings tables, job queues and schedules up to date, or the tables to an earlier migration. Safe in several
 * processes at once: one does it.
 */
export async function migrateDatabase(settings: Settings, upTo?: Migration): Promise<void> {
  const url = settings.directDatabaseUrl ?? databaseAddress(settings);
  await migrate(url, { upTo, andThen: () => migrateJobs(url) });
}

function databaseAddress({ databaseUrl }: Settings): string {
  if (databaseUrl === null)
    throw new Error("There is no database address; the embedded PostgreSQL was not started");
  return databaseUrl;
}
