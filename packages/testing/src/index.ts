export { buildService, builtService } from "./built-service.ts";
export { type TestClock, day, hour, isNightly, minute, testClock } from "@purser/core/testing";
export type { Service } from "@purser/service";
export { createCaller } from "@purser/router";
export { configuredBanks } from "./banks.ts";
export { type TcpProxy, startTcpProxy } from "./tcp-proxy.ts";
export { type NodeProxies, proxyNodes, proxyNodesBy } from "./node-proxies.ts";
export { type ServerAddress, databaseAt, distributedTestServers, listServers } from "./test-servers.ts";
export { callProcedure, endStream, outcomeOf, problemOf, refusalOf } from "./call.ts";
export {
  countWaitingForLocks,
  createEmptyTestDatabase,
  createTestDatabase,
  createUndistributedTestDatabase,
  distributedDatabaseUrl,
  lockTable,
  startTestServer,
  stayIdle,
} from "./database.ts";
export { callEverything } from "./call-everything.ts";
export { exampleInputs } from "./example-inputs.ts";
export { handlerOf, withHandler } from "./jobs.ts";
export { testRunFolder } from "./temporary-files.ts";
export { type PgBouncer, hasPgBouncer, startPgBouncer } from "./pgbouncer.ts";
export { countShards, explainQueries } from "./query-plans.ts";
export {
  type Person,
  type TestPurser,
  createTestPurser,
  openOtherProcess,
  organizationKeySecret,
} from "./purser.ts";
export { type ReplicatedPostgres, startReplicatedPostgres } from "./replica.ts";
export {
  type CallerRole,
  type Scene,
  areaOfProcedure,
  callerRoles,
  changedScenes,
  createScene,
  createSceneOfArea,
  sceneBank,
  sharedScenes,
  withBankTransactions,
} from "./scene.ts";
export { mannWhitneyDeviation, rankTestSampleSize, rankTestThreshold } from "./rank-test.ts";
export { type RecordedWork, recordWork } from "./recorded-work.ts";
export { createTestSequence, createTestTable, changeTestTrigger, onEachServer } from "./servers.ts";
export { testSettings } from "./settings.ts";
