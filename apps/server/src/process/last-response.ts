import type { Socket } from "node:net";
import type { Problem } from "@purser/core";
import { problemMessage } from "../http/problem-message.ts";

/** How long a connection stays readable after its last response. Closing it at once can discard the response. */
const lingerMs = 1000;

/** Writes a problem document as the last response of a connection. */
export function endWithProblem(socket: Socket, problem: Problem): void {
  if (!socket.writable) return;
  socket.end(problemMessage(problem));
  closeSoon(socket);
}

/** Discards what the client still sends, until it closes the connection too or the time is over. */
export function closeSoon(socket: Socket): void {
  const timer = setTimeout(() => socket.destroy(), lingerMs);
  socket.once("end", () => socket.destroySoon());
  socket.once("close", () => clearTimeout(timer));
  socket.resume();
}
