import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Whether the process exists and has not ended; one that ended and that nobody collected counts as gone. */
export function isAlive(pid: number): boolean {
  return processExists(pid) && !isZombie(pid);
}

/** Whether a signal could be sent: true for a zombie too, which is how PostgreSQL itself asks. */
export function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Whether the living process works in that folder. A postmaster's working directory is its cluster. */
export function worksIn(pid: number, folder: string): boolean {
  if (!isAlive(pid)) return false;
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

/** Waits until the condition holds, or the time in milliseconds is over: then false. */
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
    // The name, in parentheses, may itself hold parentheses; the state follows the last one.
    return status[status.lastIndexOf(")") + 2] === "Z";
  } catch {
    return false;
  }
}
