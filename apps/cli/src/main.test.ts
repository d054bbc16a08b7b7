import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Database, connect, webhookDeliveries } from "@purser/db";
import { type WebhookReceiver, receiveWebhook, startLocalDatabase } from "@purser/router";
import { type TestPurser, createTestPurser } from "@purser/router/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { run } from "./run.ts";

interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

const main = fileURLToPath(new URL("main.ts", import.meta.url));
const first = { version: 1, key: randomBytes(32) };
const second = { version: 2, key: randomBytes(32) };
const keyring = (...keys: (typeof first)[]) =>
  keys.map(({ version, key }) => `${version}:${key.toString("base64")}`).join();

let purser: TestPurser;
let dataDir: string;
beforeAll(async () => {
  purser = await createTestPurser({ settings: { encryptionKeys: [first] } });
  dataDir = await mkdtemp(join(tmpdir(), "purser-cli-"));
});
afterAll(async () => {
  await purser.close();
  await rm(dataDir, { recursive: true, force: true });
});

const environment = (changes: Record<string, string>) => ({
  DATABASE_URL: purser.platform.settings.databaseUrl!,
  ENCRYPTION_KEYS: keyring(first),
  AUTH_SECRET: "x".repeat(32),
  DATA_DIR: dataDir,
  ...changes,
});

/** Runs the command line as a person does: as a process. */
function spawned(args: string[], changes: Record<string, string> = {}): Promise<Run> {
  return start(args, changes).ended;
}

function start(args: string[], changes: Record<string, string>) {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env["PATH"], ...environment(changes) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Run>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, stdout, stderr }));
  });
  return { child, ended };
}

/** Runs it in this process, which spares the second that a process needs to load everything. */
async function ran(args: string[], changes: Record<string, string> = {}): Promise<Run> {
  // vitest has a BASE_URL of its own.
  for (const [name, value] of Object.entries(environment({ BASE_URL: "", ...changes })))
    vi.stubEnv(name, value);
  const stdout = vi.spyOn(process.stdout, "write").mockReturnValue(true);
  const stderr = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const written = (stream: typeof stdout) => stream.mock.calls.map(([chunk]) => String(chunk)).join("");
  try {
    const code = await run(args);
    return { code, stdout: written(stdout), stderr: written(stderr) };
  } finally {
    stdout.mockRestore();
    stderr.mockRestore();
    vi.unstubAllEnvs();
  }
}

async function roleOf(db: Database, email: string): Promise<string | undefined> {
  return (await db.query.users.findFirst({ where: (user, { eq }) => eq(user.email, email) }))?.role;
}

const enqueue = (subject: string) =>
  purser.db.transaction((transaction) =>
    purser.platform.outbox.enqueue(transaction, "mail.send", {
      to: "sam@example.com",
      subject,
      text: "https://purser.example/reset-password?token=tok_very_secret_0123456789",
    }),
  );

