import { stayIdle } from "@purser/testing";
import { Registry } from "prom-client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestService, createTestService } from "../testing/service.ts";
import { registerPools } from "./pools.ts";

let service: TestService;
beforeAll(async () => {
  service = await createTestService({ settings: { databasePoolSize: 1 } });
});
afterAll(() => service.close());

/** The value of one series in the metrics text. */
function valueIn(text: string, series: string): number {
  const line = text.split("\n").find((one) => one.startsWith(`${series} `));
  return Number(line?.slice(series.length + 1));
}

const request = async (path: string, init?: RequestInit) =>
  service.app.request(`http://localhost:3000${path}`, init);

describe("the pools of database connections", () => {
  it("report how many requests wait for a connection, and afterwards for how long they waited", async () => {
    const person = await service.purser.person();
    const headers = await service.signedIn(person);
    const id = await service.purser.organization(person);
    // Reads the registry, because /metrics queries the database and would wait, too.
    const registry = new Registry();
    registerPools(registry, service.purser.platform, service.purser.monitor);
    const [holding, over] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const holder = service.purser.db.transaction(async (transaction) => {
      await stayIdle(transaction);
      holding.resolve();
      await over.promise;
    });
    await holding.promise;
    const now = () => registry.metrics();
    const before = await now();
    const start = performance.now();
    const responses = [1, 2, 3].map(() => request(`/api/organizations/${id}`, { headers }));
    await expect.poll(now).toContain('purser_database_waiting{pool="main"} 3\n');
    expect(await now()).toContain('purser_database_connections_in_use{pool="main"} 1\n');
    expect(await now()).toContain('purser_database_pool_size{pool="main"} 1\n');
    expect(await now()).toContain('purser_database_waiting{pool="decisions"} 0\n');
    expect(await now()).toContain('purser_database_pool_size{pool="monitor"} 1\n');
    over.resolve();
    await holder;
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual([200, 200, 200]);
    const waitedMs = performance.now() - start;

    const text = await (await request("/metrics")).text();
    const growth = (series: string) => valueIn(text, series) - valueIn(before, series);
    expect(text).toContain('purser_database_waiting{pool="main"} 0\n');
    expect(text).toContain('purser_database_connections_in_use{pool="main"} 0\n');
    expect(growth('purser_database_waits_total{pool="main",outcome="granted"}')).toBeGreaterThanOrEqual(3);
    expect(growth('purser_database_waits_total{pool="main",outcome="refused"}')).toBe(0);
    expect(growth('purser_database_waits_total{pool="decisions",outcome="granted"}')).toBe(0);
    const seconds = growth('purser_database_wait_seconds_total{pool="main"}');
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThan((3 * waitedMs) / 1000);
  });
});
