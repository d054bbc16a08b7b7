import { addMs, errorText } from "@purser/core";
import type { Platform } from "./context.ts";

/**
 * How long work that outlives a transaction stays claimed without a renewal. Then its process counts as dead: any other
 * process may take the work over, and of both only one has an effect.
 */
export const leaseMs = 15_000;
/** How often a living process renews its claims. Two renewals may fail. */
export const renewMs = 5000;
/** How often each worker releases the claims of dead processes. */
export const sweepMs = 5000;

/** When a claim ends that is made or renewed now. */
export const leaseEnd = (now: Date): Date => addMs(now, leaseMs);

/**
 * The latest end that a claim has, although the clocks of processes differ. A later one is from before the clock stepped back. It
 * is shortened to {@link leaseEnd}: otherwise the claim would outlast its process by as much. A living process renews it.
 */
export const latestLeaseEnd = (now: Date): Date => leaseEnd(leaseEnd(now));

/** Renews a claim regularly while the work runs. A renewal that fails is logged, and the next one may succeed. */
export async function whileRenewing<Result>(
  { logger }: Pick<Platform, "logger">,
  renew: () => Promise<unknown>,
  work: () => Promise<Result>,
  everyMs = renewMs,
): Promise<Result> {
  const timer = setInterval(() => {
    renew().catch((error: unknown) => logger.warn({ reason: errorText(error) }, "A lease was not renewed"));
  }, everyMs).unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
