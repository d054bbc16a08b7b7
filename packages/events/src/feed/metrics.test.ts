import { connect } from "@purser/db";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { feedMetrics } from "./metrics.ts";

let purser: TestPurser;
beforeAll(async () => (purser = await createTestPurser()));
afterAll(() => purser.close());

const readDelay = async () => Number((await feedMetrics.delay.read(purser.db))[0]!.value);

describe("purser_event_feed_delay_seconds", () => {
  it("grows while a transaction that has written is open", async () => {
    await purser.db.transaction(async (transaction) => {
      await transaction.execute(sql`SELECT pg_current_xact_id()`);
      const first = await readDelay();
      await expect.poll(readDelay).toBeGreaterThan(first + 0.05);
    });
  });

  it("counts a transaction from its begin, not from its first write", async () => {
    const ageOf = sql`SELECT extract(epoch FROM clock_timestamp() - now())::float8 AS age`;
    await purser.db.transaction(async (transaction) => {
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
    const url = new URL(purser.platform.settings.databaseUrl!);
    [url.username, url.password] = [role, "reader"];
    const db = connect(url.href, { max: 1 });
    const read = async () => Number((await feedMetrics.delay.read(db))[0]!.value);
    await purser.db.transaction(async (transaction) => {
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
