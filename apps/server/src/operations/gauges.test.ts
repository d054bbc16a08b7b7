import { type DatabaseState, connect } from "@purser/db";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { sql } from "drizzle-orm";
import { Registry } from "prom-client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { registerGauges } from "./gauges.ts";

let purser: TestPurser;
beforeAll(async () => (purser = await createTestPurser()));
afterAll(() => purser.close());

describe("the gauges of the database", () => {
  let registry: Registry;
  let state: DatabaseState | Promise<DatabaseState>;
  let probes: number;
  let read: () => Promise<void>;
  beforeEach(() => {
    registry = new Registry();
    [state, probes] = ["ok", 0];
    read = registerGauges(registry, purser.db, {
      probe: async () => {
        probes += 1;
        return state;
      },
    });
  });

  const feedDelay = async () => /^purser_event_feed_delay_seconds (.+)$/m.exec(await registry.metrics())?.[1];

  /** A busy machine may not read all of them within the time of a scrape. */
  const readFeedDelay = async () => {
    await read();
    return feedDelay();
  };

  it("have no value while they cannot be read, also without labels, where 0 would look well", async () => {
    await expect.poll(readFeedDelay).toBeDefined();
    state = "database unreachable";
    await read();
    expect(await feedDelay()).toBeUndefined();
    expect(await registry.metrics()).toMatch(/^purser_database_up 0$/m);
    state = "ok";
    await expect.poll(readFeedDelay).toBeDefined();
  });

  const readJobs = async () => {
    await read();
    return /^purser_gauge_up\{gauge="purser_jobs"\} (.)$/m.exec(await registry.metrics())?.[1];
  };

  it("are read although another one fails, and tell which", async () => {
    await expect.poll(readJobs).toBe("1");
    await purser.db.execute(sql`ALTER SCHEMA pgboss RENAME TO unreadable`);
    await expect.poll(readFeedDelay).toBeDefined();
    expect(await readJobs()).toBe("0");
    await purser.db.execute(sql`ALTER SCHEMA unreadable RENAME TO pgboss`);
    await expect.poll(readJobs).toBe("1");
  });

  it("are read although another one takes all of the time at every scrape", async () => {
    const other = connect(purser.platform.settings.databaseUrl!, { max: 1, idleInTransactionTimeoutMs: 0 });
    await other.transaction(async (transaction) => {
      await transaction.execute(sql`LOCK TABLE pgboss.job IN ACCESS EXCLUSIVE MODE`);
      await expect.poll(readFeedDelay, { timeout: 60_000 }).toBeDefined();
      expect(await readJobs()).toBe("0");
    });
    await other.close();
  });

  it("are read once for scrapes at the same time, and keep their values meanwhile", async () => {
    await expect.poll(readFeedDelay).toBeDefined();
    probes = 0;
    const probing = Promise.withResolvers<DatabaseState>();
    state = probing.promise;
    const scrapes = [read(), read()];
    expect(probes).toBe(1);
    expect(await feedDelay()).toBeDefined();
    probing.resolve("ok");
    await Promise.all(scrapes);
    await read();
    expect(probes).toBe(2);
    await expect.poll(readFeedDelay).toBeDefined();
  });
});
