import type { ApiRequest, ApiResponse } from "../api-request.ts";

/**
 * All requests but a synchronization must end before the client gives up by default. One may wait 20 s for the lock of its
 * subscription, and then calls the provider.
 */
const slowMs = 30_000;

/** Returns what is wrong with a response, or null. A server error must be a problem document, and never a 500. */
export function judgeResponse(
  { method, path }: ApiRequest,
  { status, headers, body }: ApiResponse,
  ms: number,
  timeoutFactor = 1,
): string | null {
  const response = `${method} ${path} returned ${status}`;
  if (status === 500 || (status === 503 && headers["retry-after"] === undefined))
    return `${response} ${JSON.stringify(body)}`;
  const type = headers["content-type"];
  // People open the other addresses in a browser, and get a page.
  const isExplained =
    isProblemDocument(type, status, body) || (!/^\/(api|trpc)\//.test(path) && type?.startsWith("text/html"));
  if (status >= 500 && !isExplained)
    return `${response} with ${type}, which is no problem document: ${JSON.stringify(body)}`;
  if (ms > slowMs * timeoutFactor && !path.endsWith("/sync"))
    return `${response} only after ${Math.round(ms)} ms`;
  return null;
}

/** How long a request may take while a node is down on which it needs nothing. */
const servedMs = 5000;

/** Returns what is wrong with a response of an organization whose node is up, while another node is down; or null. */
export function judgeService(
  { method, path }: Pick<ApiRequest, "method" | "path">,
  { status, body }: Pick<ApiResponse, "status" | "body">,
  ms: number,
  timeoutFactor = 1,
): string | null {
  const response = `${method} ${path}, of another node than the one that is down, returned ${status}`;
  // A busy machine does not give the service longer to decide.
  const isLate =
    timeoutFactor === 1 && (body as { reason?: unknown } | null)?.reason === "decision_timed_out";
  if (status >= 500 || isLate) return `${response} ${JSON.stringify(body)}`;
  return ms > servedMs * timeoutFactor ? `${response} only after ${Math.round(ms)} ms` : null;
}

function isProblemDocument(contentType: string | undefined, status: number, body: unknown): boolean {
  if (!contentType?.startsWith("application/problem+json")) return false;
  const problem = body as Record<string, unknown> | null;
  return problem?.["status"] === status && typeof problem["title"] === "string" && "type" in problem;
}
