import { connect, listMigrations } from "@purser/db";
import { createEmptyTestDatabase, testSettings } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
});
