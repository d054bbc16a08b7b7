import { retryWhileUnavailable } from "@purser/platform";
import type { BankingPlatform } from "../../context.ts";
import { type ConnectionKey, type SyncRow, claimSync, findClaimed } from "../store/runs.ts";

/**
 * Marks the queued sync of a connection as running, as soon as the database is available. Returns undefined if none is
 * queued, or one is running. If an attempt marked it and its answer was lost, the next attempt finds it by its instant.
 */
export async function claimQueuedSync(
  platform: BankingPlatform,
  connection: ConnectionKey,
  { now, isAttended }: { now: Date; isAttended: boolean },
): Promise<SyncRow | undefined> {
  let attempt = 0;
  return retryWhileUnavailable(platform, async () => {
    attempt += 1;
    const claimed = attempt > 1 ? await findClaimed(platform.db, connection, now) : undefined;
    return claimed ?? claimSync(platform.db, connection, { now, isAttended });
  });
}
