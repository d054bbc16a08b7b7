import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Settings } from "@purser/platform/settings";
import { type Lifetime, StartInterrupted } from "./lifetime.ts";

/** Only beside the sources. A bundled service creates an embedded database by itself. */
const script = join(import.meta.dirname, "prepare-database.ts");

/**
 * Returns the URL of the configured database. Without one, starts the embedded database in the data folder, until the end of
 * the process, and returns its URL.
 */
export async function ensureDatabase(
  { databaseUrl, dataDir }: Settings,
  lifetime: Lifetime,
): Promise<string> {
  if (databaseUrl !== null) return databaseUrl;
  if (existsSync(script)) await prepareDatabase(dataDir, lifetime);
  const { startEmbeddedDatabase } = await import("@purser/db/embedded");
  const embedded = await startEmbeddedDatabase(dataDir, () => undefined);
  lifetime.onHurry(() => embedded.close());
  lifetime.closeLater(() => embedded.close());
  return embedded.url;
}

/**
 * Starts and migrates the embedded database in another process, because loading its modules blocks this one. What that process
 * does not do, this one does later, and reports why it fails.
 */
async function prepareDatabase(dataDir: string, lifetime: Lifetime): Promise<void> {
  const child = spawn(process.execPath, [script, dataDir], { stdio: ["ignore", "ignore", "ignore", "ipc"] });
  const ended = once(child, "exit").catch(() => undefined);
  const stop = async () => {
    if (child.connected) child.disconnect();
    await ended;
  };
  void lifetime.ended.then(stop);
  lifetime.onHurry(stop);
  await Promise.race([once(child, "message"), ended]);
  // It stops the database that it has started, unless it is told that this process takes it over. Then this process must,
  // although it may have to end meanwhile.
  const takesOver = !lifetime.isEnding && child.connected;
  // It may have died just now, which is no failure of this process.
  if (takesOver) child.send("take over", () => undefined);
  await ended;
  if (!takesOver && lifetime.isEnding) throw new StartInterrupted("Stopped while starting");
}
