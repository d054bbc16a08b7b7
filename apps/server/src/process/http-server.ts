import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { type Logger, Problem, problemDocument } from "@purser/core";
import { apiHeaders } from "../http/headers.ts";
import { requestIdOf } from "../http/request-id.ts";
import { drainServer } from "./drain.ts";

/** A listening server. */
export interface HttpServer {
  /**
   * Accepts no new connections, finishes running requests, and ends kept-alive connections. Requests that are not
   * finished within the timeout are cut off.
   */
  drain(timeoutMs: number, logger: Logger): Promise<void>;
  /** Closes every connection immediately. */
  cut(): void;
}

interface Address {
  host: string;
  port: number;
}

type Fetch = Parameters<typeof getRequestListener>[0];

/** Times in milliseconds. */
const usualLimits = {
  /** The idle time of kept-alive connections. Longer than the 60 seconds of common load balancers. */
  keepAliveTimeout: 65_000,
  /** Limits against clients that send a request very slowly. */
  requestTimeout: 30_000,
  headersTimeout: 15_000,
  /** How often Node checks these limits. Its default is 30 seconds. */
  connectionsCheckingInterval: 5000,
  /** tRPC queries carry their input in the URL, and some lists of filters are long. */
  maxHeaderSize: 64 * 1024,
};

/** Starts listening. Throws an error that says what to do if the port is taken. */
export async function listen(
  fetch: Fetch,
  { host, port }: Address,
  limits: Partial<typeof usualLimits> = {},
): Promise<HttpServer> {
  let held: Promise<void> | undefined;
  const holdResponses = () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    held = promise;
    return () => ((held = undefined), resolve());
  };
  const fetchUnlessHeld: Fetch = async (request, env) => {
    const response = await fetch(request, env);
    if (held) await held;
    return response;
  };
  const handle = getRequestListener(fetchUnlessHeld, { errorHandler: respondToInvalidRequest });
  const server = createServer({ ...usualLimits, ...limits }, (incoming, outgoing) => {
    void handle(incoming, outgoing);
  });
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen({ port, host });
  try {
    await once(server, "listening");
  } catch (error) {
    throw refusal(error, { host, port });
  }
  return {
    drain: (timeoutMs, logger) => drainServer({ server, sockets, logger, holdResponses }, timeoutMs),
    cut: () => server.closeAllConnections(),
  };
}

/** Responds to requests that are not valid HTTP. The app itself handles all other errors. */
function respondToInvalidRequest(error: unknown): Response {
  const isRequest = error instanceof Error && error.name === "RequestError";
  const problem = isRequest
    ? new Problem("VALIDATION_FAILED", { detail: "The request line or the Host header is not valid." })
    : new Problem("INTERNAL");
  const requestId = requestIdOf(undefined);
  return new Response(JSON.stringify(problemDocument(problem, requestId)), {
    status: problem.status,
    headers: {
      ...apiHeaders,
      "Content-Type": "application/problem+json",
      "X-Request-Id": requestId,
      Connection: "close",
    },
  });
}

function refusal(error: unknown, { host, port }: Address): Error {
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
