import { once } from "node:events";
import { type Server, createServer } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { Logger } from "@purser/router";

/** A server that listens. */
export interface HttpServer {
  /**
   * Takes no new connection, lets every request that has begun be answered, and ends kept-alive connections.
   * What is not answered after this long, is cut off.
   */
  drain(timeoutMs: number, logger: Logger): Promise<void>;
  /** Ends every connection at once. */
  cut(): void;
}

interface Address {
  host: string;
  port: number;
}

type Fetch = Parameters<typeof getRequestListener>[0];

/** How long a kept-alive connection may be idle: longer than the minute that load balancers keep theirs. */
const keepAliveTimeout = 65_000;
/** A client that dribbles its request in is not waited for. */
const requestTimeout = 30_000;
const headersTimeout = 15_000;

/** For a connection in use to come by once more, and learn from its answer that it will be closed. */
const idleGraceMs = 250;
const sweepMs = 50;

/** Listens. Throws an error that says what to do where the port is taken. */
export async function listen(fetch: Fetch, { host, port }: Address): Promise<HttpServer> {
  const answerMalformed = () => new Response(null, { status: 400, headers: { connection: "close" } });
  const answer = getRequestListener(fetch, { errorHandler: answerMalformed });
  const server = createServer({ keepAliveTimeout, requestTimeout, headersTimeout }, (incoming, outgoing) => {
    void answer(incoming, outgoing);
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
    drain: (timeoutMs, logger) => drain({ server, sockets, logger }, timeoutMs),
    cut: () => server.closeAllConnections(),
  };
}

interface Listening {
  server: Server;
  sockets: ReadonlySet<Socket>;
  logger: Logger;
}

async function drain({ server, sockets, logger }: Listening, timeoutMs: number): Promise<void> {
  const closed = Promise.withResolvers<void>();
  // Node's own close() also ends connections that are idle at this instant, and a client may just be sending its
  // next request on one. They get a moment to come by; only the listening socket is closed now.
  NetServer.prototype.close.call(server, () => closed.resolve());
  const deadline = performance.now() + timeoutMs;
  const grace = setTimeout(() => {
    const sweep = setInterval(() => {
      server.closeIdleConnections();
      // Browsers open connections ahead. One that has never said anything is not idle for Node, but new.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      if (performance.now() < deadline || sockets.size === 0) return;
      logger.warn({ connections: sockets.size }, "requests took too long to end and were cut off");
      server.closeAllConnections();
    }, sweepMs);
    void closed.promise.then(() => clearInterval(sweep));
  }, idleGraceMs);
  await closed.promise;
  clearTimeout(grace);
  // Stops the timer that watches for slow requests, which would keep the process.
  server.close();
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
