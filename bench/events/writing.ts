import { join } from "node:path";
import { type BuildPlugin, repositoryRoot } from "../../apps/server/bundle.ts";
import {
  type BlockLoad,
  type Pair,
  type ComparedService,
  averageOf,
  decisionsOf,
  measurePairs,
  median,
  percent,
  requestsOf,
  updatesOfOrganization,
} from "../alternate.ts";
import { issueCards, useCards } from "../cards/setup.ts";
import { startTarget } from "../load.ts";
import { recordGoal, reportLine } from "../report.ts";
import { newSecrets, variablesOfService } from "../whole-service.ts";
import { line } from "../table.ts";

/** The goal: what events may add to the time of a change. */
const goal = 0.1;
const seconds = { warmingSeconds: 3, measuringSeconds: 6 };
/**
 * Each time both services start again. What the first seconds made of a process, such as its compiled code, stays: two
 * processes of one build differ by some percent for as long as they live.
 */
const starts = 10;

/** Compares the service with the same build that writes no events, alternately. */
export async function writing(): Promise<void> {
  const secrets = newSecrets();
  const issued = await issueCards(1000, secrets);
  await useCards(issued);
  const token = await issued.purser.auth.openSession(issued.owner.userId);
  const environment = variablesOfService(issued.purser.platform.settings.databaseUrl!, secrets);
  const measured = new Map<string, Pair[]>();
  try {
    for (let start = 0; start < starts; start += 1) {
      const sides: ComparedService[] = [];
      try {
        for (const plugins of [[], [omittingEvents]]) {
          const target = await startTarget("service.ts", environment, "inherit", plugins);
          sides.push({ issued, target, secrets, token, servers: [issued.sql] });
        }
        // Both services have one database, so PostgreSQL plans alike for both.
        const [one, other] = sides as [ComparedService, ComparedService];
        for (const [title, load] of Object.entries(loads)) {
          const pairs = await measurePairs([one, other], load, seconds);
          measured.set(title, [...(measured.get(title) ?? []), ...pairs]);
        }
      } finally {
        for (const { target } of sides) await target.stop();
      }
    }
  } finally {
    await issued.close();
  }
  for (const [title, pairs] of measured) report(title, pairs);
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

/** Organizations that keys are created in, because each may have few. */
const organizationsWithKeys = 200;

const loads: Record<string, BlockLoad> = {
  "decisions on 1,000 cards": decisionsOf(1000),
  "decisions on one card": decisionsOf(1),
  "organizations.update": updatesOfOrganization,
  "cards.create": requestsOf("POST", async ({ purser, owner, organizationId, policyId }) => {
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
  "keys.create": requestsOf(
    "POST",
    async ({ purser, owner }) => {
      const ids: string[] = [];
      for (let nth = 0; nth < organizationsWithKeys; nth += 1) ids.push(await purser.organization(owner));
      return {
        path: "/api/keys",
        body: (nth) => ({ organizationId: ids[nth % ids.length], name: "Export", access: "read" }),
      };
    },
    { prepare: ({ issued: { sql } }) => sql`DELETE FROM organization_keys` },
  ),
};

function report(title: string, pairs: readonly Pair[]): void {
  const time = median(pairs.map(([one, other]) => one.time / other.time)) - 1;
  const [withEvents, without] = ([0, 1] as const).map((side) => {
    const { perSecond, service, servers } = averageOf(pairs, side);
    return { perSecond, service, postgres: servers[0]! };
  });
  const processorOf = ({ service, postgres }: { service: number; postgres: number }) => service + postgres;
  const processor = processorOf(withEvents!) / processorOf(without!) - 1;
  const holds = time <= goal;
  const verdict = recordGoal({
    what: `Writing events adds to the time of ${title}`,
    measured: `${percent(time)}, ${percent(processor)} of processor time`,
    goal: `at most ${percent(goal)}`,
    holds,
  });
  reportLine(`\n${title}: ${pairs.length} pairs of blocks, one after the other, in ${starts} starts\n`);
  reportLine(line("", "requests/s", "service µs", "postgres µs"));
  for (const [name, each] of [
    ["with events", withEvents!],
    ["without", without!],
  ] as const)
    reportLine(line(name, ...Object.values(each).map((figure) => figure.toFixed(0))));
  reportLine(`${percent(time)} of the time, ${percent(processor)} of processor time: ${verdict}`);
}
