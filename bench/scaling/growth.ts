import type { TestPurser } from "@purser/testing";
import postgres, { type Sql } from "postgres";
import { type Linked, linkBank } from "../banking/setup.ts";
import type { Figure } from "../calls.ts";
import { bestOf, measure } from "../load.ts";
import { reportLine, recordGoal } from "../report.ts";
import { addTransactions, category } from "./rows.ts";
import { newSecrets, startServiceTarget } from "../whole-service.ts";
import { line } from "../table.ts";

const sizes = [10_000, 1_000_000, 5_000_000];
const rounds = 8;
/**
 * How many times as long a page may take with the longest history as with the shortest. Ideally 1; the rest allows for
 * noise.
 */
const mostSlowdown = 1.5;
/** How many more blocks of 8 KiB a page may read: the additional levels of a larger index. */
const mostBlocks = 8;

interface Page {
  teamId: string;
  limit: number;
  accountId?: string;
  category?: string;
  from?: Date;
  to?: Date;
  after?: string;
}

interface Measured extends Figure {
  blocks: number;
}

/** Reads pages of 50 from a growing history, through the whole service. Their cost must not grow with it. */
export async function growth(): Promise<void> {
  const secrets = newSecrets();
  const linked = await linkBank(0, secrets);
  const { purser, owner, teamId } = linked;
  const databaseUrl = purser.platform.settings.databaseUrl!;
  purser.clock.set(new Date());
  const headers = { authorization: `Bearer ${await purser.auth.openSession(owner.userId)}` };
  const sql = postgres(databaseUrl, { max: 1 });
  const target = await startServiceTarget(databaseUrl, secrets);
  try {
    reportLine(`\nPages of 50 of a growing history over HTTP, best of ${rounds} rounds, 20 at a time\n`);
    const measured: Measured[][] = [];
    for (const size of sizes) {
      const seconds = await grow(sql, teamId, size);
      const pages = await pagesOf(sql, linked, size);
      const urls = Object.values(pages).map(
        (page) => `${target.baseUrl}/api/banking/transactions?${queryOf(page)}`,
      );
      const figures = await bestOf(
        rounds,
        urls.map((url) => () => measure({ url, headers })),
      );
      const blocks: number[] = [];
      for (const page of Object.values(pages)) blocks.push(await blocksOf(purser, linked, page));
      measured.push(figures.map((figure, index) => ({ ...figure, blocks: blocks[index]! })));
      const title = `${size.toLocaleString("en")} transactions, made in ${seconds.toFixed(0)} s`;
      print(title, Object.keys(pages), measured.at(-1)!);
    }
    judgeAll(measured);
  } finally {
    await target.stop();
    await sql.end();
    await purser.close();
  }
}

async function grow(sql: Sql, teamId: string, size: number): Promise<number> {
  const start = performance.now();
  const before = sizes[sizes.indexOf(size) - 1] ?? 0;
  await addTransactions(sql, teamId, { from: before + 1, to: size });
  return (performance.now() - start) / 1000;
}

async function pagesOf(
  sql: Sql,
  { teamId, accountIds }: Linked,
  size: number,
): Promise<Record<string, Page>> {
  const [deep] = await sql<{ id: string }[]>`
    SELECT id FROM bank_transactions WHERE organization_id = ${teamId}
    ORDER BY transaction_date, id OFFSET ${size / 10} LIMIT 1`;
  const page = { teamId, limit: 50 };
  return {
    "the newest": page,
    "of an account": { ...page, accountId: accountIds[0]! },
    "of a category": { ...page, category },
    "of three months": { ...page, from: new Date("2024-01-01"), to: new Date("2024-03-31") },
    "after nine tenths of all": { ...page, after: deep!.id },
  };
}

function queryOf(page: Page): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(page) as [string, string | number | Date][])
    query.set(name, value instanceof Date ? value.toISOString().slice(0, 10) : String(value));
  return query.toString();
}

/** Returns how many blocks PostgreSQL reads for a page, cached or not. Unlike time, other load does not affect this. */
async function blocksOf({ db, as }: TestPurser, { owner }: Linked, page: Page): Promise<number> {
  const sent: { text: string; parameters: never[] }[] = [];
  const { options } = db.$client;
  options.debug = (_connection, text, parameters) => {
    if (text.includes(`from "bank_transactions"`)) sent.push({ text, parameters: parameters as never[] });
  };
  await as(owner).banking.transactions.list(page);
  options.debug = false;
  let blocks = 0;
  for (const { text, parameters } of sent) {
    const [row] = await db.$client.unsafe(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, parameters);
    const plan = row!["QUERY PLAN"][0].Plan;
    blocks += plan["Shared Hit Blocks"] + plan["Shared Read Blocks"];
  }
  return blocks;
}

function print(title: string, names: string[], figures: Measured[]): void {
  reportLine(line(title, "requests/s", "p50 ms", "p99 ms", "blocks"));
  for (const [index, name] of names.entries()) {
    const { requestsPerSecond, p50, p99, blocks } = figures[index]!;
    reportLine(line(`  ${name}`, requestsPerSecond.toFixed(0), ...[p50, p99, blocks].map(String)));
  }
  reportLine("");
}

function judgeAll(measured: Measured[][]): void {
  const [shortest, longest] = [measured[0]!, measured.at(-1)!];
  const most = (of: (short: Measured, long: Measured) => number) =>
    Math.max(...shortest.map((short, index) => of(short, longest[index]!)));
  const slowdown = most((short, long) => short.requestsPerSecond / long.requestsPerSecond);
  const blocks = most((short, long) => long.blocks - short.blocks);
  const verdicts = [
    {
      what: "A page of the longest history compared with the shortest: time",
      measured: `${slowdown.toFixed(2)} times as long`,
      goal: `at most ${mostSlowdown} times`,
      holds: slowdown <= mostSlowdown,
    },
    {
      what: "A page of the longest history compared with the shortest: blocks looked at",
      measured: `${blocks} more`,
      goal: `at most ${mostBlocks} more`,
      holds: blocks <= mostBlocks,
    },
  ];
  for (const goal of verdicts)
    reportLine(`${goal.what}: ${goal.measured}, ${goal.goal}: ${recordGoal(goal)}`);
}
