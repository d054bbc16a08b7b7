import { Agent, get } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTestDatabase } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { builtService, databasePid, startService, stopServices, temporaryFolder } from "./testing/process.ts";

const rounds = process.env["PURSER_PROFILE"] === "nightly" ? 50 : 1;
const folder = temporaryFolder();
const script = await builtService();
const quiet = { LOG_LEVEL: "warn", REQUESTS_PER_CALLER: "1000000" };
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let env: Record<string, string>;
beforeAll(async () => {
  database = await createTestDatabase();
  env = { ...quiet, DATA_DIR: join(folder.path, "data"), DATABASE_URL: database.url, SEED_DEMO: "0" };
});
afterAll(async () => {
  await stopServices();
  await database?.drop();
  folder.remove();
});

interface OutcomeCounts {
  completed: number;
  /** Connections that the service never accepted, so no request is lost. */
  refused: number;
  lost: string[];
}

/**
 * Sends requests one after another until the service refuses connections, over one connection or a new one for each.
 */
async function sendUntilRefused(url: string, counts: OutcomeCounts, keepAlive: boolean): Promise<void> {
  const agent = new Agent({ keepAlive, maxSockets: 1 });
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

describe("SIGTERM under load", () => {
  it.each([
    ["kept-alive connections", true],
    ["a connection for each request", false],
  ])(
    "completes every accepted request over %s, and exits within 10 seconds",
    { timeout: rounds * 30_000 },
    async (_over, keepAlive) => {
      for (let round = 0; round < rounds; round += 1) {
        const service = await startService({ script, env });
        const counts: OutcomeCounts = { completed: 0, refused: 0, lost: [] };
        const clients = Array.from({ length: 20 }, () => sendUntilRefused(service.url, counts, keepAlive));
        await sleep(500 + 37 * (round % 10));
        const { code, ms } = await service.stop("SIGTERM");
        await Promise.all(clients);
        expect(counts.lost).toEqual([]);
        expect(counts.completed).toBeGreaterThan(20);
        expect(counts.refused).toBe(20);
        expect([code, ms < 10_000]).toEqual([0, true]);
      }
    },
  );

  it(
    "waits for a request whose body is still arriving, but not for idle connections",
    { timeout: 60_000 },
    async () => {
      const service = await startService({ script, env });
      const port = Number(new URL(service.url).port);
      const idle = connect(port, "127.0.0.1");
      const slow = connect(port, "127.0.0.1");
      let received = "";
      slow.on("data", (chunk) => (received += chunk));
      const head =
        "POST /api/organizations HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 15\r\n\r\n";
      slow.write(`${head}{"name":`);
      await sleep(200);
      const stopped = service.stop("SIGTERM");
      await sleep(1000);
      slow.write('"Acme"}');
      const { code, ms } = await stopped;
      expect(code).toBe(0);
      expect(ms).toBeLessThan(5000);
      expect(received).toMatch(/^HTTP\/1\.1 401 /);
      expect(received).toMatch(/connection: close/i);
      idle.destroy();
      slow.destroy();
    },
  );

  // The last two tests mostly wait, so they run concurrently. Each has its own database to shut down.
  it.concurrent(
    "drops a request that never ends, and still exits within 10 seconds",
    { timeout: 60_000 },
    async () => {
      const service = await startService({
        script,
        env: { ...quiet, DATA_DIR: join(folder.path, "stuck") },
      });
      const stuck = connect(Number(new URL(service.url).port), "127.0.0.1");
      stuck.on("error", () => undefined);
      stuck.write("POST /api/organizations HTTP/1.1\r\nhost: localhost\r\ncontent-length: 15\r\n\r\n");
      await sleep(200);
      const { code, ms } = await service.stop("SIGTERM");
      expect(code).toBe(0);
      expect(ms).toBeGreaterThan(5000);
      expect(ms).toBeLessThan(10_000);
      stuck.destroy();
    },
  );

  it.concurrent("exits at once on a second signal", { timeout: 60_000 }, async () => {
    const dataDir = join(folder.path, "hurried");
    const service = await startService({ script, env: { ...quiet, DATA_DIR: dataDir } });
    expect(databasePid(dataDir)).not.toBeNull();
    const stuck = connect(Number(new URL(service.url).port), "127.0.0.1");
    stuck.on("error", () => undefined);
    stuck.write("POST /api/organizations HTTP/1.1\r\nhost: localhost\r\ncontent-length: 15\r\n\r\n");
    await sleep(200);
    service.signal("SIGINT");
    await sleep(800);
    const { code, ms } = await service.stop("SIGINT");
    expect(code).toBe(130);
    expect(ms).toBeLessThan(2000);
    expect(databasePid(dataDir)).toBeNull();
    stuck.destroy();
  });
});
