import { once } from "node:events";
import { type AddressInfo, type Socket, connect, createServer } from "node:net";

/** A TCP proxy to a local server that can simulate a network failure. */
export interface TcpProxy {
  /** The server's address through the proxy. */
  readonly url: string;
  /** Drops all traffic of the open connections, including their end. New connections work. */
  cut(): void;
  close(): Promise<void>;
}

/** Starts a proxy to a server on 127.0.0.1. */
export async function startTcpProxy(to: string): Promise<TcpProxy> {
  const url = new URL(to);
  const { port } = url;
  const sockets = new Set<Socket>();
  const cut = new Set<Socket>();
  const server = createServer((outer) => {
    const inner = connect({ host: "127.0.0.1", port: Number(port) });
    sockets.add(outer).add(inner);
    for (const [one, other] of [
      [outer, inner],
      [inner, outer],
    ] as const) {
      one.on("data", (bytes) => cut.has(one) || other.write(bytes));
      one.on("close", () => cut.has(one) || other.destroy());
      one.on("error", () => undefined);
    }
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  url.searchParams.delete("host");
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    cut: () => sockets.forEach((socket) => cut.add(socket)),
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}
