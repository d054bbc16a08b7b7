import { randomUUID } from "node:crypto";
import type { Database, Transaction } from "@purser/db";
import { type Jobs, jobNames, sealedFor } from "./jobs.ts";
import { jobRunner, runnerDb } from "./outbox/runner.ts";
import { type Keyring, seal } from "./secrets.ts";

export type { Jobs } from "./jobs.ts";

/** Hands work to the durable job runner, as part of the transaction that caused it. */
export interface Outbox {
  /** The job runs at least once after the transaction commits, and never if it does not. */
  enqueue<Name extends keyof Jobs>(transaction: Transaction, job: Name, data: Jobs[Name]): Promise<void>;
  /** The same for several jobs of a kind, in one statement. */
  enqueueAll<Name extends keyof Jobs>(
    transaction: Transaction,
    job: Name,
    data: readonly Jobs[Name][],
  ): Promise<void>;
}

/**
 * Opens the outbox on a database that `migrateJobs` has prepared. It takes no connection of its own.
 * What jobs carry is sealed, because mails carry tokens.
 */
export async function openOutbox(db: Database, keys: Keyring): Promise<Outbox> {
  const boss = jobRunner(db);
  // pg-boss looks a queue up when it first sends to it. It would do so on a second connection beside the open
  // transaction's, and with every connection in a transaction, nobody would get one.
  await Promise.all(
    jobNames.map((name) => boss.findJobs(name, { id: "00000000-0000-0000-0000-000000000000" })),
  );
  const enqueueAll: Outbox["enqueueAll"] = async (transaction, job, data) => {
    if (data.length === 0) return;
    const jobs = data.map((one) => {
      const id = randomUUID();
      return { id, data: { sealed: seal(keys, JSON.stringify(one), sealedFor(job, id)) } };
    });
    const taken = await boss.insert(job, jobs, { db: runnerDb(transaction), returnId: true });
    if (taken?.length !== jobs.length) throw new Error(`Jobs of ${job} were not taken into the outbox`);
  };
  return { enqueueAll, enqueue: (transaction, job, data) => enqueueAll(transaction, job, [data]) };
}
