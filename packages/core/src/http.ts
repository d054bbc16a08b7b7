import { Problem } from "./problem.ts";

/** Returns the headers that a problem requires on every transport. */
export function problemHeaders(problem: Problem): Record<string, string> {
  return {
    ...(problem.retryAfterSeconds !== undefined && { "Retry-After": String(problem.retryAfterSeconds) }),
    ...(problem.code === "UNAUTHENTICATED" && { "WWW-Authenticate": "Bearer" }),
    // The rest of the body is not read, so the connection cannot be reused.
    ...(problem.code === "PAYLOAD_TOO_LARGE" && { Connection: "close" }),
  };
}

/** Throws UNSUPPORTED_MEDIA_TYPE unless the headers of a body say that it is JSON in UTF-8, and not compressed. */
export function assertJson(headers: Headers): void {
  const [type = "", ...parameters] = (headers.get("content-type") ?? "").toLowerCase().split(";");
  const charsets = parameters.map(
    (parameter) => /^\s*charset\s*=\s*"?([^"\s]*)"?\s*$/.exec(parameter)?.[1] ?? "utf-8",
  );
  const isJson = /^application\/(?:[\w.+-]+\+)?json$/.test(type.trim());
  if (!isJson || charsets.some((charset) => charset !== "utf-8")) throw new Problem("UNSUPPORTED_MEDIA_TYPE");
  // Compressed bytes would be malformed JSON, which tells the caller nothing.
  if ((headers.get("content-encoding") ?? "identity").toLowerCase() !== "identity")
    throw new Problem("UNSUPPORTED_MEDIA_TYPE", {
      detail: "The body must not be compressed (Content-Encoding).",
    });
}
