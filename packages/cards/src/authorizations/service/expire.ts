import { errorText } from "@purser/core";
import { type Platform, throwAll } from "@purser/platform";
import type { EventPlatform } from "@purser/platform/events";
import { type ExpiredHold, listExpired } from "../store/transactions.ts";
import { releaseExpired } from "./settle.ts";

type Parts = EventPlatform & Pick<Platform, "db" | "nodes" | "logger">;

/**
 * Releases all expired holds, in pages of `rows`. Several processes may run it at once. A hold that fails does not stop
 * the others; the failures are thrown together at the end.
 */
export async function expireHolds(platform: Parts, rows = 100): Promise<void> {
  const now = platform.clock.now();
  const failures: unknown[] = [];
  for (let after: ExpiredHold | undefined; ;) {
    const expired = await listExpired(platform.db, now, { after, rows });
    for (const hold of expired) {
      try {
        await releaseExpired(platform, hold);
      } catch (error) {
        failures.push(error);
        const { id: transactionId } = hold;
        platform.logger.error(
          { transactionId, reason: errorText(error) },
          "An expired hold could not be released",
        );
      }
    }
    if (expired.length < rows) break;
    after = expired.at(-1);
  }
  throwAll(failures);
}