describe("purser", () => {
  it("explains itself, with examples and exit codes", async () => {
    const { code, stdout } = await spawned(["--help"]);
    expect(code).toBe(0);
    for (const word of ["migrate", "seed", "administrator", "organization", "outbox", "inbox", "keys"]) {
      expect(stdout).toMatch(new RegExp(`^  ${word} `, "m"));
    }
    expect(stdout).toContain("Exit codes:");
    expect(stdout).toContain("$ pnpm purser administrator make");
  });

  it.each([
    ["an unknown command", ["bogus"], "unknown command 'bogus'"],
    ["an unknown option", ["migrate", "--twice"], "unknown option '--twice'"],
    ["a missing argument", ["administrator", "make"], "missing required argument 'email'"],
    [
      "a bad choice",
      ["outbox", "list", "--state", "lost"],
      "Allowed choices are waiting, running, retrying, done, dead",
    ],
    ["a bad number", ["outbox", "list", "--limit", "0"], "It must be a whole number from 1 to 1000"],
    ["nothing to replay", ["outbox", "replay"], "name the jobs by their ids, or all with --dead"],
  ])("exits with 2 for %s, and says what is wrong", async (_case, args, message) => {
    const { code, stdout, stderr } = await spawned(args);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
    expect(stdout).toBe("");
  });

  it("says in one line that the database cannot be reached, and shows the stack only when asked to", async () => {
    const unreachable = { DATABASE_URL: "postgres://nobody:hidden@127.0.0.1:1/none" };
    const [plain, verbose] = await Promise.all([
      spawned(["outbox", "list"], unreachable),
      spawned(["outbox", "list", "--verbose"], unreachable),
    ]);
    expect(plain.code).toBe(1);
    expect(plain.stderr).toBe(
      "error: The database cannot be reached (ECONNREFUSED). Does it run, and is DATABASE_URL its address?\n",
    );
    expect(verbose.stderr).toMatch(/\n\s+at /);
    expect(verbose.stderr + plain.stderr).not.toContain("hidden");
  });

  it("names a variable that is wrong, without its value", async () => {
    const { code, stderr } = await ran(["migrate"], { DATABASE_URL: "mysql://hidden" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*DATABASE_URL must be .*\n$/);
    expect(stderr).not.toContain("hidden");
  });
});

describe("purser migrate", () => {
  it("makes an empty database ready, may be repeated, and is asked for where it is missing", async () => {
    const name = `purser_cli_${randomBytes(6).toString("hex")}`;
    await purser.db.$client.unsafe(`CREATE DATABASE ${name}`);
    const url = new URL(purser.platform.settings.databaseUrl!);
    url.pathname = `/${name}`;
    const empty = { DATABASE_URL: url.href };
    try {
      const early = await ran(["outbox", "list"], empty);
      expect(early).toMatchObject({
        code: 1,
        stderr: "error: The database is not up to date. Run: pnpm purser migrate\n",
      });
      const both = await Promise.all([1, 2].map(() => spawned(["migrate"], empty)));
      for (const migration of both)
        expect(migration).toEqual({ code: 0, stdout: "The database is up to date.\n", stderr: "" });
      expect(await ran(["outbox", "list", "--json"], empty)).toMatchObject({ code: 0, stdout: "[]\n" });
    } finally {
      await purser.db.$client.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });
});

describe("purser administrator", () => {
  it("makes one by e-mail, lists, and revokes", async () => {
    const { email } = await purser.person({ name: "Ada \u001b[31mRed" });
    const role = () => roleOf(purser.db, email);
    const made = await ran(["administrator", "make", email.toUpperCase()]);
    expect(made).toMatchObject({ code: 0, stderr: "" });
    expect(await role()).toBe("admin");
    const listed = await ran(["administrator", "list"]);
    expect(listed.stdout).toContain(email);
    // A name must not become a command of the terminal.
    expect(listed.stdout).not.toContain("\u001b");
    expect((await ran(["administrator", "revoke", email])).code).toBe(0);
    expect(await role()).toBe("user");
    expect(await ran(["administrator", "revoke", email])).toMatchObject({
      code: 3,
      stderr: "error: There is no administrator with this e-mail.\n",
    });
  });

  it("exits with 3 for an e-mail that nobody has", async () => {
    expect(await ran(["administrator", "make", "nobody@example.com"])).toEqual({
      code: 3,
      stdout: "",
      stderr: "error: There is no such user.\n",
    });
  });
});

describe("purser organization transfer", () => {
  it("makes another user the creator", async () => {
    const [owner, successor] = [await purser.person(), await purser.person()];
    const organizationId = await purser.organization(owner);
    const result = await ran(["organization", "transfer", organizationId, successor.email]);
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const members = await purser.as(successor).organizations.members.list({ organizationId });
    expect(members.map(({ userId, isCreator }) => [userId, isCreator])).toEqual(
      expect.arrayContaining([
        [owner.userId, false],
        [successor.userId, true],
      ]),
    );
  });

  it("exits with 3 for an organization that is not there", async () => {
    const { email } = await purser.person();
    const result = await ran(["organization", "transfer", purser.unknownId("org"), email]);
    expect(result).toEqual({ code: 3, stdout: "", stderr: "error: There is no such organization.\n" });
  });
});

describe("purser outbox", () => {
  it("lists without what is carried, shows without tokens, and replays", async () => {
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
      stderr: `error: There is no dead job ${id}\n`,
    });
    const table = await ran(["outbox", "list"]);
    expect(table.stdout).toMatch(/^ID +JOB +STATE +ATTEMPTS +CREATED AT +NEXT AT +LAST ERROR\n/);
    expect(table.stdout).toMatch(new RegExp(`^${id} +mail\\.send +retrying +0 `, "m"));
  });

  it("replays all that are dead", async () => {
    await enqueue("one");
    await enqueue("two");
    await purser.db.$client.unsafe(`UPDATE pgboss.job SET state = 'failed'`);
    const result = await ran(["outbox", "replay", "--dead"]);
    expect(result).toMatchObject({ code: 0, stdout: "3 jobs will run again.\n" });
  });

  it("exits with 3 for a job that is not there", async () => {
    expect(await ran(["outbox", "show", "nonsense"])).toMatchObject({ code: 3, stdout: "" });
  });
});

