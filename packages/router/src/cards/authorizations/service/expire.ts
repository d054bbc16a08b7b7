import { Problem } from "@purser/core";
import type { Platform } from "../../../context.ts";
import { listExpired } from "../store/settle.ts";
import { settle } from "./settle.ts";

type Parts = Pick<Platform, "db" | "clock">;

/** Gives back the holds whose time is over, in whatever process, and however long nobody did. */
export async function expireHolds(platform: Parts): Promise<void> {
  for (;;) {
    const expired = await listExpired(platform.db, platform.clock.now(), 100);
    for (const hold of expired) await expire(platform, hold);
    if (expired.length < 100) return;
  }
}

async function expire(
  platform: Parts,
  { id, issuer, card, authorization, expiresAt: at }: Awaited<ReturnType<typeof listExpired>>[number],
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
