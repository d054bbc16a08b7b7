// @module-tag slow
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { type Database, connect } from "@purser/db";
import { startEmbeddedDatabase } from "@purser/db/embedded";
import { distributedDatabaseUrl } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { arrange, dataDir, dispose, purser, ran, source, spawned, start } from "./testing/command.ts";

beforeAll(arrange);
afterAll(dispose);

async function roleOf(db: Database, email: string): Promise<string | undefined> {
  return (await db.query.users.findFirst({ where: (user, { eq }) => eq(user.email, email) }))?.role;
}

describe("purser", () => {
  it("shows help with examples and exit codes", async () => {
    const { code, stdout } = await spawned(["--help"], {}, source);
    expect(code).toBe(0);
    for (const word of [
      "migrate",
      "distribute",
      "seed",
      "administrator",
      "second-factor",
      "organization",
      "outbox",
      "keys",
      "backup",
      "restore",
    ]) {
      expect(stdout).toMatch(new RegExp(`^  ${word} `, "m"));
    }
    expect(stdout).toContain("Exit codes:");
    expect(stdout).toContain("$ pnpm purser administrator make");
  });

  it("exits with 2 for an unknown command and explains the error", async () => {
    const { code, stdout, stderr } = await spawned(["bogus"], {}, source);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("unknown command 'bogus'");
  });

  it.each([
    ["an unknown option", ["migrate", "--twice"], "unknown option '--twice'"],
    ["a missing argument", ["administrator", "make"], "missing required argument 'email'"],
    ["neither one nor all", ["second-factor", "remove"], "pass one e-mail address, or --all"],
    [
      "a bad choice",
      ["outbox", "list", "--state", "lost"],
      "Allowed choices are waiting, running, retrying, done, dead",
    ],
    ["a bad number", ["outbox", "list", "--limit", "0"], "It must be a whole number from 1 to 1000"],
    ["nothing to replay", ["outbox", "replay"], "pass the ids of jobs, or --dead for all"],
  ])("exits with 2 for %s and explains the error", async (_case, args, message) => {
    const { code, stdout, stderr } = await ran(args);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
  });

  it("reports an unreachable database in one line, and its stack only with --verbose", async () => {
    const unreachable = { DATABASE_URL: "postgres://nobody:hidden@127.0.0.1:1/none" };
    const [plain, verbose] = await Promise.all([
      spawned(["outbox", "list"], unreachable),
      spawned(["outbox", "list", "--verbose"], unreachable),
    ]);
    expect(plain.code).toBe(1);
    expect(plain.stderr).toBe(
      "error: The database cannot be reached (ECONNREFUSED). Check that it is running and that DATABASE_URL is its address.\n",
    );
    expect(verbose.stderr).toMatch(/\n\s+at /);
    expect(verbose.stderr + plain.stderr).not.toContain("hidden");
  });

  it("names an invalid variable without its value", async () => {
    const { code, stderr } = await ran(["migrate"], { DATABASE_URL: "mysql://hidden" });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^error: .*DATABASE_URL must be .*\n$/);
    expect(stderr).not.toContain("hidden");
  });
});

describe("purser distribute", () => {
  it("refuses one PostgreSQL, and changes nothing on a distributed one", async () => {
    expect(await ran(["distribute"])).toMatchObject(
      distributedDatabaseUrl === null
        ? { code: 1, stdout: "", stderr: expect.stringMatching(/^error: The database has no Citus: run /m) }
        : { code: 0, stdout: "Every table of organizations is distributed.\n" },
    );
  });
});

describe("purser migrate", () => {
  it("prepares an empty database, can be repeated, and is suggested where it is missing", async () => {
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
      // One of them migrates, and the other waits for it. After two seconds, it says so.
      const waits = expect.stringMatching(/^(Another process migrates the database, .*\n)*$/);
      expect(both).toMatchObject([1, 2].map(() => ({ code: 0, stderr: waits })));
      expect(both.map(({ stdout }) => stdout).toSorted()).toEqual([
        expect.stringMatching(/^\d+ migrations were applied\. The database is up to date\.\n$/),
        "The database is up to date.\n",
      ]);
      expect(await ran(["outbox", "list", "--json"], empty)).toMatchObject({ code: 0, stdout: "[]\n" });
    } finally {
      await purser.db.$client.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });
});

