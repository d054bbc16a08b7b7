import type { VendorFact } from "@purser/vendor-contract";

const document = "openapi/openapi/spec3.json";
const schemas = "#/components/schemas";

/** What Stripe documents and the types of its SDK do not say. */
export const stripeFacts: readonly VendorFact[] = [
  {
    says: "An amount of a price is whole minor units.",
    of: "Price.unit_amount",
    is: { type: ["integer", "null"] },
    document,
    path: `${schemas}/price/properties/unit_amount`,
  },
  {
    says: "A period of a subscription ends at a time in whole seconds since 1970.",
    of: "SubscriptionItem.current_period_end",
    is: { type: "integer" },
    document,
    path: `${schemas}/subscription_item/properties/current_period_end`,
  },
  {
    says: "The amount of an authorization is whole minor units.",
    of: "Authorization.amount",
    is: { type: "integer" },
    document,
    path: `${schemas}/issuing.authorization/properties/amount`,
  },
  {
    says: "An ephemeral key has a secret of at most 5,000 characters.",
    of: "EphemeralKey.secret",
    is: { maxLength: 5000 },
    document,
    path: `${schemas}/ephemeral_key/properties/secret`,
  },
  {
    says: "A nonce makes one ephemeral key.",
    of: "EphemeralKeyCreateParams.nonce",
    is: { maxLength: 5000 },
    document,
    path: "#/paths/~1v1~1ephemeral_keys/post/requestBody/content/application~1x-www-form-urlencoded/schema/properties/nonce",
  },
  {
    says: "A card shows the last four digits of its number.",
    of: "Card.last4",
    is: { maxLength: 5000 },
    document,
    path: `${schemas}/issuing.card/properties/last4`,
  },
];
