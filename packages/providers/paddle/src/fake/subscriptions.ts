import { type Call, known, valuesOf } from "./call.ts";
import type { FakeSubscription } from "./entities.ts";
import { Refusal, invalid } from "./refusal.ts";
import type { FakeState } from "./state.ts";

export function listSubscriptions({ subscriptions }: FakeState, { query }: Call): object[] {
  const statuses = valuesOf(query, "status");
  const customers = valuesOf(query, "customer_id");
  return [...subscriptions.values()].filter(
    ({ status, customer_id }) =>
      (statuses?.includes(status) ?? true) && (customers?.includes(customer_id) ?? true),
  );
}

/** Cancels now or at the end of the period. A paused subscription can only be canceled now. */
export function cancelSubscription(state: FakeState, { id, body }: Call): object {
  const subscription = changeable(state, id);
  if (subscription.scheduled_change !== null) {
    const words = "cannot update subscription, pending scheduled changes";
    throw new Refusal(400, "subscription_locked_pending_changes", words);
  }
  const isPaused = subscription.status === "paused";
  const from = body["effective_from"] ?? (isPaused ? "immediately" : "next_billing_period");
  if (from === "immediately") return endSubscription(state, subscription);
  if (from !== "next_billing_period") throw invalid("effective_from");
  if (isPaused) {
    const words = "action can't be performed on inactive subscription";
    throw new Refusal(400, "subscription_is_inactive_action_invalid", words);
  }
  return planChange(state, subscription, "cancel");
}

/** Schedules a change for the end of the period. Paddle reports it like any other change. */
export function planChange(
  state: FakeState,
  subscription: FakeSubscription,
  action: string,
): FakeSubscription {
  const effective_at = subscription.current_billing_period!.ends_at;
  const scheduled_change = { action, effective_at, resume_at: null };
  Object.assign(subscription, { scheduled_change, next_billed_at: null, updated_at: state.now() });
  state.happen("subscription.updated", subscription);
  return subscription;
}

export function endSubscription(state: FakeState, subscription: FakeSubscription): FakeSubscription {
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
  state.happen("subscription.updated", subscription);
  state.happen("subscription.canceled", subscription);
  return subscription;
}

export function updateSubscription(state: FakeState, { id, body }: Call): object {
  const subscription = changeable(state, id);
  if (subscription.status === "past_due") {
    const words = "cannot update subscription, as the subscription status is 'past_due'";
    throw new Refusal(400, "subscription_update_when_past_due", words);
  }
  if (body["scheduled_change"] !== null) {
    const words = "You can only set the `scheduled_change` field to `null`. Other updates aren't allowed.";
    throw new Refusal(400, "subscription_scheduled_change_invalid_update", words);
  }
  if (subscription.scheduled_change === null) return subscription;
  const next_billed_at = subscription.current_billing_period?.ends_at ?? null;
  Object.assign(subscription, { scheduled_change: null, next_billed_at, updated_at: state.now() });
  state.happen("subscription.updated", subscription);
  return subscription;
}

function changeable({ subscriptions }: FakeState, id: string): FakeSubscription {
  const subscription = known(subscriptions, id);
  if (subscription.status === "canceled") {
    const words = "cannot update subscription, as subscription is canceled";
    throw new Refusal(400, "subscription_update_when_canceled", words);
  }
  return subscription;
}
