import { type Socket, connect } from "node:net";

/**
 * Opens hostile connections to the port of its argument until it is killed. A client that is cut off comes back after a
 * second. Sends `{ opened }` to the parent process once all of them have connected.
 */
const port = Number(process.argv[2]);
const count = Number(process.argv[3]);
const comeBackMs = 1000;
const trickleMs = 500;
const bodyBytes = 1024 * 1024 - 1;
const post = `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${bodyBytes}\r\n\r\n`;

/** What each kind of client does with a new connection. */
const kinds: ((socket: Socket) => void)[] = [
  // Slow headers.
  (socket) => trickle(socket.resume(), "GET /health/live HTTP/1.1\r\nX-Slow: ", "x", 1),
  // Slow bodies.
  (socket) => trickle(socket.resume(), post, "x", 1),
  // Large bodies, which arrive within a few seconds but for their last byte.
  (socket) => trickle(socket.resume(), post, "x".repeat(128 * 1024), 7),
  // Clients that do not read their responses.
  (socket) => socket.pause().write("GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(6)),
];

/** Writes the head at once, and then the part this many times, or for ever if it is one byte. */
function trickle(socket: Socket, head: string, part: string, times: number): void {
  socket.write(head);
  let left = part.length === 1 ? Infinity : times;
  const timer = setInterval(() => {
    left -= 1;
    if (left < 0) clearInterval(timer);
    else socket.write(part);
  }, trickleMs);
  socket.once("close", () => clearInterval(timer));
}

let opened = 0;
function open(kind: number): void {
  const socket = connect(port, "127.0.0.1", () => {
    opened += 1;
    if (opened === count) process.send?.({ opened });
    kinds[kind]!(socket);
  });
  socket.on("error", () => undefined);
  socket.on("end", () => socket.destroy());
  socket.once("close", () => setTimeout(() => open(kind), comeBackMs));
}

// A burst would measure how fast the service sends large files.
for (let client = 0; client < count; client += 1) setTimeout(() => open(client % kinds.length), client * 10);
