// @module-tag slow
import { type Database, DatabaseMonitor, connect } from "@purser/db";
import { type TestPurser, createTestPurser, isNightly, startTcpProxy, withHandler } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { setTimeout as sleep } from "node:timers/promises";
import { platformJobs } from "./platform-jobs.ts";
import { type Worker, startWorker } from "./worker.ts";

const silenceMs = 2500;

let purser: TestPurser;
/** The worker reaches the database through it; the test does not. */
let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
let monitor: DatabaseMonitor;
let db: Database;
/** How many of its connections have ended, those included that could not be opened. */
let endedConnections = 0;
let worker: Worker;
let held: PromiseWithResolvers<void> | null = null;
const sent: string[] = [];
const warnings: string[] = [];

beforeEach(async () => {
  purser = await createTestPurser();
  const { settings } = purser.platform;
  proxy = await startTcpProxy(settings.databaseUrl!);
  const limits = { statementTimeoutMs: 1000, responseTimeoutMs: 1000, connectTimeoutMs: 1000 };
  monitor = new DatabaseMonitor(connect(proxy.url, { max: 1, ...limits }));
  await monitor.start();
  const logger = {
    ...purser.platform.logger,
    warn: (_: object, message: string) => void warnings.push(message),
  };
  db = connect(proxy.url, { max: 2, ...limits, onClose: () => (endedConnections += 1) });
  const platform = { ...purser.platform, db, logger, settings: { ...settings, databaseUrl: proxy.url } };
  const handlers = withHandler(purser.handlers, platformJobs.sendMail, async ({ subject }) => {
    sent.push(subject);
    await held?.promise;
  });
  worker = await startWorker(platform, handlers, monitor);
});
afterEach(async () => {
  held = null;
  sent.length = warnings.length = 0;
  await worker.stop(200);
  await monitor.close(100);
  await db.close();
  await proxy.close();
  await purser.close();
});

async function enqueue(subject: string): Promise<void> {
  const mail = { to: "sam@example.com", subject, text: "" };
  await purser.db.transaction((transaction) =>
    purser.platform.outbox.enqueue(transaction, platformJobs.sendMail, mail),
  );
}

const runs = (subject: string, timeout = 60_000) =>
  expect.poll(() => sent, { timeout, interval: 5 }).toContain(subject);

/** Whether three new jobs in a row run soon. Polls are ten seconds apart, so these came by notifications. */
async function hearsOfJobs(): Promise<boolean> {
  for (let nth = 0; nth < 3; nth += 1) {
    const subject = `after ${performance.now()}`;
    await enqueue(subject);
    const isHeard = await runs(subject, isNightly ? 200 : 3000).then(
      () => true,
      () => false,
    );
    if (!isHeard) return false;
  }
  return true;
}

const states = async () =>
  (
    await purser.db.execute<{ state: string }>(
      sql`SELECT state FROM pgboss.job WHERE name = ${platformJobs.sendMail.name} ORDER BY created_on`,
    )
  ).map(({ state }) => state);

describe("a worker whose database falls silent", () => {
  it("runs jobs again soon after its return, and then hears of new ones at once", async () => {
    await enqueue("before");
    await runs("before");
    proxy.silence();
    await enqueue("during");
    await sleep(silenceMs);
    proxy.restore();
    await runs("during", isNightly ? 9000 : 60_000);
    await expect.poll(hearsOfJobs).toBe(true);
  });

  it("completes a job that ended while the database was away, as soon as it is back", async () => {
    held = Promise.withResolvers();
    await enqueue("ends meanwhile");
    await runs("ends meanwhile");
    proxy.refuse();
    held.resolve();
    await expect.poll(() => warnings).toContain("The job runner failed");
    // By then the result has been offered to the database in vain.
    const before = endedConnections;
    await expect.poll(() => endedConnections).toBeGreaterThan(before + 1);
    proxy.restore();
    await expect.poll(states).toEqual(["completed"]);
    expect(sent).toEqual(["ends meanwhile"]);
  });

  it("stops in its time, although the result of a job cannot be stored", async () => {
    held = Promise.withResolvers();
    await enqueue("before");
    await runs("before");
    proxy.silence();
    held.resolve();
    const start = performance.now();
    await worker.stop(2000);
    // Closing the connections takes 500 ms in a silence. These are part of the time. A statement is given up after 12 s.
    expect(performance.now() - start).toBeLessThan(isNightly ? 2450 : 8000);
  });
});
