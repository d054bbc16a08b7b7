import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pausePostgres } from "./pause-postgres.ts";

/** A parent with a child, as a postmaster has. */
let postmaster: ChildProcess;
let pids: number[];

beforeEach(async () => {
  postmaster = spawn("sh", ["-c", "sleep 600 & echo $!; wait"], { stdio: ["ignore", "pipe", "ignore"] });
  for await (const child of createInterface(postmaster.stdout!)) {
    pids = [postmaster.pid!, Number(child)];
    break;
  }
});
afterEach(() => {
  for (const pid of pids) process.kill(pid, "SIGKILL");
});

const isStopped = (pid: number) =>
  execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" }).startsWith("T");

describe("pausePostgres", () => {
  it("stops the postmaster and its processes until they are continued", async () => {
    const resume = pausePostgres(postmaster.pid!);
    await expect.poll(() => pids.map(isStopped)).toEqual([true, true]);
    await resume();
    await expect.poll(() => pids.map(isStopped)).toEqual([false, false]);
  });

  it("continues them when the process that stopped them is killed", async () => {
    const module = new URL("pause-postgres.ts", import.meta.url).href;
    const script = `
      const { pausePostgres } = await import(${JSON.stringify(module)});
      pausePostgres(${postmaster.pid});
      console.log("stopped");
      setInterval(() => {}, 1000);`;
    const harness = spawn(process.execPath, ["--input-type=module", "-e", script]);
    await once(harness.stdout, "data");
    await expect.poll(() => pids.map(isStopped)).toEqual([true, true]);
    harness.kill("SIGKILL");
    await expect.poll(() => pids.map(isStopped)).toEqual([false, false]);
  });
});
