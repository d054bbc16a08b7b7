import { randomBytes } from "node:crypto";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createRandom } from "@purser/core";
import { type Database, connect, isUnavailable } from "@purser/db";
import { type ServiceProcess, startService } from "@purser/testing/process";
import { ClusterNodes } from "./cluster-nodes.ts";
import type { Cluster } from "./cluster.ts";
import { databaseHostVariable, databaseName } from "./database-name.ts";
import { FaultyProxy } from "./faulty-proxy.ts";

/** A process of the service, which may die and restart on another port. */
export interface Instance {
  name: string;
  role: "server" | "worker";
  /** 0 before the first start. */
  port: number;
  state: "up" | "stopping" | "down";
  /** The number of kills, and of requests to stop. */
  kills: number;
  stops: number;
  process: ServiceProcess | null;
}

export interface ServerInstance extends Instance {
  /** The proxy in front of it, which injects network faults. */
  proxy: FaultyProxy;
}

/** Records a violated guarantee. A seed passes without any. */
export type ReportViolation = (violation: string) => void;

const preloadModule = new URL("preload.ts", import.meta.url).href;
/** The two hosts of the database. Its name leads to one of them. */
const databaseHosts = ["127.0.0.1", "127.0.0.2"] as const;
/** The maximum time of a shutdown after SIGTERM. */
export const drainLimitMs = 10_000;
/** The real time after the last fault in which everything must be as if it had not been. */
const settleLimitMs = 30_000;
/** No statement of the service may take longer than 25 seconds. */
const disconnectionLimitMs = 30_000;

/** Two servers and a worker on one database, with proxies that inject network faults. */
export class ProcessSupervisor {
  readonly cluster: Cluster;
  readonly servers: readonly ServerInstance[];
  readonly worker = newInstance("worker", "worker");
  /** The proxy between the processes and PostgreSQL, or the coordinator of a Citus cluster. */
  readonly network: FaultyProxy;
  /** The nodes of a Citus cluster below its coordinator. Null on one PostgreSQL. */
  readonly nodes: ClusterNodes | null;
  /** The address that the name of the database leads to. */
  databaseHost: string = databaseHosts[0];
  /** How many times its usual limit everything may take. */
  readonly timeoutFactor: number;
  readonly authSecret: string;
  readonly reportViolation: ReportViolation;
  /** The time in milliseconds that each process took to stop after SIGTERM. */
  readonly stopMs: number[] = [];
  /** How many answers of readiness were compared with a probe by hand that found this. */
  readonly comparedReadiness = { ok: 0, unavailable: 0 };
  /** When the last fault had been undone; infinite while one lasts. */
  faultEndedAt = performance.now();
  readonly database: string;
  /** The harness's own connections to PostgreSQL, which no fault affects. */
  readonly #db: Database;
  readonly #direct: FaultyProxy;
  readonly #script: string;
  /**
   * The URL through the proxy. Each process adds its application name, which identifies its connections in PostgreSQL.
   */
  readonly #address: string;
  readonly #environment: Record<string, string>;
  readonly #started: { name: string; output: ServiceProcess["output"] }[] = [];
  #isClosing = false;

