import { type ConnectOptions, connect } from "./connection/connect.ts";
import type { Database } from "./connection/database.ts";
import { DatabaseMonitor, probeTimeoutMs } from "./monitor.ts";
import type { ClusterNode } from "./shard-placements.ts";

/** How a process reaches its databases. */
export interface DatabaseSettings {
  /** Null only outside production: then an embedded PostgreSQL runs in dataDir. */
  databaseUrl: string | null;
  /** For migrations and LISTEN, where databaseUrl is a PgBouncer in transaction mode. */
  directDatabaseUrl: string | null;
  /** A streaming replica that lists are read from, or null where they come from the database itself. */
  replicaDatabaseUrl: string | null;
  databasePoolSize: number;
  /** Additional connections for decisions on purchases. */
  decisionPoolSize: number;
  /** Off behind poolers that cannot keep prepared statements. */
  databasePrepare: boolean;
}

/** The addresses of the database itself. */
export type DatabaseAddresses = Pick<DatabaseSettings, "databaseUrl" | "directDatabaseUrl">;

/** The time limits of a pool. Each pool has its own defaults. */
export type DatabaseLimits = Pick<
  ConnectOptions,
  "statementTimeoutMs" | "lockTimeoutMs" | "poolWaitMs" | "idleInTransactionTimeoutMs" | "connectTimeoutMs"
>;

interface PoolOptions extends DatabaseLimits, Pick<ConnectOptions, "onClose" | "tracer" | "lostBefore"> {
  /** The node of a cluster that the pool is on, instead of the one at the address of the database. */
  readonly node?: ClusterNode;
}

/** Opens the pool for requests and jobs. `statementTimeoutMs` is 5,000 by default; 0 means no limit. */
export function openDatabase(settings: DatabaseSettings, { node, ...options }: PoolOptions = {}): Database {
  return connect(databaseAddress(settings, node), {
    max: settings.databasePoolSize,
    prepare: settings.databasePrepare,
    // The server keeps the locks of a transaction whose client has vanished, which blocks the same work elsewhere.
    idleInTransactionTimeoutMs: 5000,
    ...options,
  });
}

/**
 * A decision looks up everything by its key, so one plan serves all calls. By itself, PostgreSQL plans again and again with
 * the parameters of a call. A plan that it keeps must use the indexes: one made while a table was small would read all of
 * the table, however large it has become since.
 */
const plannedOnce = { plan_cache_mode: "force_generic_plan", enable_seqscan: "off" };

/** How long a decision on a purchase waits for a lock. */
export const decisionLockTimeoutMs = 800;

/**
 * Opens a small pool for decisions that a card network waits for. No other work takes its connections, and its limits
 * end a slow decision while the network still waits.
 *
 * `isDistributed` says that Citus plans its statements.
 */
export function openDecisionDatabase(
  settings: DatabaseSettings,
  { node, isDistributed = false, ...options }: PoolOptions & { isDistributed?: boolean } = {},
): Database {
  return connect(databaseAddress(settings, node), {
    max: settings.decisionPoolSize,
    prepare: settings.databasePrepare,
    applicationName: "purser decisions",
    poolWaitMs: 500,
    lockTimeoutMs: decisionLockTimeoutMs,
    statementTimeoutMs: 1000,
    connectTimeoutMs: 1000,
    ...(!isDistributed && { parameters: plannedOnce }),
    ...options,
  });
}

/**
 * Opens a small pool for work that holds a lock while it calls a payment provider, so that a slow provider takes no connections
 * from the pool for requests. A call takes up to eight seconds, which is less than the ten that a transaction may be idle.
 */
export function openLockDatabase(settings: DatabaseSettings, options: PoolOptions = {}): Database {
  return connect(databaseAddress(settings), {
    max: 6,
    prepare: settings.databasePrepare,
    applicationName: "purser locks",
    // Those ahead wait for their providers (docs/decisions/0022).
    poolWaitMs: 30_000,
    ...options,
  });
}

/**
 * Opens a pool for the locks of bank consents. A bank may take a minute to answer, so nothing else shares these connections,
 * and they are opened only when they are used.
 */
export function openBankLockDatabase(settings: DatabaseSettings, options: PoolOptions = {}): Database {
  return connect(databaseAddress(settings), {
    max: 4,
    prepare: settings.databasePrepare,
    applicationName: "purser bank locks",
    poolWaitMs: 30_000,
    ...options,
  });
}

/** Opens the connection that probes the database. No other work can take it. */
export function openDatabaseMonitor(settings: DatabaseSettings): DatabaseMonitor {
  return new DatabaseMonitor(openDatabaseProbe(settings));
}

/** Opens one connection for probes, of a database or of a node of a cluster. */
export function openDatabaseProbe(settings: DatabaseSettings, node?: ClusterNode): Database {
  return connect(databaseAddress(settings, node), {
    max: 1,
    prepare: settings.databasePrepare,
    applicationName: "purser monitor",
    poolWaitMs: probeTimeoutMs,
    connectTimeoutMs: probeTimeoutMs,
    statementTimeoutMs: probeTimeoutMs,
    responseTimeoutMs: probeTimeoutMs,
    // The server may have none left for a new one, while all other connections work.
    keepsConnections: true,
  });
}

/** Opens a pool on the replica at this address. */
export function openReplicaDatabase(
  settings: DatabaseSettings,
  url: string,
  options: Pick<ConnectOptions, "tracer" | "onClose">,
): Database {
  return connect(url, {
    max: settings.databasePoolSize,
    prepare: settings.databasePrepare,
    applicationName: "purser replica",
    ...options,
  });
}

/** Opens connections without a statement timeout, past a pooler: for a backup, a restore, or a move on a cluster. */
export function openMaintenanceDatabase(
  settings: DatabaseAddresses,
  { max, node }: { max: number; node?: ClusterNode },
): Database {
  return connect(directDatabaseAddress(settings, node), {
    max,
    applicationName: "purser maintenance",
    statementTimeoutMs: 0,
    lockTimeoutMs: 10_000,
    idleInTransactionTimeoutMs: 0,
  });
}

/** The address of PostgreSQL itself, past a pooler, or of a node of the cluster. */
export function directDatabaseAddress(settings: DatabaseAddresses, node?: ClusterNode): string {
  const { directDatabaseUrl, databaseUrl } = settings;
  return databaseAddress({ databaseUrl: directDatabaseUrl ?? databaseUrl }, node);
}

function databaseAddress({ databaseUrl }: Pick<DatabaseSettings, "databaseUrl">, node?: ClusterNode): string {
  if (databaseUrl === null)
    throw new Error("There is no database address; the embedded PostgreSQL was not started");
  if (node === undefined) return databaseUrl;
  // Every node has the same database and the same roles.
  const address = new URL(databaseUrl);
  address.searchParams.delete("host");
  address.hostname = node.host;
  address.port = String(node.port);
  return address.href;
}
