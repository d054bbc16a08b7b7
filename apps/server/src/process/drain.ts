import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setImmediate as nextIteration, setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "@purser/core";
import type { Connections } from "./connections.ts";

/** Time for an active connection to send another request and learn from its response to close; also on a busy machine. */
const idleGraceMs = 1000;
const sweepMs = 50;
/**
 * How long no connection may arrive before the listening socket is closed. Clients that wait for a response do not
 * connect, but on a busy machine one that has just got its response may take some time to connect again.
 */
const quietMs = 100;
const quietPollMs = 5;
/** If connections keep arriving, the pause ends after this time in the first turn without one, */
const busyPauseMs = 2000;
/** and after this time in any case. */
const maxPauseMs = 3000;

interface Listening {
  server: Server;
  connections: Connections;
  logger: Logger;
  /** Holds back finished responses until the returned function is called. */
  holdResponses: () => () => void;
}

/** See `HttpServer.drain`. */
export async function drainServer(listening: Listening, timeoutMs: number): Promise<void> {
  const { server, connections, logger } = listening;
  const { sockets } = connections;
  const deadline = performance.now() + timeoutMs;
  const closed = Promise.withResolvers<void>();
  await stopListening(listening, () => closed.resolve());
  const grace = setTimeout(() => {
    const sweep = () => {
      server.closeIdleConnections();
      // Browsers open connections in advance. Node does not count a connection without a request as idle.
      for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy();
      if (performance.now() < deadline || sockets.size === 0) return;
      logger.warn({ connections: sockets.size }, "Requests took too long and were cut off");
      // Node's closeAllConnections leaves out those whose client has closed its own side.
      connections.destroyAll();
    };
    // Timers run before sockets are read. After a stall, a connection whose request has arrived would look idle, so
    // sweep after reading.
    const sweeps = setInterval(() => setImmediate(sweep), sweepMs);
    void closed.promise.then(() => clearInterval(sweeps));
  }, idleGraceMs);
  await closed.promise;
  clearTimeout(grace);
  // Stops the timer that watches for slow requests. It would keep the process alive.
  server.close();
}

/**
 * Closes the listening socket. Closing resets connections that the kernel has accepted but Node has not. So all reading
 * pauses while the event loop accepts one connection per turn, until none has come for a while. Responses are held back
 * too, because a client whose connection ends connects again. A connection that arrives in the last instant is still
 * reset, before anything of it was read (docs/decisions/0036).
 *
 * Node's own close() also ends idle connections at once, although a client may be sending a request on one. Here they get a
 * grace period.
 */
async function stopListening(
  { server, connections: { sockets }, holdResponses }: Listening,
  closed: () => void,
): Promise<void> {
  const release = holdResponses();
  const begun = performance.now();
  let taken = 0;
  server.on("connection", () => (taken += 1));
  // net.createServer has this option, but http.createServer does not pass it on.
  Object.assign(server, { pauseOnConnect: true });
  for (const socket of sockets) socket.pause();
  for (let quietSince = begun; ;) {
    const before = taken;
    await nextIteration();
    await nextIteration();
    const now = performance.now();
    if (now - begun >= maxPauseMs) break;
    if (taken > before) quietSince = now;
    else if (now - quietSince >= quietMs || now - begun >= busyPauseMs) break;
    else await sleep(quietPollMs);
  }
  NetServer.prototype.close.call(server, closed);
  for (const socket of sockets) socket.resume();
  release();
}
