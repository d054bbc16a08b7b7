import { rmSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { isProcessAlive } from "./process.ts";

/** A process's exclusive claim on a data folder. */
export interface DataDirClaim {
  /** Releases the folder. The kernel does the same when the process ends for any reason. */
  release(): void;
}

/** SQLite's result code if another process holds the lock. */
const sqliteBusy = 5;

/** Keeps open claims referenced, because garbage collection would close them, which releases them. */
const held = new Set<DatabaseSync>();

/**
 * Claims a data folder for this process, so that two services never share one. Creates a missing folder.
 * Throws an error that names the process that holds the folder.
 *
 * Node has no file locks, so this uses SQLite's, which are kernel locks. They are atomic and end with the process, so
 * no stale lock remains however the process ends.
 */
export async function claimDataDir(dataDir: string): Promise<DataDirClaim> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const holderFile = join(dataDir, "claim.pid");
  // SQLite takes its lock in several steps. Of two processes at once, each may refuse the other, so both try again.
  const lock = new DatabaseSync(join(dataDir, "claim.lock"), { timeout: 100 });
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

/** The owner writes its process id just after it takes the lock. Before, the file may hold an earlier owner's id. */
async function holder(file: string): Promise<string> {
  for (let attempt = 0; attempt < 400; attempt++) {
    const pid = Number(await readFile(file, "utf8").catch(() => ""));
    if (pid > 0 && isProcessAlive(pid)) return `process ${pid}`;
    await sleep(25);
  }
  return "another process";
}
