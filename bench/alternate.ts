import { sandboxSecret, signSandboxEvent } from "@purser/platform/inbox";
import type { Sql } from "postgres";
import { type Issued, purchasesOf } from "./cards/setup.ts";
import { type Sender, type Target, openSender } from "./load.ts";
import { processSeconds, serverSeconds } from "./processor.ts";
import type { Secrets } from "./whole-service.ts";

/** A service, and what the requests to it need. */
export interface ComparedService {
  issued: Issued;
  target: Target;
  secrets: Secrets;
  /** Of the owner's session. */
  token: string;
  /** The database servers whose processor time is measured. */
  servers: readonly Sql[];
}

/** Requests of one kind. */
export interface BlockLoad {
  /** The number of requests in a block: many short ones, see {@link measurePairs}. */
  block: number;
  open(side: ComparedService): Promise<Sender>;
  /** Makes room for a block. Not measured. */
  prepare?(side: ComparedService): Promise<unknown>;
}

/** What a block of requests took, in seconds. */
export interface Cost {
  /** The number of requests. */
  count: number;
  time: number;
  /** Processor time, of which the kernel counts hundredths of a second. */
  service: number;
  /** That of each database server. */
  servers: readonly number[];
}

export type Pair = readonly [one: Cost, other: Cost];

/**
 * Sends blocks to two services alternately. The speed of a machine changes within seconds, and what both sides share of it
 * cancels out in a pair.
 */
export async function measurePairs(
  sides: readonly [ComparedService, ComparedService],
  load: BlockLoad,
  { warmingSeconds, measuringSeconds }: { warmingSeconds: number; measuringSeconds: number },
): Promise<Pair[]> {
  const senders = await Promise.all(sides.map(load.open));
  const measureFor = async (seconds: number) => {
    const pairs: Pair[] = [];
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
    for (const { issued } of sides) await issued.sql`ANALYZE`;
    await measureFor(1);
    return await measureFor(measuringSeconds);
  } finally {
    for (const sender of senders) sender.close();
  }
}

async function measureBlock(
  side: ComparedService,
  sender: Sender,
  { block, prepare }: BlockLoad,
): Promise<Cost> {
  await prepare?.(side);
  const before = await processorTimes(side);
  const time = await sender.send(block);
  const after = await processorTimes(side);
  return {
    count: block,
    time,
    service: after.service - before.service,
    servers: after.servers.map((seconds, nth) => seconds - before.servers[nth]!),
  };
}

async function processorTimes({ target, servers }: ComparedService) {
  return { service: processSeconds(target.pid), servers: await Promise.all(servers.map(serverSeconds)) };
}

/** Purchases with the first `count` cards. */
export const decisionsOf = (count: number): BlockLoad => ({
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

/** Requests of the owner. Each has a path and, unless it reads, a body. */
export const requestsOf = (
  method: "GET" | "POST" | "PATCH",
  requestOf: (issued: Issued) => Promise<{
    path: string;
    body?: (nth: number) => object;
    credential?: Record<string, string>;
    accept?: string;
  }>,
  { block = 100, atOnce = 8, prepare }: Partial<Omit<BlockLoad, "open">> & { atOnce?: number } = {},
): BlockLoad => ({
  block,
  async open({ issued, target, token }) {
    const {
      path,
      body,
      credential = { authorization: `Bearer ${token}` },
      accept = "application/json",
    } = await requestOf(issued);
    const headers = { accept, "content-type": "application/json", ...credential };
    let count = 0;
    const next = () => {
      count += 1;
      return { body: body && JSON.stringify(body(count)), headers };
    };
    return openSender(`${target.baseUrl}${path}`, next, { atOnce, method });
  },
  ...(prepare && { prepare }),
});

/** Eight callers rename one organization, so they wait for each other. */
export const updatesOfOrganization = requestsOf("PATCH", async ({ organizationId }) => ({
  path: `/api/organizations/${organizationId}`,
  body: (nth) => ({ name: `Name ${nth}` }),
}));

/** Pages of 50 transactions. */
export const pagesOfTransactions = requestsOf("GET", async ({ organizationId }) => ({
  path: `/api/banking/transactions?teamId=${organizationId}&limit=50`,
}));

/** A list of one card, by an organization's key. */
export const listsByKey = requestsOf("GET", async ({ purser, organizationId, owner }) => {
  const { key } = await purser.as(owner).keys.create({ organizationId, name: "Bench", access: "read" });
  return {
    path: `/api/cards?organizationId=${organizationId}&limit=1`,
    credential: { "x-api-key": key },
  };
});

/** The organizations of a person. */
export const listsOfOrganizations = requestsOf("GET", () => Promise.resolve({ path: "/api/organizations" }));

/** What one request took on one side, on average: sums, because a block has only some hundredths of a second. */
export function averageOf(pairs: readonly Pair[], side: 0 | 1) {
  const costs = pairs.map((pair) => pair[side]);
  const sum = (of: (cost: Cost) => number) => costs.reduce((total, cost) => total + of(cost), 0);
  const count = sum((cost) => cost.count);
  return {
    perSecond: count / sum(({ time }) => time),
    /** In microseconds. */
    service: (sum(({ service }) => service) * 1e6) / count,
    servers: costs[0]!.servers.map((_, nth) => (sum(({ servers }) => servers[nth]!) * 1e6) / count),
  };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = values.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}

export const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
