import type { Server } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Logger } from "@purser/core";

/** For a connection in use to come by once more, and learn from its answer that it will be closed; also on a busy machine. */
const idleGraceMs = 1000;
const sweepMs = 50;
/** The longest rest while connections keep coming. */
const restMs = 100;

interface Listening {
  server: Server;
  /** Every connection that is open. */
  sockets: ReadonlySet<Socket>;
  logger: Logger;
  /** Keeps answers that are ready until the function that it gives is called. */
  holdAnswers: () => () => void;
}

/** See `HttpServer.drain`. */
export async function drain(listening: Listening, timeoutMs: number): Promise<void> {
  const { server, sockets, logger } = listening;
  const deadline = performance.now() + timeoutMs;
  const closed = Promise.withResolvers<void>();
  await stopListening(listening, () => closed.resolve());
  const grace = setTimeout(() => {
    const sweep = () => {
      server.closeIdleConnections();
      // Browsers open connections ahead. One that has never said anything is not idle for Node, but new.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      if (performance.now() < deadline || sockets.size === 0) return;
      logger.warn({ connections: sockets.size }, "requests took too long to end and were cut off");
      server.closeAllConnections();
    };
    // Timers come before what has arrived is read. A process that was kept from running for a while would find both,
    // and call a connection idle whose request is there; so it reads first.
    const sweeps = setInterval(() => setImmediate(sweep), sweepMs);
    void closed.promise.then(() => clearInterval(sweeps));
  }, idleGraceMs);
  await closed.promise;
  clearTimeout(grace);
  // Stops the timer that watches for slow requests, which would keep the process.
  server.close();
}

/**
 * Closes the listening socket. What the kernel has accepted for it by then, and we have not taken over, is reset. So
 * all reading rests for a moment, in which the event loop does little but take over what has come, one connection a
 * turn, until a turn brings none. Answers rest, too: upon one that ends its connection a client connects again.
 *
 * Node's own close() also ends connections that are idle at this instant, and a client may just be sending its next
 * request on one. They get a moment to come by.
 */
async function stopListening({ server, sockets, holdAnswers }: Listening, closed: () => void): Promise<void> {
  const release = holdAnswers();
  const deadline = performance.now() + restMs;
  let taken = 0;
  server.on("connection", () => (taken += 1));
  // What net.createServer takes as an option, http.createServer does not pass on.
  Object.assign(server, { pauseOnConnect: true });
  for (const socket of sockets) socket.pause();
  let before: number;
  do {
    before = taken;
    await nextTurn();
    await nextTurn();
  } while (taken > before && performance.now() < deadline);
  NetServer.prototype.close.call(server, closed);
  for (const socket of sockets) socket.resume();
  release();
}
