import { chmodSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Linux's shared folder in memory. */
const memory = "/dev/shm";
/** More than all databases of a run need at the same time, in bytes. */
const needed = 2 ** 31;

/** The folder of `testRunFolder`. `moveTemporaryFiles` sets it. */
const variable = "PURSER_TEST_RUN";

/**
 * Points `tmpdir()` to a new folder for this run, in this process and its child processes. The folder is in memory if
 * there is enough, because cloning a database on some disks takes ten times as long and no test needs durability.
 * Returns a function that removes the folder.
 */
export function moveTemporaryFiles(): () => void {
  const disk = tmpdir();
  const parent = hasRoom() ? memory : disk;
  if (parent === memory) removeForgotten();
  const folder = mkdtempSync(join(parent, `purser-run-${process.pid}-`));
  // PostgreSQL runs as another user in some tests and must be able to enter the folder.
  chmodSync(folder, 0o755);
  process.env["TMPDIR"] = folder;
  process.env[variable] = folder;
  return () => {
    process.env["TMPDIR"] = disk;
    rmSync(folder, { recursive: true, force: true });
  };
}

/** Returns the folder that all test files of a run share. It is removed after the run. */
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

/** Removes the folders of killed runs, so they do not fill the memory. */
function removeForgotten(): void {
  for (const name of readdirSync(memory)) {
    const pid = /^purser-run-(\d+)-/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    try {
      rmSync(join(memory, name), { recursive: true, force: true });
    } catch (error) {
      // Folders of other users stay. They must not fail this run.
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
