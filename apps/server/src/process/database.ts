import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "@purser/platform/settings";
import type { Lifetime } from "./lifetime.ts";

/** Of a service that runs from its sources. The built one has no embedded database. */
const preparation = join(import.meta.dirname, "prepare-database.ts");

/**
 * Returns the URL of the configured database. Without one, starts the embedded database in the data folder, until the end of
 * the process, and returns its URL.
 */
export async function ensureDatabase(
  { databaseUrl, dataDir }: Settings,
  lifetime: Lifetime,
): Promise<string> {
  if (databaseUrl !== null) return databaseUrl;
  if (existsSync(preparation)) await prepareDatabase(dataDir, lifetime);
  const { startEmbeddedDatabase } = await import("@purser/db/embedded");
  const embedded = await startEmbeddedDatabase(dataDir, () => undefined);
  lifetime.onHurry(() => embedded.close());
  lifetime.closeLater(() => embedded.close());
  return embedded.url;
}

/**
 * Starts and migrates the embedded database in another process, which has this one's processor while it loads its modules. What
 * that process does not do, this one does later, and reports why it fails.
 */
async function prepareDatabase(dataDir: string, lifetime: Lifetime): Promise<void> {
  const child = spawn(process.execPath, [preparation, dataDir], { stdio: "ignore" });
  void lifetime.ended.then(() => child.kill());
  await Promise.race([once(child, "exit"), once(child, "error")]);
}
