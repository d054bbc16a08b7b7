// @module-tag slow
import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gunzipSync, gzipSync } from "node:zlib";
import { newId } from "@purser/core";
import { connect, listMigrations } from "@purser/db";
import { backUpDatabase, readBackup, restoreDatabase } from "@purser/db/backup";
import { createContext, migrateDatabase } from "@purser/platform";
import { defineJob, drainJobs, onSchedule } from "@purser/platform/jobs";
import { findUndecryptable } from "@purser/platform/keys";
import type { Mail } from "@purser/platform/mail";
import { listOutbox, openOutbox } from "@purser/platform/outbox";
import { createCaller } from "@purser/router";
import {
  type TestPurser,
  createEmptyTestDatabase,
  createTestDatabase,
  createTestPurser,
  isNightly,
} from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { demoPassword, seedDemo } from "./demo/index.ts";
import { registeredJobs } from "./jobs.ts";
import { openService } from "./service.ts";
import type { ServiceSettings } from "./settings.ts";

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;

let folder: string;
let purser: TestPurser;
/** A migrated database without rows. */
let empty: TestDatabase;
/** A backup that `backUpDatabase` made during concurrent writes. */
let whole: Buffer;
let token: string;
let during: { before: number; after: number };

const fileOf = (name: string) => join(folder, name);
const settingsOf = (database: { url: string }): ServiceSettings => ({
  ...purser.platform.settings,
  databaseUrl: database.url,
});
const restore = (settings: ServiceSettings, file: string) =>
  restoreDatabase(settings, file, {
    migrate: (upTo) => migrateDatabase(settings, registeredJobs, { upTo }),
    verifySecrets: (db, isFilled) => findUndecryptable(db, settings.encryptionKeys, isFilled),
    onWarning: (message) => expect.unreachable(message),
  });
const creations = async (db: TestPurser["db"]) => {
  const [counts] = await db.execute<{ organizations: number; creators: number; entries: number }>(sql`
    SELECT (SELECT count(*)::int FROM organizations) AS organizations,
      (SELECT count(*)::int FROM memberships WHERE is_creator) AS creators,
      (SELECT count(*)::int FROM audit_entries WHERE action = 'organizations.create') AS entries`);
  return counts!;
};

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "purser-backup-"));
  [purser, empty] = await Promise.all([createTestPurser(), createTestDatabase()]);
  await seedDemo(purser.platform, purser.auth);
  const owner = await purser.person({ name: "Zoë \\. \t\n ☂" });
  token = await purser.auth.openSession(owner.userId);
  const organizationId = await purser.organization(owner);
  const invitation = { organizationId, email: "new@example.com", role: "MEMBER" } as const;
  await purser.as(owner, { idempotencyKey: "once" }).organizations.invitations.create(invitation);

  await purser.as(owner).webhookEndpoints.create({ organizationId, url: "http://127.0.0.1:9/purser" });

  const before = (await creations(purser.db)).organizations;
  const stop = new AbortController();
  const writers = [1, 2, 3].map(async () => {
    while (!stop.signal.aborted) await purser.as(owner).organizations.create({ name: "Meanwhile" });
  });
  await backUpDatabase(purser.platform.settings, fileOf("whole"));
  stop.abort();
  await Promise.all(writers);
  during = { before, after: (await creations(purser.db)).organizations };
  whole = await readFile(fileOf("whole"));
});

afterAll(async () => {
  await purser.close();
  await empty.drop();
  await rm(folder, { recursive: true });
});

async function written(name: string, content: Buffer | string): Promise<string> {
  await writeFile(fileOf(name), content);
  return fileOf(name);
}

/** Returns the backup with changed text, compressed again as an attacker would do it. */
const changed = (change: (plain: string) => string) =>
  gzipSync(Buffer.from(change(gunzipSync(whole).toString("latin1")), "latin1"), { level: 1 });

