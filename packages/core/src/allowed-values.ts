/**
 * Every list of allowed values that callers see, except the provider names (provider-names.ts). Each list stands here
 * once. The contracts' enums, the columns' types and the database's CHECK constraints derive from it, so a new value
 * needs a migration.
 */

export const membershipRoles = ["OWNER", "MEMBER"] as const;
/** A user's role in the service, as better-auth stores it. */
export const userRoles = ["user", "admin"] as const;

export const bankConnectionStatuses = ["ACTIVE", "DISCONNECTED"] as const;
export const bankConsentStatuses = ["AUTHORIZED", "REVOKED"] as const;
export const bankAccountTypes = ["CHECKING", "SAVINGS", "CREDIT", "INVESTMENT"] as const;
export const bankTransactionTypes = ["CREDIT", "DEBIT"] as const;
export const bankSyncTriggers = ["CONNECT", "MANUAL", "SCHEDULE", "WEBHOOK"] as const;
export const bankSyncStatuses = ["QUEUED", "RUNNING", "SUCCEEDED", "FAILED"] as const;

export const cardStatuses = ["ACTIVE", "PAUSED", "FROZEN", "CLOSED"] as const;
export const cardPurposes = ["PERSONAL", "BUSINESS", "ONLINE", "SUBSCRIPTION"] as const;
export const cardLimitIntervals = ["PER_TRANSACTION", "DAILY", "WEEKLY", "MONTHLY"] as const;
export const cardTransactionStatuses = ["PENDING", "COMPLETED", "DECLINED"] as const;
export const cardChannels = ["in_store", "online", "atm"] as const;

export const subscriptionStatuses = ["ACTIVE", "CANCELED", "PAST_DUE", "UNPAID", "INCOMPLETE"] as const;
/** The intervals at which a plan is paid, the shortest first. */
export const billingIntervals = ["day", "week", "month", "year"] as const;

/** The areas that receive webhooks. */
export const webhookAreas = ["banking", "cards", "billing"] as const;
export const webhookEventStatuses = ["PENDING", "APPLIED", "IGNORED", "DEAD"] as const;
