import type { Stripe } from "stripe";
import type { OnTheWire } from "../objects.ts";
import { type FormFields, missing } from "../requests.ts";
import { type BillingState, secondsOf } from "./state.ts";

type FakeSchedule = OnTheWire<Stripe.SubscriptionSchedule, { customer: string; subscription: string | null }>;

/** Stops a schedule. An end that it had set for its subscription goes with it. */
export function releaseSchedule(state: BillingState, _fields: FormFields, id: string): FakeSchedule {
  const subscription = [...state.subscriptions.values()].find(({ schedule }) => schedule === id);
  if (subscription === undefined) throw missing("subscription_schedule", id);
  Object.assign(subscription, { schedule: null, cancel_at: null, canceled_at: null });
  const { customer, created } = subscription;
  return {
    id,
    object: "subscription_schedule",
    application: null,
    billing_mode: { flexible: null, type: "classic" },
    canceled_at: null,
    completed_at: null,
    created,
    current_phase: null,
    customer,
    customer_account: null,
    default_settings: {
      application_fee_percent: null,
      billing_cycle_anchor: "automatic",
      billing_thresholds: null,
      collection_method: "charge_automatically",
      default_payment_method: null,
      description: null,
      invoice_settings: {
        account_tax_ids: null,
        custom_fields: null,
        days_until_due: null,
        description: null,
        footer: null,
        issuer: { type: "self" },
      },
      on_behalf_of: null,
      transfer_data: null,
    },
    end_behavior: "release",
    livemode: false,
    metadata: {},
    pause_schedules: [],
    phases: [],
    released_at: secondsOf(state),
    released_subscription: subscription.id,
    status: "released",
    subscription: null,
    test_clock: null,
  };
}
