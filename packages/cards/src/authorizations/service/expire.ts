import { Problem, errorText } from "@purser/core";
import type { Platform } from "@purser/platform";
import { listExpired } from "../store/settle.ts";
import { settle } from "./settle.ts";

type Parts = Pick<Platform, "db" | "clock" | "logger">;
type Expired = Awaited<ReturnType<typeof listExpired>>[number];

/**
 * Gives back the holds whose time is over, in whatever process, and however long nobody did, `rows` of them being read
 * at a time. One that cannot be given back keeps none of the others; throws at the end where there was one.
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
        platform.logger.error({ transactionId, reason: errorText(error) }, "A hold could not be given back");
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
    // Whoever else expires this hold, does it under the same name.
    const networkId = `expiry:${id}`;
    await settle(platform, issuer, {
      kind: "expiry",
      networkId,
      card: card!,
      authorization: authorization!,
      at: at!,
    });
  } catch (error) {
    // It was settled in the meantime.
    if (!(error instanceof Problem) || error.code !== "TRANSACTION_FINAL") throw error;
  }
}
