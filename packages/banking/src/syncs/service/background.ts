import { findConnection } from "../../connections/store.ts";
import type { BankingPlatform } from "../../context.ts";
import { type SyncJob, bankingJobs } from "../../job-definitions.ts";
import { presentAddress } from "../../person.ts";
import { runSyncs } from "./run.ts";

/** The largest number of syncs of one institution that the workers of this process run at the same time. */
const maxPerInstitution = 4;
/** The same with those of users who are present: a bank may list its earlier days only for some minutes after the sign-in. */
const maxWithAttended = 8;

/** The syncs of one institution. */
interface InstitutionSyncs {
  running: number;
  /** The jobs that found no free place, by connection. */
  waiting: Map<string, SyncJob>;
}

/**
 * Returns the handler of the job `banking.sync`. A bank that does not respond occupies only its share of the workers: further
 * syncs of it stay queued, and their jobs end. A sync that ends enqueues a job for one of them. If the process dies
 * instead, the schedule does so for each sync that has been queued for some minutes.
 */
export function backgroundSyncs(platform: BankingPlatform): (job: SyncJob) => Promise<void> {
  const institutions = new Map<string, InstitutionSyncs>();
  return async (job) => {
    const { organizationId, connectionId, person } = job;
    const connection = await findConnection(platform.db, organizationId, connectionId);
    if (connection === undefined) return;
    const name = `${connection.provider} ${connection.institutionId}`;
    const syncs = institutions.get(name) ?? { running: 0, waiting: new Map() };
    institutions.set(name, syncs);
    const isAttended = presentAddress(person, platform.clock.now()) !== undefined;
    if (syncs.running >= (isAttended ? maxWithAttended : maxPerInstitution)) {
      syncs.waiting.set(connectionId, job);
      return;
    }
    syncs.running += 1;
    syncs.waiting.delete(connectionId);
    try {
      await runSyncs(platform, { organizationId, id: connectionId }, person);
    } finally {
      syncs.running -= 1;
      if (syncs.running === 0) institutions.delete(name);
      await enqueueNext(platform, syncs);
    }
  };
}

/** Enqueues a job for the sync that waits longest; for all if no other sync would do so later. */
async function enqueueNext(
  { db, outbox }: BankingPlatform,
  { running, waiting }: InstitutionSyncs,
): Promise<void> {
  const next = [...waiting].slice(0, running === 0 ? undefined : 1);
  if (next.length === 0) return;
  for (const [connectionId] of next) waiting.delete(connectionId);
  const jobs = next.map(([, job]) => job);
  await db.transaction((transaction) => outbox.enqueueAll(transaction, bankingJobs.sync, jobs));
}
