import { join } from "node:path";
import postgres from "postgres";
import type { Figure } from "../calls.ts";
import { bestOf, forkTarget, measure, startTarget } from "../load.ts";
import { reportLine, recordGoal } from "../report.ts";
import { categories } from "./feed.ts";
import { type Linked, connectFeedBank, linkBank } from "./setup.ts";
import { line } from "../table.ts";
import { newSecrets, variablesOfService } from "../whole-service.ts";

const transactions = 1_000_000;
const rounds = 8;
/** The goal as a share of the hand-written route's requests. */
const goal = 0.6;

/** Lists 1,000 transactions of a long history by each filter, from the whole service and from a hand-written route. */
export async function lists(): Promise<void> {
  const secrets = newSecrets();
  const linked = await linkBank(0, secrets);
  const environment = variablesOfService(linked.purser.platform.settings.databaseUrl!, secrets);
  try {
    const filters = await fill(linked);
    const limit = await forkTarget(join(import.meta.dirname, "hand-written.ts"), environment);
    const service = await startTarget("service.ts", environment);
    try {
      await compare(
        linked,
        filters,
        `${limit.baseUrl}/transactions`,
        `${service.baseUrl}/api/banking/transactions`,
      );
    } finally {
      await limit.stop();
      await service.stop();
    }
  } finally {
    await linked.purser.close();
  }
}

type Filters = Record<string, Record<string, string>>;

/** Fills three connections of three accounts each with two years of history. Returns every filter to measure. */
async function fill({ purser, owner, teamId, ...first }: Linked): Promise<Filters> {
  const others = [
    await connectFeedBank(purser, owner, teamId, "second"),
    await connectFeedBank(purser, owner, teamId, "third"),
  ];
  const accountIds = [first, ...others].flatMap((connection) => connection.accountIds);
  const sql = postgres(purser.platform.settings.databaseUrl!, { max: 1 });
  await sql`
    INSERT INTO bank_transactions (organization_id, id, account_id, connection_id, external_id, status, amount,
      raw_amount, currency, type, description, transaction_date, category, created_at, updated_at)
    SELECT ${teamId}, 'btx_' || lpad(n::text, 26, '0'), account.id, account.connection_id, 'external-' || n, 'POSTED',
      100 + n * 7919::bigint % 99900, '1.00', 'GBP', CASE WHEN n % 200 = 0 THEN 'CREDIT' ELSE 'DEBIT' END,
      'Corner Coffee ' || n, date '2024-03-01' + (n * 730::bigint / ${transactions})::int,
      (${categories}::text[])[1 + n % ${categories.length}], now(), now()
    FROM generate_series(1, ${transactions}::int) AS n
    JOIN bank_accounts account ON account.organization_id = ${teamId}
      AND account.id = (${accountIds}::text[])[1 + n % ${accountIds.length}]`;
  await sql`VACUUM ANALYZE`;
  const [deep] = await sql`
    SELECT id FROM bank_transactions WHERE organization_id = ${teamId}
    ORDER BY transaction_date, id OFFSET ${transactions / 10} LIMIT 1`;
  await sql.end();
  const accountId = accountIds[4]!;
  const category = categories[0]!;
  return {
    "no filter": {},
    accountId: { accountId },
    "connectionId (3 accounts)": { connectionId: first.connectionId },
    "from and to": { from: "2025-06-01", to: "2025-08-31" },
    "type=CREDIT (0.5 %)": { type: "CREDIT" },
    "type=DEBIT": { type: "DEBIT" },
    category: { category },
    "category and accountId": { category, accountId },
    "after, 900,000 down the list": { after: deep!["id"] },
  };
}

async function compare(
  linked: Linked,
  filters: Filters,
  limitUrl: string,
  serviceUrl: string,
): Promise<void> {
  const { purser, owner, teamId } = linked;
  // The hand-written route uses the database's clock.
  purser.clock.set(new Date());
  const headers = { authorization: `Bearer ${await purser.auth.openSession(owner.userId)}` };
  const urls = Object.values(filters).flatMap((filter) => {
    const query = new URLSearchParams({ teamId, ...filter, limit: "1000" }).toString();
    return [`${limitUrl}?${query}`, `${serviceUrl}?${query}`];
  });
  for (let index = 0; index < urls.length; index += 2)
    await expectSame(urls[index]!, urls[index + 1]!, headers);
  const figures = await bestOf(
    rounds,
    urls.map((url) => () => measure({ url, headers })),
  );
  print(Object.keys(filters), figures);
}

/** Checks that both responses are equal, otherwise the comparison would be meaningless. */
async function expectSame(
  limitUrl: string,
  serviceUrl: string,
  headers: Record<string, string>,
): Promise<void> {
  const [limit, service] = await Promise.all(
    [limitUrl, serviceUrl].map(async (url) => JSON.parse(await (await fetch(url, { headers })).text())),
  );
  const sorted = (answer: unknown) =>
    JSON.stringify(answer, (_, value) => (isPlain(value) ? sortKeys(value) : value));
  if (sorted(limit) !== sorted(service))
    throw new Error(`${serviceUrl} and the hand-written route answer differently`);
}

const isPlain = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const sortKeys = (value: object) =>
  Object.fromEntries(Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1)));

function print(names: string[], figures: Figure[]): void {
  reportLine(
    `\nListing 1,000 of ${transactions.toLocaleString("en")} transactions over HTTP, best of ${rounds} rounds, ` +
      `20 at a time; share of the hand-written route\n`,
  );
  reportLine(line("", "by hand", "service", "share", "p50 ms", "p99 ms", "(by hand)", "to reach"));
  for (const [index, name] of names.entries()) {
    const limit = figures[2 * index]!;
    const service = figures[2 * index + 1]!;
    const share = service.requestsPerSecond / limit.requestsPerSecond;
    const verdict = recordGoal({
      what: `Listing 1,000 of ${transactions.toLocaleString("en")} transactions: ${name}`,
      measured: `${share.toFixed(2)} of a hand-written route`,
      goal: `at least ${goal.toFixed(2)}`,
      holds: share >= goal,
    });
    const perSecond = [limit, service].map(({ requestsPerSecond }) => requestsPerSecond.toFixed(0));
    const latency = [service.p50, service.p99, `${limit.p50} / ${limit.p99}`].map(String);
    reportLine(line(name, ...perSecond, share.toFixed(2), ...latency, `${goal.toFixed(2)} ${verdict}`));
  }
}
