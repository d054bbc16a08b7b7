import type { DatabaseMonitor } from "@purser/db";
import type { Platform } from "@purser/platform";
import { Counter, Gauge, type Registry } from "prom-client";

type Pools = Pick<Platform, "db" | "decisionDb" | "lockDb" | "bankLockDb" | "replica" | "nodes">;
type Use = Pools["db"]["use"];

/**
 * Registers the metrics of the database connection pools. A pool keeps plain numbers, which are read at the scrape, so that
 * taking a free connection costs no measuring.
 */
export function registerPools(registry: Registry, pools: Pools, monitor: Pick<DatabaseMonitor, "use">): void {
  const registers = [registry];
  const readUses = () => [...usesOf(pools), { pool: "monitor", use: monitor.use }];
  const gauge = (name: string, help: string, read: (use: Use) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["pool"],
      registers,
      collect() {
        for (const { pool, use } of readUses()) this.set({ pool }, read(use));
      },
    });
  gauge("purser_database_pool_size", "Maximum number of connections of a pool", ({ size }) => size);
  gauge("purser_database_connections_in_use", "Connections of a pool in use", ({ inUse }) => inUse);
  gauge(
    "purser_database_waiting",
    "Queries and transactions waiting for a connection",
    ({ waiting }) => waiting,
  );
  new Counter({
    name: "purser_database_waits_total",
    help: "Finished waits for a connection: granted, or refused after a timeout",
    labelNames: ["pool", "outcome"],
    registers,
    collect() {
      this.reset();
      for (const { pool, use } of readUses()) {
        this.inc({ pool, outcome: "granted" }, use.granted);
        this.inc({ pool, outcome: "refused" }, use.refused);
      }
    },
  });
  new Counter({
    name: "purser_database_wait_seconds_total",
    help: "Total time spent waiting for connections",
    labelNames: ["pool"],
    registers,
    collect() {
      this.reset();
      for (const { pool, use } of readUses()) this.inc({ pool }, use.waitedMs / 1000);
    },
  });
}

/** The present use of each pool that requests wait for. Read each time, because the replica's pool may be replaced, and nodes may be added. */
export function usesOf({
  db,
  decisionDb,
  lockDb,
  bankLockDb,
  replica,
  nodes,
}: Pools): { pool: string; use: Use }[] {
  return [
    { pool: "main", use: db.use },
    { pool: "decisions", use: decisionDb.use },
    { pool: "locks", use: lockDb.use },
    { pool: "bank locks", use: bankLockDb.use },
    ...(replica ? [{ pool: "replica", use: replica.use }] : []),
    ...(nodes?.requests.open ?? []).map((one) => ({ pool: `main ${one.node}`, use: one.db.use })),
    ...(nodes?.decisions.open ?? []).map((one) => ({ pool: `decisions ${one.node}`, use: one.db.use })),
  ];
}
