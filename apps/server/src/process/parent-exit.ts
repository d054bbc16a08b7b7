import { readFileSync } from "node:fs";

const pollMs = 500;

/**
 * Calls back when the package manager that started this process has ended. If a tool kills only the package manager, it
 * passes no signal on, and the service and its database would keep running.
 */
export function onParentExit(callback: () => void): void {
  const starters = packageManagersAbove();
  if (starters.length === 0) return;
  const timer = setInterval(() => {
    if (starters.every(isRunning)) return;
    clearInterval(timer);
    callback();
  }, pollMs);
  timer.unref();
}

interface Process {
  pid: number;
  /** Identifies a process together with its id, which is reused. */
  startedAt: string;
  parent: number;
  command: string;
}

/** Returns the ancestors up to the topmost package manager. Its own parent, such as a shell, may end. */
function packageManagersAbove(): Process[] {
  const ancestors: Process[] = [];
  for (let next = readProcess(process.ppid); next !== null && next.pid > 1; next = readProcess(next.parent)) {
    ancestors.push(next);
  }
  const topmost = ancestors.findLastIndex(({ command }) => /\b(?:npm|npx|pnpm|yarn)\b/.test(command));
  return ancestors.slice(0, topmost + 1);
}

function isRunning({ pid, startedAt }: Process): boolean {
  const found = readProcess(pid);
  return found !== null && found.startedAt === startedAt;
}

/** Returns null if the process does not exist or has ended, and on systems without /proc. */
function readProcess(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name, in parentheses, may itself contain spaces and parentheses.
    const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z") return null;
    const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
    return { pid, startedAt: rest[17] ?? "", parent: Number(parent), command };
  } catch {
    return null;
  }
}