/** Returns a checksum of each table's rows, independent of their order. */
async function contentOf(file: string): Promise<Map<string, string>> {
  const content = new Map<string, string>();
  await readBackup(file, async ({ table, columns }, rows) => {
    const sorted = [...columns, ...(await text(rows)).split("\n").toSorted()];
    content.set(table, createHash("sha256").update(sorted.join("\n")).digest("hex"));
  });
  return content;
}

describe("restoreDatabase, refusals", () => {
  const restoring = (file: string, changes: Partial<ServiceSettings> = {}) =>
    restore({ ...settingsOf(empty), ...changes }, file);

  it.each([1, 20, 0.5, 0.999])("refuses a truncated file (%d)", async (where) => {
    const end = where < 1 ? Math.floor(whole.length * where) : whole.length - where;
    const file = await written("cut", whole.subarray(0, end));
    await expect(restoring(file)).rejects.toThrow("The backup is incomplete: it was cut off");
  });

  it("refuses a file that was compressed again without its end", async () => {
    const file = await written(
      "endless",
      changed((plain) => plain.slice(0, plain.lastIndexOf('{"tables"'))),
    );
    await expect(restoring(file)).rejects.toThrow("The backup is incomplete");
  });

  it("refuses a file in which any byte was altered", async () => {
    // Skips gzip's header of ten bytes, because gzip ignores some of them.
    for (let at = 10; at < whole.length; at += Math.ceil(whole.length / 25)) {
      const bytes = Buffer.from(whole);
      bytes[at]! ^= 0x10;
      await expect(restoring(await written("altered", bytes))).rejects.toThrow(/altered|not whole/);
    }
  });

  it("refuses rows that do not match the manifest, and names the table", async () => {
    const other = changed((plain) => plain.replace("owner@demo.example", "other@demo.example"));
    const fewer = changed((plain) => plain.replace(/^user_.*owner@demo\.example.*\n/m, ""));
    const without = changed((plain) => plain.replace(/^\{"table":"public\.users"[^]*?\n\\\.\n/m, ""));
    for (const content of [other, fewer, without]) {
      const file = await written("other", content);
      await expect(restoring(file)).rejects.toThrow("altered: the rows of public.users are not those");
    }
  });

  it("refuses a file that is not a backup", async () => {
    const letter = await written("letter", "Dear operator,\n");
    await expect(restoring(letter)).rejects.toThrow("The file was altered, or is not a backup of Purser");
    const packed = await written("packed", gzipSync("Dear operator,\n"));
    await expect(restoring(packed)).rejects.toThrow("The file is not a backup of Purser");
    await expect(restoring(fileOf("missing"))).rejects.toThrow("ENOENT");
  });

  it("refuses a backup that is newer than this version", async () => {
    const newer = changed((plain) => plain.replace(/"tag":"\w+","when":\d+/, '"tag":"9999_next","when":1'));
    const format = changed((plain) => plain.replace('"format":1', '"format":2'));
    await expect(restoring(await written("newer", newer))).rejects.toThrow(
      "The backup is newer than this version of Purser: it was made at migration 9999_next",
    );
    await expect(restoring(await written("format", format))).rejects.toThrow("format 2");
  });

  it("refuses a database with rows, and keeps them", async () => {
    const counted = await creations(purser.db);
    await expect(restore(purser.platform.settings, fileOf("whole"))).rejects.toThrow(
      /^The database is not empty: pgboss\.job has rows/,
    );
    expect(await creations(purser.db)).toEqual(counted);
  });

  it("refuses keys that do not decrypt the backup's secrets, and rolls back", async () => {
    const another = { encryptionKeys: [{ version: 1, key: randomBytes(32) }] };
    await expect(restoring(fileOf("whole"), another)).rejects.toThrow(
      /^ENCRYPTION_KEYS does not decrypt the backup's secrets: .* key version 1 is another key\. Nothing was/,
    );
  });

  it("leaves the database empty after a refusal", async () => {
    const db = connect(empty.url, { max: 1 });
    expect(await creations(db)).toEqual({ organizations: 0, creators: 0, entries: 0 });
    await db.close();
  });
});

describe("restoreDatabase", () => {
  it("restores a consistent snapshot of every table, despite concurrent writes during the backup", async () => {
    const another = { ...settingsOf(empty), authSecret: "another secret" };
    const { tables, rows, ...found } = await restore(another, fileOf("whole"));
    const { madeAt } = JSON.parse(gunzipSync(whole).toString().split("\n", 1)[0]!) as { madeAt: string };
    expect(found).toEqual({ madeAt, isSameAuthSecret: false, sendsWebhooks: true });
    await backUpDatabase(settingsOf(empty), fileOf("again"));
    const content = await contentOf(fileOf("whole"));
    expect(await contentOf(fileOf("again"))).toEqual(content);
    expect(content.size).toBe(tables);
    expect(rows).toBeGreaterThan(5000);

    const db = connect(empty.url, { max: 1 });
    const { organizations, creators, entries } = await creations(db);
    const [sequences] = await db.execute(sql`SELECT FROM pg_sequences WHERE schemaname = 'public'`);
    await db.close();
    // One transaction writes the organization, its creator and the audit entry. The backup copies them one by one.
    expect([creators, entries]).toEqual([organizations, organizations - 1]);
    expect(during.after).toBeGreaterThan(during.before);
    expect(organizations).toBeGreaterThanOrEqual(during.before);
    // COPY does not advance sequences, so the next insert would fail.
    expect(sequences).toBeUndefined();
  });

  it("restores a working service: sessions stay valid, users can sign in, and waiting jobs run", async () => {
    const mails: Mail[] = [];
    const opened = await openService(settingsOf(empty), {
      logger: purser.platform.logger,
      clock: purser.clock,
      mail: { send: async (mail) => void mails.push(mail) },
    });
    const { platform, auth, handlers } = opened;
    const bearer = new Headers({ authorization: `Bearer ${token}` });
    expect(await auth.resolveCaller(bearer)).toMatchObject({ name: "Zoë \\. \t\n ☂" });

    const url = "http://localhost:3000/api/auth/sign-in/email";
    const body = JSON.stringify({ email: "owner@demo.example", password: demoPassword });
    const headers = { "content-type": "application/json" };
    const request = new Request(url, { method: "POST", headers, body });
    const signedIn = await auth.handle(request, { address: "10.0.0.1", requestId: "req_restore" });
    const credential = `Bearer ${signedIn.headers.get("set-auth-token")}`;
    const caller = await auth.resolveCaller(new Headers({ authorization: credential }));
    const requestContext = {
      requestId: "req_restore",
      caller,
      fromTrustedOrigin: false,
      idempotencyKey: null,
    };
    const service = createCaller(() => createContext(platform, requestContext));
    const [organization] = await service.organizations.list();
    const teamId = organization!.id;
    expect(organization).toMatchObject({ name: "Demo Company" });
    expect(await service.banking.accounts.list({ teamId })).toHaveLength(5);
    expect(await service.banking.transactions.list({ teamId, limit: 3 })).toHaveLength(3);
    const [connection] = await service.banking.connections.list({ teamId });
    // The bank credentials are encrypted, and still work.
    await service.banking.connections.sync({ teamId, connectionId: connection!.id });
    const [latest] = await service.banking.syncs.list({ teamId, connectionId: connection!.id });
    expect(latest).toMatchObject({ status: "SUCCEEDED" });

    await drainJobs(platform, handlers);
    expect(mails).toContainEqual(expect.objectContaining({ to: "new@example.com" }));
    await opened.close();
  });

  it("restores into a database that only a command or a start has opened", async () => {
    const target = await createTestDatabase();
    const opened = await openService(settingsOf(target), { logger: purser.platform.logger });
    await opened.close();
    await restore(settingsOf(target), fileOf("whole"));
    await backUpDatabase(settingsOf(target), fileOf("opened"));
    expect(await contentOf(fileOf("opened"))).toEqual(await contentOf(fileOf("whole")));
    await target.drop();
  });

  it("restores the jobs of a queue that this version does not have", async () => {
    const [source, target] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    const [other, db] = [source, target].map(({ url }) => connect(url, { max: 2 }));
    const job = defineJob<string>("test.gone", onSchedule("0 0 * * *"));
    await other!.execute(sql`SELECT pgboss.create_queue('test.gone', '{"policy": "standard"}')`);
    const outbox = await openOutbox(
      { ...purser.platform, db: other!, keys: purser.platform.settings.encryptionKeys },
      [job],
    );
    await other!.transaction((transaction) => outbox.enqueue(transaction, job, "payload"));
    await backUpDatabase(settingsOf(source), fileOf("gone"));

    await restore(settingsOf(target), fileOf("gone"));
    expect(await listOutbox(db!, { limit: 10 })).toMatchObject([{ job: "test.gone", state: "waiting" }]);
    await Promise.all([other!.close(), db!.close()]);
    await Promise.all([source.drop(), target.drop()]);
  });
});

describe("restoreDatabase, backup of an earlier version", () => {
  const earlierOnes = listMigrations().slice(0, -1);
  const chosen = isNightly ? earlierOnes : earlierOnes.slice(0, 1);

  it.each(chosen)("restores a backup made at $tag, and migrates to the latest version", async (version) => {
    const [earlier, target] = await Promise.all([createEmptyTestDatabase(), createEmptyTestDatabase()]);
    const [older, db] = [earlier, target].map(({ url }) => connect(url, { max: 1 }));
    await migrateDatabase(settingsOf(earlier), registeredJobs, { upTo: version });
    const id = newId("user", purser.clock.now());
    await older!.execute(sql`
      INSERT INTO users (id, name, email, email_verified, created_at, updated_at)
      VALUES (${id}, 'Ada', 'ada@example.com', true, now(), now())`);
    await backUpDatabase(settingsOf(earlier), fileOf(version.tag));

    const restored = await restore(settingsOf(target), fileOf(version.tag));
    expect(restored).toMatchObject({ rows: 1, isSameAuthSecret: true, sendsWebhooks: false });
    expect(await db!.query.users.findMany({ columns: { id: true } })).toEqual([{ id }]);
    expect(await db!.query.cards.findMany()).toEqual([]);
    // The backup no longer fits a database with later migrations.
    await db!.execute(sql`DELETE FROM users`);
    await expect(restore(settingsOf(target), fileOf(version.tag))).rejects.toThrow(
      `The database is newer than the backup, which was made at migration ${version.tag}`,
    );
    await Promise.all([older!.close(), db!.close()]);
    await Promise.all([earlier.drop(), target.drop()]);
  });
});

describe("backUpDatabase", () => {
  it("does not overwrite an existing file, and leaves no partial file after a failure", async () => {
    await expect(backUpDatabase(purser.platform.settings, fileOf("whole"))).rejects.toThrow("already exists");
    expect(await readFile(fileOf("whole"))).toEqual(whole);
    const nowhere = fileOf("nowhere/backup");
    await expect(backUpDatabase(purser.platform.settings, nowhere)).rejects.toThrow("ENOENT");
  });

  it("completes one of two that are written to the same name at once", async () => {
    const own = await mkdtemp(join(folder, "twice-"));
    const file = join(own, "purser.backup");
    const made = await Promise.allSettled([1, 2].map(() => backUpDatabase(purser.platform.settings, file)));
    expect(made.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(made.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { message: `The file ${file} already exists` },
    });
    expect((await contentOf(file)).size).toBeGreaterThan(20);
    expect(await readdir(own)).toEqual(["purser.backup"]);
  });

  it("contains neither encryption keys nor usable credentials", () => {
    const { encryptionKeys, authSecret } = purser.platform.settings;
    const [key] = encryptionKeys.map((one) => one.key.toString("base64"));
    const plain = gunzipSync(whole).toString();
    const found = ["owner@demo.example", key!, authSecret, token].map((secret) => plain.includes(secret));
    expect(found).toEqual([true, false, false, false]);
  });
});
