const unreachable = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ENOTFOUND",
  "EAI_AGAIN",
  // The driver's own.
  "CONNECTION_CLOSED",
  "CONNECTION_DESTROYED",
  "CONNECTION_ENDED",
  "CONNECT_TIMEOUT",
  "POOL_TIMEOUT",
]);

/**
 * Whether the failure says that the database could not be reached or would not serve anybody just now, so that the
 * answer is 503 and the same request may succeed in a moment: network errors, closed connections, no free connection
 * in time, SQLSTATE 08 (connection), 53 (out of connections, memory, disk) and 57P01–57P05 (shut down, starting up,
 * terminated).
 *
 * Not 57014: a statement that ran into its timeout, or was cancelled, met a database that works, and would most
 * likely take as long again. Nor 40001, 40P01 and 55P03, conflicts with another transaction, which only the use
 * case can judge. Whether a transaction was committed is unknown when its connection closed during the commit.
 */
export function isUnavailable(error: unknown): boolean {
  return causes(error).some((cause) => {
    const code = text(cause, "code");
    return code !== undefined && (unreachable.has(code) || /^(08...|53...|57P0[1-5])$/.test(code));
  });
}

/** The five characters of PostgreSQL's error code, wherever Drizzle has wrapped the error. */
export function sqlState(error: unknown): string | undefined {
  return text(postgresError(error), "code");
}

/** The name of the constraint that refused a row. */
export function constraintName(error: unknown): string | undefined {
  return text(postgresError(error), "constraint_name");
}

function postgresError(error: unknown): object | undefined {
  return causes(error).find((cause) => text(cause, "name") === "PostgresError");
}

/** The error, its cause, that one's cause, and so on. */
function causes(error: unknown): object[] {
  const chain: object[] = [];
  let current = error;
  // A cycle of causes would never end; nobody nests deeper than this.
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
