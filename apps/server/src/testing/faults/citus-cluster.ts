import { connect, distribute, migrate } from "@purser/db";
import { migrateJobs } from "@purser/platform/jobs";
import { registeredJobs } from "@purser/service";
import { databaseAt, distributedTestServers, listServers } from "@purser/testing";
import { type Cluster, configurePostgres, runStatement } from "./cluster.ts";
import { findLocalPostgres } from "./local-postgres.ts";

/**
 * A Citus cluster on this machine that runs already, and is left running. Where a fault names PostgreSQL, it is the coordinator.
 *
 * @param given A database of its coordinator, as a superuser
 */
export async function openCitusCluster(given: string): Promise<Cluster> {
  const databases = await distributedTestServers(given);
  const servers = await Promise.all(
    (await listServers(given)).map((address) => findLocalPostgres(given, address)),
  );
  const [coordinator, ...nodes] = servers as [(typeof servers)[0], ...typeof servers];
  // Each of two tenants is on a node of its own, and moves to the other.
  if (nodes.length < 2)
    throw new Error("The faults of a Citus cluster need two nodes or more below its coordinator");
  const { port } = coordinator.address;
  const url: Cluster["url"] = (database, through = port, host = "127.0.0.1") =>
    databaseAt(given, database, { host, port: through });
  const dropDatabase = async (name: string) => {
    for (const { address } of servers) await rollBackPrepared(databaseAt(given, name, address));
    await databases.drop(name);
  };
  return {
    port,
    nodes,
    url,
    async createDatabase(name) {
      await dropDatabase(name);
      await databases.createTemplate(name);
      // A cluster of tests may acknowledge what is not written yet. The page cache outlives a killed server, so it needs no fsync.
      for (const { address } of servers)
        await runStatement(
          databaseAt(given, "postgres", address),
          `ALTER DATABASE ${name} SET synchronous_commit = on`,
        );
      await migrate(url(name));
      await migrateJobs(url(name), registeredJobs);
      await distribute(url(name));
    },
    dropDatabase,
    kill: () => coordinator.kill(),
    revive: () => coordinator.revive(),
    configure: (changed) => configurePostgres(url("postgres"), changed),
    pause: () => coordinator.pause(),
    failOver: null,
    fillDisk: null,
    logTail: () => servers.map(({ address, logTail }) => `${address.port}: ${logTail()}`).join("\n"),
    async stop() {
      await Promise.all(servers.map((server) => server.revive()));
    },
  };
}

/** A commit that a server has prepared prevents that its database is dropped. */
async function rollBackPrepared(url: string): Promise<void> {
  const db = connect(url, { max: 1, applicationName: "faults" });
  try {
    const prepared = await db.$client`SELECT gid FROM pg_prepared_xacts WHERE database = current_database()`;
    for (const { gid } of prepared) await db.$client.unsafe(`ROLLBACK PREPARED '${gid}'`);
  } catch (error) {
    // There is no such database.
    if ((error as { code?: string }).code !== "3D000") throw error;
  } finally {
    await db.close();
  }
}
