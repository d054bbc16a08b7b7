import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, connect, eventEras } from "@purser/db";
import { backUpDatabase, restoreDatabase } from "@purser/db/backup";
import { migrateDatabase } from "@purser/platform";
import { type TestPurser, createTestDatabase, createTestPurser } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registeredJobs } from "./jobs.ts";
import { openService } from "./service.ts";
import type { ServiceSettings } from "./settings.ts";

/** Has the rights of the user that signs in, except those of a superuser. */
const role = `purser_restore_${randomBytes(4).toString("hex")}`;
let folder: string;
let file: string;
let purser: TestPurser;

const settingsOf = (url: string): ServiceSettings => ({ ...purser.platform.settings, databaseUrl: url });

/** Restores the backup, and returns what the operator is warned of. */
async function restore(url: string): Promise<string[]> {
  const settings = settingsOf(url);
  const warnings: string[] = [];
  await restoreDatabase(settings, file, {
    migrate: (upTo) => migrateDatabase(settings, registeredJobs, { upTo }),
    verifySecrets: async () => null,
    onWarning: (message) => void warnings.push(message),
  });
  return warnings;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "purser-restore-"));
  file = join(folder, "eras");
  purser = await createTestPurser();
  await purser.db.execute(
    // The coordinator of a cluster signs in to the other servers as the role that a session has set.
    sql.raw(`DO $$BEGIN EXECUTE format('CREATE ROLE ${role} LOGIN IN ROLE %I', current_user); END$$`),
  );
  const source = await createTestDatabase();
  const from = connect(source.url, { max: 1 });
  await from.insert(eventEras).values({ era: 5, systemIdentifier: "the server of the backup" });
  await backUpDatabase(settingsOf(source.url), file);
  await from.close();
  await source.drop();
});

afterAll(async () => {
  await purser.db.execute(sql.raw(`DROP ROLE ${role}`));
  await purser.close();
  await rm(folder, { recursive: true });
});

describe("restoreDatabase, while a process runs on the database", () => {
  it.each([
    { that: "has names of its own", parameters: "" },
    { that: "names all connections alike", parameters: "application_name=purser" },
    { that: "sets a role", parameters: `options=-c%20role%3D${role}` },
  ])("gives it a new era of events if its address $that", async ({ parameters }) => {
    const target = await createTestDatabase();
    const url = new URL(target.url);
    url.search = parameters;
    const db = connect(target.url, { max: 1 });
    const opened = await openService(settingsOf(url.href), { logger: purser.platform.logger });
    await opened.platform.eventLog.eras();
    expect(await restore(url.href)).toEqual([]);
    // It notices the end of its connections a moment later.
    const erasOf = async () => {
      const { first } = await opened.platform.eventLog.eras();
      return [first, (await db.select().from(eventEras)).map(({ era }) => era)];
    };
    await expect.poll(erasOf).toEqual([expect.any(Number), [5, expect.any(Number)]]);
    const [first, eras] = await erasOf();
    expect((eras as number[])[1]).toBe(first);
    await Promise.all([opened.close(), db.close()]);
    await target.drop();
  });

  it("ends no connections of Citus", async () => {
    const target = await createTestDatabase();
    const open = (applicationName: string) => connect(target.url, { max: 1, applicationName });
    const [internal, other] = [open("citus_internal gpid=10000000001"), open("operator")];
    const pids = () => Promise.all([internal, other].map(pidOf));
    const before = await pids();
    await restore(target.url);
    const areKept = async () => (await pids()).map((pid, index) => pid === before[index]);
    await expect.poll(areKept).toEqual([true, false]);
    await Promise.all([internal.close(), other.close()]);
    await target.drop();
  });

  it("warns if it cannot end connections or analyze tables, and completes", async () => {
    const target = await createTestDatabase();
    const db = connect(target.url, { max: 1 });
    await db.execute(sql`
      CREATE FUNCTION public.pg_terminate_backend(integer) RETURNS boolean LANGUAGE plpgsql AS
        $$BEGIN RAISE EXCEPTION 'no right'; END$$`);
    await db.execute(sql`
      CREATE FUNCTION public.unless_analyzed(integer) RETURNS integer IMMUTABLE LANGUAGE plpgsql AS
        $$BEGIN IF current_query() LIKE 'ANALYZE %' THEN RAISE EXCEPTION 'no space'; END IF; RETURN 0; END$$`);
    await db.execute(sql`CREATE INDEX ON event_eras (public.unless_analyzed(era))`);
    const url = new URL(target.url);
    url.search = "options=-c%20search_path%3Dpublic,pg_catalog";
    expect(await restore(url.href)).toEqual([
      expect.stringMatching("^Restart all processes that run on the database: no right "),
      expect.stringMatching("^Run ANALYZE on the database: no space "),
    ]);
    expect(await db.select({ era: eventEras.era }).from(eventEras)).toEqual([{ era: 5 }]);
    await db.close();
    await target.drop();
  });
});

async function pidOf(db: Database): Promise<number> {
  const [row] = await db.execute<{ pid: number }>(sql`SELECT pg_backend_pid() AS pid`);
  return row!.pid;
}
