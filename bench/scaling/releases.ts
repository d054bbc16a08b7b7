import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { join, relative, resolve } from "node:path";
import { bankingTasks } from "@purser/banking";
import { sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import {
  type BlockLoad,
  type ComparedService,
  type Pair,
  averageOf,
  decisionsOf,
  listsByKey,
  listsOfOrganizations,
  measurePairs,
  pagesOfTransactions,
  percent,
  requestsOf,
  updatesOfOrganization,
} from "../alternate.ts";
import { issueCards, useCards } from "../cards/setup.ts";
import { openSender, startTarget } from "../load.ts";
import { reportLine } from "../report.ts";
import { newSecrets, variablesOfService } from "../whole-service.ts";
import { addTransactions } from "./rows.ts";
import { line } from "../table.ts";

const seconds = { warmingSeconds: 3, measuringSeconds: 6 };
/** See `events/writing`. */
const starts = 4;
const transactions = 20_000;

/** Events of a payment provider. The service stores each before it responds. */
const receivedWebhooks: BlockLoad = {
  block: 400,
  open({ target, secrets }) {
    const secret = sandboxSecret(secrets, "billing");
    const next = () => {
      const data = { organizationId: "org_1", subscriptionId: "sub_1" };
      const body = JSON.stringify({ id: randomUUID(), type: "subscription.updated", data });
      return { body, headers: Object.fromEntries(signSandboxEvent(secret, Buffer.from(body), new Date())) };
    };
    const options = { atOnce: 32, expected: JSON.stringify({ received: true }) };
    return Promise.resolve(openSender(`${target.baseUrl}/api/webhooks/billing/local`, next, options));
  },
};

/** Reads of an organization with these parameters. */
const readsOf = (
  path: string,
  parameters: Record<string, string>,
  { accept, ...more }: { accept?: string; block?: number; atOnce?: number } = {},
): BlockLoad => {
  const owner = path.startsWith("/api/banking") ? "teamId" : "organizationId";
  return requestsOf(
    "GET",
    ({ organizationId }) => {
      const query = new URLSearchParams({ [owner]: organizationId, ...parameters }).toString();
      return Promise.resolve({ path: `${path}?${query}`, ...(accept !== undefined && { accept }) });
    },
    { block: 40, ...more },
  );
};

const history = "/api/banking/transactions";
const twoYears = { from: "2023-01-01", to: "2024-12-31" };

const loads: Record<string, BlockLoad> = {
  "pages of 50 transactions": pagesOfTransactions,
  "a list of one card, by an organization's key": listsByKey,
  "a person's organizations": listsOfOrganizations,
  "decisions on 1,000 cards": decisionsOf(1000),
  "decisions on one card": decisionsOf(1),
  "an audited change": updatesOfOrganization,
  "a search for a word": readsOf(history, { query: "coffee", limit: "50" }),
  "a search for two digits": readsOf(history, { query: "17", limit: "50" }),
  [`a file of ${transactions} transactions`]: readsOf(
    history,
    {},
    { accept: "text/csv", block: 6, atOnce: 2 },
  ),
  "balances of two years": readsOf("/api/banking/reports/balances", twoYears),
  "cash flow by month": readsOf("/api/banking/reports/cashflow", { ...twoYears, interval: "month" }),
  "spending by card": readsOf("/api/cards/reports/spending", { ...twoYears, groupBy: "card" }),
  "a received webhook": receivedWebhooks,
};

/**
 * Compares the service with that of another checkout, whose folder `OTHER_CHECKOUT` names, alternately: one started from it before a
 * change, for example. Both serve one database, with the schema of this one.
 */
export async function releases(): Promise<void> {
  const { OTHER_CHECKOUT: folder } = process.env;
  if (folder === undefined) return reportLine("Skipped: OTHER_CHECKOUT names no folder of another checkout.");
  const secrets = newSecrets();
  const issued = await issueCards(1000, secrets);
  await useCards(issued);
  await addTransactions(issued.sql, issued.organizationId, { from: 1, to: transactions });
  // Makes the transactions searchable, among other things.
  for (const task of bankingTasks(issued.purser.platform)) await task();
  await issued.sql`VACUUM ANALYZE bank_transactions`;
  const token = await issued.purser.auth.openSession(issued.owner.userId);
  const environment = {
    ...variablesOfService(issued.purser.platform.settings.databaseUrl!, secrets),
    LOCAL_BILLING: "1",
  };
  const modules = [relative(import.meta.dirname, join(resolve(folder), "bench")), ".."];
  const measured = new Map<string, Pair[]>();
  try {
    for (let start = 0; start < starts; start += 1) {
      const sides: ComparedService[] = [];
      try {
        for (const path of modules) {
          const target = await startTarget(join("scaling", path, "service.ts"), environment);
          sides.push({ issued, target, secrets, token, servers: [issued.sql] });
        }
        const [other, own] = sides as [ComparedService, ComparedService];
        for (const [title, load] of Object.entries(loads)) {
          const pairs = await measurePairs([other, own], load, seconds);
          measured.set(title, [...(measured.get(title) ?? []), ...pairs]);
        }
      } finally {
        for (const { target } of sides) await target.stop();
      }
    }
  } finally {
    await issued.close();
  }
  const commit = execFileSync("git", ["-C", folder, "rev-parse", "--short", "HEAD"], { encoding: "utf8" });
  reportLine(`\nProcessor time of a request in µs, one block after the other; before: ${commit.trim()}\n`);
  reportLine(line("", "both", "database", "before", "now", "service", "before", "now"));
  for (const [title, pairs] of measured) {
    const [before, now] = [averageOf(pairs, 0), averageOf(pairs, 1)];
    const both = (now.servers[0]! + now.service) / (before.servers[0]! + before.service) - 1;
    const cells = [
      [before.servers[0]!, now.servers[0]!],
      [before.service, now.service],
    ].flatMap(([one, other]) => [percent(other! / one! - 1), one!.toFixed(0), other!.toFixed(0)]);
    reportLine(line(title, percent(both), ...cells));
  }
}
