import { readFileSync, readdirSync } from "node:fs";

/** How often Linux counts a second of processor time in /proc. */
const ticksPerSecond = 100;

interface ProcessTimes {
  pid: number;
  parent: number;
  /** Of the process itself, in seconds. */
  own: number;
  /** Of its processes that have ended, and of theirs. */
  ended: number;
}

/**
 * Returns the processor seconds of a process alone, and of it with all processes below it, running or ended. A process
 * that outlived the one that started it is missing. Null where there is no /proc.
 */
export function processorTime(root: number): { own: number; total: number } | null {
  const processes = readProcesses();
  const first = processes.find(({ pid }) => pid === root);
  if (first === undefined) return null;
  const tree = new Set([first]);
  for (const { pid } of tree)
    for (const child of processes.filter(({ parent }) => parent === pid)) tree.add(child);
  const total = [...tree].reduce((sum, { own, ended }) => sum + own + ended, 0);
  return { own: first.own, total };
}

function readProcesses(): ProcessTimes[] {
  try {
    return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? readProcess(name) : []));
  } catch {
    return [];
  }
}

function readProcess(pid: string): ProcessTimes[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program before the last parenthesis may contain anything. See proc_pid_stat(5).
    const fields = stat
      .slice(stat.lastIndexOf(")") + 2)
      .split(" ")
      .map(Number);
    const seconds = (first: number) => (fields[first]! + fields[first + 1]!) / ticksPerSecond;
    return [{ pid: Number(pid), parent: fields[1]!, own: seconds(11), ended: seconds(13) }];
  } catch {
    // It has ended meanwhile, and its parent counts it.
    return [];
  }
}
