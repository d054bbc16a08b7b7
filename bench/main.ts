import { parseArgs } from "node:util";
import { startTestServer } from "@purser/testing";
import { csv } from "./banking/csv.ts";
import { firstSync } from "./banking/first-sync.ts";
import { history } from "./banking/history.ts";
import { lists } from "./banking/lists.ts";
import { search } from "./banking/search.ts";
import { bankReports } from "./banking/reports.ts";
import { accepting } from "./billing/accepting.ts";
import { applying } from "./billing/applying.ts";
import { hanging } from "./billing/hanging.ts";
import { backtest } from "./cards/backtest.ts";
import { decisions } from "./cards/decisions.ts";
import { longHistory } from "./cards/long-history.ts";
import { policyEdit } from "./cards/policy-edit.ts";
import { cardReports } from "./cards/reports.ts";
import { timeZone } from "./cards/time-zone.ts";
import { pages } from "./console/pages.ts";
import { streams } from "./events/streams.ts";
import { hostileClients } from "./foundation/hostile-clients.ts";
import { webhooks } from "./events/webhooks.ts";
import { writing } from "./events/writing.ts";
import { requests } from "./foundation/requests.ts";
import { peerRequests } from "./peers/requests.ts";
import { peerSessions } from "./peers/sessions.ts";
import { recordLines, writeSection } from "./report.ts";
import { distributed } from "./scaling/distributed.ts";
import { growth } from "./scaling/growth.ts";
import { processes } from "./scaling/processes.ts";
import { releases } from "./scaling/releases.ts";
import { replica } from "./scaling/replica.ts";

const parts: Record<string, () => Promise<void>> = {
  "foundation/requests": requests,
  "foundation/hostile-clients": hostileClients,
  "banking/first-sync": firstSync,
  "banking/history": history,
  "banking/lists": lists,
  "banking/csv": csv,
  "banking/search": search,
  "banking/reports": bankReports,
  "cards/decisions": decisions,
  "cards/long-history": longHistory,
  "cards/policy-edit": policyEdit,
  "cards/time-zone": timeZone,
  "cards/backtest": backtest,
  "cards/reports": cardReports,
  "billing/accepting": accepting,
  "billing/applying": applying,
  "billing/hanging": hanging,
  "console/pages": pages,
  "events/webhooks": webhooks,
  "events/streams": streams,
  "events/writing": writing,
  "scaling/processes": processes,
  "scaling/replica": replica,
  "scaling/distributed": distributed,
  "scaling/releases": releases,
  "scaling/growth": growth,
  "peers/requests": peerRequests,
  "peers/sessions": peerSessions,
};

/** `pnpm bench [part or area …] [--write]`; see README.md. */
const { values, positionals } = parseArgs({
  options: { write: { type: "boolean", default: false } },
  allowPositionals: true,
});
const chosen = positionals.length === 0 ? Object.keys(parts) : positionals.flatMap(partsNamed);

// The embedded database without fsync, for both sides of each comparison.
const server = await startTestServer();
try {
  for (const name of chosen) {
    const recorded = recordLines();
    await parts[name]!();
    if (values.write) await writeSection(name, recorded());
  }
} finally {
  await server.stop();
}

function partsNamed(name: string): string[] {
  const found = Object.keys(parts).filter((part) => part === name || part.startsWith(`${name}/`));
  if (found.length > 0) return found;
  throw new Error(`There is no benchmark ${name}. Choose from: ${Object.keys(parts).join(", ")}`);
}
