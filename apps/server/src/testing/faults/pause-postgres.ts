import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";

/**
 * Stops PostgreSQL with SIGSTOP: the postmaster first, so that no process is added, then all its processes. Returns the
 * function that continues them. A shell continues them too when this process ends for any reason, because it reads the
 * end of its input.
 */
export function pausePostgres(postmaster: number): () => Promise<void> {
  const guard = spawn(
    "sh",
    ["-c", 'while read -r pid; do pids="$pids $pid"; done; kill -CONT $pids', "continue-postgres"],
    { stdio: ["pipe", "ignore", "ignore"], detached: true },
  );
  const ended = once(guard, "close");
  const stop = (pid: number) => {
    guard.stdin.write(`${pid}\n`);
    process.kill(pid, "SIGSTOP");
  };
  stop(postmaster);
  for (const child of childrenOf(postmaster)) {
    try {
      stop(child);
    } catch (error) {
      // It has ended meanwhile.
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
  return async () => {
    guard.stdin.end();
    await ended;
  };
}

function childrenOf(parent: number): number[] {
  const list = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const processes = list
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  return processes.flatMap(([pid, ppid]) => (ppid === parent ? [pid!] : []));
}
