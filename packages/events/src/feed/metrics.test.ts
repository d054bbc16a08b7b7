import { type Database, connect } from "@purser/db";
import {
  type TestPurser,
  createTestPurser,
  databaseAt,
  distributedDatabaseUrl,
  listServers,
} from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { feedMetrics } from "./metrics.ts";

let purser: TestPurser;
/** Where events are recorded: on a cluster, one of its nodes. */
let recording: Database;
let recordingUrl: string;

beforeAll(async () => {
  purser = await createTestPurser();
  const url = purser.platform.settings.databaseUrl!;
  const [, node] = distributedDatabaseUrl === null ? [] : await listServers(url);
  recordingUrl = node === undefined ? url : databaseAt(url, new URL(url).pathname.slice(1), node);
  recording = connect(recordingUrl, { max: 1 });
});
afterAll(async () => {
  await recording.close();
  await purser.close();
});

const readDelay = async () => Number((await feedMetrics.delay.read(purser.db))[0]!.value);

describe("purser_event_feed_delay_seconds", () => {
  it("grows while a transaction that has written is open", async () => {
    await recording.transaction(async (transaction) => {
      await transaction.execute(sql`SELECT pg_current_xact_id()`);
      const first = await readDelay();
      await expect.poll(readDelay).toBeGreaterThan(first + 0.05);
    });
  });

  it("counts a transaction from its begin, not from its first write", async () => {
    const ageOf = sql`SELECT extract(epoch FROM clock_timestamp() - now())::float8 AS age`;
    await recording.transaction(async (transaction) => {
      await transaction.execute(sql`SELECT 1`);
      await vi.waitUntil(async () => Number((await transaction.execute(ageOf))[0]!["age"]) > 0.2, {
        timeout: 60_000,
        interval: 10,
      });
      await transaction.execute(sql`SELECT pg_current_xact_id()`);
      expect(await readDelay()).toBeGreaterThan(0.2);
    });
  });

  it("grows in a process whose role does not see when transactions of other roles began", async () => {
    const role = `reader_${process.pid}`;
    await purser.db.execute(sql.raw(`CREATE ROLE ${role} LOGIN PASSWORD 'reader'`));
    const url = new URL(recordingUrl);
    [url.username, url.password] = [role, "reader"];
    const db = connect(url.href, { max: 1 });
    const read = async () => Number((await feedMetrics.delay.read(db))[0]!.value);
    await recording.transaction(async (transaction) => {
      await transaction.execute(sql`SELECT pg_current_xact_id()`);
      const first = await read();
      await expect.poll(read).toBeGreaterThan(first + 0.05);
    });
    // Another transaction is counted from the start.
    await expect.poll(read).toBeLessThan(0.05);
    await db.close();
    await purser.db.execute(sql.raw(`DROP ROLE ${role}`));
  });
});
