import { connect, listMigrations } from "@purser/db";
import { createEmptyTestDatabase, testSettings } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type JobDefinition, defineJob } from "./jobs/definition.ts";
import { platformJobs } from "./jobs/platform-jobs.ts";
import { migrateDatabase } from "./migrate.ts";

let database: Awaited<ReturnType<typeof createEmptyTestDatabase>>;
let db: ReturnType<typeof connect>;

beforeAll(async () => {
  database = await createEmptyTestDatabase();
  db = connect(database.url);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const applied = async () => {
  const [row] = await db.execute<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM drizzle.__drizzle_migrations`,
  );
  return row?.count;
};

describe("migrateDatabase", () => {
  it("migrates an empty database once, however many processes start at the same time", async () => {
    const complete = listMigrations().length;
    const jobs = Object.values(platformJobs);
    const settings = { ...testSettings(), databaseUrl: database.url };
    await Promise.all(Array.from({ length: 4 }, () => migrateDatabase(settings, jobs)));
    expect(await applied()).toBe(complete);
    await migrateDatabase(settings, jobs);
    expect(await applied()).toBe(complete);
    const [row] = await db.execute<{ queues: number }>(
      sql`SELECT count(*)::int AS queues FROM pgboss.queue WHERE name = 'mail.send'`,
    );
    expect(row?.queues).toBe(1);
  });

  it("sets back no queue and no schedule of a later version, and creates what is missing", async () => {
    const settings = { ...testSettings(), databaseUrl: database.url };
    const jobs = Object.values<JobDefinition>(platformJobs);
    const { when } = listMigrations().at(-1)!;
    await migrateDatabase(settings, jobs);
    // The later version has migrated. Then a process of this one restarts.
    await db.execute(
      sql`INSERT INTO drizzle.__drizzle_migrations (hash, created_at) VALUES ('later', ${when + 1}::bigint)`,
    );
    await db.execute(sql`UPDATE pgboss.queue SET retry_limit = 99 WHERE name = 'mail.send'`);
    await db.execute(sql`UPDATE pgboss.schedule SET cron = '0 0 * * *' WHERE name = 'housekeeping.purge'`);
    const added = defineJob<null>("test.added", { ...platformJobs.purge.policy, cron: "5 * * * *" });
    await migrateDatabase(settings, [...jobs, added]);
    const queues = await db.execute(
      sql`SELECT name, retry_limit AS retries FROM pgboss.queue WHERE name IN ('mail.send', 'test.added') ORDER BY name`,
    );
    expect(queues).toEqual([
      { name: "mail.send", retries: 99 },
      { name: "test.added", retries: 10 },
    ]);
    const schedules = await db.execute(sql`SELECT name, cron FROM pgboss.schedule ORDER BY name`);
    expect(schedules).toEqual([
      { name: "housekeeping.purge", cron: "0 0 * * *" },
      { name: "test.added", cron: "5 * * * *" },
    ]);
  });
});
