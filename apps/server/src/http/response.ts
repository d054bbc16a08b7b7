import type { Problem } from "@purser/core";
import { problemDocument } from "@purser/core";
import type { HttpContext } from "./context.ts";
import { apiHeaders } from "./headers.ts";

type Headers = Record<string, string>;

const jsonHeaders: Headers = { ...apiHeaders, "Content-Type": "application/json" };

/**
 * Makes an answer with everything in it that every answer has, so that nobody needs to change it on its way out:
 * a response whose headers stay a plain object is written several times as fast.
 */
export function respond(
  c: HttpContext,
  status: number,
  body: string | Uint8Array<ArrayBuffer> | null,
  headers: Headers,
) {
  const { requestContext } = c.env;
  requestContext.isComplete = true;
  return new Response(body, { status, headers: { ...headers, ...requestContext.headers() } });
}

export function answerJson(c: HttpContext, status: number, value: unknown, headers?: Headers): Response {
  return respond(c, status, JSON.stringify(value), { ...jsonHeaders, ...headers });
}

/** Answers with a problem (RFC 9457), and with the headers that its status asks for. */
export function answerProblem(c: HttpContext, problem: Problem, headers?: Headers): Response {
  const document = problemDocument(problem, c.env.requestContext.requestId);
  const type = { "Content-Type": "application/problem+json" };
  return answerJson(c, problem.status, document, { ...problemHeaders(problem), ...type, ...headers });
}

/** The headers that belong to a problem, whichever door answers it. */
export function problemHeaders(problem: Problem): Headers {
  return {
    ...(problem.retryAfterSeconds !== undefined && { "Retry-After": String(problem.retryAfterSeconds) }),
    ...(problem.code === "UNAUTHENTICATED" && { "WWW-Authenticate": "Bearer" }),
    // The rest of the body is not waited for, so nothing else can come on this connection.
    ...(problem.code === "PAYLOAD_TOO_LARGE" && { Connection: "close" }),
  };
}
