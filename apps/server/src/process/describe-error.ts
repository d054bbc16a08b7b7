/** The logged form of an error. */
export interface LoggedError {
  type: string;
  message?: string;
  code?: string;
  constraint?: string;
  stack?: string[];
  cause?: LoggedError;
}

const deepestCause = 5;

/**
 * Describes an error for the log without its data. A driver's message quotes the parameters of the statement, and
 * PostgreSQL's quotes the offending value.
 */
export function describeError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error };
  const { code, constraint_name: constraint } = error as { code?: unknown; constraint_name?: unknown };
  return {
    type: error.name,
    ...(!quotesData(error) && { message: error.message }),
    ...(typeof code === "string" && { code }),
    ...(typeof constraint === "string" && { constraint }),
    ...(depth === 0 && { stack: frames(error) }),
    ...(error.cause !== undefined &&
      depth < deepestCause && { cause: describeError(error.cause, depth + 1) }),
  };
}

/** Drizzle's errors carry the query with its parameters; PostgreSQL's carry a severity. */
function quotesData(error: Error): boolean {
  return "query" in error || "params" in error || "severity" in error;
}

/** The lines of the stack below the message, which it repeats. */
function frames({ stack = "" }: Error): string[] {
  return stack
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.startsWith("at "));
}
