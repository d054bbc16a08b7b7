import { type PaddleRequest, requireEntity, valuesOf } from "./call.ts";
import type { FakePaddleSubscription } from "./entities.ts";
import { PaddleRefusal, invalidFields } from "./refusal.ts";
import type { PaddleState } from "./state.ts";

export function listFakePaddleSubscriptions(
  { subscriptions }: PaddleState,
  { query }: PaddleRequest,
): object[] {
  const statuses = valuesOf(query, "status");
  const customers = valuesOf(query, "customer_id");
  return [...subscriptions.values()].filter(
    ({ status, customer_id }) =>
      (statuses?.includes(status) ?? true) && (customers?.includes(customer_id) ?? true),
  );
}

/** Cancels now or at the end of the period. A paused subscription can only be canceled now. */
export function cancelFakePaddleSubscription(state: PaddleState, { id, body }: PaddleRequest): object {
  const subscription = changeable(state, id);
  requireNoScheduledChange(subscription);
  const isPaused = subscription.status === "paused";
  const from = body["effective_from"] ?? (isPaused ? "immediately" : "next_billing_period");
  if (from === "immediately") return endFakePaddleSubscription(state, subscription);
  if (from !== "next_billing_period") throw invalidFields("effective_from");
  if (isPaused) {
    const detail = "action can't be performed on inactive subscription";
    throw new PaddleRefusal(400, "subscription_is_inactive_action_invalid", detail);
  }
  return planChange(state, subscription, "cancel");
}

function requireNoScheduledChange(subscription: FakePaddleSubscription): void {
  if (subscription.scheduled_change === null) return;
  const detail = "cannot update subscription, pending scheduled changes";
  throw new PaddleRefusal(400, "subscription_locked_pending_changes", detail);
}

/** Schedules a pause for the end of the period. */
export function pauseFakePaddleSubscription(state: PaddleState, { id, body }: PaddleRequest): object {
  const subscription = changeable(state, id);
  requireNoScheduledChange(subscription);
  const { effective_from: from = "next_billing_period", resume_at: resumeAt = null } = body;
  if (from !== "next_billing_period") throw invalidFields("effective_from");
  if (resumeAt !== null && typeof resumeAt !== "string") throw invalidFields("resume_at");
  return planChange(state, subscription, "pause", resumeAt);
}

/** Schedules the resumption of a paused subscription. */
export function resumeFakePaddleSubscription(state: PaddleState, { id, body }: PaddleRequest): object {
  const subscription = changeable(state, id);
  requireNoScheduledChange(subscription);
  if (subscription.status !== "paused") {
    const detail = "cannot resume subscription, as the subscription is not paused";
    throw new PaddleRefusal(400, "subscription_cannot_be_resumed", detail);
  }
  const { effective_from: from } = body;
  if (typeof from !== "string" || !(new Date(from) > state.clock.now()))
    throw invalidFields("effective_from");
  const scheduled_change = { action: "resume" as const, effective_at: from, resume_at: null };
  Object.assign(subscription, { scheduled_change, updated_at: state.now() });
  state.emit("subscription.updated", subscription);
  return subscription;
}

/** Schedules a change for the end of the period. Paddle reports it like any other change. */
export function planChange(
  state: PaddleState,
  subscription: FakePaddleSubscription,
  action: "cancel" | "pause",
  resumeAt: string | null = null,
): FakePaddleSubscription {
  const effective_at = subscription.current_billing_period!.ends_at;
  const scheduled_change = { action, effective_at, resume_at: resumeAt };
  Object.assign(subscription, { scheduled_change, next_billed_at: null, updated_at: state.now() });
  state.emit("subscription.updated", subscription);
  return subscription;
}

export function endFakePaddleSubscription(
  state: PaddleState,
  subscription: FakePaddleSubscription,
): FakePaddleSubscription {
  const at = state.now();
  Object.assign(subscription, {
    status: "canceled",
    canceled_at: at,
    updated_at: at,
    next_billed_at: null,
    current_billing_period: null,
    scheduled_change: null,
    items: subscription.items.map((item) => ({ ...item, next_billed_at: null })),
  });
  state.emit("subscription.updated", subscription);
  state.emit("subscription.canceled", subscription);
  return subscription;
}

export function updateFakePaddleSubscription(state: PaddleState, { id, body }: PaddleRequest): object {
  const subscription = changeable(state, id);
  if (subscription.status === "past_due") {
    const detail = "cannot update subscription, as the subscription status is 'past_due'";
    throw new PaddleRefusal(400, "subscription_update_when_past_due", detail);
  }
  if (body["scheduled_change"] !== null) {
    const detail = "You can only set the `scheduled_change` field to `null`. Other updates aren't allowed.";
    throw new PaddleRefusal(400, "subscription_scheduled_change_invalid_update", detail);
  }
  if (subscription.scheduled_change === null) return subscription;
  const next_billed_at = subscription.current_billing_period?.ends_at ?? null;
  Object.assign(subscription, { scheduled_change: null, next_billed_at, updated_at: state.now() });
  state.emit("subscription.updated", subscription);
  return subscription;
}

function changeable({ subscriptions }: PaddleState, id: string): FakePaddleSubscription {
  const subscription = requireEntity(subscriptions, id);
  if (subscription.status === "canceled") {
    const detail = "cannot update subscription, as subscription is canceled";
    throw new PaddleRefusal(400, "subscription_update_when_canceled", detail);
  }
  return subscription;
}
