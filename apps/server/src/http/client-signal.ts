import type { HttpContext } from "./context.ts";

const probeMs = 1000;

/**
 * Returns a signal that aborts when the client has left.
 *
 * A client that closes its connection looks like one that has closed only its own side, and still reads
 * (docs/decisions/0063). Interim responses tell them apart: a client of HTTP/1.1 skips them, and the system of one that has
 * left resets the connection. The first provokes the reset, and the next one meets it.
 */
export function watchClient({ req, env: { incoming, outgoing } }: HttpContext): AbortSignal {
  const { signal } = req.raw;
  if (incoming === undefined || outgoing === undefined || incoming.httpVersion === "1.0") return signal;
  const { socket } = incoming;
  let timer: NodeJS.Timeout | undefined;
  const probe = () => {
    if (!outgoing.headersSent) outgoing.writeProcessing();
  };
  const startProbing = () => {
    probe();
    timer = setInterval(probe, probeMs).unref();
  };
  outgoing.once("close", () => {
    clearInterval(timer);
    socket.off("end", startProbing);
  });
  if (socket.readableEnded) startProbing();
  else socket.once("end", startProbing);
  return signal;
}
