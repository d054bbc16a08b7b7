// @module-tag slow
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, chown, mkdtemp, readFile, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import postgres from "postgres";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findBinaries } from "./binaries.ts";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./postgres.ts";
import { isProcessAlive, waitUntil } from "./process.ts";

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const service = `
  const { startEmbeddedPostgres } = await import(${JSON.stringify(new URL("postgres.ts", import.meta.url).href)});
  const server = await startEmbeddedPostgres({ dataDir: process.argv[1], settings: { fsync: "off" } });
  console.log(server.pid, server.url);
  setInterval(() => {}, 1000);`;

/** Most tests share one cluster in turn, because creating one takes a second. */
let shared: string;
/** For the others, an empty folder. */
let fresh: string;
let dataDir: string;
let children: ChildProcess[];

beforeAll(async () => {
  shared = await mkdtemp(join(tmpdir(), "purser-embedded-"));
});

beforeEach(async () => {
  fresh = await mkdtemp(join(tmpdir(), "purser-fresh-"));
  // Longer than a socket path may be, and with characters that could break a shell command or a settings file.
  dataDir = join(shared, "a".repeat(60), "b".repeat(60), "it's a folder");
  children = [];
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  if (existsSync(join(dataDir, "cluster", "postmaster.pid"))) await (await start()).stop();
  // An initdb whose service was killed may still be writing.
  await rm(fresh, { recursive: true, maxRetries: 20, retryDelay: 100 });
});

afterAll(async () => {
  await rm(shared, { recursive: true });
});

async function start(options: { settings?: Record<string, string> } = {}): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({ dataDir, settings: { fsync: "off", ...options.settings } });
}

function spawnService(
  options: { uid?: number; gid?: number; detached?: boolean; env?: NodeJS.ProcessEnv } = {},
): ChildProcess {
  const child = spawn(process.execPath, ["--input-type=module", "-e", service, dataDir], {
    cwd: "/",
    ...options,
  });
  children.push(child);
  return child;
}

interface Left {
  readonly pid: number;
  readonly url: string;
}

