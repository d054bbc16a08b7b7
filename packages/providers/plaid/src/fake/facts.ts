import type { VendorFact } from "@purser/vendor-contract";

const document = "plaid-openapi/2020-09-14.yml";
const schemas = "#/components/schemas";
const date = { format: "date" };
const time = { format: "date-time" };

/** What Plaid documents and the types of its SDK do not say. */
export const plaidFacts: readonly VendorFact[] = [
  {
    says: "A transaction has a day, without a time.",
    of: "Transaction.date",
    is: date,
    document,
    path: `${schemas}/TransactionBase/properties/date`,
  },
  {
    says: "A transaction was authorized on a day, if the bank says it.",
    of: "Transaction.authorized_date",
    is: { anyOf: [date, { type: "null" }] },
    document,
    path: `${schemas}/Transaction/allOf/1/properties/authorized_date`,
  },
  {
    says: "A consent ends at an ISO 8601 time, or has no scheduled end.",
    of: "ItemWithConsentFields.consent_expiration_time",
    is: { anyOf: [time, { type: "null" }] },
    document,
    path: `${schemas}/Item/properties/consent_expiration_time`,
  },
  {
    says: "Plaid last read the transactions of an item at an ISO 8601 time, or never.",
    of: "ItemStatusTransactions.last_successful_update",
    is: { anyOf: [time, { type: "null" }] },
    document,
    path: `${schemas}/ItemStatusTransactions/properties/last_successful_update`,
  },
  {
    says: "A link expires at an ISO 8601 time.",
    of: "LinkTokenCreateResponse.expiration",
    is: time,
    document,
    path: `${schemas}/LinkTokenCreateResponse/properties/expiration`,
  },
  {
    says: "An application's name has at most 30 characters.",
    of: "LinkTokenCreateRequest.client_name",
    is: { minLength: 1, maxLength: 30 },
    document,
    path: `${schemas}/LinkTokenCreateRequest/properties/client_name`,
  },
  {
    says: "A link requests between 1 and 730 days of transactions.",
    of: "LinkTokenTransactions.days_requested",
    is: { type: "integer", minimum: 1, maximum: 730 },
    document,
    path: `${schemas}/LinkTokenTransactions/properties/days_requested`,
  },
  {
    says: "A page has at most 500 changes.",
    of: "TransactionsSyncRequest.count",
    is: { type: "integer", minimum: 1, maximum: 500 },
    document,
    path: `${schemas}/TransactionsSyncRequest/properties/count`,
  },
  {
    says: "A page has at most 500 institutions.",
    of: "InstitutionsGetRequest.count",
    is: { type: "integer", minimum: 1, maximum: 500 },
    document,
    path: `${schemas}/InstitutionsGetRequest/properties/count`,
  },
  {
    says: "A page leaves out institutions without the requested products, so it may have fewer than `count`.",
    document: "https://plaid.com/docs/api/institutions/",
    path: "/institutions/get",
  },
  {
    says: "A key expired at a time in whole seconds since 1970, or did not.",
    of: "JWKPublicKey.expired_at",
    is: { type: ["integer", "null"] },
    document,
    path: `${schemas}/JWKPublicKey/properties/expired_at`,
  },
  {
    says: "The warning in Europe names the end of the consent, an ISO 8601 time.",
    of: "PendingExpirationWebhook.consent_expiration_time",
    is: time,
    document,
    path: `${schemas}/PendingExpirationWebhook/properties/consent_expiration_time`,
  },
  {
    says: "The warning in North America names the time of the disconnection.",
    of: "PendingDisconnectWebhook.disconnect_time",
    is: time,
    document,
    path: `${schemas}/PendingDisconnectWebhook/properties/disconnect_time`,
  },
  {
    says: "A positive amount of a transaction leaves the account.",
    document,
    path: `${schemas}/TransactionBase/properties/amount`,
  },
  {
    says: "A positive balance of a credit account is owed.",
    document,
    path: `${schemas}/AccountBalance/properties/current`,
  },
];
