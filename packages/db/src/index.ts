export { type ConnectOptions, connect } from "./connection/connect.ts";
export type { Database, Executor, Transaction } from "./connection/database.ts";
export {
  type CollectedWriter,
  afterCommit,
  setOrganization,
  organizationOfTransaction,
  writeBeforeCommit,
} from "./connection/commits.ts";
export { type PoolUse, PoolTimeoutError } from "./connection/slots.ts";
export { type QueryTracer } from "./connection/client.ts";
export {
  constraintName,
  hasMoved,
  hasNotResponded,
  isAway,
  isNodeAway,
  isUnavailable,
  sqlState,
} from "./connection/failure.ts";
export { type CsvPage, csvCells, csvLine, csvPage, readCsvPage } from "./csv.ts";
export { awaitPreparedCommits, commitOnAllServers, isDistributedDatabase } from "./distribute.ts";
export { deleteBatch, deleteInBatches } from "./delete-in-batches.ts";
export { type ServerEras, eraOnServer, serverEras } from "./event-era.ts";
export {
  type MigratedDatabase,
  type Migration,
  appliedMigration,
  distribute,
  listMigrations,
  migrate,
} from "./migrate.ts";
export { type MovedOrganization, moveOrganization } from "./move-organization.ts";
export { DatabaseMonitor, type DatabaseState } from "./monitor.ts";
export { NodePools, findInAnyOrganization, searchAllOrganizations } from "./nodes.ts";
export { changeAtOnce, isOfShard, openCoordinator, tracingTables } from "./shards.ts";
export { Notifications } from "./notifications.ts";
export {
  type DatabaseLimits,
  type DatabaseSettings,
  directDatabaseAddress,
  openDatabase,
  openDatabaseMonitor,
  openDatabaseProbe,
  openDecisionDatabase,
  openBankLockDatabase,
  openLockDatabase,
  openReplicaDatabase,
} from "./pools.ts";
export { executeText, prepareOnce } from "./prepared.ts";
export { readColumns } from "./read-columns.ts";
export { Replica } from "./replica.ts";
export { isSealed } from "./schema/columns.ts";
export * from "./schema/index.ts";
export { ShardPlacements } from "./shard-placements.ts";
export { type TenantKey, hasKey, isAmong, refersTo } from "./tenant-key.ts";
