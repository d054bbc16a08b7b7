import { type Database, connect, distribute } from "@purser/db";
import { sql } from "drizzle-orm";

/** One PostgreSQL, or the servers of a Citus cluster: where the databases of tests are created. */
export interface TestServers {
  /** Any database on the server that services connect to. */
  readonly url: string;
  /** Creates an empty database. Replaces one of this name. */
  createTemplate(name: string): Promise<void>;
  /** After the tables of a template are migrated, and before it is cloned. */
  completeTemplate(name: string): Promise<void>;
  clone(template: string, name: string): Promise<void>;
  drop(name: string): Promise<void>;
}

/** One PostgreSQL. */
export function singleTestServer(url: string): TestServers {
  return {
    url,
    async createTemplate(name) {
      await administer(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      await administer(url, `CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
    },
    completeTemplate: () => Promise.resolve(),
    async clone(template, name) {
      await withHeld(url, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
    },
    async drop(name) {
      await withHeld(url, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    },
  };
}

/** A connection for cloning and dropping. It stays open for the next file: opening one takes longer than a drop. */
interface HeldConnection {
  db: Database;
  users: number;
  closing: NodeJS.Timeout | undefined;
}
const heldConnections = new Map<string, HeldConnection>();
const unusedMs = 500;

async function withHeld(url: string, statement: string): Promise<void> {
  const held = heldConnections.get(url) ?? {
    db: connect(url, { max: 1, ...patient }),
    users: 0,
    closing: undefined,
  };
  heldConnections.set(url, held);
  clearTimeout(held.closing);
  held.users += 1;
  try {
    await held.db.execute(sql.raw(statement));
  } finally {
    held.users -= 1;
    held.closing = setTimeout(close, unusedMs);
  }
  function close() {
    // The timers of a test may have kept one that was cleared.
    if (held.users > 0) return;
    heldConnections.delete(url);
    void held.db.close();
  }
}

/** Shards of each table. Few, because a test creates and drops the files of all. */
const shardCount = 4;

/**
 * The servers of a Citus cluster, found by a database of its coordinator. A database of a test is one on each server.
 * Their copies keep the addresses of the servers and the places of the shards.
 */
export async function distributedTestServers(url: string): Promise<TestServers> {
  const [coordinator, ...workers] = await listServers(url);
  if (coordinator === undefined || workers.length === 0)
    throw new Error(`${url} leads to no cluster of Citus`);
  const servers = [coordinator, ...workers];
  const withEach = async (run: (db: Database) => Promise<unknown>) => {
    await Promise.all(servers.map((server) => administer(databaseAt(url, "postgres", server), run)));
  };
  const onEach = (statement: string) => withEach((db) => db.execute(sql.raw(statement)));
  const drop = (name: string) => withEach((db) => dropShut(db, name));
  return {
    url,
    async createTemplate(name) {
      await drop(name);
      await onEach(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
      await onEach(`ALTER DATABASE ${name} SET citus.shard_count = ${shardCount}`);
      for (const server of servers) await administer(databaseAt(url, name, server), "CREATE EXTENSION citus");
      const own = databaseAt(url, name);
      await administer(own, `SELECT citus_set_coordinator_host('${coordinator.host}', ${coordinator.port})`);
      for (const { host, port } of workers)
        await administer(own, `SELECT citus_add_node('${host}', ${port})`);
    },
    async completeTemplate(name) {
      await distribute(databaseAt(url, name));
      // The daemon of Citus would keep the template in use.
      await withEach((db) => shut(db, name));
    },
    async clone(template, name) {
      await onEach(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`);
      // What `distribute` sets belongs to the database and is not copied.
      for (const setting of ["multi_shard_modify_mode = sequential", "propagate_set_commands = local"])
        await administer(databaseAt(url, "postgres"), `ALTER DATABASE ${name} SET citus.${setting}`);
    },
    drop,
  };
}

export interface ServerAddress {
  host: string;
  port: number;
}

/** The servers of a cluster, found by a database of its coordinator, which comes first. */
export async function listServers(url: string): Promise<ServerAddress[]> {
  const db = connect(url, { max: 1 });
  try {
    return await db.execute<ServerAddress & Record<string, unknown>>(
      sql`SELECT nodename AS host, nodeport AS port FROM pg_dist_node ORDER BY groupid`,
    );
  } finally {
    await db.close();
  }
}

/** Cloning waits until no other connection uses the template. */
const patient = {
  statementTimeoutMs: 60_000,
  lockTimeoutMs: 60_000,
  poolWaitMs: 60_000,
  connectTimeoutMs: 60_000,
};

/** Drops a database from one server of a cluster. */
async function dropShut(db: Database, name: string): Promise<void> {
  const found = await db.execute(sql`SELECT FROM pg_database WHERE datname = ${name}`);
  if (found.length === 0) return;
  await shut(db, name);
  await db.execute(sql.raw(`DROP DATABASE ${name} WITH (FORCE)`));
}

/**
 * Refuses further connections to a database, and ends all, also the daemon's of Citus. That ends only after a round of its work,
 * for which it connects to this database on every server, its own included. Until DROP DATABASE ends, it lets new connections
 * wait, and so would wait for a daemon that waits for it.
 */
async function shut(db: Database, name: string): Promise<void> {
  await db.execute(sql.raw(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`));
  // A daemon that is told during a round sleeps once more, for two seconds, until it is told again.
  const end = sql`SELECT pg_terminate_backend(pid, 100) AS ended FROM pg_stat_activity WHERE datname = ${name}`;
  const isOpen = async () => (await db.execute<{ ended: boolean }>(end)).some(({ ended }) => !ended);
  while (await isOpen());
}

/** Runs a statement, or several, outside a transaction. */
async function administer(
  server: string,
  work: string | ((db: Database) => Promise<unknown>),
): Promise<void> {
  const db = connect(server, { max: 1, ...patient });
  try {
    await (typeof work === "string" ? db.execute(sql.raw(work)) : work(db));
  } finally {
    await db.close();
  }
}

/** The address of a database, on the same server or on another one. */
export function databaseAt(server: string, database: string, other?: ServerAddress): string {
  const url = new URL(server);
  url.pathname = `/${database}`;
  if (other !== undefined) [url.hostname, url.port] = [other.host, String(other.port)];
  return url.href;
}
