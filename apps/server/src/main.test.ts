// @module-tag slow
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { connect as openPool } from "@purser/db";
import { builtService, createEmptyTestDatabase, createTestDatabase, startTcpProxy } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  databasePid,
  runService,
  startService,
  stopServices,
  temporaryFolder,
} from "@purser/testing/process";

const folder = temporaryFolder();
// The tests of a start from the sources say so. The others start the bundle, which is faster.
let script: string;
beforeAll(async () => {
  script = await builtService();
});
afterAll(async () => {
  await stopServices();
  folder.remove();
});

/** A few sentences and no stack. */
function expectOneParagraph(output: string): void {
  expect(output.trim().split("\n")).toHaveLength(1);
  expect(output).not.toMatch(/\bat .*:\d+:\d+|node:internal|Error:/);
}

/** A delay that outlasts every test. */
const neverOver = { SHUTDOWN_DELAY_SECONDS: "600" };

async function signIn(url: string, email: string): Promise<Response> {
  return fetch(`${url}/api/auth/sign-in/email`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email, password: "purser-demo-1" }),
  });
}

describe("a start in development", () => {
  const dataDir = join(folder.path, "development");

  it("prints addresses and sign-ins that work, and Ctrl-C leaves nothing behind", async () => {
    const service = await startService({ env: { DATA_DIR: dataDir } });
    await expect.poll(service.output).toContain("Purser is ready.");
    for (const email of ["owner@demo.example", "member@demo.example", "admin@demo.example"]) {
      expect(service.output()).toContain(email);
      expect((await signIn(service.url, email)).status).toBe(200);
    }
    const database = databasePid(dataDir);
    expect(database).not.toBeNull();

    // A package manager forwards the signal that the terminal has already sent.
    service.signal("SIGINT");
    const { code, ms } = await service.stop("SIGINT");
    expect(code).toBe(0);
    expect(ms).toBeLessThan(10_000);
    expect(databasePid(dataDir)).toBeNull();
    await expect(fetch(`${service.url}/health/live`)).rejects.toThrow("fetch failed");
  });

  it("names the port that the system chose in all of its addresses", async () => {
    const service = await startService({ script, env: { DATA_DIR: dataDir } });
    await expect.poll(service.output).toContain(`Start page           http://localhost:${service.port}\n`);
    expect((await service.stop("SIGTERM")).code).toBe(0);
  });

  it("keeps all data after a kill -9, and seeds only once", async () => {
    const killed = await startService({ script, env: { DATA_DIR: dataDir } });
    const token = (await signIn(killed.url, "owner@demo.example")).headers.get("set-auth-token");
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const created = await fetch(`${killed.url}/api/organizations`, {
      method: "POST",
      headers,
      body: '{"name":"Kept"}',
    });
    expect(created.status).toBe(201);
    const { id } = (await created.json()) as { id: string };
    await killed.stop("SIGKILL");
    expect(databasePid(dataDir)).not.toBeNull();

    const again = await startService({ script, env: { DATA_DIR: dataDir } });
    expect((await fetch(`${again.url}/api/organizations/${id}`, { headers })).status).toBe(200);
    expect((await signIn(again.url, "owner@demo.example")).status).toBe(200);

    const second = await runService({
      script,
      env: { DATA_DIR: dataDir, PORT: "0", LOG_LEVEL: "error" },
    });
    expect(second.code).toBe(1);
    expect(second.output).toContain(`in use by process ${again.pid}`);
    expectOneParagraph(second.output);

    expect((await again.stop("SIGTERM")).code).toBe(0);
    expect(databasePid(dataDir)).toBeNull();
  });

  it("names the port in use and the remedy, and leaves nothing behind", async () => {
    const occupied = createServer().listen(0, "127.0.0.1");
    await once(occupied, "listening");
    const { port } = occupied.address() as { port: number };
    const env = { DATA_DIR: dataDir, PORT: String(port), ...neverOver };
    const { code, output } = await runService({ script, env });
    expect(code).toBe(1);
    expect(output).toContain(`Port ${port} is in use`);
    expect(output).toMatch(/PORT=\d+/);
    expectOneParagraph(output);
    expect(databasePid(dataDir)).toBeNull();
    occupied.close();
  });

  it("exits even if it is stopped while it starts", async () => {
    const early = join(folder.path, "early");
    const running = runService({ script, env: { DATA_DIR: early, PORT: "0", LOG_LEVEL: "error" } });
    await expect.poll(() => databasePid(early), { interval: 5 }).not.toBeNull();
    process.kill(Number(readFileSync(join(early, "claim.pid"), "utf8")), "SIGINT");
    expect(await running).toEqual({ code: 0, output: "" });
    expect(databasePid(early)).toBeNull();
  });

  describe("from the sources, while another process prepares the database", () => {
    const until = async (early: string) => {
      await expect.poll(() => databasePid(early), { interval: 5 }).not.toBeNull();
    };

    it("leaves nothing behind if it is stopped", async () => {
      const early = join(folder.path, "stopped");
      const env = { DATA_DIR: early, PORT: "0", LOG_LEVEL: "error" };
      expect(await runService({ env, stopWhen: until(early) })).toEqual({ code: 0, output: "" });
      expect(databasePid(early)).toBeNull();
    });

    it.skipIf(process.platform !== "linux")("leaves nothing behind if it is killed", async () => {
      const early = join(folder.path, "killed");
      const running = runService({ env: { DATA_DIR: early, PORT: "0", LOG_LEVEL: "error" } });
      await until(early);
      const preparing = readFileSync(join(early, "claim.pid"), "utf8");
      const [, parent] = /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${preparing}/status`, "utf8"))!;
      process.kill(Number(parent), "SIGKILL");
      expect((await running).code).toBeNull();
      await expect.poll(() => databasePid(early)).toBeNull();
    });
  });
});

/** Starts a proxy to a database that holds the first connection of an application back until it is released. */
async function holdConnection(databaseUrl: string, application: string) {
  const connected = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const proxy = createServer((service) => {
    service.once("data", (hello) => {
      const isHeld = hello.includes(application);
      if (isHeld) connected.resolve();
      const forward = () => {
        const postgres = connect(Number(new URL(databaseUrl).port), "127.0.0.1");
        postgres.on("error", () => undefined).write(hello);
        service.pipe(postgres).pipe(service);
      };
      if (isHeld) void released.promise.then(forward);
      else forward();
    });
    service.on("error", () => undefined);
  }).listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const url = new URL(databaseUrl);
  url.searchParams.delete("host");
  url.port = String((proxy.address() as { port: number }).port);
  return {
    url: url.href,
    connected: connected.promise,
    release: released.resolve,
    close: () => proxy.close(),
  };
}

describe("a start with a worker", () => {
  it("is ready only once the worker has connected", async () => {
    const database = await createTestDatabase();
    const worker = await holdConnection(database.url, "purser worker");
    const bound = Promise.withResolvers<string>();
    const starting = startService({
      script,
      env: {
        DATA_DIR: join(folder.path, "worker"),
        DATABASE_URL: database.url,
        DIRECT_DATABASE_URL: worker.url,
        SEED_DEMO: "0",
      },
      onBound: bound.resolve,
    });
    await worker.connected;
    expect((await fetch(`${await bound.promise}/health/ready`)).status).toBe(503);
    worker.release();
    const service = await starting;
    expect((await service.stop("SIGTERM")).code).toBe(0);
    worker.close();
    await database.drop();
  });
});

describe("SHUTDOWN_DELAY_SECONDS", () => {
  it.each(["purser monitor", "purser worker"])(
    "does not delay the end of a process that is stopped before it is ready, while it connects as %s",
    async (application) => {
      const database = await createTestDatabase();
      const held = await holdConnection(database.url, application);
      const running = runService({
        script,
        env: {
          DATA_DIR: join(folder.path, "delayed"),
          DATABASE_URL: held.url,
          PORT: "0",
          LOG_LEVEL: "error",
          SEED_DEMO: "0",
          ...neverOver,
        },
        stopWhen: held.connected,
      });
      await held.connected;
      held.release();
      expect(await running).toMatchObject({ code: 0 });
      held.close();
      await database.drop();
    },
  );
});

describe("a start that fails", () => {
  it("names every invalid variable in one message", async () => {
    const { code, output } = await runService({
      script,
      env: { NODE_ENV: "production", PORT: "no port", AUTH_SECRET: "hunter2" },
    });
    expect(code).toBe(1);
    for (const name of ["PORT", "BASE_URL", "DATABASE_URL", "AUTH_SECRET", "ENCRYPTION_KEYS", "SMTP_URL"]) {
      expect(output).toContain(`${name} must be`);
    }
    expect(output).not.toContain("hunter2");
    expectOneParagraph(output);
  });

  it("ends if the database has too few free connections", async () => {
    const database = await createTestDatabase();
    const db = openPool(database.url, { max: 1 });
    const [owner] = await db.$client<{ name: string }[]>`SELECT current_user AS name`;
    // The fourth connection is the one for probes. A worker needs more.
    for (const [limit, ROLE] of [
      [1, "all"],
      [2, "all"],
      [3, "all"],
      [3, "server"],
    ] as const) {
      // Roles belong to the server, which other runs may use.
      const role = { username: `limited_to_${limit}_${process.pid}`, password: "x" };
      await db.$client.unsafe(
        `CREATE ROLE ${role.username} LOGIN PASSWORD 'x' CONNECTION LIMIT ${limit} IN ROLE "${owner!.name}"`,
      );
      const url = Object.assign(new URL(database.url), role);
      const env = { DATABASE_URL: url.href, DATA_DIR: join(folder.path, "unused"), ROLE, SEED_DEMO: "0" };
      const { code, output } = await runService({ script, env });
      expect([limit, ROLE, code]).toEqual([limit, ROLE, 1]);
      expect(output).toContain("The database has no free connection");
      expectOneParagraph(output);
      await db.$client.unsafe(`DROP ROLE ${role.username}`);
    }
    await db.close();
    await database.drop();
  });

  it("reports an unreachable database without its password", async () => {
    const env = {
      DATA_DIR: join(folder.path, "unused"),
      // A port below 1024 that no system assigns by itself, and on which nothing listens.
      DATABASE_URL: "postgres://purser:hunter2@127.0.0.1:1/purser",
    };
    const { code, output } = await runService({ script, env });
    expect(code).toBe(1);
    expect(output).toContain("The database cannot be reached");
    expect(output).not.toContain("hunter2");
    expectOneParagraph(output);
  });

  it("ends if the network falls silent while it waits for another process that migrates", async () => {
    const database = await createEmptyTestDatabase();
    const proxy = await startTcpProxy(database.url);
    const other = openPool(database.url, { max: 1 });
    // The lock of migrations, which the other process keeps.
    await other.execute("SELECT pg_advisory_lock(7871633901)");
    const running = runService({
      script,
      env: {
        DATABASE_URL: proxy.url,
        DATA_DIR: join(folder.path, "unused"),
        PORT: "0",
        LOG_LEVEL: "error",
      },
    });
    const isWaiting = async () => {
      const waiting = await other.execute(
        `SELECT FROM pg_stat_activity WHERE datname = current_database()
          AND query LIKE '%pg_try_advisory_lock%' AND pid <> pg_backend_pid()`,
      );
      return waiting.length > 0;
    };
    await expect.poll(isWaiting).toBe(true);
    proxy.silence();
    const silentAt = performance.now();
    const { code, output } = await running;
    // Up to 7 s, and more on a busy machine. TCP alone would take a quarter of an hour.
    expect(performance.now() - silentAt).toBeLessThan(30_000);
    expect(code).toBe(1);
    expect(output).toContain("The database cannot be reached");
    expectOneParagraph(output);
    await other.close();
    await proxy.close();
    await database.drop();
  });
});
