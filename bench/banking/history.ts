import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { reportLine, recordGoal } from "../report.ts";
import type { History } from "./history-process.ts";
import { line } from "../table.ts";

const sizes = [10_000, 100_000, 1_000_000];
/** MiB in use above the start during the first sync. Without a limit it would grow with the history. */
const mostMemory = 32;
/**
 * How many times as long an unchanged sync may take with the longest history as with the shortest. Ideally
 * 1; the rest allows for noise.
 */
const mostSlowdown = 2;

/**
 * Measures the cost of a long history: memory during its first sync, and time of later ones without changes.
 */
export async function history(): Promise<void> {
  reportLine("\nHistories of growing length, each synced in a process of its own\n");
  const titles = ["first sync s", "in use MiB", "resident MiB", "again ms", "statements"];
  reportLine(line("transactions", ...titles));
  const histories: History[] = [];
  for (const transactions of sizes) {
    const one = await synced(transactions);
    histories.push(one);
    const memory = [one.inUse, one.resident].map((size) => size.toFixed(0));
    const again = [one.againMs.toFixed(1), String(one.againStatements)];
    reportLine(line(transactions.toLocaleString("en"), one.seconds.toFixed(1), ...memory, ...again));
  }
  judgeAll(histories);
}

function judgeAll(histories: History[]): void {
  const [shortest] = histories;
  const longest = histories.at(-1)!;
  const memory = Math.max(...histories.map(({ inUse }) => inUse));
  const slowdown = longest.againMs / shortest!.againMs;
  const sameStatements = histories.every(
    ({ againStatements }) => againStatements === shortest!.againStatements,
  );
  const verdicts = [
    {
      what: "A first sync of the longest history: memory in use above the start",
      measured: `${memory.toFixed(0)} MiB`,
      goal: `at most ${mostMemory} MiB`,
      holds: memory <= mostMemory,
    },
    {
      what: "The longest history unchanged again, compared with the shortest: time",
      measured: `${slowdown.toFixed(2)} times as long`,
      goal: `at most ${mostSlowdown} times`,
      holds: slowdown <= mostSlowdown,
    },
    {
      what: "The longest history unchanged again, compared with the shortest: statements",
      measured: sameStatements ? "as many" : "others",
      goal: "as many",
      holds: sameStatements,
    },
  ];
  reportLine("");
  for (const goal of verdicts)
    reportLine(`${goal.what}: ${goal.measured}, ${goal.goal}: ${recordGoal(goal)}`);
}

async function synced(transactions: number): Promise<History> {
  const module = fileURLToPath(new URL("history-process.ts", import.meta.url));
  const child = fork(module, {
    env: { ...process.env, TRANSACTIONS: String(transactions) },
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const exited = once(child, "exit");
  const [message] = (await Promise.race([once(child, "message"), exited])) as [History | number];
  if (typeof message === "number") throw new Error(`A history of ${transactions} ended with ${message}`);
  await exited;
  return message;
}