describe("purser inbox", () => {
  it("lists, shows and replays events", async () => {
    const receiver: WebhookReceiver = {
      area: "cards",
      provider: "test",
      verify: () => ({ outcome: "verified", eventId: "evt_1", type: "card.created" }),
      apply: async () => "APPLIED",
    };
    const body = Buffer.from(JSON.stringify({ token: "card_token_abcdefghijklmnop" }));
    await receiveWebhook(purser.platform, receiver, body, new Headers());
    await purser.db
      .update(webhookDeliveries)
      .set({ status: "DEAD", lastError: "no such card", attempts: 13 });
    const list = await ran(["inbox", "list", "--status", "DEAD"]);
    expect(list.stdout).toMatch(/^cards +test +evt_1 +card\.created +DEAD +13 .* no such card$/m);
    const shown = await ran(["inbox", "show", "cards", "test", "evt_1", "--json"]);
    expect(JSON.parse(shown.stdout)).toMatchObject({ eventId: "evt_1", body: '{"token":"card…"}' });
    expect((await ran(["inbox", "replay", "cards", "test", "evt_1"])).code).toBe(0);
    expect(await purser.db.select().from(webhookDeliveries)).toMatchObject([
      { status: "PENDING", attempts: 0 },
    ]);
    expect(await ran(["inbox", "replay", "cards", "test", "evt_2"])).toEqual({
      code: 3,
      stdout: "",
      stderr: "error: There is no event evt_2 of test for cards\n",
    });
  });
});

describe("purser keys", () => {
  it("rotates with progress, tells the status, and fails where a key is missing", async () => {
    const rotated = { ENCRYPTION_KEYS: keyring(second, first) };
    const before = JSON.parse((await ran(["keys", "status", "--json"], rotated)).stdout) as object[];
    expect(before).toContainEqual({ place: "jobs", version: 1, secrets: expect.any(Number), key: "older" });
    const rotation = await spawned(["keys", "rotate"], rotated);
    expect(rotation.code).toBe(0);
    expect(rotation.stdout).toMatch(/^\d+ secrets were sealed anew with key version 2\.\n$/);
    expect(rotation.stderr).toMatch(/^webhook_deliveries\.body: 1 of 1\njobs: (\d+) of \1\n$/);
    const after = JSON.parse((await ran(["keys", "status", "--json"], rotated)).stdout) as object[];
    expect(after).toEqual([
      { place: "webhook_deliveries.body", version: 2, secrets: 1, key: "newest" },
      { place: "jobs", version: 2, secrets: expect.any(Number), key: "newest" },
    ]);
    const third = { version: 3, key: randomBytes(32) };
    const failed = await ran(["keys", "rotate"], { ENCRYPTION_KEYS: keyring(third) });
    expect(failed.code).toBe(1);
    expect(failed.stderr).toContain(
      "webhook_deliveries.body cards test evt_1: It is sealed with key version 2",
    );
    expect(failed.stderr).toMatch(/\nerror: \d+ secrets could not be opened and stay as they are\n$/);
  });
});

describe("purser with the embedded database", () => {
  const postmaster = () => existsSync(join(dataDir, "cluster", "postmaster.pid"));

  it("starts it where nothing runs and stops it afterwards, and shares it with a service that runs", async () => {
    const local = { DATABASE_URL: "" };
    const seeded = await spawned(["seed"], local);
    expect(seeded).toMatchObject({ code: 0, stderr: "" });
    expect(seeded.stdout).toContain("owner@demo.example");
    expect(postmaster()).toBe(false);

    const service = await startLocalDatabase(dataDir, () => undefined);
    const db = connect(service.url);
    try {
      const beside = await spawned(["administrator", "make", "owner@demo.example"], local);
      expect(beside).toMatchObject({ code: 0, stderr: "" });
      expect(await roleOf(db, "owner@demo.example")).toBe("admin");
      expect(await spawned(["seed"], local)).toMatchObject({
        code: 1,
        stderr: "error: The database is not empty; it stays as it is\n",
      });
      await db.$client.unsafe("SELECT 1");
    } finally {
      await db.close();
      await service.close();
    }
  });

  it("stops it when it is interrupted", async () => {
    const { child, ended } = start(["--verbose", "migrate"], { DATABASE_URL: "" });
    child.stderr.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("PostgreSQL runs on port")) child.kill("SIGINT");
    });
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain("error: Broken off by SIGINT");
    expect(postmaster()).toBe(false);
  });

  it("is never seeded in production", async () => {
    const production = {
      NODE_ENV: "production",
      BASE_URL: "https://purser.example",
      SMTP_URL: "none",
    };
    const result = await ran(["seed"], production);
    expect(result).toEqual({ code: 1, stdout: "", stderr: "error: Production is never seeded\n" });
  });
});
