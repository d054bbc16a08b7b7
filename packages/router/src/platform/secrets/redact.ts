/**
 * Makes a text fit for an operator's eyes and for logs: the values in a link's query, whatever looks like a token,
 * and the names in e-mail addresses become an ellipsis.
 */
export function redact(text: string): string {
  return text
    .replaceAll(/([?&#][\w.-]{1,64}=)[^&#\s]+/g, "$1…")
    .replaceAll(/[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?=[\w-]+\.)/g, "…@")
    .replaceAll(/[\w+/~=-]{20,}/g, (token) => redactToken(token));
}

/** What an error may leave behind in a table or a log: its first line, bounded and redacted. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // A provider's whole answer may be in it; what is cut off need not be searched.
  return redact(message.split("\n", 1)[0]?.slice(0, 2000) ?? "").slice(0, 500);
}

/** Slashes part a path; each long segment is a token of its own. */
function redactToken(token: string): string {
  return token
    .split("/")
    .map((part) => (part.length < 20 ? part : `${part.slice(0, 4)}…`))
    .join("/");
}
