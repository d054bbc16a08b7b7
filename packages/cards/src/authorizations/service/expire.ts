import { Problem, errorText } from "@purser/core";
import type { Platform } from "@purser/platform";
import type { EventPlatform } from "@purser/platform/events";
import { listExpired } from "../store/settle.ts";
import { recordSettlement } from "./settle.ts";

type Parts = EventPlatform & Pick<Platform, "db" | "logger">;
type Expired = Awaited<ReturnType<typeof listExpired>>[number];

/**
 * Releases all expired holds, in pages of `rows`. Several processes may run it at once. A hold that fails does not stop
 * the others; the failures are thrown together at the end.
 */
export async function expireHolds(platform: Parts, rows = 100): Promise<void> {
  const now = platform.clock.now();
  const failures: unknown[] = [];
  for (let after: Expired | undefined; ;) {
    const expired = await listExpired(platform.db, now, { after, rows });
    for (const hold of expired) {
      try {
        await expire(platform, hold);
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
  if (failures.length > 0) throw new AggregateError(failures, String(failures[0]));
}

async function expire(
  platform: Parts,
  { id, issuer, card, authorization, expiresAt: at }: Expired,
): Promise<void> {
  try {
    // Every process uses the same id, so a hold expires once.
    const networkId = `expiry:${id}`;
    await recordSettlement(platform, issuer, {
      kind: "expiry",
      networkId,
      card: card!,
      authorization: authorization!,
      at: at!,
    });
  } catch (error) {
    // The hold has been settled since it was listed.
    if (!(error instanceof Problem) || error.code !== "TRANSACTION_FINAL") throw error;
  }
}
