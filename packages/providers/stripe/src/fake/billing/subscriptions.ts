import { type FormFields, invalidRequest, missing, nested } from "../requests.ts";
import { listPage } from "./lists.ts";
import type { FakeSubscription } from "./objects.ts";
import { type BillingState, secondsOf } from "./state.ts";

export function listSubscriptions({ subscriptions }: BillingState, fields: FormFields): object {
  const since = Number(fields["created[gte]"] ?? 0);
  const { customer, status } = fields;
  return listPage(
    subscriptions,
    fields,
    (subscription) =>
      subscription.created >= since &&
      (customer === undefined || subscription.customer === customer) &&
      (status === undefined
        ? subscription.status !== "canceled"
        : ["all", subscription.status].includes(status)),
  );
}

export function subscriptionOf({ subscriptions }: BillingState, id: string): FakeSubscription {
  const subscription = subscriptions.get(id);
  if (subscription === undefined) throw missing("subscription", id);
  return subscription;
}

export function retrieveSubscription(state: BillingState, fields: FormFields, id: string): object {
  const subscription = subscriptionOf(state, id);
  const isExpanded = Object.values(nested(fields, "expand")).includes("latest_invoice");
  return isExpanded ? { ...subscription, latest_invoice: latestInvoice(state, subscription) } : subscription;
}

function latestInvoice({ invoices }: BillingState, { latest_invoice: id }: FakeSubscription) {
  return id === null ? null : (invoices.get(id) ?? null);
}

export function updateSubscription(state: BillingState, fields: FormFields, id: string): object {
  const subscription = subscriptionOf(state, id);
  if (subscription.ended_at !== null)
    throw invalidRequest(
      400,
      "A canceled subscription can only update its cancellation_details and metadata.",
      {
        code: "invalid_canceled_subscription_fields",
      },
    );
  if (subscription.status === "incomplete")
    throw invalidRequest(400, "An incomplete subscription can only update its default_source and metadata.");
  if (subscription.schedule !== null)
    throw invalidRequest(
      400,
      `The subscription is managed by the subscription schedule \`${subscription.schedule}\`, and updating any cancelation behavior directly is not allowed. Please update the schedule instead.`,
    );
  const { cancel_at: at, cancel_at_period_end: atPeriodEnd } = fields;
  if (at !== undefined && atPeriodEnd !== undefined)
    throw invalidRequest(
      400,
      "You may only specify one of these parameters: cancel_at, cancel_at_period_end.",
      {
        code: "parameters_exclusive",
      },
    );
  const isEnding = atPeriodEnd === "true";
  if (atPeriodEnd !== undefined)
    Object.assign(subscription, {
      cancel_at_period_end: isEnding,
      cancel_at: isEnding ? subscription.items.data[0]!.current_period_end : null,
    });
  if (at !== undefined) subscription.cancel_at = at === "" ? null : Number(at);
  subscription.canceled_at = subscription.cancel_at === null ? null : secondsOf(state);
  return subscription;
}
