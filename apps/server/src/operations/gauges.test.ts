import type { DatabaseState } from "@purser/db";
import { type TestPurser, createTestPurser } from "@purser/testing";
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
