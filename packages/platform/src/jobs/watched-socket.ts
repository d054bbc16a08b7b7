import { Socket } from "node:net";

const checkMs = 250;
/** How long a connection has to respond after a silence of the database has ended. */
const graceMs = 500;

/**
 * Creates a socket for pg-boss's driver, which closes if it has received nothing since the database responded again
 * after a silence. Our own driver has the same rule (`connect` of `@purser/db`). It counts bytes, as TLS hides the rest.
 */
export function watchedSocket(lostBefore: () => number): Socket {
  const socket = new Socket();
  let bytes = 0;
  let heardAt = performance.now();
  // Timers run before sockets are read. After a stall of this process, the response may have arrived.
  const check = () =>
    setImmediate(() => {
      const now = performance.now();
      if (socket.bytesRead > bytes) heardAt = now;
      bytes = socket.bytesRead;
      const since = lostBefore();
      if (heardAt < since && now - since >= graceMs) socket.destroy(connectionReset());
    });
  const timer = setInterval(check, checkMs).unref();
  return socket.once("close", () => clearInterval(timer));
}

/** node-postgres accepts this code, and no other, on a client that is ending: one without a listener, which would crash. */
const connectionReset = () =>
  Object.assign(new Error("The database does not respond"), { code: "ECONNRESET" });
