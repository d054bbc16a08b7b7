import { z } from "zod";
import { BillingError, type SubscriptionPointer, type SubscriptionState } from "@purser/billing/ports";
import { type ApiCall, listAll } from "./client.ts";
import { Id, Subscription, Time, recognizes, claimOf, stateOf } from "./mapping.ts";

function retrieve(ask: ApiCall, id: string) {
  return ask("subscriptions.get", Subscription, (paddle) => paddle.subscriptions.get(id));
}

/** The subscription as it is now; null where Paddle has none of this id. */
export async function findSubscription(ask: ApiCall, id: string): Promise<SubscriptionState | null> {
  if (!recognizes(id)) return null;
  try {
    return stateOf(await retrieve(ask, id));
  } catch (error) {
    if (error instanceof BillingError && error.kind === "not_found") return null;
    throw error;
  }
}

type Moment = "next_billing_period" | "immediately";

async function end(ask: ApiCall, id: string, effectiveFrom: Moment): Promise<void> {
  await ask("subscriptions.cancel", Subscription, (paddle) =>
    paddle.subscriptions.cancel(id, { effectiveFrom }),
  );
}

/** Takes back what is planned for the subscription. Where nothing is, that changes nothing. */
async function unplan(ask: ApiCall, id: string): Promise<void> {
  await ask("subscriptions.update", Subscription, (paddle) =>
    paddle.subscriptions.update(id, { scheduledChange: null }),
  );
}

/** Lets a subscription end with its period. Throws `ended`. */
export async function cancel(ask: ApiCall, id: string): Promise<void> {
  requireSubscription(id);
  try {
    await end(ask, id, "next_billing_period");
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "refused") throw error;
    const { status, scheduledChange } = await retrieve(ask, id);
    if (scheduledChange?.action === "cancel") return;
    const isPaused = status === "paused";
    if (!isPaused && scheduledChange === null) throw error;
    // There is room for one plan: a pause, or the end of one, gives way.
    if (scheduledChange !== null) await unplan(ask, id);
    // While it is paused no period runs with which it could end, and nothing is paid for.
    await end(ask, id, isPaused ? "immediately" : "next_billing_period");
  }
}

/** Takes a cancellation back. What the SDK calls `resume` is for paused ones, and may charge. Throws `ended`. */
export async function resume(ask: ApiCall, id: string): Promise<void> {
  requireSubscription(id);
  await unplan(ask, id);
}

function requireSubscription(id: string): void {
  if (!recognizes(id)) throw new BillingError("not_found", "Paddle has no subscriptions of such an id");
}

const Made = z.object({ id: Id, createdAt: Time, customData: z.unknown() });

/** The subscriptions that were made since, whatever has become of them; at most 1,000, newest first. */
export async function subscriptionsSince(ask: ApiCall, since: Date): Promise<SubscriptionPointer[]> {
  const made = await listAll(
    ask,
    "subscriptions.list",
    Made,
    // Their ids begin with the time at which they were made.
    (paddle, page) => paddle.subscriptions.list({ orderBy: "id[DESC]", ...page }),
    { most: 1_000, isBeyond: ({ createdAt }) => createdAt < since },
  );
  return made.map(({ id, customData }) => ({ subscriptionId: id, ...claimOf(customData) }));
}
