import { type Transaction, connect, sqlState } from "@purser/db";
import { type TestPurser, createTestPurser, explainQueries, withHandler } from "@purser/testing";
import { sql } from "drizzle-orm";
import { PgBoss } from "pg-boss";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PermanentFailure } from "../jobs/definition.ts";
import { drainJobs } from "../jobs/drain.ts";
import { jobRunner, runnerUrl } from "../jobs/pg-boss.ts";
import { platformJobs } from "../jobs/platform-jobs.ts";
import type { Mail } from "../mail/port.ts";
import { openOutbox } from "./enqueue.ts";
import { discardJob, listOutbox, replayJob, showJob } from "./inspect.ts";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

const mail = (subject: string): Mail => ({
  to: "sam@example.com",
  subject,
  text: "Open this link:\nhttps://purser.example/reset-password?token=tok_very_secret_0123456789",
});

function enqueue(subject: string): Promise<void> {
  return purser.db.transaction((transaction) =>
    purser.platform.outbox.enqueue(transaction, platformJobs.sendMail, mail(subject)),
  );
}

/** The job that every worker runs every few seconds. */
async function supervise(): Promise<void> {
  await purser.db.execute(sql`UPDATE pgboss.queue SET monitor_claim_on = NULL`);
  const connectionString = runnerUrl(purser.platform.settings.databaseUrl!);
  const runner = new PgBoss({ connectionString, max: 1, supervise: false, schedule: false, migrate: false });
  await runner.start();
  await runner.supervise();
  await runner.stop({ graceful: false });
}

/** Handlers that accept mails only, and the mails that they received. */
function collecting(fail: (mail: Mail, attempt: number) => Error | null = () => null) {
  const attempts: { subject: string; id: string; attempt: number; last: boolean }[] = [];
  const handlers = withHandler(purser.handlers, platformJobs.sendMail, async (data, job) => {
    attempts.push({ subject: data.subject, ...job });
    const error = fail(data, job.attempt);
    if (error) throw error;
  });
  return { attempts, handlers };
}

