import type { VendorFact } from "@purser/vendor-contract";

const document = "polar/docs/openapi/2026-10.openapi.json";
const schemas = "#/components/schemas";

/** What Polar documents and the types of its SDK do not say. */
export const polarFacts: readonly VendorFact[] = [
  {
    says: "A subscription's id is a UUID.",
    of: "Subscription.id",
    is: { format: "uuid" },
    document,
    path: `${schemas}/Subscription/properties/id`,
  },
  {
    says: "A period of a subscription always has an end, at an RFC 3339 time.",
    of: "Subscription.current_period_end",
    is: { format: "date-time" },
    null: false,
    document,
    path: `${schemas}/Subscription/properties/current_period_end`,
  },
  {
    says: "The amount of a fixed price is whole minor units.",
    of: "ProductPriceFixed.price_amount",
    is: { type: "integer" },
    document,
    path: `${schemas}/ProductPriceFixed/properties/price_amount`,
  },
  {
    says: "A checkout expires at an RFC 3339 time.",
    of: "Checkout.expires_at",
    is: { format: "date-time" },
    document,
    path: `${schemas}/Checkout/properties/expires_at`,
  },
];
