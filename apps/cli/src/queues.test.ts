// @module-tag slow
import { randomBytes } from "node:crypto";
import { mkdir, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { inboxStates } from "@purser/db";
import { type WebhookReceiver, receiveWebhook } from "@purser/platform/inbox";
import { platformJobs } from "@purser/platform/jobs";
import { createTestDatabase } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  arrange,
  dataDir,
  dispose,
  first,
  keyring,
  purser,
  ran,
  second,
  spawned,
  start,
} from "./testing/command.ts";

beforeAll(arrange);
afterAll(dispose);

const enqueue = (subject: string) =>
  purser.db.transaction((transaction) =>
    purser.platform.outbox.enqueue(transaction, platformJobs.sendMail, {
      to: "sam@example.com",
      subject,
      text: "https://purser.example/reset-password?token=tok_very_secret_0123456789",
    }),
  );

const unknown = "00000000-0000-0000-0000-000000000000";

describe("purser outbox", () => {
  it("lists jobs without their data, shows them without tokens, and replays them", async () => {
    await enqueue("Reset your password");
    await purser.db.$client.unsafe(
      `UPDATE pgboss.job SET state = 'failed', started_on = now(), output = '{"message":"no"}'`,
    );
    const list = await ran(["outbox", "list", "--state", "dead", "--json"]);
    const [job] = JSON.parse(list.stdout) as Record<string, unknown>[];
    expect(job).toMatchObject({
      job: "mail.send",
      state: "dead",
      attempts: 1,
      lastError: "no",
      nextAt: null,
    });
    expect(list.stdout).not.toContain("sam@");

    const id = String(job!["id"]);
    const shown = await ran(["outbox", "show", id]);
    expect(shown.stdout).toMatch(/^ {2}to: sam@example\.com$/m);
    expect(shown.stdout).toMatch(/^ {2}subject: Reset your password$/m);
    expect(shown.stdout).toContain("reset-password?token=…");
    expect(shown.stdout).not.toContain("very_secret");

    expect(await ran(["outbox", "replay", id])).toMatchObject({ code: 0, stdout: "1 job will run again.\n" });
    expect(await ran(["outbox", "replay", id])).toMatchObject({
      code: 3,
      stderr: `error: There is no job to replay with the id ${id}\n`,
    });
    const table = await ran(["outbox", "list"]);
    expect(table.stdout).toMatch(/^ID +JOB +STATE +ATTEMPTS +CREATED AT +NEXT AT +LAST ERROR\n/);
    expect(table.stdout).toMatch(new RegExp(`^${id} +mail\\.send +retrying +0 `, "m"));
  });

  it("replays all dead jobs", async () => {
    await enqueue("one");
    await enqueue("two");
    await purser.db.$client.unsafe(`UPDATE pgboss.job SET state = 'failed'`);
    const result = await ran(["outbox", "replay", "--dead"]);
    expect(result).toMatchObject({ code: 0, stdout: "3 jobs will run again.\n" });
  });

  it("replays the others where some of the named jobs are not dead", async () => {
    const list = await ran(["outbox", "list", "--json"]);
    const [one, two, three] = (JSON.parse(list.stdout) as { id: string }[]).map(({ id }) => id);
    await purser.db.$client.unsafe(`UPDATE pgboss.job SET state = 'failed' WHERE id <> '${one}'`);
    expect(await ran(["outbox", "replay", one!, two!, unknown, three!])).toEqual({
      code: 3,
      stdout: "2 jobs will run again.\n",
      stderr: `error: There is no job to replay with the id ${one} or ${unknown}\n`,
    });
  });

  it("says so if there are more jobs than it lists", async () => {
    const cut = await ran(["outbox", "list", "--limit", "2", "--json"]);
    expect(JSON.parse(cut.stdout)).toHaveLength(2);
    expect(cut.stderr).toBe("There are more than 2. Pass --limit, up to 1000.\n");
    expect(await ran(["outbox", "list", "--limit", "3"])).toMatchObject({ code: 0, stderr: "" });
  });

  it("discards dead jobs and no others", async () => {
    const all = async (state: string) =>
      JSON.parse((await ran(["outbox", "list", "--state", state, "--json"])).stdout) as { id: string }[];
    const [waiting] = await all("retrying");
    expect(await ran(["outbox", "discard", waiting!.id])).toMatchObject({
      code: 3,
      stderr: `error: There is no job to discard with the id ${waiting!.id}\n`,
    });
    await purser.db.$client.unsafe(`UPDATE pgboss.job SET state = 'failed'`);
    const result = await ran(["outbox", "discard", waiting!.id]);
    expect(result).toMatchObject({ code: 0, stdout: "1 job will never run.\n" });
    expect(await ran(["outbox", "discard", "--dead"])).toMatchObject({ stdout: "2 jobs will never run.\n" });
    expect(await all("dead")).toEqual([]);
  });

  it("discards a job that waits although this version has no such kind", async () => {
    const { $client } = purser.db;
    await $client.unsafe(`SELECT pgboss.create_queue('test.gone', '{"policy": "standard"}')`);
    const [job] = await $client.unsafe(`INSERT INTO pgboss.job (name) VALUES ('test.gone') RETURNING id`);
    const discarded = await ran(["outbox", "discard", String(job!["id"])]);
    expect(discarded).toEqual({ code: 0, stdout: "1 job will never run.\n", stderr: "" });
    expect((await ran(["outbox", "list"])).stdout).not.toContain("test.gone");
  });

  it("leaves dead jobs of a kind that this version does not have, and says so", async () => {
    const { $client } = purser.db;
    await enqueue("dead");
    await $client.unsafe(`INSERT INTO pgboss.job (name) VALUES ('test.gone')`);
    await $client.unsafe(`UPDATE pgboss.job SET state = 'failed'`);
    const stderr = `This version does not have the kind test.gone. Its jobs stay dead: replay them with a version that has it, or discard them.\n`;
    expect(await ran(["outbox", "replay", "--dead"])).toEqual({
      code: 0,
      stdout: "1 job will run again.\n",
      stderr,
    });
    const dead = await ran(["outbox", "list", "--state", "dead", "--json"]);
    const [{ id, job }] = JSON.parse(dead.stdout) as [{ id: string; job: string }];
    expect(job).toBe("test.gone");
    expect(await ran(["outbox", "replay", id])).toMatchObject({
      code: 3,
      stderr: `${stderr}error: There is no job to replay with the id ${id}\n`,
    });
    expect(await ran(["outbox", "discard", "--dead"])).toMatchObject({ stdout: "1 job will never run.\n" });
  });

  it("exits with 3 for an unknown job", async () => {
    expect(await ran(["outbox", "show", unknown])).toMatchObject({ code: 3, stdout: "" });
  });

  it.each(["show", "replay", "discard"])("refuses a malformed id to %s", async (what) => {
    const ids = what === "show" ? ["nonsense"] : [unknown, "nonsense"];
    const { code, stdout, stderr } = await ran(["outbox", what, ...ids]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("'nonsense' is invalid for argument 'id'. It is not the id of a job");
  });
});

describe("purser inbox", () => {
  it("lists, shows, discards and replays events", async () => {
    const receiver: WebhookReceiver = {
      area: "cards",
      provider: "test",
      verify: () => ({ outcome: "verified", eventId: "evt_1", type: "card.created" }),
      apply: async () => "APPLIED",
    };
    const body = Buffer.from(JSON.stringify({ token: "card_token_abcdefghijklmnop" }));
    await receiveWebhook(purser.platform, receiver, body, new Headers());
    await purser.db.update(inboxStates).set({ status: "DEAD", lastError: "no such card", attempts: 13 });
    const list = await ran(["inbox", "list", "--status", "DEAD"]);
    expect(list.stdout).toMatch(/^cards +test +evt_1 +card\.created +DEAD +13 .* no such card$/m);
    const shown = await ran(["inbox", "show", "cards", "test", "evt_1", "--json"]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ eventId: "evt_1", body: '{"token":"card…"}' });
    expect((await ran(["inbox", "discard", "cards", "test", "evt_1"])).code).toBe(0);
    expect(await purser.db.select().from(inboxStates)).toMatchObject([{ status: "IGNORED" }]);
    expect(await ran(["inbox", "discard", "cards", "test", "evt_1"])).toMatchObject({
      code: 3,
      stderr: "error: There is no dead event evt_1 of test for cards\n",
    });
    expect((await ran(["inbox", "replay", "cards", "test", "evt_1"])).code).toBe(0);
    expect(await purser.db.select().from(inboxStates)).toMatchObject([{ status: "PENDING", attempts: 0 }]);
    expect(await ran(["inbox", "replay", "cards", "test", "evt_2"])).toEqual({
      code: 3,
      stdout: "",
      stderr: "error: There is no event evt_2 of test for cards\n",
    });
  });
});

