/**
 * Removes secrets and personal data from a text, so that operators may read it and logs may hold it. An ellipsis
 * replaces the values in a link's query, everything that looks like a token, and the names in e-mail addresses.
 */
export function redact(text: string): string {
  return text
    .replaceAll(/([?&#][\w.-]{1,64}=)[^&#\s]+/g, "$1…")
    .replaceAll(/[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?=[\w-]+\.)/g, "…@")
    .replaceAll(/[\w+/~=-]{20,}/g, (token) => redactToken(token));
}

/** The first line of an error's message, redacted and at most 500 characters long: safe for a table or a log. */
export function errorText(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // The message may contain a provider's whole response: cut it before the search.
  return redact(message.split("\n", 1)[0]?.slice(0, 2000) ?? "").slice(0, 500);
}

/** Each long segment of a path is a token of its own. */
function redactToken(token: string): string {
  return token
    .split("/")
    .map((part) => (part.length < 20 ? part : `${part.slice(0, 4)}…`))
    .join("/");
}
