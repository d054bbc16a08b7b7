import type { VendorFact } from "@purser/vendor-contract";

const document = "yapily-openapi/openapi.json";
const schemas = "#/components/schemas";
const transactions = "#/paths/~1accounts~1{accountId}~1transactions/get/parameters";
const time = { format: "date-time" };

/** What Yapily documents and the types of `api.json` do not say. */
export const yapilyFacts: readonly VendorFact[] = [
  {
    says: "A consent ends at an RFC 3339 time, if it ends.",
    of: "YapilyConsent.expiresAt",
    is: time,
    document,
    path: `${schemas}/Consent/properties/expiresAt`,
  },
  {
    says: "A consent should be reconfirmed by an RFC 3339 time.",
    of: "YapilyConsent.reconfirmBy",
    is: time,
    document,
    path: `${schemas}/Consent/properties/reconfirmBy`,
  },
  {
    says: "A consent is identified by a UUID.",
    of: "YapilyConsent.id",
    is: { format: "uuid" },
    document,
    path: `${schemas}/Consent/properties/id`,
  },
  {
    says: "A transaction has a date and time.",
    of: "YapilyTransaction.date",
    is: time,
    document,
    path: `${schemas}/Transaction/properties/date`,
  },
  {
    says: "A transaction was booked at a date and time.",
    of: "YapilyTransaction.bookingDateTime",
    is: time,
    document,
    path: `${schemas}/Transaction/properties/bookingDateTime`,
  },
  {
    says: "A transaction is booked or pending, if the bank says it.",
    of: "YapilyTransaction.status",
    is: { enum: ["BOOKED", "PENDING"] },
    required: false,
    document,
    path: `${schemas}/TransactionStatusEnum/enum`,
  },
  {
    says: "A page has between 1 and 1,000 transactions.",
    of: "TransactionsQuery.limit",
    is: { minimum: 1, maximum: 1000 },
    document,
    path: `${transactions}/8`,
  },
  {
    says: "Transactions are listed from a date and time on, with milliseconds.",
    of: "TransactionsQuery.from",
    is: time,
    document,
    path: `${transactions}/6`,
  },
  {
    says: "Transactions are sorted by date, descending unless the request says ascending.",
    document,
    path: `${transactions}/9`,
  },
  {
    says: "Only the exchange of a one-time token answers without `data` around the consent.",
    document,
    path: "#/paths/~1consent-one-time-token/post/responses/201",
  },
];
