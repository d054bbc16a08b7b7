import { once } from "node:events";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/** A TCP proxy to a local server that can simulate a network failure. */
export interface TcpProxy {
  /** The server's address through the proxy. */
  readonly url: string;
  readonly port: number;
  /** Drops all traffic of the open connections, including their end. New connections work. */
  cut(): void;
  /** Closes all connections, and new ones at once, until `restore`. */
  refuse(): void;
  /** Drops all traffic of all connections in both directions until `restore`. New connections are accepted. */
  silence(): void;
  /** Forwards traffic again. What was dropped stays lost, and so does all that follows it: TCP delivers in order. */
  restore(): void;
  /** Leads new connections to another server on 127.0.0.1. */
  leadTo(to: string): void;
  /** The number of connections that the client has not ended. */
  readonly connections: number;
  close(): Promise<void>;
}

/**
 * Starts a proxy to a server on 127.0.0.1.
 *
 * @example
 * const proxy = await startTcpProxy(database.url);
 * const other = await openOtherProcess(purser, { settings: { databaseUrl: proxy.url } });
 * proxy.silence(); // the network swallows everything
 */
export async function startTcpProxy(to: string): Promise<TcpProxy> {
  const url = new URL(to);
  let { port } = url;
  const clients = new Set<Socket>();
  const sockets = new Set<Socket>();
  const cut = new Set<Socket>();
  let isSilent = false;
  let isRefusing = false;
  const isDropped = (socket: Socket) => isSilent || cut.has(socket);
  // Half-open, because the other side must not learn of an end that is dropped.
  const server = createServer({ allowHalfOpen: true }, (outer) => {
    if (isRefusing) {
      outer.destroy();
      return;
    }
    const inner = connect({ host: "127.0.0.1", port: Number(port), allowHalfOpen: true });
    clients.add(outer);
    for (const end of ["end", "close"]) outer.on(end, () => clients.delete(outer));
    for (const [one, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      sockets.add(one);
      const forward = (send: () => void) => {
        if (isDropped(one)) cut.add(one);
        else send();
      };
      one.on("data", (bytes) => forward(() => other.write(bytes)));
      one.on("end", () => forward(() => other.end()));
      one.on("close", () => {
        sockets.delete(one);
        if (!isDropped(one)) other.destroy();
      });
      one.on("error", () => undefined);
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  url.searchParams.delete("host");
  const own = (server.address() as AddressInfo).port;
  url.port = String(own);
  return {
    url: url.href,
    port: own,
    cut: () => sockets.forEach((socket) => cut.add(socket)),
    refuse() {
      isRefusing = true;
      for (const socket of sockets) socket.destroy();
    },
    silence: () => void (isSilent = true),
    restore: () => void (isSilent = isRefusing = false),
    leadTo: (other) => void ({ port } = new URL(other)),
    get connections() {
      return clients.size;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
