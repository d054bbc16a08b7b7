import { randomUUID } from "node:crypto";
import {
  type CollectedWriter,
  type Transaction,
  afterCommit,
  commitOnAllServers,
  isDistributedDatabase,
  organizationOfTransaction,
  outboxJobs,
  writeBeforeCommit,
} from "@purser/db";
import { type JobDefinition, sealedFor } from "../jobs/definition.ts";
import { preparedJobRunner, runnerDb } from "../jobs/pg-boss.ts";
import { type Keyring, seal } from "../secrets.ts";
import { type OutboxJob, OutboxRelay, type RelayOptions } from "./relay.ts";

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
  /**
   * Puts jobs into the queue that transactions on the nodes of a cluster have left there for this time, because their process has
   * died or could not reach the coordinator. By default all.
   */
  relay(options?: { leftForMs: number }): Promise<void>;
}

interface OutboxOptions extends Pick<RelayOptions, "db" | "nodes" | "logger"> {
  /** Payloads are sealed, because mails carry tokens. */
  keys: Keyring;
}

/**
 * Opens the outbox on a database that `migrateJobs` has prepared for these jobs. It takes no connection of its own.
 *
 * A job goes into the queue in the transaction that enqueues it. On a cluster, a transaction on the node of an organization leaves
 * it there, in `outbox_jobs`, and the outbox puts it into the queue after the commit.
 */
export async function openOutbox(
  { db, nodes, logger, keys }: OutboxOptions,
  jobs: readonly JobDefinition[],
): Promise<Outbox> {
  // So that a transaction need not ask, for which the pool may have no second connection.
  await isDistributedDatabase(db);
  const names = new Set(jobs.map(({ name }) => name));
  // Inside a transaction, looking up a queue would deadlock the pool once every connection is in a transaction.
  const boss = await preparedJobRunner(db, [...names]);
  const relay = new OutboxRelay({ db, nodes, logger, boss, names: [...names] });
  const leave: CollectedWriter<OutboxJob> = async (transaction, left) => {
    await transaction.insert(outboxJobs).values([...left]);
    afterCommit(transaction, () => relay.move(left));
  };
  const enqueueAll: Outbox["enqueueAll"] = async (transaction, { name }, payloads) => {
    if (!names.has(name)) throw new Error(`The job ${name} is not registered, so it has no queue`);
    if (payloads.length === 0) return;
    const rows = payloads.map((payload) => {
      const id = randomUUID();
      return { id, payload: seal(keys, JSON.stringify(payload), sealedFor(name, id)) };
    });
    const organizationId = organizationOfTransaction(transaction);
    if (organizationId !== null) {
      for (const row of rows) writeBeforeCommit(transaction, leave, { organizationId, name, ...row });
      return;
    }
    const queued = rows.map(({ id, payload }) => ({ id, data: { sealed: payload } }));
    const inserted = await boss.insert(name, queued, { db: runnerDb(transaction), returnId: true });
    // pg-boss's tables are on the coordinator, and the effect of the transaction is on another server.
    await commitOnAllServers(db, transaction);
    if (inserted?.length !== rows.length) throw new Error(`The outbox did not accept all jobs of ${name}`);
  };
  return {
    enqueueAll,
    enqueue: (transaction, job, payload) => enqueueAll(transaction, job, [payload]),
    relay: ({ leftForMs } = { leftForMs: 0 }) => relay.moveLeft({ leftForMs }),
  };
}
