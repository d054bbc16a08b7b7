import { type Problem, problemDocument, problemHeaders } from "@purser/core";
import type { HttpContext } from "./context.ts";
import type { ReadableStream } from "node:stream/web";
import { apiHeaders } from "./headers.ts";

type Headers = Record<string, string>;

export const jsonHeaders: Readonly<Headers> = { ...apiHeaders, "Content-Type": "application/json" };

/**
 * Creates a response with all of its headers. The server writes it several times as fast if its headers are never changed
 * afterwards.
 */
export function respond(
  c: HttpContext,
  status: number,
  body: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null,
  headers: Headers,
) {
  const { requestContext } = c.env;
  requestContext.isComplete = true;
  const common = requestContext.headers();
  const vary = common["Vary"];
  Object.assign(common, headers);
  // Keep what every response varies by.
  if (headers["Vary"] && vary)
    common["Vary"] = [...new Set(`${headers["Vary"]}, ${vary}`.split(", "))].join(", ");
  return new Response(body, { status, headers: common });
}

export function respondWithJson(c: HttpContext, status: number, value: unknown, headers?: Headers): Response {
  return respond(c, status, JSON.stringify(value), { ...jsonHeaders, ...headers });
}

/** Answers with a problem document (RFC 9457) and the headers of its status. */
export function respondWithProblem(c: HttpContext, problem: Problem, headers?: Headers): Response {
  const document = problemDocument(problem, c.env.requestContext.requestId);
  const type = { "Content-Type": "application/problem+json" };
  return respondWithJson(c, problem.status, document, { ...problemHeaders(problem), ...type, ...headers });
}