describe("purser administrator and second-factor", () => {
  it("makes, lists and revokes administrators by e-mail address", async () => {
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

  it("makes nobody an administrator by an address that is not verified, except on demand", async () => {
    const { email } = await purser.person({ emailVerified: false });
    const args = ["administrator", "make", email];
    const stderr = "error: The user has not verified this e-mail address.\n";
    expect(await ran(args)).toEqual({ code: 1, stdout: "", stderr });
    expect(await roleOf(purser.db, email)).toBe("user");
    expect(await ran([...args, "--unverified"])).toMatchObject({ code: 0, stderr: "" });
    expect(await roleOf(purser.db, email)).toBe("admin");
  });

  it("exits with 3 for an unknown e-mail address", async () => {
    expect(await ran(["second-factor", "remove", "nobody@example.com"])).toMatchObject({ code: 3 });
    expect(await ran(["second-factor", "remove", "--all"])).toMatchObject({
      code: 0,
      stdout: "0 second factors were removed.\n",
    });
    expect(await ran(["administrator", "make", "nobody@example.com"])).toEqual({
      code: 3,
      stdout: "",
      stderr: "error: There is no such user.\n",
    });
  });
});

describe("purser organization move", () => {
  it.skipIf(distributedDatabaseUrl !== null)("is refused on one PostgreSQL", async () => {
    const organizationId = await purser.organization(await purser.person());
    const stderr = "error: The database is not distributed: it has no other node to move to\n";
    expect(await ran(["organization", "move", organizationId])).toEqual({ code: 1, stdout: "", stderr });
  });

  it.skipIf(distributedDatabaseUrl === null)(
    "says what has moved, and exits with 3 for an unknown one",
    async () => {
      const organizationId = await purser.organization(await purser.person());
      const result = await ran(["organization", "move", organizationId, "--blocks-writes"]);
      expect(result).toMatchObject({ code: 0, stderr: "" });
      expect(result.stdout).toMatch(/^\d+ organizations? moved from \S+:\d+ to \S+:\d+\.\n$/);
      expect(await ran(["organization", "move", "org_0"])).toMatchObject({ code: 3 });
    },
  );
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

  it("records the database's time, however wrong the clock of the machine is", async () => {
    const [owner, successor] = [await purser.person(), await purser.person()];
    const organizationId = await purser.organization(owner);
    const monthsAgo = performance.timeOrigin - 120 * 24 * 60 * 60 * 1000;
    const machine = vi.spyOn(performance, "timeOrigin", "get").mockReturnValue(monthsAgo);
    const result = await ran(["organization", "transfer", organizationId, successor.email]);
    machine.mockRestore();
    expect(result).toMatchObject({ code: 0, stderr: "" });
    const [entry] = await purser.db.execute<{ ageSeconds: number }>(sql`
      SELECT extract(epoch FROM now() - at)::float8 AS "ageSeconds" FROM audit_entries
      WHERE organization_id = ${organizationId} AND action = 'organizations.transfer'`);
    expect(Math.abs(entry!.ageSeconds)).toBeLessThan(60);
  });

  it("takes an unverified address on demand only", async () => {
    const [owner, successor] = [await purser.person(), await purser.person({ emailVerified: false })];
    const organizationId = await purser.organization(owner);
    const args = ["organization", "transfer", organizationId, successor.email];
    const stderr = "error: The user has not verified this e-mail address.\n";
    expect(await ran(args)).toEqual({ code: 1, stdout: "", stderr });
    expect(await ran([...args, "--unverified"])).toMatchObject({ code: 0, stderr: "" });
  });

  it("exits with 3 for an unknown organization", async () => {
    const { email } = await purser.person();
    const result = await ran(["organization", "transfer", purser.unknownId("org"), email]);
    expect(result).toEqual({ code: 3, stdout: "", stderr: "error: There is no such organization.\n" });
  });
});

describe("purser with the embedded database", () => {
  const postmaster = (folder = dataDir) => existsSync(join(folder, "cluster", "postmaster.pid"));

  it("starts and stops it if no service runs, and shares it with a running service", async () => {
    const local = { DATABASE_URL: "" };
    const seeded = await spawned(["seed"], local);
    expect(seeded).toMatchObject({ code: 0, stderr: "" });
    expect(seeded.stdout).toContain("owner@demo.example");
    expect(postmaster()).toBe(false);

    const service = await startEmbeddedDatabase(dataDir, () => undefined);
    const db = connect(service.url);
    try {
      const parallel = await spawned(["administrator", "make", "owner@demo.example"], local);
      expect(parallel).toMatchObject({ code: 0, stderr: "" });
      expect(await roleOf(db, "owner@demo.example")).toBe("admin");
      expect(await spawned(["seed"], local)).toMatchObject({
        code: 1,
        stderr: "error: The database is not empty and was not changed\n",
      });
      await db.$client.unsafe("SELECT 1");
    } finally {
      await db.close();
      await service.close();
    }
  });

  it("says so if there is none", async () => {
    const dataDirOfNone = join(dataDir, "none");
    const result = await ran(["administrator", "list"], { DATABASE_URL: "", DATA_DIR: dataDirOfNone });
    expect(result).toEqual({
      code: 1,
      stdout: "",
      stderr: `error: There is no database in ${dataDirOfNone}. Start the service once (pnpm dev) or run: pnpm purser migrate. For another database, set DATABASE_URL.\n`,
    });
    expect(existsSync(dataDirOfNone)).toBe(false);
  });

  it("stops it when it is interrupted", async () => {
    // In a new folder, so that there is something to migrate, and the command cannot end before the signal.
    const folder = join(dataDir, "interrupted");
    const { child, ended } = await start(["--verbose", "migrate"], { DATABASE_URL: "", DATA_DIR: folder });
    child.stderr.on("data", (chunk: Buffer) => {
      if (chunk.toString().includes("PostgreSQL runs on port")) child.kill("SIGINT");
    });
    const { code, stderr } = await ended;
    expect(code).toBe(130);
    expect(stderr).toContain("error: Interrupted by SIGINT");
    expect(postmaster(folder)).toBe(false);
  });

  it("never writes demo data in production", async () => {
    const production = {
      NODE_ENV: "production",
      BASE_URL: "https://purser.example",
      SMTP_URL: "none",
    };
    const result = await ran(["seed"], production);
    expect(result).toEqual({
      code: 1,
      stdout: "",
      stderr: "error: Demo data is never written in production\n",
    });
  });
});