describe("outbox.enqueue", () => {
  it("runs a job after its transaction commits, with its payload", async () => {
    await enqueue("committed");
    const received: Mail[] = [];
    const handlers = withHandler(
      purser.handlers,
      platformJobs.sendMail,
      async (data) => void received.push(data),
    );
    expect(await drainJobs(purser.platform, handlers)).toBe(1);
    expect(received).toEqual([mail("committed")]);
    expect(await drainJobs(purser.platform, handlers)).toBe(0);
  });

  it("enqueues nothing for a transaction that rolls back", async () => {
    const before = await listOutbox(purser.db, { limit: 1000 });
    const work = purser.db.transaction(async (transaction) => {
      await purser.platform.outbox.enqueue(transaction, platformJobs.sendMail, mail("rolled back"));
      throw new Error("roll back");
    });
    await expect(work).rejects.toThrow("roll back");
    expect(await listOutbox(purser.db, { limit: 1000 })).toEqual(before);
  });

  it("commits a job with the effect of its transaction, or neither, wherever the effect is", async () => {
    const { db, outbox } = purser.platform;
    // Each reads what the other one writes, so PostgreSQL refuses the second commit, in its last step.
    const work = async (transaction: Transaction, own: string, others: string) => {
      await transaction.execute(sql`SELECT FROM rate_limits WHERE key = ${others}`);
      await transaction.execute(
        sql`INSERT INTO rate_limits (key, used, window_ends_at) VALUES (${own}, 0, now())`,
      );
      await transaction.execute(sql`INSERT INTO audit_entries (organization_id, id, at, action, subject, details)
        VALUES ('org_1', ${own}, now(), 'action', 'subject', '{}')`);
      await outbox.enqueue(transaction, platformJobs.sendMail, mail(own));
      // pg-boss's foreign key would refuse the commit before its last step.
      await transaction.execute(sql`SET CONSTRAINTS ALL IMMEDIATE`);
    };
    const isolation = { isolationLevel: "serializable" } as const;
    const refused = db.transaction(async (transaction) => {
      await work(transaction, "refused", "committed");
      await db.transaction((other) => work(other, "committed", "refused"), isolation);
    }, isolation);
    expect(await refused.catch(sqlState)).toBe("40001");
    const { attempts, handlers } = collecting();
    await drainJobs(purser.platform, handlers);
    expect(attempts.map(({ subject }) => subject)).toEqual(["committed"]);
    const effects = await db.execute(
      sql`SELECT id FROM audit_entries WHERE organization_id = 'org_1' AND action = 'action'`,
    );
    expect(effects).toEqual([{ id: "committed" }]);
  });

  it("stores the payload unreadable", async () => {
    await enqueue("sealed");
    const rows = await purser.db.execute(sql`SELECT job::text AS everything FROM pgboss.job`);
    const dump = JSON.stringify(rows);
    expect(dump).toContain('\\"sealed\\"');
    for (const planted of ["tok_very_secret", "sam@example.com", "reset-password"])
      expect(dump).not.toContain(planted);
    await drainJobs(purser.platform, collecting().handlers);
  });

  it("looks up all queues in one statement, before it is used", async () => {
    const statements: string[] = [];
    const db = connect(purser.platform.settings.databaseUrl!, {
      tracer: {
        statement: (text) => (statements.push(text), () => undefined),
        transaction: (run) => run(),
      },
    });
    const jobs = Object.values(platformJobs);
    const outbox = await openOutbox(
      { ...purser.platform, db, keys: purser.platform.settings.encryptionKeys },
      jobs,
    );
    const lookUps = () => statements.filter((text) => text.includes("FROM pgboss.queue")).length;
    expect([jobs.length > 1, lookUps()]).toEqual([true, 1]);
    await db.transaction((transaction) => outbox.enqueue(transaction, platformJobs.sendMail, mail("known")));
    expect(lookUps()).toBe(1);
    await db.close();
    await drainJobs(purser.platform, collecting().handlers);
  });

  it("needs no second connection while every one is in a transaction", async () => {
    const outbox = await openOutbox({ ...purser.platform, keys: purser.platform.settings.encryptionKeys }, [
      platformJobs.sendMail,
    ]);
    // As many open transactions as the pool has connections, before the first one enqueues.
    let arrived = 0;
    const allArrived = Promise.withResolvers<void>();
    await Promise.all(
      Array.from({ length: 10 }, () =>
        purser.db.transaction(async (transaction) => {
          await transaction.execute(sql`SELECT 1`);
          if (++arrived === 10) allArrived.resolve();
          await allArrived.promise;
          await outbox.enqueue(transaction, platformJobs.sendMail, mail("crowd"));
        }),
      ),
    );
    expect(await drainJobs(purser.platform, collecting().handlers)).toBe(10);
  });
});

