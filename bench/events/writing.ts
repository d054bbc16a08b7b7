import { join } from "node:path";
import { type BuildPlugin, repositoryRoot } from "../../apps/server/bundle.ts";
import { sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import { type Issued, issueCards, purchasesOf, useCards } from "../cards/setup.ts";
import { type Target, measurePosts, startTarget } from "../load.ts";
import { processSeconds, serverSeconds } from "../processor.ts";
import { recordGoal, reportLine } from "../report.ts";
import { line, newSecrets, variablesOfService } from "../scaling/service.ts";

/** The goal: what events may add to the time of a change. */
const goal = 0.1;
/** Many short pairs: the speed of a machine changes within seconds, and what they share of it cancels out. */
const pairs = 31;
const warmingPairs = 4;
const measuring = { seconds: 1, isWarm: true };

/** A service, and what the requests to it need. Both services have one database, so PostgreSQL plans alike for both. */
interface Side {
  issued: Issued;
  target: Target;
  secrets: ReturnType<typeof newSecrets>;
  token: string;
}

/** Compares the service with the same build that writes no events, alternately. */
export async function writing(): Promise<void> {
  const secrets = newSecrets();
  const issued = await issueCards(1000, secrets);
  await useCards(issued);
  const token = await issued.purser.auth.openSession(issued.owner.userId);
  const environment = variablesOfService(issued.purser.platform.settings.databaseUrl!, secrets);
  const sides: Side[] = [];
  try {
    for (const plugins of [[], [omittingEvents]]) {
      const target = await startTarget("service.ts", environment, "inherit", plugins);
      sides.push({ issued, target, secrets, token });
    }
    for (const [title, load] of Object.entries(loads)) {
      const run = sides.map(load);
      const measured: [Cost, Cost][] = [];
      for (let pair = 0; pair < warmingPairs + pairs; pair += 1) {
        const both: Cost[] = [];
        // The second of a pair meets warmer caches, so each side is first every other time.
        for (const nth of pair % 2 === 0 ? [0, 1] : [1, 0])
          both[nth] = await measureCost(sides[nth]!, run[nth]!);
        // The first pairs only warm up, and fill the tables that are analyzed then.
        if (pair >= warmingPairs) measured.push([both[0]!, both[1]!]);
        else await issued.sql`ANALYZE`;
      }
      report(title, measured);
    }
  } finally {
    for (const { target } of sides) await target.stop();
    await issued.close();
  }
}

/** What takes the place of `@purser/platform/events`, and of `rules/event-of-transaction.ts`. */
const withoutEvents = `
  import { EventLog as WritingEventLog } from "./log.ts";
  import { sql } from "drizzle-orm";
  export { eventChannel } from "./log.ts";
  export { createdEventId, eventColumns, openEventData } from "./rows.ts";
  export class EventLog extends WritingEventLog { announce() {} }
  export const recordEvent = async () => undefined;
  export const recordEvents = async () => undefined;
  export const eventOrigin = async () => null;
  export const eventRow = () => ({});
  export const announceAfterCommit = () => undefined;
  // A part of a statement that nothing refers to, so PostgreSQL does not run it.
  export const eventTransactionId = sql\`0\`;
  export const insertingEvents = () => sql\`SELECT\`;
  export const insertingEventsFrom = insertingEvents;
  export const eventOfTransaction = () => ({});`;

const omittingEvents: BuildPlugin = {
  name: "omitting-events",
  setup(build) {
    const namespace = "without-events";
    const resolveDir = join(repositoryRoot, "packages/platform/src/events");
    const replaced = /^@purser\/platform\/events$|event-of-transaction\.ts$/;
    build.onResolve({ filter: replaced }, () => ({ path: namespace, namespace }));
    build.onLoad({ filter: /./, namespace }, () => ({ contents: withoutEvents, loader: "ts", resolveDir }));
  },
};

/** Sends a number of requests, and returns how many a second. */
type Run = (counted: () => void) => Promise<number>;

const decisionsOf =
  (count: number) =>
  ({ issued, target, secrets }: Side): Run => {
    const purchase = purchasesOf(issued, issued.cardIds.slice(0, count));
    const secret = sandboxSecret(secrets, "cards");
    const expected = JSON.stringify({ approved: true, reason: null });
    return async (counted) => {
      const next = () => {
        counted();
        const body = JSON.stringify(purchase());
        return { body, headers: Object.fromEntries(signSandboxEvent(secret, Buffer.from(body), new Date())) };
      };
      const url = `${target.baseUrl}/api/webhooks/cards/sandbox`;
      return (await measurePosts(url, next, { atOnce: 32, expected, ...measuring })).requestsPerSecond;
    };
  };

const mutationsOf =
  (
    method: "POST" | "PATCH",
    requestOf: (
      issued: Issued,
    ) => Promise<{ path: string; body: (nth: number) => object; reset?: () => Promise<unknown> }>,
  ) =>
  ({ issued, target, token }: Side): Run => {
    const prepared = requestOf(issued);
    let count = 0;
    return async (counted) => {
      const { path, body, reset } = await prepared;
      await reset?.();
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const next = () => {
        counted();
        count += 1;
        return { body: JSON.stringify(body(count)), headers };
      };
      const url = `${target.baseUrl}${path}`;
      return (await measurePosts(url, next, { atOnce: 8, method, ...measuring })).requestsPerSecond;
    };
  };

/** Organizations that keys are created in, because each may have few. */
const organizationsWithKeys = 200;

const loads: Record<string, (side: Side) => Run> = {
  "decisions on 1,000 cards": decisionsOf(1000),
  "decisions on one card": decisionsOf(1),
  "organizations.update": mutationsOf("PATCH", async ({ organizationId }) => ({
    path: `/api/organizations/${organizationId}`,
    body: (nth) => ({ name: `Name ${nth}` }),
  })),
  "cards.create": mutationsOf("POST", async ({ purser, owner, organizationId, policyId }) => {
    const accounts = await purser.as(owner).banking.accounts.list({ teamId: organizationId });
    const { id: fundingAccountId } = accounts.find(({ currency }) => currency === "GBP")!;
    const card = {
      organizationId,
      fundingAccountId,
      policyId,
      assignedToId: owner.userId,
      purpose: "BUSINESS",
    };
    return { path: "/api/cards", body: () => card };
  }),
  "keys.create": mutationsOf("POST", async ({ purser, owner, sql }) => {
    const ids: string[] = [];
    for (let nth = 0; nth < organizationsWithKeys; nth += 1) ids.push(await purser.organization(owner));
    return {
      path: "/api/keys",
      body: (nth) => ({ organizationId: ids[nth % ids.length], name: "Export", access: "read" }),
      reset: () => sql`DELETE FROM organization_keys`,
    };
  }),
};

/** What a request takes. */
interface Cost {
  perSecond: number;
  /** Processor time of the service and of PostgreSQL, in microseconds. */
  service: number;
  postgres: number;
}

async function measureCost({ issued: { sql }, target }: Side, run: Run): Promise<Cost> {
  let count = 0;
  const before = [processSeconds(target.pid), await serverSeconds(sql)] as const;
  const perSecond = await run(() => void (count += 1));
  const each = (seconds: number) => (seconds * 1e6) / count;
  const service = each(processSeconds(target.pid) - before[0]);
  return { perSecond, service, postgres: each((await serverSeconds(sql)) - before[1]) };
}

function report(title: string, measured: [Cost, Cost][]): void {
  const medians = (of: keyof Cost) =>
    ([0, 1] as const).map((side) => median(measured.map((pair) => pair[side][of])));
  const added = (of: (cost: Cost) => number) =>
    median(measured.map(([one, other]) => of(one) / of(other) - 1));
  const time = added(({ perSecond }) => 1 / perSecond);
  const processor = added(({ service, postgres }) => service + postgres);
  const holds = time <= goal;
  const verdict = recordGoal({
    what: `Writing events adds to the time of ${title}`,
    measured: `${percent(time)}, ${percent(processor)} of processor time`,
    goal: `at most ${percent(goal)}`,
    holds,
  });
  reportLine(`\n${title}: medians of ${measured.length} pairs, one after the other\n`);
  reportLine(line("", "requests/s", "service µs", "postgres µs"));
  for (const [nth, name] of ["with events", "without"].entries()) {
    const cells = (["perSecond", "service", "postgres"] as const).map((of) => medians(of)[nth]!.toFixed(0));
    reportLine(line(name, ...cells));
  }
  reportLine(`${percent(time)} of the time, ${percent(processor)} of processor time: ${verdict}`);
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
