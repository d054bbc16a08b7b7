import {
  BillingError,
  type SubscriptionPointer,
  type SubscriptionState,
  type SubscriptionStatus,
  nullIfNotFound,
} from "@purser/billing/ports";
import { z } from "zod";
import {
  type PaddleCall,
  PaddleId,
  PaddleTime,
  isPaddleSubscriptionId,
  listPaddlePages,
  paddleOrganizationClaim,
} from "./client.ts";

const ScheduledChange = z.object({
  action: z.string(),
  effectiveAt: PaddleTime,
  resumeAt: PaddleTime.nullish(),
});
type ScheduledChange = z.infer<typeof ScheduledChange>;

export const PaddleSubscription = z.object({
  id: PaddleId,
  status: z.string().min(1),
  customerId: PaddleId,
  createdAt: PaddleTime,
  updatedAt: PaddleTime,
  startedAt: PaddleTime.nullable(),
  pausedAt: PaddleTime.nullable(),
  canceledAt: PaddleTime.nullable(),
  currentBillingPeriod: z.object({ startsAt: PaddleTime, endsAt: PaddleTime }).nullable(),
  scheduledChange: ScheduledChange.nullable(),
  items: z
    .array(
      z.object({
        createdAt: PaddleTime,
        previouslyBilledAt: PaddleTime.nullable(),
        price: z.object({ id: PaddleId, productId: PaddleId }),
      }),
    )
    .min(1),
  customData: z.unknown(),
});

/** Fetches a subscription; null when Paddle has none with this id. */
export async function findPaddleSubscription(
  call: PaddleCall,
  id: string,
): Promise<SubscriptionState | null> {
  if (!isPaddleSubscriptionId(id)) return null;
  const found = await nullIfNotFound(getSubscription(call, id));
  return found && paddleSubscriptionState(found);
}

function getSubscription(call: PaddleCall, id: string) {
  return call("subscriptions.get", PaddleSubscription, (paddle) => paddle.subscriptions.get(id));
}

const statuses: ReadonlyMap<string, SubscriptionStatus> = new Map([
  ["active", "ACTIVE"],
  ["trialing", "ACTIVE"],
  ["past_due", "PAST_DUE"],
  ["paused", "UNPAID"],
  ["canceled", "CANCELED"],
]);

/** Maps Paddle's subscription to the port's type. */
export function paddleSubscriptionState(subscription: z.infer<typeof PaddleSubscription>): SubscriptionState {
  const { id, status, customerId, items, canceledAt, updatedAt, scheduledChange } = subscription;
  // The first item was bought in the checkout. Others were added later, by hand.
  const { price } = items.reduce((first, item) => (item.createdAt < first.createdAt ? item : first));
  const cancelAtPeriodEnd = scheduledChange?.action === "cancel";
  return {
    id,
    customerId,
    ...paddleOrganizationClaim(subscription.customData),
    status: statuses.get(status) ?? null,
    rawStatus: status.slice(0, 255),
    planId: price.productId,
    variantId: price.id,
    ...periodOf(subscription),
    // The period is the trial then: https://developer.paddle.com/build/subscriptions/extend-activate-change-date-trials.
    isTrial: status === "trialing",
    // `canceledAt` is the end. Paddle does not report the time of the request; the last change is the latest possible.
    canceledAt: canceledAt ?? (cancelAtPeriodEnd ? updatedAt : null),
    isCanceledAtEstimated: true,
    cancelAtPeriodEnd,
    cancelAt: cancelAtPeriodEnd ? scheduledChange.effectiveAt : null,
    // Paddle holds one scheduled change at a time.
    ...(scheduledChange !== null &&
      !cancelAtPeriodEnd && {
        replaceableChange: { action: scheduledChange.action, at: scheduledChange.effectiveAt },
      }),
  };
}

/** A paused or ended subscription has no period: reconstruct its last one as far as possible. */
function periodOf(subscription: z.infer<typeof PaddleSubscription>) {
  const { currentBillingPeriod: period, items, startedAt, createdAt } = subscription;
  if (period !== null) return { currentPeriodStart: period.startsAt, currentPeriodEnd: period.endsAt };
  const billed = items.map((item) => item.previouslyBilledAt).filter((at) => at !== null);
  const { canceledAt, pausedAt, updatedAt } = subscription;
  return {
    currentPeriodStart:
      billed.toSorted((one, other) => other.getTime() - one.getTime())[0] ?? startedAt ?? createdAt,
    currentPeriodEnd: canceledAt ?? pausedAt ?? updatedAt,
  };
}

