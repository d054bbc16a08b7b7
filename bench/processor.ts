import { readFileSync, readdirSync } from "node:fs";
import type { Sql } from "postgres";

/** Returns the processor time in seconds that a process has used so far. The kernel counts in hundredths of a second. */
export function processSeconds(pid: number): number {
  return (statOf(pid)?.ticks ?? 0) / ticksPerSecond;
}

/** Returns the processor time in seconds that the processes of a database server have used so far. */
export async function serverSeconds(sql: Sql): Promise<number> {
  const [row] = await sql`SELECT pg_backend_pid() AS pid`;
  const server = statOf(row!["pid"])!.parent;
  const children = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => statOf(pid))
    .filter((stat) => stat?.parent === server);
  return children.reduce((sum, stat) => sum + stat!.ticks, 0) / ticksPerSecond;
}

const ticksPerSecond = 100;

function statOf(pid: number | string): { parent: number; ticks: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The name, in parentheses, may itself contain parentheses. The fields after it start with the third.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
  } catch {
    // The process has exited in the meantime.
    return undefined;
  }
}
