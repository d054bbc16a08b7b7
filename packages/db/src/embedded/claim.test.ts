import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { claimDataDir } from "./claim.ts";

const service = `
  const { claimDataDir } = await import(${JSON.stringify(new URL("claim.ts", import.meta.url).href)});
  await claimDataDir(process.argv[1]).then(() => console.log("claimed"), (error) => console.log(error.message));
  setInterval(() => {}, 1000);`;

let dataDir: string;
let children: ChildProcess[];

beforeEach(async () => {
  dataDir = join(await mkdtemp(join(tmpdir(), "purser-claim-")), "data");
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await rm(join(dataDir, ".."), { recursive: true });
});

/** A process that tries to claim the folder, with what it printed: `claimed` or the error's message. */
async function claimant(): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", service, dataDir]);
  children.push(child);
  for await (const said of createInterface(child.stdout)) return { child, said };
  throw new Error("the process ended without a word");
}

describe("claimDataDir", () => {
  it("grants a folder to exactly one of several concurrent processes, and names that process to the others", async () => {
    const claimants = await Promise.all(Array.from({ length: 4 }, claimant));
    const winner = claimants.find(({ said }) => said === "claimed");
    const others = claimants.filter((other) => other !== winner);
    expect(others).toHaveLength(claimants.length - 1);
    for (const { said } of others) expect(said).toContain(`in use by process ${winner?.child.pid}.`);
  });

  it("is free again when the process was killed, or released it", async () => {
    const { child, said } = await claimant();
    expect(said).toBe("claimed");
    await expect(claimDataDir(dataDir)).rejects.toThrow(`process ${child.pid}`);
    child.kill("SIGKILL");
    await once(child, "exit");
    const first = await claimDataDir(dataDir);
    await expect(claimDataDir(dataDir)).rejects.toThrow(`process ${process.pid}`);
    first.release();
    first.release();
    (await claimDataDir(dataDir)).release();
  });

  it("does not treat the process id of an earlier owner as a claim", async () => {
    (await claimDataDir(dataDir)).release();
    await writeFile(join(dataDir, "claim.pid"), String(process.ppid));
    const claim = await claimDataDir(dataDir);
    expect(await readFile(join(dataDir, "claim.pid"), "utf8")).toBe(String(process.pid));
    claim.release();
  });

  it("passes on other errors of the folder", async () => {
    await writeFile(dataDir, "a file");
    await expect(claimDataDir(dataDir)).rejects.toMatchObject({ code: "EEXIST" });
  });
});
