import { newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import type { Platform } from "@purser/platform";
import { bankingJobs } from "../../job-definitions.ts";
import { type ConnectionKey, type SyncRow, enqueueSync } from "../store/runs.ts";

/**
 * Asks for a synchronisation as part of a transaction, and gives the id of the one that will serve. Those who ask
 * while one waits share it; one that runs may have read past what has just changed, so another follows it.
 */
export async function requestSync(
  { clock, outbox }: Pick<Platform, "clock" | "outbox">,
  transaction: Transaction,
  { organizationId, id: connectionId }: ConnectionKey,
  trigger: SyncRow["trigger"],
): Promise<string> {
  const now = clock.now();
  const id = newId("bsy", now);
  const waiting = await enqueueSync(transaction, {
    organizationId,
    id,
    connectionId,
    trigger,
    startedAt: now,
  });
  if (waiting === id) await outbox.enqueue(transaction, bankingJobs.sync, { organizationId, connectionId });
  return waiting;
}
