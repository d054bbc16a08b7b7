import { STATUS_CODES } from "node:http";
import { type Problem, problemDocument, problemHeaders } from "@purser/core";
import { apiHeaders } from "./headers.ts";
import { requestIdOf } from "./request-id.ts";

/** A problem document for a request that the app never sees, because it is not valid HTTP or the server is full. */
export function problemParts(problem: Problem): {
  status: number;
  headers: Record<string, string>;
  body: string;
} {
  const requestId = requestIdOf();
  return {
    status: problem.status,
    headers: {
      ...apiHeaders,
      ...problemHeaders(problem),
      "Content-Type": "application/problem+json",
      "X-Request-Id": requestId,
      // The server does not know where the next request would begin.
      Connection: "close",
    },
    body: JSON.stringify(problemDocument(problem, requestId)),
  };
}

/** Returns the same as the bytes of an HTTP/1.1 response, for a socket without a parsed request. */
export function problemMessage(problem: Problem): string {
  const { status, headers, body } = problemParts(problem);
  const complete = { ...headers, "Content-Length": Buffer.byteLength(body), Date: new Date().toUTCString() };
  const lines = Object.entries(complete).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join("")}\r\n${body}`;
}
