import { type TestPurser, createTestPurser } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { listOutbox } from "../outbox/inspect.ts";
import { type JobDefinition, defineJob, onSchedule } from "./definition.ts";
import { drainJobs } from "./drain.ts";
import { migrateJobs } from "./migrate.ts";
import { jobRunner } from "./pg-boss.ts";
import { platformJobs } from "./platform-jobs.ts";

let purser: TestPurser;
let jobs: JobDefinition[];
beforeAll(async () => {
  purser = await createTestPurser();
  jobs = purser.handlers.map(({ definition }) => definition);
});
afterAll(() => purser.close());

const enqueue = (subject: string) =>
  purser.db.transaction((transaction) =>
    purser.platform.outbox.enqueue(transaction, platformJobs.sendMail, {
      to: "sam@example.com",
      subject,
      text: "",
    }),
  );

describe("migrateJobs", () => {
  it("is idempotent and safe to run concurrently", async () => {
    const url = purser.platform.settings.databaseUrl!;
    await enqueue("kept");
    await purser.db.execute(sql`DROP SCHEMA pgboss CASCADE`);
    await Promise.all(Array.from({ length: 4 }, () => migrateJobs(url, jobs)));
    await enqueue("works");
    expect(await listOutbox(purser.db, { limit: 10 })).toHaveLength(1);
    await migrateJobs(url, jobs);
    expect(await listOutbox(purser.db, { limit: 10 })).toHaveLength(1);
  });

  it("writes nothing if everything is up to date", async () => {
    const versions = () =>
      purser.db.execute(
        sql`SELECT name, xmin FROM pgboss.queue UNION ALL SELECT name, xmin FROM pgboss.schedule ORDER BY 1`,
      );
    const before = await versions();
    await migrateJobs(purser.platform.settings.databaseUrl!, jobs);
    expect(await versions()).toEqual(before);
  });

  it("updates queues and schedules to match the code", async () => {
    const url = purser.platform.settings.databaseUrl!;
    await purser.db.execute(sql`UPDATE pgboss.queue SET retry_limit = 1 WHERE name = 'mail.send'`);
    await purser.db.execute(
      sql`UPDATE pgboss.schedule SET cron = '0 0 * * *' WHERE name = 'housekeeping.purge'`,
    );
    await migrateJobs(url, jobs);
    const queues = await purser.db.execute(
      sql`SELECT retry_limit FROM pgboss.queue WHERE name = 'mail.send'`,
    );
    expect(queues).toMatchObject([{ retry_limit: 12 }]);
    const schedules = await purser.db.execute(sql`SELECT name, cron FROM pgboss.schedule`);
    expect(schedules).toContainEqual({ name: "housekeeping.purge", cron: "17 * * * *" });
  });

  it("keeps the schedules of a later version, ends those that are retired, and does not create these again", async () => {
    const url = purser.platform.settings.databaseUrl!;
    const added = defineJob<null>("test.added", onSchedule("5 * * * *"));
    const isScheduled = async () => {
      const schedules = await purser.db.execute<{ name: string }>(sql`SELECT name FROM pgboss.schedule`);
      return schedules.some(({ name }) => name === added.name);
    };
    await migrateJobs(url, [...jobs, added]);
    // A process of the version before restarts during the upgrade.
    await migrateJobs(url, jobs);
    expect(await isScheduled()).toBe(true);
    await migrateJobs(url, jobs, { retired: [added.name, "test.never"] });
    expect(await isScheduled()).toBe(false);
    // A process of the version with the schedule restarts beside the one that has retired it.
    await migrateJobs(url, [...jobs, added], { isOfLaterVersion: true });
    expect(await isScheduled()).toBe(false);
  });

  it("retries scheduled jobs, so a short outage of the database leaves none dead", async () => {
    const schedules = await purser.db.execute<{ name: string }>(sql`SELECT name FROM pgboss.schedule`);
    const names = schedules.map(({ name }) => name);
    expect(names.length).toBeGreaterThan(0);
    // As the scheduler creates them: with an empty payload.
    for (const name of names) await jobRunner(purser.db).insert(name, [{}]);
    const failures = new Map<string, number>();
    const failTwice = (name: string) => async () => {
      const failed = failures.get(name) ?? 0;
      failures.set(name, failed + 1);
      if (failed < 2) throw new Error("the database is away");
    };
    const failing = purser.handlers
      .map(({ definition }) => definition)
      .filter(({ name }) => names.includes(name))
      .map((definition) => ({ definition, handle: failTwice(definition.name) }));
    await drainJobs(purser.platform, failing, { ahead: true });
    expect(Object.fromEntries(failures)).toEqual(Object.fromEntries(names.map((name) => [name, 3])));
    expect(await listOutbox(purser.db, { state: "dead", limit: 10 })).toEqual([]);
  });
});
