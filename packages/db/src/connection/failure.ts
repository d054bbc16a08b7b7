const unreachable = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  // The driver's own codes.
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "RESPONSE_TIMEOUT",
]);

/**
 * Whether the database is unreachable or serves no requests at present, so the answer is 503 and the same request may
 * succeed in a moment: network errors, closed connections, no free connection in time, SQLSTATE 08 (connection), 53 (out
 * of connections, memory, disk), 57P01–57P05 (shut down, starting up, terminated), 25006 (read-only, as a former
 * primary is after a failover: the address is about to lead to the new one), a fatal 55000 (the database accepts no
 * connections at present, as during maintenance), and a shard that has moved.
 *
 * Not 57014: the database works, and a statement that timed out would most likely take as long again. Not 40001, 40P01
 * and 55P03: these are conflicts with another transaction, which only the use case can judge. If the connection closed
 * during a commit, it is unknown whether the transaction committed.
 */
export function isUnavailable(error: unknown): boolean {
  return (
    isAway(error) ||
    hasMoved(error) ||
    causes(error).some((cause) => /^(POOL_TIMEOUT|53...)$/.test(text(cause, "code") ?? ""))
  );
}

/** What a statement reports whose shard is not on the node (`shards.ts`). */
export const movedMessage = "The shard has moved";

/** Whether a node of a cluster was asked for a shard that has moved away. The next attempt asks the other node. */
export function hasMoved(error: unknown): boolean {
  const reported = postgresError(error);
  const message = text(reported, "message") ?? "";
  // Some time after the move, the table of the shard is gone.
  return message.includes(movedMessage) || (text(reported, "code") === "42P01" && /_\d{6,}"/.test(message));
}

/** Whether the database is unavailable for another reason than its load. */
export function isAway(error: unknown): boolean {
  if (hasLostNode(error) || isWithoutPostmaster(error)) return true;
  return causes(error).some((cause) => {
    const code = text(cause, "code");
    if (code === "55000") return text(cause, "severity") === "FATAL";
    return code !== undefined && (unreachable.has(code) || /^(08...|57P0[1-5]|25006)$/.test(code));
  });
}

/**
 * Whether a node of a cluster lost its connection to another one: before a statement, or during a commit, as when the connection to
 * the database closes then. The next attempt opens another connection, and succeeds if it does not need that node.
 */
const hasLostNode = (error: unknown): boolean => lostNode.test(text(postgresError(error), "message") ?? "");

/** Citus has no code for it: the first message is its own, the others are libpq's. */
const lostNode =
  /^(failure on connection marked as essential|server closed the connection unexpectedly|(no connection to the server|connection not open)$|could not (send data to|receive data from) server:|SSL connection has been closed unexpectedly)/;

/** Whether the database is there, but not a node of the cluster: what does not need that node may succeed. */
export const isNodeAway = (error: unknown): boolean =>
  hasLostNode(error) || causes(error).some((cause) => text(cause, "code") === "08006");

/** A statement needs a node of a cluster that is known to be down. It fails as it would after waiting for that node. */
export class NodeDownError extends Error {
  override readonly name = "NodeDownError";
  readonly code = "08006";

  constructor() {
    super("A node of the cluster is down");
  }
}

/** Whether the server itself was killed while Citus waited for another one, which has no code of its own. */
const isWithoutPostmaster = (error: unknown): boolean =>
  text(postgresError(error), "message") === "postmaster was shut down, exiting";

/**
 * Whether a call waited for a database that did not respond, so that another call would wait as long. Not for a connection that
 * the server ended, nor for a full pool: the next call may succeed at once.
 */
export const hasNotResponded = (error: unknown): boolean =>
  causes(error).some((cause) => silent.has(text(cause, "code") ?? ""));

const silent = new Set(["CONNECT_TIMEOUT", "RESPONSE_TIMEOUT"]);

/** Returns PostgreSQL's five-character error code, even if Drizzle has wrapped the error. */
export function sqlState(error: unknown): string | undefined {
  const reported = postgresError(error);
  const code = text(reported, "code");
  if (code !== "XX000") return code;
  const message = text(reported, "message") ?? "";
  return forwarded.find(([pattern]) => pattern.test(message))?.[1] ?? code;
}

/** Citus copies the rows of an INSERT … SELECT to their server, and forwards the message of an error there without its code. */
const forwarded: readonly (readonly [RegExp, string])[] = [
  [/^duplicate key value violates unique constraint /, "23505"],
  [/^insert or update on table .* violates foreign key constraint /, "23503"],
  [/^new row for relation .* violates check constraint /, "23514"],
  [/^could not serialize access /, "40001"],
  [/^deadlock detected/, "40P01"],
  [/^canceling statement due to lock timeout/, "55P03"],
  [/^canceling statement due to statement timeout/, "57014"],
];

/**
 * Returns the name of the constraint that refused a row. Citus reports it only in the message, as the name on the shard,
 * which ends with the shard's number.
 */
export function constraintName(error: unknown): string | undefined {
  if (!sqlState(error)?.startsWith("23")) return undefined;
  const refused = postgresError(error);
  const named =
    text(refused, "constraint_name") ?? /constraint "([^"]+)"/.exec(text(refused, "message") ?? "")?.[1];
  return named?.replace(/_\d{6,}$/, "");
}

function postgresError(error: unknown): object | undefined {
  return causes(error).find((cause) => text(cause, "name") === "PostgresError");
}

/** Returns the error and its chain of causes. */
function causes(error: unknown): object[] {
  const chain: object[] = [];
  let current = error;
  // The bound guards against a cycle of causes.
  while (typeof current === "object" && current !== null && chain.length < 8) {
    chain.push(current);
    current = "cause" in current ? current.cause : undefined;
  }
  return chain;
}

function text(error: object | undefined, name: string): string | undefined {
  const value: unknown = error === undefined ? undefined : Reflect.get(error, name);
  return typeof value === "string" ? value : undefined;
}
