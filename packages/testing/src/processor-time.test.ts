// @module-tag slow
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { processorTime } from "./processor-time.ts";

describe.runIf(existsSync("/proc/self/stat"))("processorTime", () => {
  const used = () => processorTime(process.pid)!;

  it("counts this process as Node does", () => {
    const { user, system } = process.cpuUsage();
    const { own } = used();
    expect(Math.abs(own - (user + system) / 1e6)).toBeLessThan(0.5);
  });

  it("adds processes that have ended, and theirs", () => {
    const before = used();
    const burn = "const end = process.cpuUsage().user + 200000; while (process.cpuUsage().user < end);";
    const nested = `require("node:child_process").spawnSync(process.execPath, ["-e", ${JSON.stringify(burn)}]);`;
    spawnSync(process.execPath, ["-e", nested]);
    const after = used();
    expect(after.total - after.own - (before.total - before.own)).toBeGreaterThan(0.19);
  });

  it("knows no process that does not run", () => {
    expect(processorTime(2 ** 30)).toBeNull();
  });
});
