import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, rmSync, rmdirSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Set for a process that has a small file system of its own: where that is. */
const variable = "PURSER_FAULTS_DISK";
const megabytes = 768;

/** The folder of a small disk that belongs to this process alone; null where it has none. */
export const smallDisk = (): string | null => process.env[variable] ?? null;

/**
 * Runs this program once more, with a small file system in memory that only it sees and that goes with it, and gives
 * its exit code; null where it runs so already, or where the system refuses: then no disk can be filled.
 */
export async function againOnSmallDisk(): Promise<number | null> {
  if (smallDisk() !== null || process.platform !== "linux") return null;
  const folder = mkdtempSync(join(tmpdir(), "purser-disk-"));
  try {
    // Whoever is not root is made to look so, which lets them mount.
    const namespace = process.getuid?.() === 0 ? ["-m"] : ["-Urm"];
    const mounted = `mount -t tmpfs -o size=${megabytes}m,mode=755 tmpfs "$0" && exec "$@"`;
    const inside = [...namespace, "sh", "-c", mounted, folder];
    if (spawnSync("unshare", [...inside, "true"], { stdio: "ignore" }).status !== 0) return null;
    const child = spawn("unshare", [...inside, process.execPath, ...process.argv.slice(1)], {
      stdio: "inherit",
      env: { ...process.env, [variable]: folder },
    });
    // A terminal sends Ctrl-C to both; who asks only this process means the other one.
    process.on("SIGINT", () => undefined);
    process.on("SIGTERM", () => child.kill("SIGTERM"));
    const [code] = (await once(child, "close")) as [number | null];
    return code ?? 1;
  } finally {
    rmdirSync(folder);
  }
}

/** Writes a file until nothing more fits on its disk. Gives what removes it. */
export function fillDisk(file: string): () => void {
  const ballast = openSync(file, "w");
  for (const size of [2 ** 20, 4096]) {
    try {
      for (;;) writeSync(ballast, Buffer.alloc(size));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOSPC") throw error;
    }
  }
  closeSync(ballast);
  return () => rmSync(file, { force: true });
}
