// @module-tag slow
import { builtService, isNightly } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InjectedFault, faultNames } from "./testing/faults/catalog.ts";
import { type Cluster, startCluster } from "./testing/faults/cluster.ts";
import { lateRecoveries, replayOf } from "./testing/faults/report.ts";
import { besideOthers, runSeed, roundsOf } from "./testing/faults/run.ts";
import { stopServices } from "@purser/testing/process";

/**
 * The nightly profile runs the seeds and rounds of `pnpm test:faults`, except the fault that fills a disk of its own.
 */
const seeds = isNightly ? Array.from({ length: 20 }, (_, place) => place + 1) : [1];
const seconds = 20;
// The short profile injects all faults in one round. Tests have no disk of their own to fill.
const quick: InjectedFault[] = [
  "kill the worker",
  "end all connections",
  "kill a server",
  "break the database's network",
  "kill the postmaster",
  "stop a server",
];
const slow = faultNames.filter((name) => name !== "fill the disk");

let cluster: Cluster;
let script: string;

beforeAll(async () => {
  script = await builtService();
  cluster = await startCluster();
});
afterAll(async () => {
  await stopServices();
  await cluster?.stop();
});

describe("two servers and a worker under load, with faults around them", () => {
  it.each(seeds)(
    "lose no acknowledged write, exceed no limit and mix up no data (seed %i)",
    { timeout: 900_000 },
    async (seed) => {
      const rounds = isNightly ? roundsOf(slow, seed) : [quick];
      const beside = isNightly ? {} : { ...besideOthers, warmUpMs: 4000 };
      const report = await runSeed({ seed, rounds, seconds, ...beside, cluster, script });
      expect(report.violations, isNightly ? `Again: ${replayOf(report, slow)}` : "").toEqual([]);
      // In real time, one fault may take up all the seconds of a seed.
      expect(report.rounds.flat().length).toBeGreaterThanOrEqual(isNightly ? 1 : quick.length);
      expect(report.comparedReadiness.ok).toBeGreaterThan(0);
      expect(report.counts.responses).toBeGreaterThan(100);
      if (isNightly) expect(lateRecoveries(report)).toEqual([]);
    },
  );
});
