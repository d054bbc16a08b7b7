// @module-tag slow
import { once } from "node:events";
import { Agent, get } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase, builtService, isNightly } from "@purser/testing";
import { type TestContext, afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ServiceProcess,
  databasePid,
  startService,
  stopServices,
  temporaryFolder,
} from "@purser/testing/process";

const rounds = isNightly ? 50 : 1;
/** How long balancers have to notice. A busy machine needs longer. */
const delaySeconds = isNightly ? 3 : 8;
const folder = temporaryFolder();
let script: string;
const quiet = { LOG_LEVEL: "warn", REQUESTS_PER_CALLER: "1000000", SEED_DEMO: "0" };
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let env: Record<string, string>;
beforeAll(async () => {
  script = await builtService();
  database = await createTestDatabase();
  env = { ...quiet, DATA_DIR: join(folder.path, "data"), DATABASE_URL: database.url };
});
afterAll(async () => {
  await stopServices();
  await database?.drop();
  folder.remove();
});

interface OutcomeCounts {
  completed: number;
  /** Connections that the service did not accept, so no request is lost. */
  refused: number;
  lost: string[];
}

/** Sends requests one after another over one connection, until the service refuses connections. */
async function sendUntilRefused(url: string, counts: OutcomeCounts): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (;;) {
    const outcome = await outcomeOf(`${url}/health/ready`, agent);
    if (outcome === "completed") counts.completed += 1;
    else if (outcome === "ECONNREFUSED") {
      counts.refused += 1;
      return agent.destroy();
    } else counts.lost.push(outcome);
  }
}

function outcomeOf(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve) => {
    const request = get(url, { agent }, (response) => {
      response.resume().on("end", () => resolve("completed"));
      response.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
    request.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}

/** Sends one request over its own raw connection. Returns the status, or null without any response. */
async function statusOverNewConnection(
  port: number,
  path: string,
  requestId: string,
): Promise<number | null> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => (received += String(chunk)));
  socket.on("error", () => undefined);
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Request-Id: ${requestId}\r\nConnection: close\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once("close", resolve));
  return received === "" ? null : Number(received.split(" ")[1]);
}

/**
 * Waits until the service handles a request, besides the one that asks for its metrics. Concurrent tests each have an
 * `expect` of their own.
 */
async function requestIsOpen({ url }: ServiceProcess, test: Pick<TestContext, "expect">): Promise<void> {
  const inFlight = async () => {
    const metrics = await (await fetch(`${url}/metrics`)).text();
    return Number(/^http_requests_in_flight (\d+)$/m.exec(metrics)?.[1]);
  };
  await test.expect.poll(inFlight).toBe(2);
}