describe("purser keys", () => {
  it("rotates with progress, reports the status, and fails if a key is missing", async () => {
    const rotated = { ENCRYPTION_KEYS: keyring(second, first) };
    const before = JSON.parse((await ran(["keys", "status", "--json"], rotated)).stdout) as object[];
    expect(before).toContainEqual({
      location: "jobs",
      version: 1,
      secrets: expect.any(Number),
      key: "other",
    });
    const rotation = await spawned(["keys", "rotate"], rotated);
    expect(rotation.code).toBe(0);
    expect(rotation.stdout).toMatch(/^\d+ secrets were encrypted with key version 2\.\n$/);
    expect(rotation.stderr).toMatch(/^webhook_deliveries\.body: 1 of 1\njobs: (\d+) of \1\n$/);
    const after = JSON.parse((await ran(["keys", "status", "--json"], rotated)).stdout) as object[];
    expect(after).toEqual([
      { location: "webhook_deliveries.body", version: 2, secrets: 1, key: "first" },
      { location: "jobs", version: 2, secrets: expect.any(Number), key: "first" },
    ]);
    const third = { version: 3, key: randomBytes(32) };
    const failed = await ran(["keys", "rotate"], { ENCRYPTION_KEYS: keyring(third) });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain(
      "webhook_deliveries.body cards test evt_1: It is sealed with key version 2",
    );
    expect(failed.stderr).toMatch(/\nerror: \d+ secrets were not decrypted and not changed\n$/);
  });
});