describe("outbox.retries", () => {
  it("retries a failing job with the same id until it succeeds", async () => {
    await enqueue("third time lucky");
    const { attempts, handlers } = collecting((_, attempt) => (attempt < 3 ? new Error("not yet") : null));
    expect(await drainJobs(purser.platform, handlers)).toBe(1);
    expect(await drainJobs(purser.platform, handlers)).toBe(0);
    expect(await drainJobs(purser.platform, handlers, { ahead: true })).toBe(2);
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(new Set(attempts.map(({ id }) => id)).size).toBe(1);
    const [entry] = await listOutbox(purser.db, { limit: 1 });
    expect(entry).toMatchObject({ job: "mail.send", state: "done", attempts: 3, nextAt: null });
  });

  it("waits longer after each failure", async () => {
    await enqueue("backoff");
    const { handlers } = collecting(() => new Error("never"));
    const pauses: { pause: number; since: number }[] = [];
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      const before = performance.now();
      await drainJobs(purser.platform, handlers, { ahead: false });
      const [row] = await purser.db.execute<{ pause: number }>(
        sql`SELECT EXTRACT(epoch FROM start_after - now())::float8 AS pause FROM pgboss.job WHERE state = 'retry'`,
      );
      // Some of the pause is over already.
      pauses.push({ pause: row!.pause, since: (performance.now() - before) / 1000 });
      await purser.db.execute(sql`UPDATE pgboss.job SET start_after = now() WHERE state = 'retry'`);
    }
    for (const [index, { pause, since }] of pauses.entries()) {
      expect(pause + since).toBeGreaterThan(10 * 2 ** index * 0.95);
      expect(pause).toBeLessThanOrEqual(20 * 2 ** index);
    }
    await drainJobs(purser.platform, collecting().handlers, { ahead: true });
  });

  it("keeps a job without attempts left as dead, and runs it again after a replay", async () => {
    await enqueue("dead letter");
    const { attempts, handlers } = collecting(() => new Error("the server said no to sam@example.com"));
    expect(await drainJobs(purser.platform, handlers, { ahead: true })).toBe(13);
    expect(attempts.map(({ last }) => last).indexOf(true)).toBe(12);
    const [dead] = await listOutbox(purser.db, { state: "dead", limit: 10 });
    expect(dead).toMatchObject({
      state: "dead",
      attempts: 13,
      lastError: "the server said no to …@example.com",
    });

    expect(await replayJob(purser.db, purser.handlers, dead!.id)).toBe(true);
    expect(await replayJob(purser.db, purser.handlers, dead!.id)).toBe(false);
    expect(await listOutbox(purser.db, { state: "retrying", limit: 10 })).toMatchObject([
      { id: dead!.id, attempts: 0 },
    ]);
    const second = collecting();
    expect(await drainJobs(purser.platform, second.handlers)).toBe(1);
    expect(second.attempts).toMatchObject([{ id: dead!.id, attempt: 1, last: false }]);
  });

  it("reruns a job of a killed process after 15 seconds without a heartbeat", async () => {
    await enqueue("killed");
    const killed = jobRunner(purser.db);
    const [fetched] = await killed.fetch("mail.send");
    const aged = (seconds: number) =>
      purser.db.execute(
        sql`UPDATE pgboss.job SET heartbeat_on = now() - ${seconds} * interval '1 second' WHERE state = 'active'`,
      );
    const { attempts, handlers } = collecting();
    await aged(5);
    await supervise();
    expect(await drainJobs(purser.platform, handlers, { ahead: true })).toBe(0);
    await aged(20);
    await supervise();
    expect(await drainJobs(purser.platform, handlers, { ahead: true })).toBe(1);
    expect(attempts).toMatchObject([{ id: fetched!.id, attempt: 2 }]);
  });

  it("does not retry a permanent failure", async () => {
    await enqueue("permanent");
    const { attempts, handlers } = collecting(() => new PermanentFailure("no such mailbox"));
    expect(await drainJobs(purser.platform, handlers, { ahead: true })).toBe(1);
    expect(attempts).toHaveLength(1);
    const [dead] = await listOutbox(purser.db, { state: "dead", limit: 1 });
    expect(dead).toMatchObject({ attempts: 1, lastError: "no such mailbox" });
  });
});

describe("outbox.show", () => {
  it("shows recipient and subject, and masks tokens", async () => {
    await enqueue("shown");
    const [entry] = await listOutbox(purser.db, { state: "waiting", limit: 1 });
    const shown = await showJob(purser.db, purser.platform.settings.encryptionKeys, entry!.id);
    expect(shown).toMatchObject({
      id: entry!.id,
      data: {
        to: "sam@example.com",
        subject: "shown",
        text: "Open this link:\nhttps://purser.example/reset-password?token=…",
      },
    });
    expect(JSON.stringify(await listOutbox(purser.db, { limit: 1000 }))).not.toContain("sam@");
  });

  it("reports a missing key", async () => {
    await enqueue("sealed");
    const [entry] = await listOutbox(purser.db, { state: "waiting", limit: 1 });
    const shown = await showJob(purser.db, [{ version: 7, key: Buffer.alloc(32) }], entry!.id);
    expect(shown?.data).toEqual({ unreadable: "It is sealed with key version 1, which is not configured" });
  });

  it("finds nothing for an unknown id", async () => {
    const id = "00000000-0000-0000-0000-000000000000";
    expect(await showJob(purser.db, [], id)).toBeNull();
    expect(await replayJob(purser.db, purser.handlers, id)).toBe(false);
    expect(await discardJob(purser.db, purser.handlers, id)).toBe(false);
  });

  it("reads no other job", async () => {
    await enqueue("read alone");
    await purser.db.execute(sql`
      INSERT INTO pgboss.job (name, state, completed_on) SELECT 'mail.send', 'completed', now() FROM generate_series(1, 5000)`);
    await purser.db.execute(sql`ANALYZE pgboss.job`);
    const [entry] = await listOutbox(purser.db, { limit: 1 });
    const plans = await explainQueries(purser, "job", () => showJob(purser.db, [], entry!.id));
    expect(plans).toHaveLength(1);
    expect(Math.max(...plans[0]!.map(({ rows }) => rows))).toBeLessThan(100);
  });
});
