import { rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "./process.ts";

/** The right of one process to use a data folder. */
export interface DataDirClaim {
  /** Gives the folder free. The kernel does the same when the process ends in any way. */
  release(): void;
}

/** SQLite's result code for a lock that somebody else holds. */
const sqliteBusy = 5;

/** Open claims. Without this reference the garbage collector would close a claim that its owner keeps no handle of. */
const held = new Set<DatabaseSync>();

/**
 * Claims a data folder for this process, so that two services never work on one. The folder is created when missing.
 * Throws an error that names the process which has the folder.
 *
 * Node has no file locks; SQLite, which it has, takes the kernel's. Those are atomic and end with the process,
 * so that there is no stale state to judge, no matter how the process ended.
 */
export async function claimDataDir(dataDir: string): Promise<DataDirClaim> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const holderFile = join(dataDir, "claim.pid");
  const lock = new DatabaseSync(join(dataDir, "claim.lock"), { timeout: 0 });
  try {
    // Never committed: the lock lasts as long as the transaction, and nothing is written.
    lock.exec("begin exclusive");
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new Error(
      `The data folder ${dataDir} is in use by ${await holder(holderFile)}. ` +
        "Stop that process first, or set DATA_DIR to another folder.",
      { cause: error },
    );
  }
  held.add(lock);
  await writeFile(holderFile, String(process.pid), { mode: 0o600 });
  return {
    release() {
      if (!held.delete(lock)) return;
      rmSync(holderFile, { force: true });
      lock.close();
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && "errcode" in error && error.errcode === sqliteBusy;
}

/** The winner writes its number just after it has the lock; the file's text may be an earlier owner's until then. */
async function holder(file: string): Promise<string> {
  for (let attempt = 0; attempt < 40; attempt++) {
    const pid = Number(await readFile(file, "utf8").catch(() => ""));
    if (pid > 0 && isAlive(pid)) return `process ${pid}`;
    await sleep(25);
  }
  return "another process";
}
