// @module-tag slow
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { connect } from "@purser/db";
import { joinEmbeddedDatabase } from "@purser/db/embedded";
import { databasePid, temporaryFolder } from "@purser/testing/process";
import { afterAll, describe, expect, it } from "vitest";

const folder = temporaryFolder();
afterAll(() => folder.remove());

describe("the process that prepares the embedded database", () => {
  it("stops the database before it ends, if the service ends while it migrates", async () => {
    const dataDir = join(folder.path, "data");
    const script = join(import.meta.dirname, "prepare-database.ts");
    const child = spawn(process.execPath, [script, dataDir], {
      stdio: ["ignore", "ignore", "inherit", "ipc"],
    });
    const ended = once(child, "exit");
    await expect.poll(() => databasePid(dataDir), { interval: 5 }).not.toBeNull();
    const db = connect((await joinEmbeddedDatabase(dataDir, () => undefined)).url, { max: 1 });
    const isMigrating = async () => {
      const [row] = await db.$client`SELECT to_regclass('drizzle.__drizzle_migrations') IS NOT NULL AS found`;
      return row!["found"];
    };
    await expect.poll(isMigrating, { interval: 5 }).toBe(true);
    await db.close();
    child.disconnect();
    expect(await ended).toEqual([0, null]);
    expect(databasePid(dataDir)).toBeNull();
  });
});
