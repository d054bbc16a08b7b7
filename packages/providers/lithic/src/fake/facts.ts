import type { VendorFact } from "@purser/vendor-contract";

const document = "lithic-openapi/lithic-openapi.yml";
const schemas = "#/components/schemas";
const uuid = { format: "uuid" };
const time = { format: "date-time" };

/** What Lithic documents and the types of its SDK do not say. */
export const lithicFacts: readonly VendorFact[] = [
  {
    says: "A card's month of expiry has two digits.",
    of: "Card.exp_month",
    is: { minLength: 2, maxLength: 2 },
    document,
    path: `${schemas}/non_pci_card_response/properties/exp_month`,
  },
  {
    says: "A card's year of expiry has four digits.",
    of: "Card.exp_year",
    is: { minLength: 4, maxLength: 4 },
    document,
    path: `${schemas}/non_pci_card_response/properties/exp_year`,
  },
  {
    says: "The month of expiry may be missing: the adapter refuses such a card.",
    of: "Card.exp_month",
    required: false,
    document,
    path: `${schemas}/non_pci_card_response/properties/exp_month`,
  },
  {
    says: "A card was created at an RFC 3339 time.",
    of: "Card.created",
    is: time,
    document,
    path: `${schemas}/non_pci_card_response/properties/created`,
  },
  {
    says: "A comment on a change of a card is optional text.",
    of: "CardUpdateParams.comment",
    is: { type: "string" },
    document,
    path: "#/paths/~1v1~1cards~1{card_token}/patch/requestBody/content/application~1json/schema/properties/comment",
  },
  {
    says: "A session of embeds ends at a time in whole seconds since 1970, at most ten minutes later.",
    of: "LithicEmbedSessionRequest.expiration",
    is: { type: "integer" },
    document,
    path: `${schemas}/create-embed-session-request/properties/expiration`,
  },
  {
    says: "Lithic compares the origin of the page that has the frames with that of their session.",
    of: "LithicEmbedSessionRequest.target_origin",
    is: { format: "uri" },
    document,
    path: `${schemas}/create-embed-session-request/properties/target_origin`,
  },
  {
    says: "A session shows each detail of a card once. Using it again is a 401.",
    document,
    path: "#/paths/~1v1~1cards~1{card_token}~1embed/post/description",
  },
  {
    says: "A frame shows one detail: PAN, CVV, EXP_MONTH or EXP_YEAR, in the given styles.",
    document,
    path: "#/paths/~1v1~1embed/get/parameters",
  },
  {
    says: "An account holder and an account have a 1:1 relationship: creating one creates the other.",
    document,
    path: "#/paths/~1v1~1account_holders/post/description",
  },
  {
    says: "A card names its account where the program enrolls account holders.",
    document,
    path: "#/paths/~1v1~1cards/post/requestBody/content/application~1json/schema/properties/account_token",
  },
  {
    says: "Account holders can be listed by the id that the customer gave them.",
    of: "AccountHolderListParams.external_id",
    is: { type: "string" },
    document,
    path: "#/paths/~1v1~1account_holders/get/parameters",
  },
  {
    says: "An account holder's account token is a UUID.",
    of: "AccountHolderCreateResponse.account_token",
    is: uuid,
    document,
    path: "#/paths/~1v1~1account_holders/post/responses/200",
  },
  {
    says: "A request's token is a UUID, and names the group of the transaction's requests.",
    of: "CardAuthorizationApprovalRequestWebhookEvent.token",
    is: uuid,
    document,
    path: `${schemas}/authorization/properties/token`,
  },
  {
    says: "A request was made at an RFC 3339 time.",
    of: "CardAuthorizationApprovalRequestWebhookEvent.created",
    is: time,
    document,
    path: `${schemas}/authorization/properties/created`,
  },
  {
    says: "A request need not say how the card is used.",
    of: "CardAuthorizationApprovalRequestWebhookEvent.pos",
    required: false,
    document,
    path: `${schemas}/authorization/properties/pos`,
  },
  {
    says: "A transaction's token is a UUID.",
    of: "CardTransactionUpdatedWebhookEvent.token",
    is: uuid,
    document,
    path: `${schemas}/card_transaction/properties/token`,
  },
  {
    says: "A transaction need not list its events.",
    of: "CardTransactionUpdatedWebhookEvent.events",
    required: false,
    document,
    path: `${schemas}/card_transaction/properties/events`,
  },
  {
    says: "An event's token is a UUID.",
    of: "Transaction.Event.token",
    is: uuid,
    document,
    path: `${schemas}/transaction_event/properties/token`,
  },
  {
    says: "An event happened at an RFC 3339 time.",
    of: "Transaction.Event.created",
    is: time,
    document,
    path: `${schemas}/transaction_event/properties/created`,
  },
  {
    says: "Amounts are whole minor units.",
    of: "Transaction.Event.Amounts.Cardholder.amount",
    is: { type: "integer" },
    document,
    path: `${schemas}/transaction_event_amounts/properties/cardholder/properties/amount`,
  },
  {
    says: "A response to a request that Lithic does not know declines with CUSTOM_ASA_RESULT.",
    document,
    path: `${schemas}/asa-response/properties/result`,
  },
  {
    says: "A response may approve a part of the amount, in minor units; for the whole it has no amount.",
    document,
    path: `${schemas}/asa-response/properties/approved_amount`,
  },
  {
    says: "A request says whether the terminal accepts an approval of a part.",
    document,
    path: `${schemas}/pos_terminal/properties/partial_approval_capable`,
  },
  {
    says: "After a 5xx response to a request, Lithic immediately repeats the request, once.",
    document,
    path: "#/webhooks/card_authorization.approval_request/post/responses/5XX",
  },
];
