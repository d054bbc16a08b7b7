import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface FakeRequest {
  method: string;
  /** Not decoded. */
  path: string;
  query: URLSearchParams;
  headers: IncomingMessage["headers"];
  body: unknown;
}

export interface FakeResponse {
  status: number;
  /** Text is sent unchanged, everything else as JSON. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** `hang_up` closes the connection without a response. `hang` never responds. */
export type Silence = "hang_up" | "hang";

/** Starts an HTTP server on this computer. */
export async function startServer(
  respond: (request: FakeRequest) => FakeResponse | Silence,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of incoming) chunks.push(chunk as Buffer);
      send(outgoing, respond(requestOf(incoming, Buffer.concat(chunks).toString())));
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

function requestOf({ method = "GET", url = "/", headers }: IncomingMessage, text: string): FakeRequest {
  const { pathname, searchParams } = new URL(url, "http://yapily.invalid");
  return {
    method,
    path: pathname,
    query: searchParams,
    headers,
    body: text === "" ? undefined : JSON.parse(text),
  };
}

function send(outgoing: ServerResponse, response: FakeResponse | Silence): void {
  if (response === "hang") return;
  if (response === "hang_up") {
    outgoing.destroy();
    return;
  }
  const { status, body, headers } = response;
  outgoing.writeHead(status, { "content-type": "application/json;charset=UTF-8", ...headers });
  outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
}
