import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What Linux keeps in memory for everybody. */
const memory = "/dev/shm";
/** More than all databases of a run take at a time, in bytes. */
const needed = 2 ** 31;

/** Where `testRunFolder` finds its answer; set by `moveTemporaryFiles`. */
const variable = "PURSER_TEST_RUN";

/**
 * Lets `tmpdir()` lead into a folder of this run, here and in every process that is started from here; in memory,
 * where there is enough: on some disks a database takes ten times as long to clone as there, and no test needs it to
 * last. Gives what removes it.
 */
export function moveTemporaryFiles(): () => void {
  const disk = tmpdir();
  const parent = hasRoom() ? memory : disk;
  if (parent === memory) removeForgotten();
  const folder = mkdtempSync(join(parent, `purser-run-${process.pid}-`));
  // PostgreSQL runs as another user in some tests, and has to come through.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  process.env[variable] = folder;
  return () => {
    process.env["TMPDIR"] = disk;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** A folder that all test files of a run share, and that goes with it. */
export function testRunFolder(): string {
  const folder = process.env[variable];
  if (folder === undefined) throw new Error("Call moveTemporaryFiles() first, as vitest's globalSetup does");
  return folder;
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
