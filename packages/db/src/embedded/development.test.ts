// @module-tag slow
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { connect } from "../connection/connect.ts";
import { joinEmbeddedDatabase, startEmbeddedDatabase } from "./development.ts";

const dataDir = mkdtempSync(join(tmpdir(), "purser-development-"));
afterAll(() => rmSync(dataDir, { recursive: true }));

const quiet = () => undefined;

async function answers(url: string): Promise<boolean> {
  const db = connect(url, { max: 1, poolWaitMs: 5000, connectTimeoutMs: 5000 });
  try {
    await db.$client`select 1`;
    return true;
  } catch {
    return false;
  } finally {
    await db.close();
  }
}

describe("the embedded database", () => {
  it("serves one service and the commands beside it", async () => {
    const service = await startEmbeddedDatabase(dataDir, quiet);
    expect(await answers(service.url)).toBe(true);

    await expect(startEmbeddedDatabase(dataDir, quiet)).rejects.toThrow(/is in use by process \d+.*DATA_DIR/);

    const command = await joinEmbeddedDatabase(dataDir, quiet);
    expect(command.url).toBe(service.url);
    await command.close();
    expect(await answers(service.url)).toBe(true);

    await service.close();
    expect(await answers(service.url)).toBe(false);
  });

  it("serves a single command, and stops with it", async () => {
    const command = await joinEmbeddedDatabase(dataDir, quiet);
    expect(await answers(command.url)).toBe(true);
    await command.close();
    expect(await answers(command.url)).toBe(false);
    await (await startEmbeddedDatabase(dataDir, quiet)).close();
  });
});