describe("SIGTERM under load", () => {
  it(
    "completes every request over kept-alive connections, and exits within 10 seconds",
    { timeout: rounds * 240_000 },
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const service = await startService({ script, env });
        const counts: OutcomeCounts = { completed: 0, refused: 0, lost: [] };
        const clients = Array.from({ length: 20 }, () => sendUntilRefused(service.url, counts));
        // A different part of the load in each round.
        await expect.poll(() => counts.completed, { interval: 5 }).toBeGreaterThan(40 + 37 * (round % 10));
        const { code, ms } = await service.stop("SIGTERM");
        await Promise.all(clients);
        expect(counts.lost).toEqual([]);
        expect(counts.refused).toBe(20);
        expect([code, ms < 10_000]).toEqual([0, true]);
      }
    },
  );

  it(
    "completes every request that it has read, with a new connection for each",
    { timeout: rounds * 240_000 },
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const service = await startService({ script, env: { ...env, LOG_LEVEL: "info" } });
        const { port } = service;
        let completed = 0;
        const over = new AbortController();
        const lost: string[] = [];
        // A path that the service logs, unlike the probes.
        const send = async (client: number) => {
          for (let count = 0; !over.signal.aborted; count += 1) {
            const requestId = `request-${round}-${client}-${count}`;
            const status = await statusOverNewConnection(port, "/nope", requestId);
            if (status === 404) completed += 1;
            else lost.push(requestId);
          }
        };
        const clients = Array.from({ length: 20 }, (_, client) => send(client));
        await expect.poll(() => completed, { interval: 5 }).toBeGreaterThan(40 + 37 * (round % 10));
        const { code, ms } = await service.stop("SIGTERM");
        over.abort();
        await Promise.all(clients);
        expect([code, ms < 10_000]).toEqual([0, true]);
        // The rest was refused, or reset before it was read, and a client may send it again.
        const read = new Set(service.output().match(/request-\d+-\d+-\d+(?=")/g));
        expect(read.size).toBeGreaterThan(20);
        expect(lost.filter((requestId) => read.has(requestId))).toEqual([]);
        expect(completed).toBe(read.size);
      }
    },
  );

  it(
    "loses nothing of clients that stop connecting when /health/ready says so",
    { timeout: rounds * 240_000 },
    async () => {
      for (let round = 0; round < rounds; round += 1) {
        const delayed = { ...env, SHUTDOWN_DELAY_SECONDS: String(delaySeconds) };
        const service = await startService({ script, env: delayed });
        const { port } = service;
        const statuses: (number | null)[] = [];
        let isStopping = false;
        // As a load balancer does: requests go to the process only while its last probe was good.
        const balance = async () => {
          for (;;) {
            const probe = await statusOverNewConnection(port, "/health/ready", "probe-of-balancer");
            if (probe === 200)
              statuses.push(await statusOverNewConnection(port, "/health/live", "through-balancer"));
            // On a busy machine, a process may be unready for a moment before it stops.
            else if (isStopping) return;
          }
        };
        const balancers = Array.from({ length: 20 }, balance);
        await expect.poll(() => statuses.length, { interval: 5 }).toBeGreaterThan(40 + 37 * (round % 10));
        isStopping = true;
        const stopped = service.stop("SIGTERM");
        await Promise.all(balancers);
        // The process still answers a balancer that has not noticed yet.
        expect(await statusOverNewConnection(port, "/health/ready", "probe-of-balancer")).toBe(503);
        const { code, ms } = await stopped;
        expect(new Set(statuses)).toEqual(new Set([200]));
        expect([code, ms < delaySeconds * 1000 + 10_000]).toEqual([0, true]);
      }
    },
  );

  it("waits for a request whose body is still arriving, but not for idle connections", async (context) => {
    const service = await startService({ script, env });
    const port = Number(new URL(service.url).port);
    const idle = connect(port, "127.0.0.1");
    const slow = connect(port, "127.0.0.1");
    let received = "";
    slow.on("data", (chunk) => (received += chunk));
    const head =
      "POST /api/organizations HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 15\r\n\r\n";
    slow.write(`${head}{"name":`);
    await requestIsOpen(service, context);
    const stopped = service.stop("SIGTERM");
    idle.resume();
    await once(idle, "close");
    slow.write('"Acme"}');
    const { code, ms } = await stopped;
    expect(code).toBe(0);
    // Sooner than a request is dropped.
    expect(ms).toBeLessThan(7000);
    expect(received).toMatch(/^HTTP\/1\.1 401 /);
    expect(received).toMatch(/connection: close/i);
    idle.destroy();
    slow.destroy();
  });

  // The last two tests mostly wait, so they run concurrently.
  it.concurrent("drops a request that never ends, and still exits within 10 seconds", async (context) => {
    const service = await startService({ script, env });
    const stuck = connect(Number(new URL(service.url).port), "127.0.0.1");
    stuck.on("error", () => undefined);
    stuck.write("POST /api/organizations HTTP/1.1\r\nhost: localhost\r\ncontent-length: 15\r\n\r\n");
    await requestIsOpen(service, context);
    const { code, ms } = await service.stop("SIGTERM");
    expect(code).toBe(0);
    expect(ms).toBeGreaterThan(5000);
    expect(ms).toBeLessThan(10_000);
    stuck.destroy();
  });

  it.concurrent("exits at once on a second signal", async (context) => {
    const dataDir = join(folder.path, "hurried");
    const service = await startService({ script, env: { ...quiet, DATA_DIR: dataDir } });
    expect(databasePid(dataDir)).not.toBeNull();
    const stuck = connect(Number(new URL(service.url).port), "127.0.0.1");
    stuck.on("error", () => undefined);
    stuck.write("POST /api/organizations HTTP/1.1\r\nhost: localhost\r\ncontent-length: 15\r\n\r\n");
    await requestIsOpen(service, context);
    service.signal("SIGINT");
    // It has taken the first signal once it refuses connections.
    const probe = () =>
      fetch(`${service.url}/health/live`).then(
        () => "answered",
        () => "refused",
      );
    await context.expect.poll(probe).toBe("refused");
    // The service takes two signals within 300 ms for one, because terminals and package managers both send them.
    await sleep(500);
    const { code, ms } = await service.stop("SIGINT");
    expect(code).toBe(130);
    // Sooner than the request is dropped. The process itself does not wait for a database that takes long to stop.
    expect(ms).toBeLessThan(5000);
    await context.expect.poll(() => databasePid(dataDir)).toBeNull();
    stuck.destroy();
  });
});
