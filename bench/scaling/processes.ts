import { randomUUID } from "node:crypto";
import { sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import { median } from "../alternate.ts";
import { type Issued, issueCards } from "../cards/setup.ts";
import type { Figure } from "../calls.ts";
import { type Target, measure, measurePosts } from "../load.ts";
import { reportLine } from "../report.ts";
import { addTransactions } from "./rows.ts";
import { type Secrets, newSecrets, startServiceTarget } from "../whole-service.ts";
import { line } from "../table.ts";

const rounds = 15;
const transactions = 100_000;
const cards = 1000;

/**
 * Compares one server process with two, under the same load on one database. They share the machine with the database
 * and the load generator, so on two cores the result shows contention rather than the gain.
 */
export async function processes(): Promise<void> {
  const secrets = newSecrets();
  const issued = await issueCards(cards, secrets);
  const { purser, owner, organizationId } = issued;
  await addTransactions(issued.sql, organizationId, { from: 1, to: transactions });
  const headers = { authorization: `Bearer ${await purser.auth.openSession(owner.userId)}` };
  const databaseUrl = purser.platform.settings.databaseUrl!;
  const one = await startServiceTarget(databaseUrl, secrets);
  const other = await startServiceTarget(databaseUrl, secrets);
  try {
    const page = `/api/banking/transactions?teamId=${organizationId}&limit=50`;
    const read = ({ baseUrl }: Target) => measure({ url: `${baseUrl}${page}`, headers });
    const decide = decisionsOf(issued, secrets);
    // Replaces the plans for empty tables. Autovacuum would analyze the tables within a minute.
    await together([decide(one), decide(other)]);
    await issued.sql`ANALYZE`;
    const pages: Round[] = [];
    const decisions: Round[] = [];
    for (let round = 0; round < rounds; round += 1) {
      pages.push([await read(one), await together([read(one), read(other)])]);
      decisions.push([await decide(one), await together([decide(one), decide(other)])]);
    }
    reportLine(`\nOne server process and two, one after the other in each of ${rounds} rounds: medians\n`);
    reportLine(line("", "one", "two", "p99 ms", "(one)", "two to one", "lowest", "highest"));
    print("pages of 50 transactions a second", pages);
    print("card decisions a second", decisions);
    await check(issued);
  } finally {
    await one.stop();
    await other.stop();
    await issued.close();
  }
}

/** Adds up the results of two concurrent loads. */
async function together(loads: Promise<Figure>[]): Promise<Figure> {
  const figures = await Promise.all(loads);
  return {
    requestsPerSecond: figures.reduce((sum, { requestsPerSecond }) => sum + requestsPerSecond, 0),
    p50: Math.max(...figures.map(({ p50 }) => p50)),
    p99: Math.max(...figures.map(({ p99 }) => p99)),
  };
}

/** Yields purchases, cycling through the cards. Both processes receive the same cards. */
function decisionsOf({ referenceOf, cardIds }: Issued, secrets: Secrets) {
  const secret = sandboxSecret(secrets, "cards");
  let count = 0;
  const next = () => {
    count += 1;
    const data = {
      card: referenceOf(cardIds[count % cardIds.length]!),
      at: new Date().toISOString(),
      amount: 1250,
      currency: "GBP",
      channel: "online",
      merchant: { name: "Corner Coffee", id: "acceptor-1", category: "5814", country: "GB" },
    };
    const body = JSON.stringify({ id: randomUUID(), type: "authorization.request", data });
    return { body, headers: Object.fromEntries(signSandboxEvent(secret, Buffer.from(body), new Date())) };
  };
  const expected = JSON.stringify({ approved: true, reason: null });
  return ({ baseUrl }: Target) =>
    measurePosts(`${baseUrl}/api/webhooks/cards/sandbox`, next, { atOnce: 20, expected });
}

/** Checks that each card's usage equals the sum of its events after concurrent decisions of two processes. */
async function check({ sql }: Issued): Promise<void> {
  const wrong = await sql`
    SELECT FROM (SELECT card_id, sum(counted) AS counted FROM card_events GROUP BY card_id) AS events
    JOIN (SELECT card_id, sum(used) AS used FROM card_counters WHERE period = 'MONTH' GROUP BY card_id) AS counters
      USING (card_id)
    WHERE counted <> used`;
  reportLine(`\ncards whose counters are not the sum of their purchases: ${wrong.length}`);
  if (wrong.length > 0) process.exitCode = 1;
}

/** The figures of one process, and right after that of two. */
type Round = readonly [one: Figure, two: Figure];

function print(name: string, measured: Round[]): void {
  const perSecond = ([0, 1] as const).map((which) =>
    median(measured.map((round) => round[which].requestsPerSecond)).toFixed(0),
  );
  const p99 = ([1, 0] as const).map((which) => String(median(measured.map((round) => round[which].p99))));
  const ratios = measured.map(([one, two]) => two.requestsPerSecond / one.requestsPerSecond);
  const spread = [median(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) => ratio.toFixed(2));
  reportLine(line(name, ...perSecond, ...p99, ...spread));
}
