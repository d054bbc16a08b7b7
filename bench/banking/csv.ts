import { join } from "node:path";
import { createTestPurser } from "@purser/testing";
import postgres from "postgres";
import { type Target, forkTarget } from "../load.ts";
import { recordGoal, reportLine } from "../report.ts";
import { newSecrets, startServiceTarget, variablesOfService } from "../whole-service.ts";
import { feedBank, categories } from "./feed.ts";
import { connectFeedBank } from "./setup.ts";
import { line } from "../table.ts";

const transactions = 1_000_000;
/** A tenth of the file. Memory that grows with a file is more after it than up to it. */
const beginning = 100_000;
const rounds = 3;
/** The goal as a share of the hand-written route's rows. */
const goal = 0.5;
/** By how much the service may grow after the beginning of a file. */
const growthGoal = 64;

/** Exports a long history as CSV from the whole service, and from a hand-written route that streams PostgreSQL's COPY. */
export async function csv(): Promise<void> {
  const secrets = newSecrets();
  const bank = feedBank(0);
  const purser = await createTestPurser({
    settings: secrets,
    banks: { configured: ["sandbox"], at: async () => bank },
  });
  const databaseUrl = purser.platform.settings.databaseUrl!;
  try {
    const owner = await purser.person();
    const teamId = await purser.organization(owner);
    const { connectionId, accountIds } = await connectFeedBank(purser, owner, teamId, "csv");
    await fill(databaseUrl, { teamId, connectionId, accountIds });
    // The hand-written route uses the database's clock.
    purser.clock.set(new Date());
    const headers = { authorization: `Bearer ${await purser.auth.openSession(owner.userId)}` };
    const limit = await forkTarget(
      join(import.meta.dirname, "hand-written.ts"),
      variablesOfService(databaseUrl, secrets),
    );
    const service = await startServiceTarget(databaseUrl, secrets);
    try {
      await compare(limit, service, teamId, headers);
    } finally {
      await limit.stop();
      await service.stop();
    }
  } finally {
    await purser.close();
  }
}

interface Connected {
  teamId: string;
  connectionId: string;
  accountIds: string[];
}

async function fill(databaseUrl: string, { teamId, connectionId, accountIds }: Connected): Promise<void> {
  const sql = postgres(databaseUrl, { max: 1 });
  await sql`
    INSERT INTO bank_transactions (organization_id, id, account_id, connection_id, external_id, status, amount,
      raw_amount, currency, type, description, transaction_date, category, created_at, updated_at)
    SELECT ${teamId}, 'btx_' || lpad(n::text, 26, '0'), (${accountIds}::text[])[1 + n % ${accountIds.length}],
      ${connectionId}, 'external-' || n, 'POSTED', 100 + n * 7919::bigint % 99900, '1.00', 'GBP',
      CASE WHEN n % 200 = 0 THEN 'CREDIT' ELSE 'DEBIT' END, 'Corner Coffee ' || n,
      date '2024-03-01' + (n * 730::bigint / ${transactions})::int,
      (${categories}::text[])[1 + n % ${categories.length}], now(), now()
    FROM generate_series(1, ${transactions}::int) AS n`;
  await sql`VACUUM ANALYZE bank_transactions`;
  await sql.end();
}

async function compare(
  limit: Target,
  service: Target,
  teamId: string,
  authorization: Record<string, string>,
): Promise<void> {
  const headers = { ...authorization, accept: "text/csv", "accept-encoding": "identity" };
  const byHand = `${limit.baseUrl}/transactions.csv?teamId=${teamId}`;
  const ours = `${service.baseUrl}/api/banking/transactions?teamId=${teamId}`;
  const memory = () => residentMiB(service);
  // What the first requests load stays, with files or without.
  await download(ours, headers, { rows: beginning, memory });
  const idleMiB = await memory();
  const best: Download[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const [index, url] of [byHand, ours].entries()) {
      const file = await download(url, headers, { rows: transactions, memory });
      if (file.rows !== transactions) throw new Error(`${url} has ${file.rows} rows`);
      const before = best[index];
      const peakMiB = Math.max(file.peakMiB, before?.peakMiB ?? 0);
      const growthMiB = Math.max(file.growthMiB, before?.growthMiB ?? 0);
      best[index] = { ...(before && before.seconds < file.seconds ? before : file), peakMiB, growthMiB };
    }
  print(best[0]!, best[1]!, idleMiB);
}

interface Download {
  rows: number;
  bytes: number;
  seconds: number;
  /** The most memory that the service had meanwhile. */
  peakMiB: number;
  /** By how much the most after the beginning exceeds the most up to there. */
  growthMiB: number;
}

/** Reads a file up to so many rows, and breaks it off there if it is longer. */
async function download(
  url: string,
  headers: Record<string, string>,
  { rows, memory }: { rows: number; memory: () => Promise<number> },
): Promise<Download> {
  let lines = 0;
  let bytes = 0;
  let peakMiB = 0;
  let earlyPeakMiB = 0;
  let sampledAt = -Infinity;
  const start = performance.now();
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  for await (const chunk of response.body!) {
    bytes += chunk.length;
    for (const byte of chunk) if (byte === lineFeed) lines += 1;
    if (bytes - sampledAt > sampleBytes) {
      sampledAt = bytes;
      peakMiB = Math.max(peakMiB, await memory());
      if (lines <= beginning) earlyPeakMiB = peakMiB;
    }
    if (lines > rows) break;
  }
  const seconds = (performance.now() - start) / 1000;
  // The first line is the header.
  return { rows: Math.min(lines - 1, rows), bytes, seconds, peakMiB, growthMiB: peakMiB - earlyPeakMiB };
}

const lineFeed = 10;
const sampleBytes = 4 * 2 ** 20;

async function residentMiB(service: Target): Promise<number> {
  const metrics = await (await fetch(`${service.baseUrl}/metrics`)).text();
  return Number(/^process_resident_memory_bytes (\S+)/m.exec(metrics)![1]) / 2 ** 20;
}

function print(byHand: Download, ours: Download, idleMiB: number): void {
  const share = ours.rows / ours.seconds / (byHand.rows / byHand.seconds);
  const files = `CSV of ${transactions.toLocaleString("en")} transactions`;
  const speed = recordGoal({
    what: files,
    measured: `${share.toFixed(2)} of COPY by a hand-written route`,
    goal: `at least ${goal.toFixed(2)}`,
    holds: share >= goal,
  });
  const kept = recordGoal({
    what: `${files}: memory above that of its first ${beginning.toLocaleString("en")}`,
    measured: `${ours.growthMiB.toFixed(0)} MiB`,
    goal: `at most ${growthGoal} MiB`,
    holds: ours.growthMiB <= growthGoal,
  });
  reportLine(`\n${files} over HTTP, best of ${rounds} rounds\n`);
  reportLine(line("", "rows/s", "MB/s", "share", "to reach"));
  reportLine(line("by hand, COPY TO STDOUT", ...rates(byHand), "1.00"));
  reportLine(line("service", ...rates(ours), share.toFixed(2), `${goal.toFixed(2)} ${speed}`));
  reportLine(
    `memory of the service: ${idleMiB.toFixed(0)} MiB before, ${ours.peakMiB.toFixed(0)} MiB at the peak, which is ` +
      `${ours.growthMiB.toFixed(0)} MiB above the first ${beginning.toLocaleString("en")} rows: ${kept}`,
  );
}

const rates = ({ rows, bytes, seconds }: Download) => [
  (rows / seconds).toFixed(0),
  (bytes / seconds / 1e6).toFixed(1),
];
