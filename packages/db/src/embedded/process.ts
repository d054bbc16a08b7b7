import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether the process exists and has not ended. A zombie counts as ended. */
export function isProcessAlive(pid: number): boolean {
  return processExists(pid) && !isZombie(pid);
}

/** Whether a signal can be sent. True for a zombie too. PostgreSQL uses the same check. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Whether the live process works in that folder. A postmaster's working directory is its cluster. */
export function worksIn(pid: number, folder: string): boolean {
  if (!isProcessAlive(pid)) return false;
  try {
    if (process.platform !== "linux") {
      return execFileSync("ps", ["-p", String(pid), "-o", "command="], { encoding: "utf8" }).includes(folder);
    }
    const [there, here] = [statSync(`/proc/${pid}/cwd`), statSync(folder)];
    return there.ino === here.ino && there.dev === here.dev;
  } catch {
    return false;
  }
}

/** Waits until the condition holds. Returns false after the timeout in milliseconds. */
export async function waitUntil(condition: () => boolean, milliseconds: number): Promise<boolean> {
  const deadline = performance.now() + milliseconds;
  while (!condition()) {
    if (performance.now() > deadline) return false;
    await sleep(5);
  }
  return true;
}

function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    const status = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name in parentheses may itself contain parentheses. The state follows the last one.
    return status[status.lastIndexOf(")") + 2] === "Z";
  } catch {
    return false;
  }
}
