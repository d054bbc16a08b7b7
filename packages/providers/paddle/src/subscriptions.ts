import { z } from "zod";
import { BillingError, type SubscriptionPointer, type SubscriptionState } from "@purser/billing/ports";
import { type PaddleCall, listPaddlePages } from "./client.ts";
import {
  PaddleId,
  PaddleSubscription,
  PaddleTime,
  isPaddleSubscriptionId,
  paddleTeamClaim,
  paddleSubscriptionState,
} from "./mapping.ts";

function retrieve(call: PaddleCall, id: string) {
  return call("subscriptions.get", PaddleSubscription, (paddle) => paddle.subscriptions.get(id));
}

/** The subscription as it is now; null where Paddle has none of this id. */
export async function findPaddleSubscription(
  call: PaddleCall,
  id: string,
): Promise<SubscriptionState | null> {
  if (!isPaddleSubscriptionId(id)) return null;
  try {
    return paddleSubscriptionState(await retrieve(call, id));
  } catch (error) {
    if (error instanceof BillingError && error.kind === "not_found") return null;
    throw error;
  }
}

type Moment = "next_billing_period" | "immediately";

async function end(call: PaddleCall, id: string, effectiveFrom: Moment): Promise<void> {
  await call("subscriptions.cancel", PaddleSubscription, (paddle) =>
    paddle.subscriptions.cancel(id, { effectiveFrom }),
  );
}

/** Takes back what is planned for the subscription. Where nothing is, that changes nothing. */
async function unplan(call: PaddleCall, id: string): Promise<void> {
  await call("subscriptions.update", PaddleSubscription, (paddle) =>
    paddle.subscriptions.update(id, { scheduledChange: null }),
  );
}

/** Lets a subscription end with its period. Throws `ended`. */
export async function cancelPaddleSubscription(call: PaddleCall, id: string): Promise<void> {
  requireSubscription(id);
  try {
    await end(call, id, "next_billing_period");
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error;
    const { status, scheduledChange } = await retrieve(call, id);
    if (scheduledChange?.action === "cancel") return;
    const isPaused = status === "paused";
    if (!isPaused && scheduledChange === null) throw error;
    // There is room for one plan: a pause, or the end of one, gives way.
    if (scheduledChange !== null) await unplan(call, id);
    // While it is paused no period runs with which it could end, and nothing is paid for.
    await end(call, id, isPaused ? "immediately" : "next_billing_period");
  }
}

/** Takes a cancellation back. What the SDK calls `resume` is for paused ones, and may charge. Throws `ended`. */
export async function resumePaddleSubscription(call: PaddleCall, id: string): Promise<void> {
  requireSubscription(id);
  await unplan(call, id);
}

function requireSubscription(id: string): void {
  if (!isPaddleSubscriptionId(id))
    throw new BillingError("not_found", "Paddle has no subscriptions of such an id");
}

const Made = z.object({ id: PaddleId, createdAt: PaddleTime, customData: z.unknown() });

/** The subscriptions that were made since, whatever has become of them; at most 1,000, newest first. */
export async function listPaddleSubscriptionsSince(
  call: PaddleCall,
  since: Date,
): Promise<SubscriptionPointer[]> {
  const made = await listPaddlePages(
    call,
    "subscriptions.list",
    Made,
    // Their ids begin with the time at which they were made.
    (paddle, page) => paddle.subscriptions.list({ orderBy: "id[DESC]", ...page }),
    { most: 1_000, isBeyond: ({ createdAt }) => createdAt < since },
  );
  return made.map(({ id, customData }) => ({ subscriptionId: id, ...paddleTeamClaim(customData) }));
}
