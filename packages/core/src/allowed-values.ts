/**
 * Every list of allowed values that callers see, except the provider names (provider-names.ts). Each list is defined here
 * once. The contracts' enums, the columns' types and the database's CHECK constraints derive from it, so a new value
 * needs a migration.
 */

export const membershipRoles = ["OWNER", "MEMBER"] as const;
/** What a key of an organization may do: queries only, or a member's mutations too. */
export const organizationKeyAccesses = ["read", "write"] as const;
/** A user's role in the service, as better-auth stores it. */
export const userRoles = ["user", "admin"] as const;

export const bankConnectionStatuses = ["ACTIVE", "DISCONNECTED"] as const;
export const bankConsentStatuses = ["AUTHORIZED", "REVOKED"] as const;
/** The scopes that banks grant if nothing else is known. A provider may have others. */
export const usualConsentScopes = ["accounts", "balances", "transactions"] as const;
export const bankAccountTypes = ["CHECKING", "SAVINGS", "CREDIT", "INVESTMENT"] as const;
export const bankTransactionTypes = ["CREDIT", "DEBIT"] as const;
export const bankTransactionStatuses = ["PENDING", "POSTED"] as const;
/**
 * Why bank data is in quarantine: a known id came with another amount, direction or currency; a booked transaction is
 * missing from its days; an item has no readable amount, currency or day, or the bank refuses the transactions of an
 * account; or it belongs to an account that the bank does not list.
 */
export const bankQuarantineReasons = [
  "DIFFERENT_AMOUNT",
  "MISSING_FROM_WINDOW",
  "UNREADABLE",
  "UNKNOWN_ACCOUNT",
] as const;
export const bankSyncTriggers = ["CONNECT", "MANUAL", "SCHEDULE", "WEBHOOK"] as const;
export const bankSyncStatuses = ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED"] as const;

/** The faults that a caller can set at a bank of the sandbox. */
export const sandboxBankFaultKinds = [
  // Every call: the bank does not respond, limits the rate, or is slow.
  "outage",
  "rate_limited",
  "slow",
  // Accounts cannot be read, but transactions can.
  "accounts_outage",
  // The feed: the history is not ready, the cursor is lost, or the data changes between two pages.
  "not_ready",
  "cursor_lost",
  "mutation_during_pagination",
  // Wrong data: no ids, duplicates in a page, an id that another transaction already has.
  "blank_ids",
  "repeated_ids",
  "reused_ids",
] as const;

export const cardStatuses = ["ACTIVE", "PAUSED", "FROZEN", "CLOSED"] as const;
/** What a report of card spending adds up. */
export const cardSpendingGroups = ["card", "merchant", "category", "day"] as const;
export const cardPurposes = ["PERSONAL", "BUSINESS", "ONLINE", "SUBSCRIPTION"] as const;
/** The intervals that `limitInterval` of a card policy names, the shortest first. */
export const spendingLimitIntervals = ["PER_TRANSACTION", "DAILY", "WEEKLY", "MONTHLY"] as const;
/** The intervals of the limits of a card policy, the shortest first. */
export const cardLimitIntervals = [...spendingLimitIntervals, "YEARLY", "ALL_TIME"] as const;
/** The most categories, and the most merchants, that a list of a card policy has. */
export const maxPolicyCategories = 500;
export const maxPolicyMerchants = 1000;
export const cardTransactionStatuses = ["PENDING", "COMPLETED", "DECLINED"] as const;
/** The reasons for which a hold counts as declined although nothing was refused: no money moved. */
export const endedHoldReasons = ["authorization_reversed", "authorization_expired"] as const;
export const cardDecisionOutcomes = ["approved", "declined"] as const;
/** What created a card transaction: a request to authorize a purchase, a clearing without one, or a refund. */
export const cardTransactionOrigins = ["authorization", "force_post", "refund", "dispute"] as const;
export const cardChannels = ["in_store", "online", "atm"] as const;

export const subscriptionStatuses = ["ACTIVE", "CANCELED", "PAST_DUE", "UNPAID", "INCOMPLETE"] as const;
/** The intervals at which a plan is paid, the shortest first. */
export const billingIntervals = ["day", "week", "month", "year"] as const;

/** Whether events are sent to a webhook endpoint. */
export const webhookEndpointStatuses = ["ENABLED", "DISABLED"] as const;
/** Whether an event has reached a webhook endpoint. */
export const webhookDeliveryStatuses = ["PENDING", "DELIVERED", "FAILED"] as const;

/** The areas that receive webhooks. */
export const webhookAreas = ["banking", "cards", "billing"] as const;
export const webhookEventStatuses = ["PENDING", "APPLIED", "IGNORED", "DEAD"] as const;

/** The country of a bank for which its provider names none: a code that ISO 3166-1 leaves to its users. */
export const unknownCountry = "ZZ";

/** The details of a cardholder that issuers may require. */
export const cardholderDetailNames = [
  "name",
  "dateOfBirth",
  "phoneNumber",
  "address",
  "termsAcceptance",
  "governmentId",
] as const;