/**
 * The cancellation may have used up its own time when it fails. Together they stay below the 10 s for which the transaction
 * of the caller's lock may be idle.
 */
const restoreTimeoutMs = 2_000;

/** Cancels at the end of the period. Throws `ended`. */
export async function cancelPaddleSubscription(
  newCall: (limitMs?: number) => PaddleCall,
  id: string,
): Promise<void> {
  requireSubscriptionId(id);
  const call = newCall();
  try {
    await cancelFrom(call, id, "next_billing_period");
  } catch (error) {
    if (!BillingError.is(error, "refused")) throw error;
    const { status, scheduledChange } = await getSubscription(call, id);
    if (scheduledChange?.action === "cancel") return;
    const isPaused = status === "paused";
    if (!isPaused && scheduledChange === null) throw error;
    let isRemoved = false;
    try {
      // Paddle holds one scheduled change at a time, so a scheduled pause or resumption gives way.
      if (scheduledChange !== null) {
        await removeScheduledChange(call, id);
        isRemoved = true;
      }
      // A paused subscription has no running period to end with, and collects nothing.
      await cancelFrom(call, id, isPaused ? "immediately" : "next_billing_period");
    } catch (failure) {
      if (scheduledChange === null) throw failure;
      const isScheduled = await scheduleAgain(newCall(restoreTimeoutMs), id, scheduledChange).catch(
        // Nothing was canceled yet, so the change that the removal did not remove is what prevents another.
        (refusal: unknown) => !isRemoved && BillingError.is(refusal, "refused"),
      );
      // The removal may have taken effect although its answer got lost.
      const mayBeRemoved = isRemoved || BillingError.is(failure, "outage");
      if (mayBeRemoved && !isScheduled && BillingError.is(failure)) failure.hasRemovedChange = true;
      throw failure;
    }
  }
}

/**
 * Schedules a pause or a resumption again. Without the pause, Paddle would charge the next period. Returns whether it knows the
 * change. Paddle refuses it if the removal failed, or if the cancellation took effect after all.
 */
async function scheduleAgain(
  call: PaddleCall,
  id: string,
  { action, effectiveAt, resumeAt }: ScheduledChange,
): Promise<boolean> {
  switch (action) {
    case "pause":
      await call("subscriptions.pause", PaddleSubscription, (paddle) =>
        paddle.subscriptions.pause(id, {
          effectiveFrom: "next_billing_period",
          ...(resumeAt && { resumeAt: resumeAt.toISOString() }),
        }),
      );
      return true;
    case "resume":
      await call("subscriptions.resume", PaddleSubscription, (paddle) =>
        paddle.subscriptions.resume(id, { effectiveFrom: effectiveAt.toISOString() }),
      );
      return true;
    default:
      return false;
  }
}

async function cancelFrom(
  call: PaddleCall,
  id: string,
  effectiveFrom: "next_billing_period" | "immediately",
): Promise<void> {
  await call("subscriptions.cancel", PaddleSubscription, (paddle) =>
    paddle.subscriptions.cancel(id, { effectiveFrom }),
  );
}

/** Withdraws a cancellation. The SDK's `resume` is for paused subscriptions and may charge. Throws `ended`. */
export async function resumePaddleSubscription(call: PaddleCall, id: string): Promise<void> {
  requireSubscriptionId(id);
  await removeScheduledChange(call, id);
}

/** Idempotent: without a scheduled change it does nothing. */
async function removeScheduledChange(call: PaddleCall, id: string): Promise<void> {
  await call("subscriptions.update", PaddleSubscription, (paddle) =>
    paddle.subscriptions.update(id, { scheduledChange: null }),
  );
}

function requireSubscriptionId(id: string): void {
  if (!isPaddleSubscriptionId(id))
    throw new BillingError("not_found", "Paddle has no subscription ids of this form");
}

const ListedSubscription = z.object({ id: PaddleId, createdAt: PaddleTime, customData: z.unknown() });

/** Lists the subscriptions created since an instant, in any status; at most 1,000, newest first. */
export async function listPaddleSubscriptionsSince(
  call: PaddleCall,
  since: Date,
): Promise<SubscriptionPointer[]> {
  const created = await listPaddlePages(
    call,
    "subscriptions.list",
    ListedSubscription,
    // Ids begin with their creation time.
    (paddle, page) => paddle.subscriptions.list({ orderBy: "id[DESC]", ...page }),
    { maximum: 1_000, isBeyond: ({ createdAt }) => createdAt < since },
  );
  return created.map(({ id, customData }) => ({
    subscriptionId: id,
    ...paddleOrganizationClaim(customData),
  }));
}
