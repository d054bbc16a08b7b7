import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** A request that is being received or answered. */
export interface Exchange {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
}

/** The open connections of a server, with the requests that each of them has open. */
export class Connections {
  /** In the order of the requests, which is also the order of their responses. */
  readonly #open = new Map<Socket, Set<Exchange>>();

  get sockets(): Iterable<Socket> & { size: number } {
    return { size: this.#open.size, [Symbol.iterator]: () => this.#open.keys() };
  }

  add(socket: Socket): void {
    this.#open.set(socket, new Set());
    socket.once("close", () => this.#open.delete(socket));
  }

  /** The open requests of a connection; none of a connection that is closed. */
  exchangesOf(socket: Socket): readonly Exchange[] {
    return [...(this.#open.get(socket) ?? [])];
  }

  begin(exchange: Exchange): void {
    const open = this.#open.get(exchange.incoming.socket);
    open?.add(exchange);
    exchange.outgoing.once("close", () => open?.delete(exchange));
  }
}
