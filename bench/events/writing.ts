import { join } from "node:path";
import { type BuildPlugin, repositoryRoot } from "../../apps/server/bundle.ts";
import { sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import { type Issued, issueCards, purchasesOf, useCards } from "../cards/setup.ts";
import { type Sender, type Target, openSender, startTarget } from "../load.ts";
import { processSeconds, serverSeconds } from "../processor.ts";
import { recordGoal, reportLine } from "../report.ts";
import { line, newSecrets, variablesOfService } from "../scaling/service.ts";

/** The goal: what events may add to the time of a change. */
const goal = 0.1;
/** Many short blocks: the speed of a machine changes within seconds, and what both sides share of it cancels out. */
const measuringSeconds = 6;
const warmingSeconds = 3;
/**
 * Each time both services start again. What the first seconds made of a process, such as its compiled code, stays: two
 * processes of one build differ by some percent for as long as they live.
 */
const starts = 10;

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
  const measured = new Map<string, [Cost, Cost][]>();
  try {
    for (let start = 0; start < starts; start += 1) {
      const sides: Side[] = [];
      try {
        for (const plugins of [[], [omittingEvents]]) {
          const target = await startTarget("service.ts", environment, "inherit", plugins);
          sides.push({ issued, target, secrets, token });
        }
        for (const [title, load] of Object.entries(loads))
          measured.set(title, [...(measured.get(title) ?? []), ...(await measurePairs(sides, load))]);
      } finally {
        for (const { target } of sides) await target.stop();
      }
    }
  } finally {
    await issued.close();
  }
  for (const [title, pairs] of measured) report(title, pairs);
}

async function measurePairs(sides: readonly Side[], load: Load): Promise<[Cost, Cost][]> {
  const senders = await Promise.all(sides.map(load.open));
  const measureFor = async (seconds: number) => {
    const pairs: [Cost, Cost][] = [];
    for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
      const pair: Cost[] = [];
      // The second of a pair meets warmer caches, so each side is first every other time.
      for (const nth of pairs.length % 2 === 0 ? [0, 1] : [1, 0])
        pair[nth] = await measureBlock(sides[nth]!, senders[nth]!, load);
      pairs.push([pair[0]!, pair[1]!]);
    }
    return pairs;
  };
  try {
    await measureFor(warmingSeconds);
    // Some tables have only now what their plans should be for.
    await sides[0]!.issued.sql`ANALYZE`;
    await measureFor(1);
    return await measureFor(measuringSeconds);
  } finally {
    for (const sender of senders) sender.close();
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

/** Requests of one kind. */
interface Load {
  /** The number of requests in a block. */
  block: number;
  open(side: Side): Promise<Sender>;
  /** Makes room for a block. Not measured. */
  prepare?(side: Side): Promise<unknown>;
}

const decisionsOf = (count: number): Load => ({
  block: 400,
  async open({ issued, target, secrets }) {
    const purchase = purchasesOf(issued, issued.cardIds.slice(0, count));
    const secret = sandboxSecret(secrets, "cards");
    const next = () => {
      const body = JSON.stringify(purchase());
      return { body, headers: Object.fromEntries(signSandboxEvent(secret, Buffer.from(body), new Date())) };
    };
    const url = `${target.baseUrl}/api/webhooks/cards/sandbox`;
    return openSender(url, next, { atOnce: 32, expected: JSON.stringify({ approved: true, reason: null }) });
  },
});

const mutationsOf = (
  method: "POST" | "PATCH",
  requestOf: (issued: Issued) => Promise<{ path: string; body: (nth: number) => object }>,
  prepare?: Load["prepare"],
): Load => ({
  block: 100,
  async open({ issued, target, token }) {
    const { path, body } = await requestOf(issued);
    const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
    let count = 0;
    const next = () => {
      count += 1;
      return { body: JSON.stringify(body(count)), headers };
    };
    return openSender(`${target.baseUrl}${path}`, next, { atOnce: 8, method });
  },
  ...(prepare && { prepare }),
});

/** Organizations that keys are created in, because each may have few. */
const organizationsWithKeys = 200;

const loads: Record<string, Load> = {
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
  "keys.create": mutationsOf(
    "POST",
    async ({ purser, owner }) => {
      const ids: string[] = [];
      for (let nth = 0; nth < organizationsWithKeys; nth += 1) ids.push(await purser.organization(owner));
      return {
        path: "/api/keys",
        body: (nth) => ({ organizationId: ids[nth % ids.length], name: "Export", access: "read" }),
      };
    },
    ({ issued: { sql } }) => sql`DELETE FROM organization_keys`,
  ),
};

/** What a block of requests took, in seconds. */
interface Cost {
  /** The number of requests. */
  count: number;
  time: number;
  /** Processor time, of which the kernel counts hundredths of a second. */
  service: number;
  postgres: number;
}

async function measureBlock(side: Side, sender: Sender, { block, prepare }: Load): Promise<Cost> {
  await prepare?.(side);
  const { pid } = side.target;
  const { sql } = side.issued;
  const before = { service: processSeconds(pid), postgres: await serverSeconds(sql) };
  const time = await sender.send(block);
  return {
    count: block,
    time,
    service: processSeconds(pid) - before.service,
    postgres: (await serverSeconds(sql)) - before.postgres,
  };
}

function report(title: string, pairs: [Cost, Cost][]): void {
  const time = median(pairs.map(([one, other]) => one.time / other.time)) - 1;
  // Sums, because a block has only some hundredths of a second.
  const [withEvents, without] = ([0, 1] as const).map((side) => {
    const sum = (of: keyof Cost) => pairs.reduce((total, pair) => total + pair[side][of], 0);
    const each = (of: keyof Cost) => (sum(of) * 1e6) / sum("count");
    return { perSecond: sum("count") / sum("time"), service: each("service"), postgres: each("postgres") };
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

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
