import { type TestPurser, createTestPurser } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runHousekeeping } from "./housekeeping.ts";
import { drainJobs } from "./jobs/drain.ts";
import { runnerUrl } from "./jobs/pg-boss.ts";
import { platformJobs } from "./jobs/platform-jobs.ts";
import { listOutbox } from "./outbox/inspect.ts";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

const enqueue = () =>
  purser.db.transaction((transaction) =>
    purser.platform.outbox.enqueue(transaction, platformJobs.purge, null),
  );

describe("housekeeping.purge", () => {
  it("runs as a job, with the registered tasks", async () => {
    await enqueue();
    await purser.db.execute(sql`
      INSERT INTO rate_limits (key, window_ends_at, used) VALUES ('requests:user_1', '2020-01-01T00:00:00Z', 1)`);
    expect(await drainJobs(purser.platform, purser.handlers)).toBe(1);
    expect(await purser.db.execute(sql`SELECT key FROM rate_limits`)).toHaveLength(0);
  });

  it("deletes completed jobs after a day, and leaves waiting and dead jobs", async () => {
    for (const subject of ["done", "waiting", "dead"]) {
      await purser.db.transaction((transaction) =>
        purser.platform.outbox.enqueue(transaction, platformJobs.sendMail, {
          to: "sam@example.com",
          subject,
          text: "",
        }),
      );
    }
    await purser.db.execute(sql`
      WITH numbered AS (SELECT id, row_number() OVER (ORDER BY created_on) AS position FROM pgboss.job WHERE name = 'mail.send')
      UPDATE pgboss.job SET state = (CASE position WHEN 1 THEN 'completed' WHEN 2 THEN 'created' ELSE 'failed' END)::pgboss.job_state,
        completed_on = CASE position WHEN 2 THEN NULL ELSE now() - interval '23 hours' END
      FROM numbered WHERE numbered.id = job.id`);
    const states = async () => {
      const entries = await listOutbox(purser.db, { limit: 10 });
      return entries.filter(({ job }) => job === "mail.send").map(({ state }) => state);
    };
    await runHousekeeping(purser.platform, []);
    expect(await states()).toHaveLength(3);
    await purser.db.execute(sql`UPDATE pgboss.job SET completed_on = completed_on - interval '2 hours'`);
    await runHousekeeping(purser.platform, []);
    expect((await states()).toSorted()).toEqual(["dead", "waiting"]);
  });

  it("deletes completed jobs of a kind that this version no longer has", async () => {
    await purser.db.execute(sql`SELECT pgboss.create_queue('test.gone', '{"policy": "standard"}')`);
    await purser.db.execute(sql`
      INSERT INTO pgboss.job (name, state, completed_on) VALUES ('test.gone', 'completed', now() - interval '2 days')`);
    await runHousekeeping(purser.platform, []);
    expect(await purser.db.execute(sql`SELECT FROM pgboss.job WHERE name = 'test.gone'`)).toHaveLength(0);
  });

  it("runs every task although one fails, and then fails itself", async () => {
    const done: string[] = [];
    const tasks = [() => Promise.reject(new Error("the broom broke")), async () => done.push("swept")];
    await expect(runHousekeeping(purser.platform, tasks)).rejects.toThrow("the broom broke");
    expect(done).toEqual(["swept"]);
  });

  it("may take most of the hour until the next run", async () => {
    await enqueue();
    const limits = await purser.db.execute(
      sql`SELECT expire_seconds / 60 AS minutes FROM pgboss.job WHERE name = 'housekeeping.purge' AND state = 'created'`,
    );
    expect(limits).toEqual([{ minutes: 55 }]);
    await drainJobs(purser.platform, purser.handlers);
  });
});

describe("runnerUrl", () => {
  it("interprets sslmode like our own driver, and changes nothing else", () => {
    expect(runnerUrl("postgres://me:p%40ss@db.example:5432/purser")).toBe(
      "postgres://me:p%40ss@db.example:5432/purser",
    );
    const encrypted = new URL(runnerUrl("postgres://db.example/purser?sslmode=require"));
    expect(Object.fromEntries(encrypted.searchParams)).toEqual({
      sslmode: "require",
      uselibpqcompat: "true",
    });
  });
});
