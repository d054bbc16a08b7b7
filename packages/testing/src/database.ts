import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isNightly } from "@purser/core/testing";
import { type Database, type Executor, type Transaction, connect, migrate } from "@purser/db";
import { startEmbeddedPostgres } from "@purser/db/embedded";
import { migrateJobs } from "@purser/platform/jobs";
import { registeredJobs } from "@purser/service";
import { sql } from "drizzle-orm";
import { onEachServer } from "./servers.ts";
import { type TestServers, databaseAt, distributedTestServers, singleTestServer } from "./test-servers.ts";

/** The address of the test server. `startTestServer` sets it. */
const variable = "PURSER_TEST_DATABASE_URL";
const template = "purser_template";

/** A database on the coordinator of a Citus cluster. All tests then run on the cluster. */
export const distributedDatabaseUrl = process.env["DISTRIBUTED_DATABASE_URL"] ?? null;

/**
 * Prepares a database server with one migrated template: the cluster of DISTRIBUTED_DATABASE_URL, the server of
 * DATABASE_URL, or an embedded one that ends with the tests. Call it once per run, as vitest's global setup does.
 *
 * `overSocket` uses a Unix socket, which is faster than TCP; connections must then be opened by `connect`. A `durable`
 * server waits for the disk at every commit, as in production. A `single` one is never the cluster.
 */
export async function startTestServer({ overSocket = false, durable = false, single = false } = {}): Promise<{
  /** The process id of an embedded server. */
  pid: number | null;
  stop(): Promise<void>;
}> {
  const configured = (single ? null : distributedDatabaseUrl) ?? process.env["DATABASE_URL"];
  const server = configured
    ? { url: configured, pid: null, stop: async () => {} }
    : await startEphemeral(overSocket, durable);
  const before = process.env[variable];
  process.env[variable] = server.url;
  const servers = await testServers();
  await servers.createTemplate(template);
  const templateUrl = databaseAt(server.url, template);
  await migrate(templateUrl);
  await migrateJobs(templateUrl, registeredJobs);
  await servers.completeTemplate(template);
  return {
    pid: server.pid,
    async stop() {
      await server.stop();
      // Restores the server of an outer run.
      if (before === undefined) delete process.env[variable];
      else process.env[variable] = before;
    },
  };
}

/** Creates a database from the template, in about 20 ms. */
export async function createTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const servers = await testServers();
  const name = `purser_test_${randomBytes(8).toString("hex")}`;
  await servers.clone(template, name);
  return { url: databaseAt(servers.url, name), drop: () => servers.drop(name) };
}

/** Creates a database without tables. */
export async function createEmptyTestDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const servers = await testServers();
  const name = `purser_test_${randomBytes(8).toString("hex")}`;
  await servers.createTemplate(name);
  return { url: databaseAt(servers.url, name), drop: () => servers.drop(name) };
}

/** Creates a migrated database that is not distributed, also on a cluster. */
export async function createUndistributedTestDatabase(): ReturnType<typeof createEmptyTestDatabase> {
  const database = await createEmptyTestDatabase();
  await migrate(database.url);
  await migrateJobs(database.url, registeredJobs);
  return database;
}

async function testServers(): Promise<TestServers> {
  const url = process.env[variable];
  if (url === undefined) throw new Error("Call startTestServer() first, for example in vitest's globalSetup");
  // A server that a test starts itself is a single one.
  return url === distributedDatabaseUrl ? distributedTestServers(url) : singleTestServer(url);
}

// Test data need not survive a crash.
const withoutDurability = {
  fsync: "off",
  synchronous_commit: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: 0,
};

async function startEphemeral(overSocket: boolean, durable: boolean) {
  const dataDir = await mkdtemp(join(tmpdir(), "purser-test-"));
  const sockets = overSocket ? await socketFolder() : null;
  const postgres = await startEmbeddedPostgres({
    dataDir,
    settings: {
      ...(!durable && withoutDurability),
      max_wal_size: "256MB",
      // Short tests end before autovacuum helps. Long ones fill tables that were empty when PostgreSQL planned, and
      // autovacuum's statistics cause new plans.
      autovacuum: isNightly ? "on" : "off",
      autovacuum_naptime: "5s",
      max_connections: 300,
      // Processes that only cost time here: tables fit in the memory, and no statement is worth compiling.
      io_method: "sync",
      jit: "off",
      ...(sockets !== null && { unix_socket_directories: sockets }),
    },
  });
  await makeSignInCheap(postgres.url);
  const url = new URL(postgres.url);
  if (sockets !== null) url.searchParams.set("host", sockets);
  return {
    url: url.href,
    pid: postgres.pid,
    async stop() {
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/**
 * Stores the same password with one round of hashing instead of 4,096. The client repeats them for each of the thousands of
 * connections of a run.
 */
async function makeSignInCheap(url: string): Promise<void> {
  const db = connect(url, { max: 1 });
  const password = new URL(url).password;
  await db.execute(sql`SET scram_iterations = 1`);
  await db.execute(sql.raw(`ALTER ROLE CURRENT_USER PASSWORD '${password}'`));
  await db.close();
}

/** Lets a transaction of a test do nothing for as long as the test needs. The pool for requests ends one after five seconds. */
export async function stayIdle(transaction: Executor): Promise<void> {
  await transaction.execute(sql`SET LOCAL idle_in_transaction_session_timeout = 0`);
}

/** How many statements of this database wait for a lock, on all servers. */
export async function countWaitingForLocks(db: Database): Promise<number> {
  const counts = await onEachServer(
    db,
    `SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return counts.reduce((sum, count) => sum + Number(count), 0);
}

/**
 * Locks a table against all reading. On a cluster, the service reads the coordinator's part of it by its own name. What other nodes
 * hold stays unlocked.
 */
export async function lockTable(transaction: Transaction, name: string): Promise<void> {
  const locking = (table: string) =>
    transaction.execute(sql.raw(`LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`));
  await locking(name);
  if (distributedDatabaseUrl === null) return;
  await transaction.execute(sql`SET LOCAL citus.enable_manual_changes_to_shards = on`);
  const parts = await transaction.execute<{ name: string }>(sql`
    SELECT shard_name(logicalrelid, shardid) AS name
    FROM pg_dist_shard JOIN pg_dist_placement USING (shardid) JOIN pg_dist_local_group USING (groupid)
    WHERE logicalrelid = ${name}::regclass`);
  for (const part of parts) await locking(part.name);
}

/** The longest socket address of Linux, minus the name of the socket. */
const longestFolder = 107 - ".s.PGSQL.65535.lock".length;

/** Creates a folder for the server's socket. Null if the platform or the path length does not allow one. */
async function socketFolder(): Promise<string | null> {
  if (process.platform === "win32") return null;
  const folder = await mkdtemp(join(tmpdir(), "socket-"));
  // PostgreSQL may run as another user.
  await chmod(folder, 0o777);
  return folder.length <= longestFolder ? folder : null;
}
