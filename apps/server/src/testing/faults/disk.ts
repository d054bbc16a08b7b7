import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmdirSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Set for a process with its own small file system: the path of the mount. */
const variable = "PURSER_FAULTS_DISK";
const megabytes = 768;
/** What the load of a soak writes at most, with a standby of the database. */
const megabytesPerMinute = 96;

/** The folder on this process's own small disk; null if it has none. */
export const smallDisk = (): string | null => process.env[variable] ?? null;

/**
 * Restarts this program with a small in-memory file system that only it sees, and returns its exit code. Returns null
 * if it already runs so, or if the system refuses. Without the disk, the fault of a full disk is not available.
 *
 * @param minutes How long the program keeps what it writes.
 */
export async function rerunOnSmallDisk(minutes: number): Promise<number | null> {
  if (smallDisk() !== null || process.platform !== "linux") return null;
  const folder = mkdtempSync(join(tmpdir(), "purser-disk-"));
  try {
    // Other users become root in a user namespace, which allows them to mount.
    const namespace = process.getuid?.() === 0 ? ["-m"] : ["-Urm"];
    const size = megabytes + Math.ceil(minutes * megabytesPerMinute);
    const mounted = `mount -t tmpfs -o size=${size}m,mode=755 tmpfs "$0" && exec "$@"`;
    const inside = [...namespace, "sh", "-c", mounted, folder];
    if (spawnSync("unshare", [...inside, "true"], { stdio: "ignore" }).status !== 0) return null;
    const child = spawn("unshare", [...inside, process.execPath, ...process.argv.slice(1)], {
      stdio: "inherit",
      env: { ...process.env, [variable]: folder },
    });
    // A terminal sends Ctrl-C to both processes. A signal to this process only is passed on.
    process.on("SIGINT", () => undefined);
    process.on("SIGTERM", () => child.kill("SIGTERM"));
    const [code] = (await once(child, "close")) as [number | null];
    return code ?? 1;
  } finally {
    rmdirSync(folder);
  }
}

/**
 * Makes the small disk as small as what is on it. Returns a function that gives it its size again. Writing a file until the
 * disk is full would keep this process, which also carries the load, for many seconds.
 */
export function fillDisk(folder: string): () => void {
  const { blocks, bsize } = statfsSync(folder);
  // With the type and the source, `mount` does not repeat the options that a user namespace refuses.
  const isResized = (to: number) => {
    const resize = ["-t", "tmpfs", "-o", `remount,size=${to * bsize}`, "tmpfs", folder];
    return spawnSync("mount", resize, { stdio: "ignore" }).status === 0;
  };
  for (let tries = 1; !isResized(blocks - statfsSync(folder).bfree); tries += 1) {
    // It is refused if PostgreSQL has written in between.
    if (tries === 100) throw new Error(`The disk ${folder} could not be made smaller`);
  }
  return () => {
    if (!isResized(blocks)) throw new Error(`The disk ${folder} could not be made larger again`);
  };
}
