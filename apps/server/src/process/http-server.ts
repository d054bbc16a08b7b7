import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type Logger, Problem } from "@purser/core";
import type { HttpLimits } from "@purser/platform/settings";
import { problemParts } from "../http/problem-message.ts";
import type { EdgeMetrics } from "../operations/edge-metrics.ts";
import { Connections } from "./connections.ts";
import { drainServer } from "./drain.ts";
import { lingerBeforeClose } from "./last-response.ts";
import { handleProtocolErrors, endResponseWithProblem, protocolProblem } from "./protocol-errors.ts";
import { batchResponses } from "./response-batching.ts";
import { UnsentResponses } from "./unsent-responses.ts";

/** A listening server. */
export interface HttpServer {
  /** The port of the listening socket. With port 0, the system has chosen it. */
  readonly port: number;
  /** Passes requests to the app. Until then, each of them gets 503. */
  serve(fetch: Fetch): void;
  /**
   * Accepts no new connections, finishes running requests, and ends kept-alive connections. Requests that are not
   * finished within the timeout are cut off.
   */
  drain(timeoutMs: number, logger: Logger): Promise<void>;
  /** Stops listening and closes every connection immediately. */
  cut(): void;
}

interface Options {
  host: string;
  port: number;
  httpLimits: HttpLimits;
}

type Fetch = Parameters<typeof getRequestListener>[0];

const options = {
  /** The idle time of kept-alive connections. Longer than the 60 seconds of common load balancers. */
  keepAliveTimeout: 65_000,
  /** tRPC queries carry their input in the URL, and some lists of filters are long. */
  maxHeaderSize: 64 * 1024,
  /** Node answers a missing Host header without a problem document. */
  requireHostHeader: false,
};

/** How often Node looks for clients that are too slow. */
const checkMs = 1000;

/** Starts listening for the app. Throws an error that says what to do if the port is taken. */
export async function listen(fetch: Fetch, address: Options, metrics: EdgeMetrics): Promise<HttpServer> {
  const server = await bindHttpServer(address, metrics);
  server.serve(fetch);
  return server;
}

/** Starts listening before there is an app, for settings that depend on the port. Throws as `listen` does. */
export async function bindHttpServer(
  { host, port, httpLimits }: Options,
  metrics: EdgeMetrics,
): Promise<HttpServer> {
  const { headerTimeoutMs, requestTimeoutMs, responseTimeoutMs, maxConnections } = httpLimits;
  let fetch: Fetch = respondWhileStarting;
  let held: Promise<void> | undefined;
  const holdResponses = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return () => ((held = undefined), resolve());
  };
  const fetchBatched = batchResponses(
    (request, env) => fetch(request, env),
    () => held,
  );
  // HTTP/1.0 has no Host header.
  const handle = getRequestListener(fetchBatched, {
    hostname: "localhost",
    errorHandler: respondToInvalidRequest,
  });
  const connections = new Connections({
    maximum: maxConnections,
    onRefusal: (reason) => metrics.refused(reason),
  });
  const unsent = new UnsentResponses({
    timeoutMs: responseTimeoutMs,
    maxBytes: httpLimits.responseMemoryBytes,
    onCut: () => metrics.refused("unread"),
  });
  const timeouts = {
    headersTimeout: Math.min(headerTimeoutMs, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    connectionsCheckingInterval: Math.min(checkMs, headerTimeoutMs),
  };
  const classes = { ServerResponse: unsent.responseClass() };
  const server = createServer({ ...options, ...timeouts, ...classes }, (incoming, outgoing) => {
    // Nothing reads the body of these. In chunks of one byte, even what Node keeps of it would take megabytes.
    if (incoming.method === "GET" || incoming.method === "HEAD") incoming.resume();
    connections.begin({ incoming, outgoing }, () => {
      const problem = protocolProblem(incoming);
      if (problem === undefined) void handle(incoming, outgoing);
      else endResponseWithProblem(outgoing, problem);
    });
  });
  // Not in Node's types: answers a client that has closed its own side. Without it, Node drops the request.
  Object.assign(server, { httpAllowHalfOpen: true });
  server.on("connection", (socket) => {
    lingerBeforeClose(socket, () => connections.requestsOf(socket).map(({ incoming }) => incoming));
    connections.add(socket);
  });
  server.on("close", () => unsent.close());
  handleProtocolErrors(server, connections, metrics);
  metrics.gauge("purser_http_connections", () => connections.sockets.size);
  metrics.gauge("purser_http_unsent_bytes", () => unsent.bytes);
  server.listen({ port, host });
  try {
    await once(server, "listening");
  } catch (error) {
    throw refusal(error, { host, port });
  }
  return {
    port: (server.address() as AddressInfo).port,
    serve: (app) => (fetch = app),
    drain: (timeoutMs, logger) => drainServer({ server, connections, logger, holdResponses }, timeoutMs),
    cut: () => {
      server.close();
      connections.destroyAll();
    },
  };
}

function respondWhileStarting(): Response {
  return responseTo(new Problem("UNAVAILABLE", { detail: "The service is starting.", retryAfterSeconds: 1 }));
}

/** Responds to requests that are not valid HTTP. The app itself handles all other errors. */
function respondToInvalidRequest(error: unknown): Response {
  const isRequest = error instanceof Error && error.name === "RequestError";
  return responseTo(
    isRequest
      ? new Problem("VALIDATION_FAILED", { detail: "The request line or the Host header is not valid." })
      : new Problem("INTERNAL"),
  );
}

function responseTo(problem: Problem): Response {
  const { body, ...init } = problemParts(problem);
  return new Response(body, init);
}

function refusal(error: unknown, { host, port }: Pick<Options, "host" | "port">): Error {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") {
    return new Error(
      `Port ${port} is in use by another program. Stop it, or start Purser on another port, for example PORT=${port + 1}.`,
      { cause: error },
    );
  }
  if (code === "EACCES")
    return new Error(`This user may not listen on port ${port}; set PORT above 1023.`, { cause: error });
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return new Error(`This machine has no address ${host} to listen on; set HOST.`, { cause: error });
  }
  return error as Error;
}
