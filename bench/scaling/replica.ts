import { startReplicatedPostgres } from "@purser/testing";
import autocannon from "autocannon";
import postgres, { type Sql } from "postgres";
import { linkBank } from "../banking/setup.ts";
import type { Target } from "../load.ts";
import { serverSeconds } from "../processor.ts";
import { reportLine, recordGoal } from "../report.ts";
import { addTransactions } from "./rows.ts";
import { newSecrets, startServiceTarget } from "../whole-service.ts";
import { line } from "../table.ts";

const transactions = 100_000;
const lists = 4000;
/** The goal: the share of the primary's processor time for a list that remains when a replica serves it. */
const goal = 0.75;

/** Measures the primary's cost of lists, served by itself and by a replica. */
export async function replica(): Promise<void> {
  const servers = process.platform === "linux" ? await startReplicatedPostgres() : null;
  if (servers === null) {
    reportLine("\nA replica cannot be had, or not be watched, on this platform");
    return;
  }
  const { primaryUrl, replicaUrl } = servers;
  const secrets = newSecrets();
  const { purser, owner, teamId } = await linkBank(0, { ...secrets, databaseUrl: primaryUrl });
  purser.clock.set(new Date());
  const headers = { authorization: `Bearer ${await purser.auth.openSession(owner.userId)}` };
  const sql = postgres(primaryUrl, { max: 1 });
  const own = await startServiceTarget(primaryUrl, secrets);
  const spared = await startServiceTarget(primaryUrl, secrets, { REPLICA_DATABASE_URL: replicaUrl });
  try {
    await addTransactions(sql, teamId, { from: 1, to: transactions });
    const page = `/api/banking/transactions?teamId=${teamId}&limit=50`;
    const ask = async ({ baseUrl }: Target) => {
      await askOften(sql, { url: `${baseUrl}${page}`, headers }, 500);
      return askOften(sql, { url: `${baseUrl}${page}`, headers }, lists);
    };
    const [itself, byReplica] = [await ask(own), await ask(spared)];
    reportLine(`\nPages of 50 transactions, ${lists.toLocaleString("en")} of them, 20 at a time\n`);
    reportLine(line("", "requests/s", "p99 ms", "primary µs"));
    reportLine(line("the primary serves them", ...cells(itself)));
    reportLine(line("a replica serves them", ...cells(byReplica)));
    const share = byReplica.microseconds / itself.microseconds;
    const verdict = recordGoal({
      what: "The primary's processor time of a page that a replica serves",
      measured: `${share.toFixed(2)} of its own`,
      goal: `at most ${goal}`,
      holds: share <= goal,
    });
    reportLine(`\nof the primary's processor time at most ${goal} is left (${share.toFixed(2)}): ${verdict}`);
  } finally {
    await Promise.all([own.stop(), spared.stop()]);
    await sql.end();
    await purser.close();
    await servers.stop();
  }
}

interface Cost {
  requestsPerSecond: number;
  p99: number;
  /** Processor time of the primary per list, including its WAL sender. */
  microseconds: number;
}

const cells = ({ requestsPerSecond, p99, microseconds }: Cost) =>
  [requestsPerSecond, p99, microseconds].map((figure) => figure.toFixed(0));

async function askOften(
  sql: Sql,
  request: { url: string; headers: Record<string, string> },
  amount: number,
): Promise<Cost> {
  const before = await serverSeconds(sql);
  const { requests, latency, non2xx, errors } = await autocannon({ ...request, connections: 20, amount });
  if (non2xx + errors > 0) throw new Error(`${request.url}: ${non2xx} refusals and ${errors} errors`);
  const seconds = (await serverSeconds(sql)) - before;
  return { requestsPerSecond: requests.average, p99: latency.p99, microseconds: (seconds / amount) * 1e6 };
}
