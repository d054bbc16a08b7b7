import type { VendorFact } from "@purser/vendor-contract";

const document = "paddle-openapi/v1/openapi.yaml";
const schemas = "#/components/schemas";
const time = { format: "date-time" };
const transactionId = { pattern: "^txn_[a-z\\d]{26}$" };
const subscriptionId = { pattern: "^sub_[a-z\\d]{26}$" };

/** What Paddle documents and the types of its SDK do not say. */
export const paddleFacts: readonly VendorFact[] = [
  {
    says: "A subscription's id is `sub_` and 26 lowercase letters and digits.",
    of: "ISubscriptionResponse.id",
    is: subscriptionId,
    document,
    path: `${schemas}/subscription_id/pattern`,
  },
  {
    says: "The first event of a subscription names the transaction that created it.",
    of: "CreatedSubscription.transaction_id",
    is: transactionId,
    document,
    path: `${schemas}/subscription.created/description`,
  },
  {
    says: "A transaction's id is `txn_` and 26 lowercase letters and digits.",
    of: "ITransactionResponse.id",
    is: transactionId,
    document,
    path: `${schemas}/transaction_id/pattern`,
  },
  {
    says: "A subscription was created at an RFC 3339 time.",
    of: "ISubscriptionResponse.created_at",
    is: time,
    document,
    path: `${schemas}/created_at`,
  },
  {
    says: "A period ends at an RFC 3339 time.",
    of: "ISubscriptionTimePeriodResponse.ends_at",
    is: time,
    document,
    path: `${schemas}/timestamp`,
  },
  {
    says: "A paused or canceled subscription has no billing period.",
    of: "ISubscriptionResponse.current_billing_period",
    null: true,
    document,
    path: `${schemas}/subscription/properties/current_billing_period`,
  },
  {
    says: "A scheduled change takes effect at an RFC 3339 time.",
    of: "ISubscriptionScheduledChangeResponse.effective_at",
    is: time,
    document,
    path: `${schemas}/subscription_scheduled_change/properties/effective_at`,
  },
  {
    says: "An amount is a whole number of minor units, as text.",
    of: "IMoneyResponse.amount",
    is: { pattern: "^-?\\d+$" },
    document,
    path: `${schemas}/money/properties/amount`,
  },
  {
    says: "A period is a whole number of units, and at least one.",
    of: "ITimePeriod.frequency",
    is: { type: "integer", minimum: 1 },
    document,
    path: `${schemas}/duration/properties/frequency`,
  },
  {
    says: "A list of overrides per country is never null. It is empty if there is none.",
    of: "IPriceResponse.unit_price_overrides",
    null: false,
    document,
    path: `${schemas}/price/properties/unit_price_overrides`,
  },
  {
    says: "A page always names the next one, even if nothing follows.",
    of: "Pagination.next",
    is: { format: "uri" },
    document,
    path: `${schemas}/pagination/properties/next`,
  },
  {
    says: "Events omit the links with which a customer manages a subscription.",
    document,
    path: `${schemas}/subscription.updated/description`,
  },
];
