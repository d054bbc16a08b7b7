import { migrateDatabase } from "@purser/platform";
import { platformJobs, startWorker } from "@purser/platform/jobs";
import {
  type PgBouncer,
  type TestPurser,
  callEverything,
  createTestDatabase,
  createTestPurser,
  hasPgBouncer,
  startPgBouncer,
  withHandler,
} from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { registeredJobs } from "./jobs.ts";

/** Fewer than the pool of the process, so transactions switch connections and leaked session state fails the tests. */
const connections = 3;

const isInstalled = hasPgBouncer();
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let bouncer: PgBouncer;
let purser: TestPurser;

beforeAll(async () => {
  if (!isInstalled) return;
  database = await createTestDatabase();
  bouncer = await startPgBouncer(database.url, connections);
  const settings = { databaseUrl: bouncer.url, directDatabaseUrl: database.url, databasePrepare: false };
  purser = await createTestPurser({ settings });
});
beforeEach(({ skip }) => skip(!isInstalled, "PgBouncer is not installed"));
afterAll(async () => {
  await purser?.close();
  await bouncer?.stop();
  await database?.drop();
});

describe("behind PgBouncer in transaction mode", () => {
  it("all procedures and jobs succeed", async () => {
    await migrateDatabase(purser.platform.settings, registeredJobs);
    const { calls, jobs } = await callEverything(purser);
    expect(calls).toBeGreaterThan(50);
    expect(jobs).toBeGreaterThan(20);
  });

  it("an idempotency key has one effect, even if many requests share few connections", async () => {
    const owner = await purser.person();
    const request = { idempotencyKey: crypto.randomUUID() };
    const created = await Promise.all(
      Array.from({ length: 20 }, () => purser.as(owner, request).organizations.create({ name: "Once" })),
    );
    expect(new Set(created.map(({ id }) => id)).size).toBe(1);
    expect(await purser.as(owner).organizations.list({ userId: owner.userId })).toHaveLength(1);
  });

  it("every transaction has its timeouts, and leaks none to the next", async () => {
    const { db } = purser;
    const limit = sql`SELECT current_setting('statement_timeout') AS limit, pg_sleep(0.01)`;
    const inside = await Promise.all(
      Array.from({ length: 20 }, () => db.transaction((transaction) => transaction.execute(limit))),
    );
    expect(new Set(inside.map(([row]) => row!["limit"]))).toEqual(new Set(["20s"]));
    const outside = await Promise.all(Array.from({ length: 20 }, () => db.execute(limit)));
    expect(new Set(outside.map(([row]) => row!["limit"]))).toEqual(new Set(["0"]));
    const sessions = await db.execute(
      sql`SELECT count(*)::int AS count FROM pg_stat_activity
          WHERE datname = current_database() AND backend_type = 'client backend'`,
    );
    expect(sessions[0]!["count"]).toBeLessThanOrEqual(connections);
  });

  it("a worker is notified of a job immediately, over a direct connection", async () => {
    const sent: string[] = [];
    const handlers = withHandler(
      purser.handlers,
      platformJobs.sendMail,
      async ({ to }) => void sent.push(to),
    );
    const worker = await startWorker(purser.platform, handlers);
    try {
      const mail = { to: "sam@example.com", subject: "", text: "" };
      // Without notifications, the worker polls every ten seconds, so all but the first would come late.
      for (const timeout of [60_000, 5000, 5000]) {
        const before = sent.length;
        await purser.db.transaction((transaction) =>
          purser.platform.outbox.enqueue(transaction, platformJobs.sendMail, mail),
        );
        await vi.waitFor(() => expect(sent).toHaveLength(before + 1), { timeout, interval: 5 });
      }
    } finally {
      await worker.stop();
    }
  });
});
