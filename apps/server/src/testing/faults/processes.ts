import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "@purser/core";
import { type Database, connect, isUnavailable } from "@purser/db";
import { type ServiceProcess, freePort, startService } from "../process.ts";
import type { Cluster } from "./cluster.ts";
import { TcpProxy } from "./proxy.ts";

/** A process of the service, which may die and restart on the same port. */
export interface Instance {
  name: string;
  role: "server" | "worker";
  /** 0 before the first start. */
  port: number;
  state: "up" | "stopping" | "down";
  /** The number of kills, and of requests to stop. */
  deaths: number;
  stops: number;
  process: ServiceProcess | null;
}

export interface ServerInstance extends Instance {
  /** The proxy in front of it, which injects network faults. */
  detour: TcpProxy;
}

/** Violations found so far. */
export type Complain = (complaint: string) => void;

const clockModule = new URL("clock.ts", import.meta.url).href;
/** The maximum time of a shutdown after SIGTERM. */
export const drainLimitMs = 10_000;
/** No statement of the service may take longer than 25 seconds. */
const disconnectionLimitMs = 30_000;

/** Two servers and a worker on one database, with proxies that inject network faults. */
export class ProcessSupervisor {
  readonly cluster: Cluster;
  readonly servers: readonly ServerInstance[];
  readonly worker = instance("worker", "worker");
  /** The proxy between the processes and PostgreSQL. */
  readonly network: TcpProxy;
  readonly authSecret: string;
  readonly complain: Complain;
  /** The time in milliseconds that each process took to stop after SIGTERM. */
  readonly stopMs: number[] = [];
  readonly #database: string;
  /** A direct connection to PostgreSQL. */
  readonly #db: Database;
  readonly #script: string;
  /**
   * The URL through the proxy. Each process adds its application name, which identifies its connections in PostgreSQL.
   */
  readonly #address: string;
  readonly #environment: Record<string, string>;
  readonly #started: { name: string; output: ServiceProcess["output"] }[] = [];
  #isClosing = false;

