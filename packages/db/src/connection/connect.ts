import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import * as schema from "../schema/index.ts";
import { arrayTypes } from "./array-types.ts";
import { type QueryTracer, boundClient } from "./client.ts";
import { endingTransactions } from "./commits.ts";
import type { Database } from "./database.ts";
import { limitsTransactions } from "./limits.ts";
import { Slots } from "./slots.ts";

export interface ConnectOptions {
  /** Largest number of connections. Default 10. */
  readonly max?: number;
  /**
   * Default true. Set false behind PgBouncer in transaction mode: no prepared statements, and no start-up parameters
   * except the two that PgBouncer forwards. The three time limits below then apply at the start of every transaction.
   * For single statements, set the statement timeout with `ALTER ROLE … SET statement_timeout`.
   */
  readonly prepare?: boolean;
  /** The name of the connections in `pg_stat_activity`. Default `purser`. */
  readonly applicationName?: string;
  /** Longest time of a statement, in milliseconds, 0 for no limit. Default 5,000; then error 57014. */
  readonly statementTimeoutMs?: number;
  /**
   * Longest silence of a connection that owes a response, in milliseconds, 0 for no limit. Default: two seconds past the
   * statement timeout. Then the connection is closed, with error `RESPONSE_TIMEOUT`. If that was a commit, it is unknown
   * whether the transaction committed.
   */
  readonly responseTimeoutMs?: number;
  /**
   * Returns when the database was reachable again after a silence ({@link DatabaseMonitor}), as `performance.now()`. A
   * connection that has received nothing since is suspect: an idle one is replaced, another one has a second to respond.
   */
  readonly lostBefore?: () => number;
  /** Longest wait for a lock, in milliseconds, 0 for no limit. Default 2,000; then error 55P03. */
  readonly lockTimeoutMs?: number;
  /** Longest idle time in an open transaction, in milliseconds, 0 for no limit. Default 10,000; then PostgreSQL ends it. */
  readonly idleInTransactionTimeoutMs?: number;
  /** Further configuration parameters of PostgreSQL for the connections. Not sent without `prepare`. */
  readonly parameters?: Readonly<Record<string, string>>;
  /** Longest wait for a free connection, in milliseconds. Default 2,000; then {@link PoolTimeoutError}. */
  readonly poolWaitMs?: number;
  /** Longest time to open a connection, in milliseconds. Default 2,000; then an error with code `CONNECT_TIMEOUT`. */
  readonly connectTimeoutMs?: number;
  /** Called whenever a connection has ended, for any reason. */
  readonly onClose?: () => void;
  /** Keeps connections however old they are. By default the driver replaces one after 30 to 60 minutes. */
  readonly keepsConnections?: boolean;
  /** Called with the payload of each notification. */
  readonly onNotification?: (payload: string) => void;
  /** Traces every statement. Without a tracer, nothing is wrapped. */
  readonly tracer?: QueryTracer | null | undefined;
}

/** By then the server has cancelled the statement, and its answer has arrived, unless the network is broken. */
const responseMarginMs = 2000;
/** How long a connection has to respond after a silence of the database has ended. */
const graceMs = 1000;
/** When the system begins to probe an idle connection, so that a firewall or a dead host is noticed. */
const keepAliveSeconds = 10;

/**
 * Opens a pool. It connects at the first query. As with libpq, an address may name the folder of a Unix socket:
 * `postgres://user@localhost/purser?host=/run/postgresql`.
 */
export function connect(url: string, options: ConnectOptions = {}): Database {
  const {
    max = 10,
    prepare = true,
    applicationName = "purser",
    poolWaitMs = 2000,
    connectTimeoutMs = 2000,
    statementTimeoutMs = 5000,
    responseTimeoutMs = statementTimeoutMs && statementTimeoutMs + responseMarginMs,
    lostBefore = () => 0,
    parameters = {},
    keepsConnections = false,
    onNotification,
    tracer,
  } = options;
  const limits = {
    statement_timeout: statementTimeoutMs,
    lock_timeout: options.lockTimeoutMs ?? 2000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 10_000,
  };
  const { address, path } = socketOf(url);
  const client = postgres(address, {
    max,
    ...(path !== null && { path }),
    prepare,
    connect_timeout: connectTimeoutMs / 1000,
    keep_alive: keepAliveSeconds,
    fetch_types: false,
    array_types: arrayTypes,
    is_lost: (heardAt, waitingSince) =>
      isLost({ heardAt, waitingSince, responseTimeoutMs, lostBefore: lostBefore() }),
    backoff: reconnectDelaySeconds,
    onnotice: () => undefined,
    ...(options.onClose && { onclose: options.onClose }),
    ...(keepsConnections && { max_lifetime: null }),
    // The driver's types omit `onnotify`.
    ...(onNotification && { onnotify: (_: string, payload: string) => onNotification(payload) }),
    connection: {
      application_name: applicationName,
      TimeZone: "UTC",
      ...(prepare && { ...parameters, ...limits }),
    },
  });
  const settingLimits = setLocal(limits);
  const transactionStart = () => (prepare && !limitsTransactions(db) ? undefined : settingLimits);
  const slots = new Slots(max, poolWaitMs);
  const bound = boundClient(client, { slots, prepare, transactionStart, tracer: tracer ?? undefined });
  const close = (timeoutMs = 5000) => client.end({ timeout: timeoutMs / 1000 });
  const db = endingTransactions(Object.assign(drizzle(bound, { schema }), { close, use: slots }));
  return db;
}

/** The driver takes a socket only as an option, and would send unknown parameters of an address to the server. */
function socketOf(url: string): { address: string; path: string | null } {
  const parsed = URL.parse(url);
  const folder = parsed?.searchParams.get("host");
  if (!parsed || !folder?.startsWith("/")) return { address: url, path: null };
  parsed.searchParams.delete("host");
  return { address: parsed.href, path: `${folder}/.s.PGSQL.${parsed.port || 5432}` };
}

function setLocal(limits: Record<string, number>): string {
  return Object.entries(limits)
    .map(([name, milliseconds]) => `set local ${name} = ${milliseconds}`)
    .join("; ");
}

interface Silence {
  heardAt: number;
  /** Null for an idle connection. */
  waitingSince: number | null;
  responseTimeoutMs: number;
  lostBefore: number;
}

/**
 * Whether a connection will never respond. TCP itself gives up only after a quarter of an hour, and does not repeat at
 * once what was lost when the network is back.
 */
function isLost({ heardAt, waitingSince, responseTimeoutMs, lostBefore }: Silence): boolean {
  const isSuspect = heardAt < lostBefore;
  if (waitingSince === null) return isSuspect;
  const now = performance.now();
  if (isSuspect && now - Math.max(waitingSince, lostBefore) >= graceMs) return true;
  return responseTimeoutMs !== 0 && now - Math.max(waitingSince, heardAt) >= responseTimeoutMs;
}

/** The driver's own delay grows to 20 s, and queries wait for it. A short delay finds a recovered database at once. */
function reconnectDelaySeconds(failures: number): number {
  return Math.min(0.05 * failures, 0.25);
}
