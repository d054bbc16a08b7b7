import type { Stripe } from "stripe";

export function fakeCardholder(
  fields: Pick<Stripe.Issuing.Cardholder, "id"> & Partial<Stripe.Issuing.Cardholder>,
): Stripe.Issuing.Cardholder {
  return {
    object: "issuing.cardholder",
    billing: {
      address: {
        city: "London",
        country: "GB",
        line1: "1 Lime Street",
        line2: null,
        postal_code: "EC3M 7AA",
        state: null,
      },
    },
    company: null,
    created: 1_772_442_000,
    email: "ada@example.com",
    individual: { dob: null, first_name: "Ada", last_name: "Lovelace", verification: null },
    livemode: false,
    metadata: {},
    name: "Ada Lovelace",
    phone_number: null,
    preferred_locales: null,
    requirements: { disabled_reason: null, past_due: [] },
    spending_controls: { ...noSpendingControls, spending_limits_currency: null },
    status: "active",
    type: "individual",
    ...fields,
  };
}

export function fakeCard(
  fields: Pick<Stripe.Issuing.Card, "id" | "cardholder"> & Partial<Stripe.Issuing.Card>,
): Stripe.Issuing.Card {
  return {
    object: "issuing.card",
    brand: "Visa",
    cancellation_reason: null,
    created: 1_772_442_000,
    currency: "gbp",
    exp_month: 3,
    exp_year: 2029,
    last4: "0001",
    latest_fraud_warning: null,
    lifecycle_controls: null,
    livemode: false,
    metadata: {},
    personalization_design: null,
    replaced_by: null,
    replacement_for: null,
    replacement_reason: null,
    second_line: null,
    shipping: null,
    spending_controls: { ...noSpendingControls, spending_limits_currency: null },
    status: "active",
    type: "virtual",
    wallets: null,
    ...fields,
  };
}

/** Controls that decline nothing. */
export const noSpendingControls = {
  allowed_card_presences: null,
  allowed_categories: null,
  allowed_merchant_countries: null,
  blocked_card_presences: null,
  blocked_categories: null,
  blocked_merchant_countries: null,
  spending_limits: [],
};
