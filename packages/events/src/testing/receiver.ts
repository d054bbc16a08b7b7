import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request that a receiver has read. */
export interface ReceivedWebhook {
  path: string;
  body: string;
  headers: Record<string, string>;
}

export interface WebhookReceiverServer {
  /** Ends with a slash. */
  url: string;
  /** In the order of arrival. */
  received: ReceivedWebhook[];
  /** The most requests that were open at the same time, by path. */
  mostOpen: Map<string, number>;
  /** Answers from now on. Default: 204. */
  answer: (webhook: ReceivedWebhook, response: ServerResponse) => unknown;
  close(): Promise<void>;
}

/** Starts a receiver of webhooks on this machine. */
export async function startReceiver(host = "127.0.0.1"): Promise<WebhookReceiverServer> {
  const open = new Map<string, number>();
  const server = createServer((request, response) => void handle(request, response));
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const receiver: WebhookReceiverServer = {
    url: `http://${host}:${port}/`,
    received: [],
    mostOpen: new Map(),
    answer: (_, response) => response.writeHead(204).end(),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? "/";
    const now = (open.get(path) ?? 0) + 1;
    open.set(path, now);
    receiver.mostOpen.set(path, Math.max(now, receiver.mostOpen.get(path) ?? 0));
    response.on("close", () => open.set(path, open.get(path)! - 1));
    const body = await text(request);
    const webhook = { path, body, headers: request.headers as Record<string, string> };
    receiver.received.push(webhook);
    receiver.answer(webhook, response);
  }

  return receiver;
}
