import { distributedDatabaseUrl, startTestServer } from "@purser/testing";
import postgres, { type Sql } from "postgres";
import {
  type BlockLoad,
  type Pair,
  type ComparedService,
  averageOf,
  decisionsOf,
  listsByKey,
  listsOfOrganizations,
  measurePairs,
  pagesOfTransactions,
  updatesOfOrganization,
} from "../alternate.ts";
import { type Issued, issueCards } from "../cards/setup.ts";
import { recordGoal, reportLine } from "../report.ts";
import { addTransactions } from "./rows.ts";
import { type Secrets, newSecrets, startServiceTarget } from "../whole-service.ts";
import { type RequestCost, simulate } from "./simulation.ts";
import { line } from "../table.ts";

const seconds = { warmingSeconds: 3, measuringSeconds: 12 };
const transactions = 20_000;

/** What a load may cost on a cluster: processor time of all its databases, as a multiple of one PostgreSQL's. */
interface Measured {
  load: BlockLoad;
  organizations: number;
  atMost?: number;
  /** The share of it that the coordinator may have. */
  coordinatorAtMost?: number;
}

const loads: Record<string, Measured> = {
  "pages of 50 transactions": {
    organizations: 1,
    atMost: 1.5,
    load: pagesOfTransactions,
  },
  "decisions, 1 organization with 1,000 cards": {
    organizations: 1,
    atMost: 3,
    coordinatorAtMost: 0.1,
    load: decisionsOf(1000),
  },
  "decisions, 50 organizations with 20 cards each": {
    organizations: 50,
    atMost: 3,
    coordinatorAtMost: 0.1,
    load: decisionsOf(1000),
  },
  "a list of one card, by an organization's key": {
    organizations: 50,
    atMost: 3,
    load: listsByKey,
  },
  "a person's 50 organizations": {
    organizations: 50,
    atMost: 3,
    load: listsOfOrganizations,
  },
  "an audited change": { organizations: 1, load: updatesOfOrganization },
};

/** Compares a Citus cluster with one PostgreSQL under the same service, alternately. */
export async function distributed(): Promise<void> {
  if (distributedDatabaseUrl === null)
    return reportLine("Skipped: DISTRIBUTED_DATABASE_URL names no cluster of Citus.");
  const costs = new Map<string, RequestCost>();
  for (const organizations of [1, 50]) {
    const secrets = newSecrets();
    const cluster = await openComparedService(organizations, secrets);
    const server = await startTestServer({ single: true });
    const plain = await openComparedService(organizations, secrets);
    try {
      if (organizations === 1) await reportVersions(plain, cluster);
      for (const [title, measured] of Object.entries(loads)) {
        if (measured.organizations !== organizations) continue;
        costs.set(
          title,
          report(title, measured, await measurePairs([plain, cluster], measured.load, seconds)),
        );
      }
    } finally {
      await plain.close();
      await server.stop();
      await cluster.close();
    }
  }
  simulate(costs);
}

/** Says what is compared. The head of the report names the embedded PostgreSQL. */
async function reportVersions(plain: ComparedService, cluster: ComparedService): Promise<void> {
  const versions = await Promise.all([plain, cluster].map(({ issued }) => issued.sql`SHOW server_version`));
  const [one, other] = versions.map(([row]) => String(Object.values(row!)[0]).split(" ")[0]);
  const [citus] = await cluster.issued
    .sql`SELECT extversion AS version FROM pg_extension WHERE extname = 'citus'`;
  const workers = cluster.servers.length - 1;
  reportLine(
    `\nPostgreSQL ${one}, and Citus ${citus!["version"]} on PostgreSQL ${other} with ${workers} workers, one block after the other\n`,
  );
  reportLine(line("", "plain /s", "cluster /s", "plain µs", "cluster µs", "coordinator", "times"));
}

type OpenedService = ComparedService & { close(): Promise<void> };

/** Starts a service on a new database of the present test server. */
async function openComparedService(organizations: number, secrets: Secrets): Promise<OpenedService> {
  const issued = await issueCards(1000 / organizations, secrets, { organizations });
  const { purser, organizationId, owner } = issued;
  await addTransactions(issued.sql, organizationId, { from: 1, to: transactions });
  const token = await purser.auth.openSession(owner.userId);
  const target = await startServiceTarget(purser.platform.settings.databaseUrl!, secrets);
  const servers = await serversOf(issued);
  // As autovacuum does within minutes, also for the catalogs of Citus.
  for (const server of servers) await server`ANALYZE`;
  const close = async () => {
    await target.stop();
    for (const server of servers) if (server !== issued.sql) await server.end();
    await issued.close();
  };
  return { issued, target, secrets, token, servers, close };
}

/** The coordinator, or the one PostgreSQL, comes first. */
async function serversOf({ purser, sql }: Issued): Promise<Sql[]> {
  if (purser.platform.nodes === null) return [sql];
  const workers = await sql<{ host: string; port: number }[]>`
    SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE groupid <> 0 ORDER BY groupid`;
  const addressOf = ({ host, port }: { host: string; port: number }) => {
    const address = new URL(purser.platform.settings.databaseUrl!);
    address.hostname = host;
    address.port = String(port);
    return address.href;
  };
  return [sql, ...workers.map((worker) => postgres(addressOf(worker), { max: 1 }))];
}

function report(title: string, { atMost, coordinatorAtMost }: Measured, pairs: readonly Pair[]): RequestCost {
  const [plain, cluster] = [averageOf(pairs, 0), averageOf(pairs, 1)];
  const [coordinator, ...workers] = cluster.servers as [number, ...number[]];
  const worker = workers.reduce((sum, cost) => sum + cost, 0);
  const [one] = plain.servers as [number];
  const times = (coordinator + worker) / one;
  const figures = [plain.perSecond, cluster.perSecond, one, coordinator + worker, coordinator];
  reportLine(line(title, ...figures.map((figure) => figure.toFixed(0)), times.toFixed(2)));
  if (atMost !== undefined)
    recordGoal({
      what: `Processor time of databases on a cluster: ${title}`,
      measured: `${times.toFixed(2)} times one PostgreSQL's`,
      goal: `at most ${atMost} times`,
      holds: times <= atMost,
    });
  if (coordinatorAtMost !== undefined) {
    const share = coordinator / (coordinator + worker);
    recordGoal({
      what: `The coordinator's share of it: ${title}`,
      measured: `${(share * 100).toFixed(1)} %`,
      goal: `at most ${coordinatorAtMost * 100} %`,
      holds: share <= coordinatorAtMost,
    });
  }
  return { plain: one, coordinator, worker };
}
