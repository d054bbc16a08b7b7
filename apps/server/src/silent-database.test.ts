// @module-tag slow
import { setTimeout as sleep } from "node:timers/promises";
import { type Database, connect } from "@purser/db";
import { createTestDatabase, startTcpProxy, builtService, isNightly } from "@purser/testing";
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from "vitest";
import { StreamFollower } from "./testing/stream-follower.ts";
import { type ServiceProcess, startService, stopServices, temporaryFolder } from "@purser/testing/process";

/** How long the network swallows packets, in milliseconds: below and above the time that a statement has. */
const silences = isNightly ? [2000, 4000, 8000, 20_000, 60_000] : [3000, 9000];
/** How soon each process serves every request again. Measured only where nothing else takes the processor. */
const limitMs = 5000;
/** How often the listening connection proves that it lives. */
const heartbeatMs = 5000;
const folder = temporaryFolder();
let script: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
/** A connection past the proxy, which is never silent. */
let direct: Database;
let proxy: Awaited<ReturnType<typeof startTcpProxy>>;
let service: ServiceProcess;
let token = "";

beforeAll(async () => {
  script = await builtService();
});
beforeEach(async () => {
  database = await createTestDatabase();
  direct = connect(database.url, { max: 1 });
  proxy = await startTcpProxy(database.url);
  const env = {
    DATA_DIR: folder.path,
    DATABASE_URL: proxy.url,
    SEED_DEMO: "0",
    LOG_LEVEL: "warn",
    REQUESTS_PER_CALLER: "1000000",
  };
  service = await startService({ script, env });
  token = "";
  const account = { email: "ada@example.com", password: "correct horse battery", name: "Ada" };
  const signedUp = await send("/api/auth/sign-up/email", account);
  token = signedUp.headers.get("set-auth-token")!;
});
afterEach(async () => {
  await stopServices();
  await proxy.close();
  await direct.close();
  await database.drop();
});
afterAll(() => folder.remove());

function send(path: string, body?: object, method = "POST"): Promise<Response> {
  return fetch(service.url + path, {
    headers: { "content-type": "application/json", ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { method, body: JSON.stringify(body) }),
  });
}

const createOrganization = () => send("/api/organizations", { name: "Acme" });

async function readiness(): Promise<{ status: number; body: unknown; ms: number }> {
  const start = performance.now();
  const response = await send("/health/ready");
  return { status: response.status, body: await response.json(), ms: performance.now() - start };
}

/** The backends that the service has begun to listen on for events. A silent one stays in the list. */
async function listeners(): Promise<number[]> {
  const rows = await direct.execute<{ pid: number }>(
    "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'LISTEN \"purser_events\"'",
  );
  return rows.map(({ pid }) => pid);
}

/** Waits until readiness is as given. Returns the time that it took, in milliseconds. */
async function untilReady(status: number): Promise<number> {
  const start = performance.now();
  await expect.poll(async () => (await readiness()).status, { interval: 50 }).toBe(status);
  return performance.now() - start;
}

describe("a database that falls silent", () => {
  it.each(silences)(
    "answers every request, shows it in its readiness, and serves again soon after %i ms of silence",
    async (silenceMs) => {
      let answers: Response[] = [];
      const serves = async () => {
        answers = await Promise.all(Array.from({ length: 20 }, createOrganization));
        return answers.every(({ status }) => status === 201);
      };
      await expect.poll(serves, { interval: 50 }).toBe(true);
      const { id: organizationId } = (await answers[0]!.json()) as { id: string };
      const update = (name: string) => send(`/api/organizations/${organizationId}`, { name }, "PATCH");
      const stream = new StreamFollower({ organizationId, token, port: () => service.port });
      await stream.opened;
      expect((await update("Before")).status).toBe(200);
      await expect.poll(() => stream.seen.length).toBe(1);
      const listeningBefore = await listeners();
      proxy.silence();
      const start = performance.now();
      const during = [...Array.from({ length: 30 }, createOrganization), update("During")];
      const unreadyMs = await untilReady(503);
      if (isNightly) expect(unreadyMs).toBeLessThan(limitMs);
      await sleep(silenceMs - 300 - (performance.now() - start));
      // Sent just before the network is back, on connections that look sound: they are the last to be given up.
      during.push(...Array.from({ length: 30 }, createOrganization));
      await sleep(300);
      proxy.restore();
      const restored = performance.now();
      await untilReady(200);
      await expect.poll(serves, { interval: 50 }).toBe(true);
      if (isNightly) expect(performance.now() - restored).toBeLessThan(limitMs);
      for (const { status } of await Promise.all(during)) expect([200, 201, 503]).toContain(status);

      // Nothing is missing in the stream, and the connection that has lost a heartbeat has another one after it.
      const replaced = async () => (await listeners()).some((pid) => !listeningBefore.includes(pid));
      if (silenceMs > heartbeatMs) await expect.poll(replaced).toBe(true);
      expect((await update("After")).status).toBe(200);
      // A transaction on a connection that was given up holds the feed until the database ends it.
      await expect
        .poll(() => stream.seen.at(-1), { timeout: 60_000 })
        .toMatchObject({ data: { name: "After" } });
      const feed = await send(`/api/events/feed?organizationId=${organizationId}`);
      const { events } = (await feed.json()) as { events: { id: string }[] };
      expect(stream.seen).toEqual(events);
      await stream.close();
    },
  );

  it.each([
    ["as soon as it is unready", 0],
    // By then pg-boss waits for the response to a poll, which takes longer than a shutdown may.
    ["10 s later", 10_000],
  ])("exits with code 0 within 10 s after SIGTERM %s", async (_when, laterMs) => {
    await createOrganization();
    proxy.silence();
    await untilReady(503);
    await sleep(laterMs);
    const outcomes = Promise.allSettled(Array.from({ length: 20 }, createOrganization));
    const { code, ms } = await service.stop("SIGTERM");
    // The rest of the time is for a busy machine.
    expect(ms).toBeLessThan(15_000);
    expect(code).toBe(0);
    // A connection that the end of the process cuts has no response.
    for (const outcome of await outcomes)
      if (outcome.status === "fulfilled") expect(outcome.value.status).toBe(503);
  });
});

describe("a table that another program has locked", () => {
  it("leaves the process ready, which names the pool that is slow", async () => {
    const other = connect(database.url, { max: 1, idleInTransactionTimeoutMs: 60_000 });
    const release = Promise.withResolvers<void>();
    const locked = Promise.withResolvers<void>();
    const locking = other.transaction(async (transaction) => {
      await transaction.execute("LOCK TABLE sessions, organizations IN ACCESS EXCLUSIVE MODE");
      locked.resolve();
      await release.promise;
    });
    await locked.promise;
    const over = new AbortController();
    const waiting = Promise.all(Array.from({ length: 40 }, createOrganization)).finally(() => over.abort());
    await expect
      .poll(readiness, { interval: 20 })
      .toMatchObject({ status: 200, body: { status: "ok", slow: ["main"] } });
    const metrics = await (await send("/metrics")).text();
    expect(metrics).toContain("purser_database_up 1");
    // Until each of them has waited for the lock as long as it may.
    while (!over.signal.aborted) {
      // A busy machine may be unready for a moment.
      await expect.poll(readiness, { interval: 20 }).toMatchObject({ status: 200 });
      await sleep(100);
    }
    for (const { status } of await waiting) expect(status).toBe(503);
    release.resolve();
    await locking;
    await expect.poll(async () => (await readiness()).body).toEqual({ status: "ok" });
    await other.close();
  });
});
