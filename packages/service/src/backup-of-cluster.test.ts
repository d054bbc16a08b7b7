import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { type Database, commitOnAllServers, inboxEvents, inboxStates, organizations } from "@purser/db";
import { backUpDatabase, readBackup, restoreDatabase } from "@purser/db/backup";
import { changeOrganization, migrateDatabase, seal, sealedIn } from "@purser/platform";
import { platformJobs } from "@purser/platform/jobs";
import { findUndecryptable } from "@purser/platform/keys";
import {
  type Person,
  type TestPurser,
  createTestPurser,
  createUndistributedTestDatabase,
  distributedDatabaseUrl,
  isNightly,
} from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { registeredJobs } from "./jobs.ts";

describe.skipIf(distributedDatabaseUrl === null)(
  "the backup of a cluster, while the service changes rows",
  () => {
    let folder: string;
    let purser: TestPurser;
    let owner: Person;
    let other: string;
    let [first, last, inTwoPhases, withJobs] = ["", "", "", ""];
    beforeAll(async () => {
      [folder, purser] = await Promise.all([mkdtemp(join(tmpdir(), "purser-backup-")), createTestPurser()]);
      owner = await purser.person();
      first = await organizationElsewhereThan(null);
      last = await organizationElsewhereThan(first);
      [inTwoPhases, withJobs, other] = [await organization(), await organization(), await organization()];
      await receive("last");
      await receive("two phases");
      for (const write of writers) await write(0);
      await purser.drain();
    });
    afterAll(async () => {
      await purser.close();
      await rm(folder, { recursive: true });
    });

    /** Stores a webhook event, whose state only the coordinator has. */
    async function receive(eventId: string): Promise<void> {
      const key = { area: "banking", provider: "sandbox", eventId } as const;
      const context = sealedIn(inboxStates.body, [key.area, key.provider, eventId]);
      const body = seal(purser.platform.settings.encryptionKeys, "{}", context);
      const at = purser.clock.now();
      await purser.db.insert(inboxEvents).values({ ...key, type: "test", receivedAt: at });
      await purser.db.insert(inboxStates).values({ ...key, body, status: "PENDING", updatedAt: at });
    }

    const organization = () => purser.organization(owner);

    async function organizationElsewhereThan(id: string | null): Promise<string> {
      const created = await organization();
      const isElsewhere = id === null || (await nodeOf(id)) !== (await nodeOf(created));
      return isElsewhere ? created : organizationElsewhereThan(id);
    }

    async function nodeOf(id: string): Promise<number> {
      const [placement] = await purser.db.execute<{ groupid: number }>(sql`
      SELECT groupid FROM pg_dist_placement
      WHERE shardid = get_shard_id_for_distribution_column('organizations', ${id}::text)`);
      return placement!.groupid;
    }

    const setName = (executor: Pick<Database, "update">, id: string, step: number) =>
      executor
        .update(organizations)
        .set({ name: `${step}` })
        .where(eq(organizations.id, id));
    const setAttempts = (executor: Pick<Database, "update">, eventId: string, step: number) =>
      executor.update(inboxStates).set({ attempts: step }).where(eq(inboxStates.eventId, eventId));
    const change = (id: string, step: number) =>
      changeOrganization(purser.platform, id, (transaction) => setName(transaction, id, step));

    /** Each of them is repeated without a pause, with the numbers from 1 on. */
    const writers = [
      // On two nodes and the coordinator, each after the commit of the one before.
      async (step: number) => {
        await change(first, step);
        await change(last, step);
        await setAttempts(purser.db, "last", step);
      },
      // On the coordinator and a node, together.
      (step: number) =>
        purser.db.transaction(async (transaction) => {
          await commitOnAllServers(purser.db, transaction);
          await setAttempts(transaction, "two phases", step);
          await setName(transaction, inTwoPhases, step);
        }),
      // On a node, with a job that is then moved to the coordinator.
      (step: number) =>
        changeOrganization(purser.platform, withJobs, async (transaction) => {
          await setName(transaction, withJobs, step);
          const mail = { to: "sam@example.com", subject: `${step}`, text: "" };
          await purser.platform.outbox.enqueue(transaction, platformJobs.sendMail, mail);
        }),
      // Through the coordinator on a node, in one phase.
      (step: number) => setName(purser.db, other, step).execute(),
    ];

    async function whileWriting<Result>(run: () => Promise<Result>): Promise<Result> {
      const stop = new AbortController();
      const written = Promise.all(
        writers.map(async (write) => {
          for (let step = 1; !stop.signal.aborted; step += 1) await write(step);
        }),
      );
      try {
        return await run();
      } finally {
        stop.abort();
        await written;
      }
    }

    /** Reads from a backup what the writers had done. */
    async function stepsIn(file: string) {
      const tables = new Map<string, Record<string, string>[]>();
      await readBackup(file, async ({ table, columns }, rows) => {
        const lines = (await text(rows)).split("\n").slice(0, -1);
        const cells = lines.map((line) => line.split("\t").map((cell, nth) => [columns[nth]!, cell]));
        tables.set(
          table,
          cells.map((row) => Object.fromEntries(row)),
        );
      });
      const rowsOf = (table: string) => tables.get(table)!;
      const nameOf = (id: string) =>
        Number(rowsOf("public.organizations").find((row) => row.id === id)!.name);
      const attemptsOf = (eventId: string) =>
        Number(rowsOf("public.webhook_deliveries").find((row) => row.event_id === eventId)!.attempts);
      const jobs = [...rowsOf("public.outbox_jobs"), ...rowsOf("pgboss.job")];
      const mails = jobs.filter(({ name }) => name === platformJobs.sendMail.name);
      return {
        inOrder: [nameOf(first), nameOf(last), attemptsOf("last")],
        together: [nameOf(inTwoPhases), attemptsOf("two phases")],
        jobs: [nameOf(withJobs), new Set(mails.map(({ id }) => id)).size],
      };
    }

    /** Restores a backup into one PostgreSQL, with all checks of a restore. */
    async function restore(file: string): Promise<void> {
      const target = await createUndistributedTestDatabase();
      const settings = { ...purser.platform.settings, databaseUrl: target.url };
      await restoreDatabase(settings, file, {
        migrate: (upTo) => migrateDatabase(settings, registeredJobs, { upTo }),
        verifySecrets: (restored, isFilled) => findUndecryptable(restored, settings.encryptionKeys, isFilled),
        onWarning: (message) => expect.unreachable(message),
      });
      await target.drop();
    }

    it("is of one moment, and restores into one PostgreSQL", async () => {
      const files = Array.from({ length: isNightly ? 100 : 5 }, (_, nth) => join(folder, `${nth}.backup`));
      await whileWriting(async () => {
        for (const file of files) await backUpDatabase(purser.platform.settings, file);
      });
      for (const file of files) {
        const { inOrder, together, jobs } = await stepsIn(file);
        expect(inOrder).toEqual(inOrder.toSorted((one, next) => next - one));
        expect(inOrder[0]! - inOrder[2]!).toBeLessThanOrEqual(1);
        expect(together[0]).toBe(together[1]);
        expect(jobs[0]).toBe(jobs[1]);
      }
      expect((await stepsIn(files.at(-1)!)).together[0]).toBeGreaterThan(files.length);
      await restore(files.at(-1)!);
    });
  },
);
