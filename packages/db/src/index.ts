export {
  type ConnectOptions,
  type Database,
  type Executor,
  type PoolUse,
  type QueryTracer,
  type Transaction,
  PoolTimeoutError,
  connect,
  constraintName,
  isUnavailable,
  sqlState,
} from "./connection/index.ts";
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