/** The server that the service process started. Throws the output of the process if it failed instead. */
async function serverOf(child: ChildProcess): Promise<Left> {
  let errors = "";
  child.stderr?.on("data", (bytes: Buffer) => (errors += bytes.toString()));
  if (child.stdout === null) throw new Error("the child's output is a pipe");
  for await (const line of createInterface(child.stdout)) {
    const [pid, url = ""] = line.split(" ");
    return { pid: Number(pid), url };
  }
  throw new Error(errors);
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function query(url: string, text: string): Promise<Record<string, unknown>[]> {
  const client = postgres(url, { max: 1, onnotice: () => undefined });
  try {
    return await client.unsafe(text);
  } finally {
    await client.end();
  }
}

describe("startEmbeddedPostgres", () => {
  it("creates a cluster that only 127.0.0.1 reaches, with a password that only its owner can read", async () => {
    const server = await start();
    expect(server.adopted).toBe(false);
    const names = [
      "listen_addresses",
      "unix_socket_directories",
      "data_checksums",
      "server_encoding",
      "TimeZone",
    ];
    const [row] = await query(
      server.url,
      `select ${names.map((name) => `current_setting('${name}') as "${name}"`).join()}`,
    );
    expect(Object.values(row ?? {})).toEqual(["127.0.0.1", "", "on", "UTF8", "UTC"]);
    expect((await stat(join(dataDir, "password"))).mode & 0o777).toBe(0o600);
    const stranger = new URL(server.url);
    stranger.password = "guess";
    await expect(query(stranger.href, "select 1")).rejects.toMatchObject({ code: "28P01" });
  });

  it("keeps data and port across a restart, and leaves no process behind", async () => {
    const first = await start();
    await query(first.url, "create table if not exists kept as select 42 as answer");
    const idle = postgres(first.url, { max: 1 });
    await idle`select 1`;
    await Promise.all([first.stop(), first.stop()]);
    await idle.end({ timeout: 0 });
    expect(isProcessAlive(first.pid)).toBe(false);
    expect(existsSync(join(dataDir, "cluster", "postmaster.pid"))).toBe(false);
    const second = await start();
    expect([second.adopted, second.port]).toEqual([false, first.port]);
    expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  });

  it("takes over the server of a killed service, with every committed row, and stops it", async () => {
    const child = spawnService();
    const left = await serverOf(child);
    await query(left.url, "create table if not exists kept as select 42 as answer");
    await kill(child);
    expect(isProcessAlive(left.pid)).toBe(true);
    const adopted = await start();
    expect(adopted).toMatchObject({ adopted: true, pid: left.pid, url: left.url });
    expect(await query(adopted.url, "select answer from kept")).toEqual([{ answer: 42 }]);
    await adopted.stop();
    expect(isProcessAlive(left.pid)).toBe(false);
  });

  it("does not receive Ctrl-C from the terminal", async () => {
    const child = spawnService({ detached: true });
    const left = await serverOf(child);
    const logged = () => readFile(join(dataDir, "postgres.log"), "utf8");
    const { length } = await logged();
    process.kill(-(child.pid ?? Number.NaN), "SIGINT");
    await once(child, "exit");
    // The signal would have been logged, and the server would take no more connections.
    const adopted = await start();
    expect(adopted).toMatchObject({ adopted: true, pid: left.pid });
    expect(await query(adopted.url, "select 1 as one")).toEqual([{ one: 1 }]);
    expect((await logged()).slice(length)).not.toContain("shutdown request");
  });
});

describe("startEmbeddedPostgres, after an accident", () => {
  it("starts after the machine crashed, even if another process now has the id in postmaster.pid", async () => {
    const first = await start();
    await query(first.url, "create table if not exists kept as select 42 as answer");
    const lockFile = join(dataDir, "cluster", "postmaster.pid");
    const stranger = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    children.push(stranger);
    process.kill(first.pid, "SIGKILL");
    expect(await waitUntil(() => !isProcessAlive(first.pid), 60_000)).toBe(true);
    await writeFile(lockFile, (await readFile(lockFile, "utf8")).replace(/^\d+/, String(stranger.pid)));
    const second = await start();
    expect(second.adopted).toBe(false);
    expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
    expect(stranger.exitCode).toBeNull();
  });

  it("starts after a service was killed during initdb", async () => {
    dataDir = fresh;
    const child = spawnService();
    const draft = async () =>
      (await readdir(dataDir).catch(() => [])).some((name) => name.startsWith("cluster."));
    await expect.poll(draft, { interval: 5 }).toBe(true);
    await kill(child);
    expect(existsSync(join(dataDir, "cluster"))).toBe(false);
    expect(await query((await start()).url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  it("returns the same server to two concurrent starts", async () => {
    dataDir = fresh;
    const servers = await Promise.all([start(), start()]);
    expect(new Set(servers.map(({ url, pid }) => `${url} ${pid}`)).size).toBe(1);
  });

  it("reports PostgreSQL's log if it does not start", async () => {
    await expect(start({ settings: { nonsense: "1" } })).rejects.toThrow(
      /unrecognized configuration parameter "nonsense"/,
    );
  });

  it("takes another port when its own is in use", async () => {
    const first = await start();
    await first.stop();
    const squatter = createServer();
    await once(squatter.listen(first.port, "127.0.0.1"), "listening");
    try {
      const second = await start();
      expect(second.port).not.toBe(first.port);
      expect(await query(second.url, "select 1 as one")).toEqual([{ one: 1 }]);
    } finally {
      squatter.close();
    }
  });

  it("empties a log of more than 10 MB at the start", async () => {
    await writeFile(join(dataDir, "postgres.log"), Buffer.alloc(11 * 1024 * 1024, "\n"));
    await start();
    expect((await stat(join(dataDir, "postgres.log"))).size).toBeLessThan(10_000);
  });
});

describe("startEmbeddedPostgres, by account", () => {
  const enterable =
    spawnSync(findBinaries().postgres, ["--version"], isRoot ? { uid: nobody, gid: nobody } : {}).status ===
    0;

  it.runIf(isRoot)("runs under root in a folder that only root may enter", async () => {
    expect((await stat(shared)).mode & 0o777).toBe(0o700);
    expect(await query((await start()).url, "select 1 as one")).toEqual([{ one: 1 }]);
  });

  it.runIf(isRoot && enterable)(
    "runs for an ordinary user, and then under root on that user's folder",
    async () => {
      dataDir = fresh;
      await chown(dataDir, nobody, nobody);
      const child = spawnService({ uid: nobody, gid: nobody });
      const left = await serverOf(child);
      expect((await stat(`/proc/${left.pid}`)).uid).toBe(nobody);
      await kill(child);
      await (await start()).stop();
      const again = await start();
      expect([again.adopted, (await stat(join(dataDir, "cluster"))).uid]).toEqual([false, nobody]);
    },
  );

  it.runIf(isRoot && enterable)(
    "runs under root as another user where there are no user namespaces",
    async () => {
      await chmod(fresh, 0o755);
      dataDir = join(fresh, "data");
      // Without PATH, unshare is not found, as on a system that lacks it.
      const left = await serverOf(spawnService({ env: { PATH: "/nonexistent" } }));
      expect((await stat(join(dataDir, "cluster"))).uid).not.toBe(0);
      const adopted = await start();
      expect(adopted).toMatchObject({ adopted: true, pid: left.pid });
      expect(await query(adopted.url, "select 1 as one")).toEqual([{ one: 1 }]);
    },
  );

  it.runIf(isRoot)("explains what to do if neither is possible", async () => {
    dataDir = join(fresh, "data");
    await expect(serverOf(spawnService({ env: { PATH: "/nonexistent" } }))).rejects.toThrow(
      /does not run as root.* may not enter .*DATA_DIR.*DATABASE_URL/s,
    );
  });
});

describe("findBinaries", () => {
  it("names DATABASE_URL on a platform without binaries", () => {
    expect(() => findBinaries("aix-ppc64")).toThrow(/aix-ppc64.*DATABASE_URL/);
  });
});
