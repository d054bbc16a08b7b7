import { randomUUID } from "node:crypto";
import { type Database, type Transaction, commitOnAllServers, isDistributedDatabase } from "@purser/db";
import { type JobDefinition, sealedFor } from "../jobs/definition.ts";
import { preparedJobRunner, runnerDb } from "../jobs/pg-boss.ts";
import { type Keyring, seal } from "../secrets.ts";

/** Enqueues durable jobs, as part of the transaction that causes them. */
export interface Outbox {
  /** The job runs at least once after the transaction commits, and never if it rolls back. */
  enqueue<Payload>(
    transaction: Transaction,
    job: JobDefinition<Payload>,
    payload: NoInfer<Payload>,
  ): Promise<void>;
  /** Enqueues several jobs of one kind in one statement. */
  enqueueAll<Payload>(
    transaction: Transaction,
    job: JobDefinition<Payload>,
    payloads: readonly NoInfer<Payload>[],
  ): Promise<void>;
}

/**
 * Opens the outbox on a database that `migrateJobs` has prepared for these jobs. It takes no connection of its own.
 * Payloads are sealed, because mails carry tokens.
 */
export async function openOutbox(
  db: Database,
  keys: Keyring,
  jobs: readonly JobDefinition[],
): Promise<Outbox> {
  // So that a transaction need not ask, for which the pool may have no second connection.
  await isDistributedDatabase(db);
  const names = new Set(jobs.map(({ name }) => name));
  // Inside a transaction, looking up a queue would deadlock the pool once every connection is in a transaction.
  const boss = await preparedJobRunner(db, [...names]);
  const enqueueAll: Outbox["enqueueAll"] = async (transaction, { name }, payloads) => {
    if (!names.has(name)) throw new Error(`The job ${name} is not registered, so it has no queue`);
    if (payloads.length === 0) return;
    const rows = payloads.map((payload) => {
      const id = randomUUID();
      return { id, data: { sealed: seal(keys, JSON.stringify(payload), sealedFor(name, id)) } };
    });
    const inserted = await boss.insert(name, rows, { db: runnerDb(transaction), returnId: true });
    // pg-boss's tables are on the coordinator, and the effect of the transaction is on another server.
    await commitOnAllServers(db, transaction);
    if (inserted?.length !== rows.length) throw new Error(`The outbox did not accept all jobs of ${name}`);
  };
  return { enqueueAll, enqueue: (transaction, job, payload) => enqueueAll(transaction, job, [payload]) };
}