describe("purser banking", () => {
  it("lists the quarantine", async () => {
    const owner = await purser.person();
    const teamId = await purser.organization(owner);
    const { banking, sandbox } = purser.as(owner);
    const bank = { provider: "sandbox", providerId: "sprout-bank", consentId: "quarantined" } as const;
    const { id: connectionId } = await banking.connections.connect({ teamId, ...bank });
    await banking.connections.sync({ teamId, connectionId });
    await sandbox.banking.setFault({ teamId, connectionId, fault: "reused_ids", times: 1 });
    const [account] = await banking.accounts.list({ teamId });
    const accountId = account!.id;
    await sandbox.banking.addTransaction({ teamId, connectionId, accountId, amount: 12345, type: "DEBIT" });
    await banking.connections.sync({ teamId, connectionId });

    const list = await ran(["banking", "quarantine", "--json"]);
    const [entry] = JSON.parse(list.stdout) as Record<string, unknown>[];
    expect(entry).toMatchObject({ organizationId: teamId, reason: "DIFFERENT_AMOUNT" });
  });
});

describe("purser backup and restore", () => {
  it("name a folder or a file that is missing, and how to mend it", async () => {
    const folder = join(dataDir, "no", "folder");
    expect(await ran(["backup", join(folder, "purser.backup")])).toEqual({
      code: 3,
      stdout: "",
      stderr: `error: There is no folder ${folder}. Create it: mkdir -p '${folder}'\n`,
    });
    expect(await ran(["restore", join(folder, "purser.backup")])).toEqual({
      code: 3,
      stdout: "",
      stderr: `error: There is no file ${join(folder, "purser.backup")}\n`,
    });
    const parent = join(dataDir, "..");
    expect(await ran(["restore", parent])).toMatchObject({
      code: 1,
      stderr: `error: ${parent} is a folder. Name the file in it\n`,
    });
  });

  it("leave no file if they are interrupted", async () => {
    const folder = join(dataDir, "..", "interrupted");
    await mkdir(folder);
    await purser.db.transaction(async (transaction) => {
      // The backup waits for this lock, so it cannot end before the signal.
      await transaction.execute(sql`LOCK TABLE users IN ACCESS EXCLUSIVE MODE`);
      const { child, ended } = await start(["backup", join(folder, "purser.backup")], {});
      const draft = expect.stringMatching(/^purser\.backup\..+\.part$/);
      await expect.poll(() => readdir(folder), { timeout: 60_000 }).toEqual([draft]);
      child.kill("SIGINT");
      expect((await ended).code).toBe(130);
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it("copy a database through a file, and explain what they reject", async () => {
    const owner = await purser.person();
    const organizationId = await purser.organization(owner);
    const { webhookEndpoints } = purser.as(owner);
    await webhookEndpoints.create({ organizationId, url: "http://127.0.0.1:9/purser" });
    const file = join(dataDir, "..", "purser.backup");
    const { stdout, stderr, ...backup } = await ran(["backup", file]);
    expect(backup.code).toBe(0);
    expect(stdout).toMatch(/^.*purser\.backup has \d+ rows of \d+ tables, in \d+ bytes\.\n$/);
    expect(stderr).toMatch(/^public\.users: \d+$/m);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await ran(["backup", file])).toMatchObject({
      code: 1,
      stderr: `error: The file ${file} already exists\n`,
    });
    const refused = await ran(["restore", file]);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(/^error: The database is not empty: pgboss\.job has rows\. .*\n$/);

    const copy = await createTestDatabase();
    const environment = { DATABASE_URL: copy.url };
    // The rotation test above sealed these secrets with a key that this service does not have.
    const closed = await ran(["restore", file], environment);
    expect(closed.stderr).toMatch(/^error: ENCRYPTION_KEYS does not decrypt the backup's secrets: .*\n$/m);
    const restored = await ran(["restore", file], {
      ...environment,
      ENCRYPTION_KEYS: keyring(second, first),
    });
    expect(restored.code).toBe(0);
    expect(restored.stdout).toMatch(/^\d+ rows of \d+ tables were restored\.\n$/);
    expect(restored.stderr).toMatch(
      /^warning: The backup was made at \d{4}-[\d-]+T[\d:.]+Z\. What was revoked since then is valid again: .*$/m,
    );
    expect(restored.stderr).toMatch(/^warning: Webhook endpoints are enabled, .* ROLE=server on it\n$/m);
    const jobs = async (changes: Record<string, string>) => {
      const list = JSON.parse((await ran(["outbox", "list", "--json"], changes)).stdout) as {
        state: string;
      }[];
      return list.filter(({ state }) => state !== "done");
    };
    const waiting = await jobs({});
    expect(waiting.length).toBeGreaterThan(0);
    expect(await jobs(environment)).toEqual(waiting);
    await copy.drop();
  });
});
