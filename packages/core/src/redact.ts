/**
 * Removes secrets and personal data from a text, so that operators may read it and logs may hold it. An ellipsis
 * replaces the values in a link's query, everything that looks like a token, and the names in e-mail addresses.
 *
 * @example
 * redact("No mail to sam@example.com"); // "No mail to …@example.com"
 */
export function redact(text: string): string {
  return text
    .replaceAll(/([?&#][\w.-]{1,64}=)[^&#\s]+/g, "$1…")
    .replaceAll(/[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?=[\w-]+\.)/g, "…@")
    .replaceAll(/[\w+/~=-]{20,}/g, (token) => redactToken(token));
}

/**
 * The first line of an error's message, redacted and at most 500 characters long: safe for a table or a log. Of a failed SQL
 * statement, it is PostgreSQL's reason and the statement without its parameters.
 */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? messageOf(error) : String(error);
  // The message may contain a provider's whole response: cut it before the search.
  const [line = ""] = message.trimStart().split("\n", 1);
  return redact(line.slice(0, 2000)).slice(0, 500);
}

/** Drizzle's message has the statement and its parameters, but not the reason, which is the cause. */
function messageOf(error: Error): string {
  const statement = Reflect.get(error, "query") as unknown;
  if (typeof statement !== "string" || !(error.cause instanceof Error)) return error.message;
  return `${reasonOf(error.cause)}: ${statement.trim().replaceAll(/\s+/g, " ")}`;
}

function reasonOf(cause: Error): string {
  const [message] = cause.message.split("\n", 1);
  const code = Reflect.get(cause, "code") as unknown;
  if (typeof code !== "string" || !("severity" in cause)) return message!;
  // Of this class ("data exception"), the messages quote values.
  return code.startsWith("22") ? `PostgreSQL ${code}` : `${message} (${code})`;
}

/** Each long segment of a path is a token of its own. */
function redactToken(token: string): string {
  return token
    .split("/")
    .map((part) => (part.length < 20 ? part : `${part.slice(0, 4)}…`))
    .join("/");
}
