export {
  type ConnectOptions,
  type Database,
  type Executor,
  type Transaction,
  connect,
} from "./connection/index.ts";
export { type PoolUse, PoolTimeoutError } from "./connection/slots.ts";
export { type QueryTracer } from "./connection/tracer.ts";
export { constraintName, isUnavailable, sqlState } from "./connection/failure.ts";
export { deleteInBatches } from "./delete-in-batches.ts";
export { type Migration, appliedMigration, listMigrations, migrate } from "./migrate.ts";
export {
  type DatabaseSettings,
  directDatabaseAddress,
  openDatabase,
  openDecisionDatabase,
  openLockDatabase,
  openReplicaDatabase,
} from "./pools.ts";
export { prepared } from "./prepared.ts";
export { Replica } from "./replica.ts";
export { isSealed } from "./schema/columns.ts";
export * from "./schema/index.ts";
export { bankQuarantine, bankTransactions } from "./schema/bank-ledger.ts";
export { bankSyncPages, bankSyncs } from "./schema/bank-syncs.ts";
export {
  bankAccounts,
  bankAccountSources,
  bankConnections,
  bankConsents,
  bankLinks,
} from "./schema/banking.ts";
export { billingCatalogues, billingCheckouts, billingCustomers, subscriptions } from "./schema/billing.ts";
export { cardCounters, cardEvents, cardPolicies, cards, cardTransactions } from "./schema/cards.ts";
export { accounts, apiKeys, sessions, twoFactors, users, verifications } from "./schema/identity.ts";
export { invitations, memberships, organizations } from "./schema/organizations.ts";
export {
  auditEntries,
  idempotencyKeys,
  rateLimits,
  signInAttempts,
  webhookDeliveries,
  webhookEvents,
} from "./schema/platform.ts";
export {
  sandboxBankAccounts,
  sandboxBankConsents,
  sandboxBankCustomers,
  sandboxBankEntries,
  sandboxBankFaults,
  sandboxBankLinks,
} from "./schema/sandbox-banking.ts";
export {
  sandboxCheckouts,
  sandboxInvoices,
  sandboxPortals,
  sandboxSubscriptions,
} from "./schema/sandbox-billing.ts";
