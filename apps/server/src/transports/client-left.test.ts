import { type Socket, connect } from "node:net";
import {
  type Person,
  countWaitingForLocks,
  distributedDatabaseUrl,
  stayIdle,
  testSettings,
} from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createMetrics } from "../operations/metrics.ts";
import { type HttpServer, listen } from "../process/http-server.ts";
import { type TestService, createTestService } from "../testing/service.ts";

/** Six pages of a backtest. */
const history = 30_000;

const { registry, edge } = createMetrics();
let service: TestService;
let server: HttpServer;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  service = await createTestService();
  server = await listen(service.app.fetch, { ...testSettings(), port: 0 }, edge);
  const { purser } = service;
  owner = await purser.person();
  organizationId = await purser.organization(owner);
  const { banking, cards } = purser.as(owner);
  const bank = { provider: "sandbox", providerId: "sprout-bank", consentId: "leaver" } as const;
  await banking.connections.connect({ teamId: organizationId, ...bank });
  const [account] = await banking.accounts.list({ teamId: organizationId });
  const { id: policyId } = await cards.policies.create({ organizationId, name: "Policy" });
  const { id: cardId } = await cards.create({
    organizationId,
    assignedToId: owner.userId,
    fundingAccountId: account!.id,
    policyId,
    purpose: "BUSINESS",
  });
  // In batches, because one statement for all takes long on a busy machine, and no event is read past it meanwhile.
  for (let first = 1; first <= history; first += 5000)
    await purser.db.execute(sql`
      INSERT INTO card_transactions (organization_id, id, card_id, status, amount, currency, merchant_name, channel,
        authorized, held, cleared, refunded, purchased_at, local_day, created_at, settled_at)
      SELECT ${organizationId}, 'ctx_' || lpad(n::text, 26, '0'), ${cardId}, 'COMPLETED', 100, 'GBP', 'Merchant',
        'in_store', 100, 0, 100, 0, at, at::date, at, at
      FROM (SELECT n, timestamptz '2000-01-01T00:00:00Z' + n * interval '1 minute' AS at
        FROM generate_series(${first}::int, ${first + 4999}::int) AS n) AS history`);
});
afterAll(async () => {
  server.cut();
  await service.close();
});

/** A client with a connection of its own, and what it has received so far. */
interface Client {
  socket: Socket;
  received: string;
}

/** Sends a request for a backtest. */
async function requestBacktest(path: string): Promise<Client> {
  const body = JSON.stringify({ organizationId, policy: {} });
  const headers = {
    ...(await service.signedIn(owner)),
    host: "localhost",
    connection: "close",
    "content-type": "application/json",
    "content-length": body.length,
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const client = {
    socket: connect({ port: server.port, host: "127.0.0.1", allowHalfOpen: true }),
    received: "",
  };
  client.socket.setEncoding("utf8").on("data", (text: string) => (client.received += text));
  client.socket.write(`POST ${path} HTTP/1.1\r\n${head.join("")}\r\n${body}`);
  return client;
}

async function openConnections(): Promise<number> {
  const { values } = await registry.getSingleMetric("purser_http_connections")!.get();
  return values[0]!.value;
}

/** The requests that are handled now, without the one that asks. */
async function requestsInFlight(): Promise<number> {
  const metrics = await (await service.app.request("/metrics")).text();
  return Number(/^http_requests_in_flight (\d+)$/m.exec(metrics)?.[1]) - 1;
}

/** Holds the first page of a backtest until `leave` has resolved. Returns the number of pages that were read until its end. */
async function pagesOf(path: string, leave: (client: Client) => Promise<unknown>): Promise<number> {
  const { db } = service.purser;
  const { options } = db.$client;
  let pages = 0;
  options.debug = (_connection, statement) => {
    if (statement.includes("purchasedAt")) pages += 1;
  };
  try {
    await db.transaction(async (transaction) => {
      await stayIdle(transaction);
      await transaction.execute(sql`LOCK TABLE card_transactions IN ACCESS EXCLUSIVE MODE`);
      const client = await requestBacktest(path);
      await expect.poll(() => countWaitingForLocks(db)).toBe(1);
      await leave(client);
      expect(await requestsInFlight()).toBe(1);
    });
    await expect.poll(requestsInFlight).toBe(0);
    return pages;
  } finally {
    options.debug = false;
  }
}

// On a cluster, a page is read from a shard, which the lock of the table does not hold up.
describe.skipIf(distributedDatabaseUrl !== null)("a backtest of many pages", () => {
  const rest = "/api/cards/policies/backtest";

  it.each([
    ["REST", "resets its connection", rest],
    ["tRPC", "resets its connection", "/trpc/cards.policies.backtest"],
    ["REST", "closes its connection, as an aborted fetch does", rest],
  ] as const)("over %s reads no further page when the client %s", async (_transport, how, path) => {
    const pages = await pagesOf(path, async ({ socket }) => {
      if (how === "resets its connection") socket.resetAndDestroy();
      else socket.destroy();
      await expect.poll(openConnections).toBe(0);
    });
    expect(pages).toBe(1);
  });

  it("is answered to a client that has closed only its own side", async () => {
    const clients: Client[] = [];
    const pages = await pagesOf(rest, async (client) => {
      clients.push(client);
      client.socket.end();
      await expect.poll(() => client.received).toContain("HTTP/1.1 102 Processing\r\n\r\n".repeat(2));
    });
    expect(pages).toBeGreaterThan(history / 5000);
    await expect.poll(() => clients[0]!.received).toContain(`"evaluated":${history}`);
    expect(clients[0]!.received).toMatch(/\r\n\r\nHTTP\/1\.1 200 /);
  });
});
