import { once } from "node:events";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { Problem } from "@purser/core";
import { problemParts } from "../http/problem-message.ts";
import type { EdgeMetrics } from "../operations/edge-metrics.ts";
import type { Connections } from "./connections.ts";
import { closeSoon, endSocketWithProblem, isClosing } from "./last-response.ts";

/** Answers everything that Node itself would answer without a problem document, or not at all. */
export function handleProtocolErrors(server: Server, connections: Connections, metrics: EdgeMetrics): void {
  server.on("clientError", (error, socket) => {
    if (socket instanceof Socket) void respondToClientError(error, socket, connections, metrics);
  });
  server.on("checkExpectation", (_incoming, outgoing) =>
    endResponseWithProblem(outgoing, new Problem("EXPECTATION_FAILED")),
  );
  server.on("connect", (_incoming, socket) => {
    const problem = new Problem("METHOD_NOT_ALLOWED", { detail: "This server is not a proxy." });
    if (socket instanceof Socket) endSocketWithProblem(socket, problem);
  });
}

/** Returns the problem of a request that Node parses but HTTP forbids. */
export function protocolProblem({ httpVersion, rawHeaders }: IncomingMessage): Problem | undefined {
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1;
  }
  // Probes of load balancers use HTTP/1.0, which has no Host.
  if (hosts === 1 || (hosts === 0 && httpVersion === "1.0")) return undefined;
  return invalid("A request must have one Host header.");
}

/** Answers a request that has no response yet. */
export function endResponseWithProblem(outgoing: ServerResponse, problem: Problem): void {
  const { status, headers, body } = problemParts(problem);
  outgoing.writeHead(status, { ...headers, "Content-Length": Buffer.byteLength(body) }).end(body);
}

async function respondToClientError(
  error: Error,
  socket: Socket,
  connections: Connections,
  metrics: EdgeMetrics,
): Promise<void> {
  // The parser fails again on everything that the client sends after the first error.
  if (failed.has(socket)) return;
  failed.add(socket);
  const { code, reason } = error as NodeJS.ErrnoException & { reason?: string };
  if (code === "ECONNRESET") return void socket.destroy();
  if (isClosing(socket)) return;
  if (!socket.writable) return void socket.destroy();
  const problem = problemOf(code, reason);
  metrics.refused(problem.code === "REQUEST_TIMEOUT" ? "timeout" : "malformed");
  const requests = connections.requestsOf(socket);
  // The client reads responses in the order of its requests.
  for (const { incoming, outgoing } of requests) {
    if (incoming.complete && !outgoing.closed) await once(outgoing, "close");
  }
  const isAnswered = requests.some(({ incoming, outgoing }) => !incoming.complete && outgoing.headersSent);
  if (isAnswered) return closeSoon(socket);
  endSocketWithProblem(socket, problem);
}

const failed = new WeakSet<Socket>();

function problemOf(code: string | undefined, reason = ""): Problem {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Problem("REQUEST_TIMEOUT");
  if (code === "HPE_HEADER_OVERFLOW") return new Problem("HEADERS_TOO_LARGE");
  if (code === "HPE_CHUNK_EXTENSIONS_OVERFLOW") return new Problem("PAYLOAD_TOO_LARGE");
  // curl sends an address as it was typed. After a space in it, the parser expects the version of HTTP.
  if (code === "HPE_INVALID_URL" || (code === "HPE_INVALID_CONSTANT" && reason.startsWith("Expected HTTP/")))
    return invalid(
      "The address of the request is not valid. It begins with a slash, and spaces, letters with accents and other characters outside ASCII must be percent-encoded.",
    );
  return invalid("The request is not valid HTTP.");
}

const invalid = (detail: string) => new Problem("VALIDATION_FAILED", { detail });