  private constructor(parts: Parts) {
    const { cluster, network, direct, nodes, servers, database, script, timeoutFactor, reportViolation } =
      parts;
    this.cluster = cluster;
    this.nodes = nodes;
    this.timeoutFactor = timeoutFactor;
    this.network = network;
    this.servers = servers;
    this.#script = script;
    this.database = database;
    this.reportViolation = reportViolation;
    this.authSecret = randomBytes(32).toString("base64url");
    this.#address = cluster.url(database, network.port, databaseName);
    this.#environment = {
      ...environmentOf(this.authSecret),
      NODE_COMPILE_CACHE: join(dirname(script), "compiled"),
    };
    const limits = { statementTimeoutMs: 60_000, lockTimeoutMs: 10_000 };
    this.#direct = direct;
    this.#db = connect(cluster.url(database, direct.port), { max: 3, applicationName: "faults", ...limits });
  }

  /** The total number of kills of servers. */
  get kills(): number {
    return this.servers.reduce((sum, { kills }) => sum + kills, 0);
  }

  get settleLimitMs(): number {
    return settleLimitMs * this.timeoutFactor;
  }

  get instances(): Instance[] {
    return [...this.servers, this.worker];
  }

  /** Creates an empty database and the proxies. No process runs yet. */
  static async open(
    { cluster, script, seed, timeoutFactor = 1 }: OpenOptions,
    reportViolation: ReportViolation,
  ): Promise<ProcessSupervisor> {
    const database = `seed_${seed}`;
    await cluster.createDatabase(database);
    const nodes = await ClusterNodes.open(cluster, database, seed);
    const [network, direct] = await Promise.all([
      FaultyProxy.open(() => cluster.port, createRandom("network", seed), databaseHosts),
      // After a failover, PostgreSQL has another port.
      FaultyProxy.open(() => cluster.port, createRandom("direct", seed)),
    ]);
    const servers: ServerInstance[] = [];
    for (const name of ["server 1", "server 2"]) {
      const server = newInstance(name, "server");
      const proxy = await FaultyProxy.open(() => server.port, createRandom("proxy", seed, name));
      servers.push(Object.assign(server, { proxy }));
    }
    return new ProcessSupervisor({
      cluster,
      network,
      direct,
      nodes,
      servers,
      database,
      script,
      timeoutFactor,
      reportViolation,
    });
  }

  /** Starts all processes at once, so that their migrations compete. */
  async startAll(): Promise<void> {
    await Promise.all(this.instances.map((instance) => this.start(instance)));
  }

  /** Returns the rows of a query, retried until the database is available. */
  async query<Row>(query: (sql: Database["$client"]) => PromiseLike<readonly unknown[]>): Promise<Row[]> {
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
  async start(instance: Instance, attempts = 20): Promise<number> {
    const begun = performance.now();
    for (let attempt = 1; instance.state !== "up"; attempt += 1) {
      const address = `${this.#address}?application_name=${encodeURIComponent(instance.name)}`;
      const env = {
        ...this.#environment,
        DATABASE_URL: address,
        ROLE: instance.role,
        [databaseHostVariable]: this.databaseHost,
      };
      try {
        instance.process = await startService({ script: this.#script, env, before: preloadModule });
        instance.port = instance.process.port;
        instance.state = "up";
      } catch (error) {
        if (attempt === attempts || this.#isClosing) throw error;
        await sleep(200);
      }
    }
    const { process: started } = instance;
    this.#started.push({ name: instance.name, output: started!.output });
    void this.#watch(instance, started!);
    return performance.now() - begun;
  }

  /** Reports a process that ends unexpectedly. */
  async #watch(instance: Instance, started: ServiceProcess): Promise<void> {
    const code = await started.ended;
    if (instance.state === "up" && instance.process === started)
      this.reportViolation(
        `${instance.name} exited unexpectedly with code ${code}:\n${started.output().slice(-4000)}`,
      );
  }

  /** The URL of the database for the harness, past all faults of the network. */
  get directUrl(): string {
    return this.cluster.url(this.database, this.#direct.port);
  }

  /** Lets the name of the database lead to its other host. */
  moveDatabase(): void {
    this.databaseHost = databaseHosts.find((host) => host !== this.databaseHost)!;
    for (const { process: running } of this.instances)
      running?.sendMessage({ databaseHost: this.databaseHost });
  }

  /** Runs each job that has a schedule, as if its time had come. */
  async runScheduledJobs(): Promise<void> {
    await this.query(
      (sql) => sql`
        WITH due AS (INSERT INTO pgboss.job (name) SELECT name FROM pgboss.schedule RETURNING name)
        SELECT pg_notify('pgboss_' || left(encode(sha224('pgboss'), 'hex'), 24), name) FROM due`,
    );
  }

  /** Ends the connections of all processes with pg_terminate_backend. */
  async endConnections(): Promise<void> {
    await this.query(
      (sql) => sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name <> 'faults'`,
    );
  }

  /** Kills a process with SIGKILL. */
  async kill(instance: Instance): Promise<void> {
    instance.kills += 1;
    instance.state = "down";
    await instance.process!.stop("SIGKILL");
  }

  /**
   * Waits until PostgreSQL has closed all connections of dead processes. Until then it may still execute their last
   * statements.
   */
  async waitUntilDisconnected(): Promise<void> {
    const up = this.instances.filter(({ state }) => state !== "down");
    const names = ["faults", ...up.map(({ name }) => name)];
    for (const until = performance.now() + disconnectionLimitMs * this.timeoutFactor; ;) {
      const left = await this.query(
        (sql) => sql`
          SELECT FROM pg_stat_activity WHERE datname = current_database() AND backend_type = 'client backend'
            AND application_name <> ALL (${names}) AND application_name NOT LIKE 'citus_internal%'`,
      );
      if (left.length === 0) return;
      if (performance.now() > until) throw new Error("PostgreSQL still has connections of killed processes");
      await sleep(10);
    }
  }

  /** Stops a process with SIGTERM, and checks its exit code and time. Returns the time in milliseconds. */
  async stop(instance: Instance): Promise<number> {
    instance.stops += 1;
    instance.state = "stopping";
    const { code, ms } = await instance.process!.stop("SIGTERM");
    instance.state = "down";
    this.stopMs.push(ms);
    if (code !== 0 || ms > drainLimitMs * this.timeoutFactor)
      this.reportViolation(
        `${instance.name} exited with code ${code} after SIGTERM, in ${Math.round(ms)} ms`,
      );
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
    await Promise.all(running.map((instance) => this.kill(instance)));
    for (const { proxy } of this.servers) await proxy.close();
    await this.network.close();
    await this.nodes?.close();
    await this.#db.close();
    await this.#direct.close();
    // After a failure in the middle of a fault, a server may be down.
    await Promise.all(this.cluster.nodes.map((server) => server.revive()));
    await this.cluster.dropDatabase(this.database);
  }
}

interface OpenOptions {
  cluster: Cluster;
  /** The path of the built server. */
  script: string;
  seed: number;
  timeoutFactor?: number;
}

interface Parts {
  cluster: Cluster;
  network: FaultyProxy;
  direct: FaultyProxy;
  nodes: ClusterNodes | null;
  servers: ServerInstance[];
  database: string;
  script: string;
  timeoutFactor: number;
  reportViolation: ReportViolation;
}

function newInstance(name: string, role: Instance["role"]): Instance {
  return { name, role, port: 0, state: "down", kills: 0, stops: 0, process: null };
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
    WEBHOOKS_ALLOW_PRIVATE: "1",
    REQUIRE_VERIFIED_EMAIL: "0",
    AUTH_ATTEMPTS_PER_ADDRESS: "1000000",
    AUTH_ATTEMPTS_PER_ACCOUNT: "1000000",
    INVITATIONS_PER_SENDER: "1000000",
    INVITATIONS_PER_ORGANIZATION: "1000000",
    REQUESTS_PER_CALLER: "1000000000",
    LOG_LEVEL: "warn",
  };
}
