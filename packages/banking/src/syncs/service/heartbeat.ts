import { errorText } from "@purser/core";
import type { BankingPlatform } from "../../context.ts";
import { type SyncRow, touchSync } from "../store/runs.ts";

/** How often a running sync shows that its process lives. Another process fails it after five minutes without that. */
const heartbeatMs = 60 * 1000;

/** Sets the heartbeat of a sync regularly while it runs, also while a slow bank sends nothing. */
export async function withHeartbeat(
  { db, clock, logger }: Pick<BankingPlatform, "db" | "clock" | "logger">,
  sync: SyncRow,
  work: () => Promise<void>,
  everyMs = heartbeatMs,
): Promise<void> {
  const timer = setInterval(() => {
    touchSync(db, sync, clock.now()).catch((error: unknown) =>
      logger.warn({ syncId: sync.id, reason: errorText(error) }, "The heartbeat of a sync failed"),
    );
  }, everyMs).unref();
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
}
