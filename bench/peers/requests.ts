import { createTestPurser } from "@purser/testing";
import { sample, transactions } from "../foundation/contract.ts";
import { type Target, measure, startTarget } from "../load.ts";
import { Table, type TableRow } from "../table.ts";
import { installPeers, startPeer } from "./start.ts";
import { newSecrets, variablesOfService } from "../whole-service.ts";

const names = ["hono-zod", "fastify", "hono-zod-openapi", "orpc", "trpc"] as const;

/**
 * Each time all servers start again. What the first seconds made of a process, such as its compiled code, stays: two processes of
 * one build differ by some percent for as long as they live.
 */
const starts = 5;
const roundsOfStart = 2;

/** Compares the whole service, with its log on, with what else one would serve the same contract with. */
export async function peerRequests(): Promise<void> {
  await installPeers();
  const tables = {
    rest: new Table("A small answer over REST", "Hono, zod by hand"),
    get: new Table("A small answer over RPC with GET", "tRPC, fetch adapter"),
    post: new Table("A small answer over RPC with POST", "tRPC, fetch adapter"),
    pages: new Table(`A page of ${transactions.length} transactions`, "Hono, c.json by hand"),
  };
  const purser = await createTestPurser();
  try {
    for (let start = 0; start < starts; start += 1)
      await measureOnce(purser.platform.settings.databaseUrl!, tables);
  } finally {
    await purser.close();
  }
  for (const table of Object.values(tables)) table.report();
}

type Tables = Readonly<Record<"rest" | "get" | "post" | "pages", Table>>;

async function measureOnce(databaseUrl: string, tables: Tables): Promise<void> {
  const targets: Target[] = [];
  const started = async (target: Promise<Target>) => {
    targets.push(await target);
    return targets.at(-1)!.baseUrl;
  };
  try {
    const service = await started(
      startTarget("foundation/service.ts", serviceEnvironment(databaseUrl), "ignore"),
    );
    const urls = {} as Record<(typeof names)[number], string>;
    for (const name of names) urls[name] = await started(startPeer(name));
    await compareSmall(tables, service, urls);
    await comparePages(tables, service, urls);
  } finally {
    for (const target of targets) await target.stop();
  }
}

/** The settings of a production service that matter here, and a caller for its calls in process. */
export function serviceEnvironment(databaseUrl: string): Record<string, string> {
  return {
    ...variablesOfService(databaseUrl, newSecrets()),
    LOG_LEVEL: "info",
    BENCH_CALLER: "{}",
    BENCH_ORGANIZATION: sample.id,
  };
}

type Urls = Readonly<Record<(typeof names)[number], string>>;

async function compareSmall(tables: Tables, service: string, urls: Urls): Promise<void> {
  const path = `/api/bench/${sample.id}`;
  const rest = answering(JSON.stringify(sample));
  await tables.rest.measure(
    [
      await rest("Hono, zod by hand", urls["hono-zod"] + path),
      await rest("Fastify, fastify-type-provider-zod", urls.fastify + path),
      await rest("@hono/zod-openapi", urls["hono-zod-openapi"] + path),
      await rest("oRPC, OpenAPI handler", urls.orpc + path),
      await rest("trpc-to-openapi", urls.trpc + path),
      await rest("our REST in the whole service, log on", service + path, 0.75),
    ],
    roundsOfStart,
  );
  const input = JSON.stringify({ id: sample.id });
  const orpcInput = JSON.stringify({ json: { id: sample.id } });
  const query = `?input=${encodeURIComponent(input)}`;
  await tables.get.measure(
    [
      await rest("tRPC, fetch adapter", `${urls.trpc}/fetch/bench.sample${query}`),
      await rest("tRPC, @hono/trpc-server", `${urls.trpc}/trpc/bench.sample${query}`),
      await rest("oRPC, RPC handler", `${urls.orpc}/rpc/sample?data=${encodeURIComponent(orpcInput)}`),
      await rest("our tRPC in the whole service, log on", `${service}/trpc/bench.sample${query}`, 1),
    ],
    roundsOfStart,
  );
  await tables.post.measure(
    [
      await rest("tRPC, fetch adapter", `${urls.trpc}/fetch/bench.sample`, undefined, input),
      await rest("tRPC, @hono/trpc-server", `${urls.trpc}/trpc/bench.sample`, undefined, input),
      await rest("oRPC, RPC handler", `${urls.orpc}/rpc/sample`, undefined, orpcInput),
      await rest("our tRPC in the whole service, log on", `${service}/trpc/bench.sample`, 1, input),
    ],
    roundsOfStart,
  );
}

async function comparePages(tables: Tables, service: string, urls: Urls): Promise<void> {
  const path = "/api/bench/transactions";
  // Dates look different on each transport, so this looks for the last item alone.
  const page = answering(transactions.at(-1)!.id);
  await tables.pages.measure(
    [
      await page("Hono, c.json by hand", `${urls["hono-zod"]}/unchecked/transactions`),
      await page("Hono, zod by hand", urls["hono-zod"] + path),
      await page("Fastify, fastify-type-provider-zod", urls.fastify + path),
      await page("@hono/zod-openapi, output unchecked", urls["hono-zod-openapi"] + path),
      await page("oRPC, OpenAPI handler", urls.orpc + path),
      await page("oRPC, RPC handler", `${urls.orpc}/rpc/transactions`),
      await page("trpc-to-openapi", urls.trpc + path),
      await page("tRPC, fetch adapter", `${urls.trpc}/fetch/bench.transactions`),
      await page("our REST in the whole service, log on", service + path, 0.95),
      await page("our tRPC in the whole service, log on", `${service}/trpc/bench.transactions`, 0.95),
    ],
    roundsOfStart,
  );
}

/** Returns a function that makes rows of a table, and first checks that the answer has this text. */
function answering(
  expected: string,
): (name: string, url: string, goal?: number, body?: string) => Promise<TableRow> {
  return async (name, url, goal, body) => {
    const post = body !== undefined && {
      method: "POST",
      body,
      headers: { "content-type": "application/json" },
    };
    const text = await (await fetch(url, { ...post })).text();
    if (!text.includes(expected)) throw new Error(`${name} answers differently: ${text.slice(0, 500)}`);
    const take = () => measure({ url, ...(body !== undefined && { body }) });
    return goal === undefined ? [name, take] : [name, take, goal];
  };
}
