import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What Linux keeps in memory for everybody. */
const memory = "/dev/shm";
/** More than all databases of a run take at a time, in bytes. */
const needed = 2 ** 31;

/**
 * Lets `tmpdir()` lead into memory, here and in every process that is started from here: on some disks a database
 * takes ten times as long to clone as there, and no test needs it to last. Where there is no such memory, or too
 * little of it, temporary files stay where they are. Gives what removes them.
 */
export function moveTemporaryFiles(): () => void {
  if (!hasRoom()) return () => undefined;
  removeForgotten();
  const disk = tmpdir();
  const folder = mkdtempSync(join(memory, `purser-run-${process.pid}-`));
  // PostgreSQL runs as another user in some tests, and has to come through.
  chmodSync(folder, 0o755);
  process.env["PURSER_TEST_DISK"] = disk;
  process.env["TMPDIR"] = folder;
  return () => {
    process.env["TMPDIR"] = disk;
    rmSync(folder, { recursive: true, force: true });
  };
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > needed;
  } catch {
    return false;
  }
}

/** Memory is not to fill with what runs left behind that were killed. */
function removeForgotten(): void {
  for (const name of readdirSync(memory)) {
    const pid = /^purser-run-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmSync(join(memory, name), { recursive: true, force: true });
    } catch (error) {
      // Another user's is theirs to remove, and no reason not to run.
      if (!["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
