import { readFileSync } from "node:fs";

const lookEveryMs = 500;

/**
 * Calls back when a package manager that started this process is gone. One that is killed alone, as tools do that
 * know its process only, passes nothing on, and would leave the service and its database behind.
 */
export function onParentExit(orphaned: () => void): void {
  const starters = packageManagersAbove();
  if (starters.length === 0) return;
  const timer = setInterval(() => {
    if (starters.every(isStillThere)) return;
    clearInterval(timer);
    orphaned();
  }, lookEveryMs);
  timer.unref();
}

interface Process {
  pid: number;
  /** Together with the number it names one process for ever. */
  startedAt: string;
  parent: number;
  command: string;
}

/** The ancestors up to the topmost package manager. Whoever started that one, a shell for example, may go. */
function packageManagersAbove(): Process[] {
  const ancestors: Process[] = [];
  for (let next = readProcess(process.ppid); next !== null && next.pid > 1; next = readProcess(next.parent)) {
    ancestors.push(next);
  }
  const topmost = ancestors.findLastIndex(({ command }) => /\b(?:npm|npx|pnpm|yarn)\b/.test(command));
  return ancestors.slice(0, topmost + 1);
}

function isStillThere({ pid, startedAt }: Process): boolean {
  const found = readProcess(pid);
  return found !== null && found.startedAt === startedAt;
}

/** Null where there is no such process, where it has ended, and on systems that do not tell. */
function readProcess(pid: number): Process | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name, in parentheses, may itself hold spaces and parentheses.
    const [state, parent, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z") return null;
    const command = readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
    return { pid, startedAt: rest[17] ?? "", parent: Number(parent), command };
  } catch {
    return null;
  }
}