  private constructor({ cluster, network, servers, database, script, complain }: Parts) {
    this.cluster = cluster;
    this.network = network;
    this.servers = servers;
    this.#script = script;
    this.#database = database;
    this.complain = complain;
    this.authSecret = randomBytes(32).toString("base64url");
    this.#address = cluster.url(database, network.port);
    this.#environment = {
      ...environmentOf(this.authSecret),
      NODE_COMPILE_CACHE: join(dirname(script), "compiled"),
    };
    const limits = { statementTimeoutMs: 60_000, lockTimeoutMs: 10_000 };
    this.#db = connect(cluster.url(database), { max: 3, applicationName: "faults", ...limits });
  }

  /** The total number of kills of servers. */
  get deaths(): number {
    return this.servers.reduce((sum, { deaths }) => sum + deaths, 0);
  }

  get instances(): Instance[] {
    return [...this.servers, this.worker];
  }

  /** Creates an empty database and the proxies. No process runs yet. */
  static async open(
    cluster: Cluster,
    script: string,
    seed: number,
    complain: Complain,
  ): Promise<ProcessSupervisor> {
    const database = `seed_${seed}`;
    await cluster.administer(`CREATE DATABASE ${database}`);
    const network = await TcpProxy.open(() => cluster.port, createRandom("network", seed));
    const servers: ServerInstance[] = [];
    for (const name of ["server 1", "server 2"]) {
      const server = instance(name, "server");
      const detour = await TcpProxy.open(() => server.port, createRandom("detour", seed, name));
      servers.push(Object.assign(server, { detour }));
    }
    return new ProcessSupervisor({ cluster, network, servers, database, script, complain });
  }

  /** Starts all processes at once, so that their migrations compete. */
  async begin(): Promise<void> {
    await Promise.all(this.instances.map((one) => this.start(one, 2)));
  }

  /** Returns the rows of a query, retried until the database is available. */
  async look<Row>(query: (sql: Database["$client"]) => PromiseLike<readonly unknown[]>): Promise<Row[]> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return [...(await query(this.#db.$client))] as Row[];
      } catch (error) {
        if (attempt === 200 || !isUnavailable(error)) throw error;
        await sleep(100);
      }
    }
  }

  /** Starts a process with retries, as a supervisor does. Returns the time in milliseconds. */
  async start(one: Instance, attempts = 20): Promise<number> {
    const begun = performance.now();
    for (let attempt = 1; one.state !== "up"; attempt += 1) {
      // Another program may have taken the port meanwhile.
      if (attempt > 1 || one.port === 0) one.port = await freePort();
      const address = `${this.#address}?application_name=${encodeURIComponent(one.name)}`;
      const env = { ...this.#environment, DATABASE_URL: address, ROLE: one.role, PORT: String(one.port) };
      try {
        one.process = await startService({ script: this.#script, env, before: clockModule });
        one.state = "up";
      } catch (error) {
        if (attempt === attempts || this.#isClosing) throw error;
        await sleep(200);
      }
    }
    const { process: started } = one;
    this.#started.push({ name: one.name, output: started!.output });
    void this.#watch(one, started!);
    return performance.now() - begun;
  }

  /** Reports a process that ends unexpectedly. */
  async #watch(one: Instance, started: ServiceProcess): Promise<void> {
    const code = await started.ended;
    if (one.state === "up" && one.process === started)
      this.complain(`${one.name} ended by itself with ${code}:\n${started.output().slice(-4000)}`);
  }

  /** Kills a process with SIGKILL. */
  async kill(one: Instance): Promise<void> {
    one.deaths += 1;
    one.state = "down";
    await one.process!.stop("SIGKILL");
  }

  /**
   * Waits until PostgreSQL has closed all connections of dead processes. Until then it may still execute their last
   * statements.
   */
  async awaitDisconnection(): Promise<void> {
    const up = this.instances.filter(({ state }) => state !== "down");
    const names = ["faults", ...up.map(({ name }) => name)];
    for (const until = performance.now() + disconnectionLimitMs; ;) {
      const left = await this.look(
        (sql) => sql`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
            AND application_name <> ALL (${names})`,
      );
      if (left.length === 0) return;
      if (performance.now() > until) throw new Error("Connections have outlived the process that made them");
      await sleep(10);
    }
  }

  /** Stops a process with SIGTERM, and checks its exit code and time. Returns the time in milliseconds. */
  async stop(one: Instance): Promise<number> {
    one.stops += 1;
    one.state = "stopping";
    const { code, ms } = await one.process!.stop("SIGTERM");
    one.state = "down";
    this.stopMs.push(ms);
    if (code !== 0 || ms > drainLimitMs)
      this.complain(`${one.name} was asked to stop, and ended with ${code} after ${Math.round(ms)} ms`);
    return ms;
  }

  /** Returns the errors in the logs, except request logs, because the client already judges those responses. */
  errors(): string[] {
    return this.#started.flatMap(({ name, output }) => {
      const lines = output().split("\n");
      const errors = lines.filter((line) => /"level":"error"/.test(line) && !/"msg":"request"/.test(line));
      return errors.map((line) => `${name}: ${line}`);
    });
  }

  /** Kills all processes, and releases everything else. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const running = this.instances.filter(({ state }) => state === "up");
    await Promise.all(running.map((one) => this.kill(one)));
    for (const { detour } of this.servers) await detour.close();
    await this.network.close();
    await this.#db.close();
    await this.cluster.administer(`DROP DATABASE ${this.#database} WITH (FORCE)`);
  }
}

interface Parts {
  cluster: Cluster;
  network: TcpProxy;
  servers: ServerInstance[];
  database: string;
  script: string;
  complain: Complain;
}

function instance(name: string, role: Instance["role"]): Instance {
  return { name, role, port: 0, state: "down", deaths: 0, stops: 0, process: null };
}

/** The environment of production, but with the built-in providers. */
function environmentOf(authSecret: string): Record<string, string> {
  return {
    NODE_ENV: "production",
    HOST: "127.0.0.1",
    BASE_URL: "http://purser.test",
    AUTH_SECRET: authSecret,
    ENCRYPTION_KEYS: `1:${randomBytes(32).toString("base64")}`,
    SMTP_URL: "none",
    SANDBOX: "1",
    LOCAL_BILLING: "1",
    REQUIRE_VERIFIED_EMAIL: "0",
    AUTH_ATTEMPTS_PER_ADDRESS: "1000000",
    AUTH_ATTEMPTS_PER_ACCOUNT: "1000000",
    REQUESTS_PER_CALLER: "1000000000",
    LOG_LEVEL: "warn",
  };
}
