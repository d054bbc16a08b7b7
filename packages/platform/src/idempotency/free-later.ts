import { errorText } from "@purser/core";
import type { CallerContext } from "../context.ts";
import { leaseMs } from "../leases.ts";
import { retryWhileUnavailable } from "../retry.ts";

/** Frees a key for others when the database is available, at the latest when its lease expires, or until the process stops. */
export function freeLater(ctx: CallerContext, free: () => Promise<void>): void {
  void retryWhileUnavailable(ctx, free, { timeoutMs: leaseMs }).catch((error: unknown) =>
    ctx.logger.warn(
      { reason: errorText(error) },
      "An idempotency key stays in progress until its lease expires",
    ),
  );
}
