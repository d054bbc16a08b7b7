import { addMs, dayMs } from "@purser/core";
import type { TenantKey, Transaction } from "@purser/db";
import { findBank } from "../../call-provider.ts";
import type { ConnectionRow } from "../../connections/store.ts";
import type { BankingPlatform } from "../../context.ts";
import { nextSync } from "../rules/next-sync.ts";
import { listUnattendedStarts } from "../store/runs.ts";

type PlannedConnection = TenantKey & Pick<ConnectionRow, "provider">;

/** Returns when the schedule syncs a connection next. */
export async function planNextSync(
  platform: BankingPlatform,
  transaction: Transaction,
  connection: PlannedConnection,
  outcome: { failures: number; retryAfterSeconds?: number | undefined },
): Promise<Date> {
  const reads = await unattendedReads(platform, transaction, connection);
  return nextSync({ now: platform.clock.now(), ...reads, ...outcome });
}

/** Returns the unattended reads of the last 24 hours, and how many the provider allows. */
export async function unattendedReads(
  platform: BankingPlatform,
  transaction: Transaction,
  connection: PlannedConnection,
) {
  const aDayAgo = addMs(platform.clock.now(), -dayMs);
  const unattendedStarts = await listUnattendedStarts(transaction, connection, aDayAgo);
  // A failure is recorded even if the provider is no longer configured.
  const quota = (await findBank(platform, connection.provider))?.unattendedReadsPerDay ?? null;
  return { unattendedStarts, quota };
}
