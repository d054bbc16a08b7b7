import type { Platform } from "@purser/platform";
import { Counter, Gauge, type Registry } from "prom-client";

type Pools = Pick<Platform, "db" | "decisionDb" | "lockDb" | "replica">;
type Use = Pools["db"]["use"];

/**
 * Registers how the pools of database connections are used. A pool keeps plain numbers, which are read when somebody
 * reads the metrics: on the way to a connection nothing is measured unless it has to be waited for.
 */
export function registerPools(registry: Registry, pools: Pools): void {
  const registers = [registry];
  const gauge = (name: string, help: string, read: (use: Use) => number) =>
    new Gauge({
      name,
      help,
      labelNames: ["pool"],
      registers,
      collect() {
        for (const { pool, use } of usesOf(pools)) this.set({ pool }, read(use));
      },
    });
  gauge("purser_database_pool_size", "The most connections that a pool opens", ({ size }) => size);
  gauge("purser_database_connections_in_use", "Connections of a pool that are in use", ({ inUse }) => inUse);
  gauge(
    "purser_database_waiting",
    "Queries and transactions that wait for a connection",
    ({ waiting }) => waiting,
  );
  new Counter({
    name: "purser_database_waits_total",
    help: "Waits for a connection that are over: granted, or refused as none became free in time",
    labelNames: ["pool", "outcome"],
    registers,
    collect() {
      this.reset();
      for (const { pool, use } of usesOf(pools)) {
        this.inc({ pool, outcome: "granted" }, use.granted);
        this.inc({ pool, outcome: "refused" }, use.refused);
      }
    },
  });
  new Counter({
    name: "purser_database_wait_seconds_total",
    help: "For how long connections were waited for, by all who did",
    labelNames: ["pool"],
    registers,
    collect() {
      this.reset();
      for (const { pool, use } of usesOf(pools)) this.inc({ pool }, use.waitedMs / 1000);
    },
  });
}

/** Asked anew every time, as the replica's pool may be replaced by another one. */
function usesOf({ db, decisionDb, lockDb, replica }: Pools): { pool: string; use: Use }[] {
  return [
    { pool: "main", use: db.use },
    { pool: "decisions", use: decisionDb.use },
    { pool: "locks", use: lockDb.use },
    ...(replica ? [{ pool: "replica", use: replica.use }] : []),
  ];
}
