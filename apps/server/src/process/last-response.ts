import type { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { Problem } from "@purser/core";
import { problemMessage } from "../http/problem-message.ts";

/** How long a connection stays readable after its last response. Closing it at once can discard the response. */
const lingerMs = 1000;

/** The connections that have had their last response. */
const closing = new WeakSet<Socket>();

/** Whether a connection has had its last response. What its client still sends is discarded. */
export const isClosing = (socket: Socket): boolean => closing.has(socket);

/** Writes a problem document as the last response of a connection. */
export function endSocketWithProblem(socket: Socket, problem: Problem): void {
  if (!socket.writable) return;
  socket.end(problemMessage(problem));
  closeSoon(socket);
}

/** Discards what the client still sends, until it closes the connection too or the time is over. */
export function closeSoon(socket: Socket): void {
  if (closing.has(socket)) return;
  closing.add(socket);
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("end", () => destroyOnceSent(socket));
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
}

/**
 * Makes Node close a connection in this way too. By itself, it destroys a connection that has had its last response as soon
 * as that is sent. If the client is still sending then, the system resets the connection, and a client that sends all of its
 * request before it reads never sees the response.
 *
 * @param receiving Returns the requests of the connection that are open. Their bodies are discarded
 */
export function lingerBeforeClose(socket: Socket, receiving: () => readonly IncomingMessage[]): void {
  // Node and Hono call it for nothing else.
  socket.destroySoon = () => {
    if (socket.readableEnded) return destroyOnceSent(socket);
    if (socket.writable) socket.end();
    for (const incoming of receiving()) incoming.resume();
    closeSoon(socket);
  };
}

/** Node's own `destroySoon`. */
function destroyOnceSent(socket: Socket): void {
  Socket.prototype.destroySoon.call(socket);
}
