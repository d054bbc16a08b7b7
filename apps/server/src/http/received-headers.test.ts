import { type IncomingMessage, createServer, request } from "node:http";
import { type AddressInfo } from "node:net";
import { once } from "node:events";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ReceivedHeaders } from "./received-headers.ts";

const names = ["x-request-id", "origin", "authorization", "x-api-key", "cookie", "idempotency-key"] as const;

// Answers with what both read, as the service gets requests.
const listener = getRequestListener((received, { incoming }) => {
  const headers = new ReceivedHeaders(received, incoming as IncomingMessage);
  const read = names.map((name) => [name, headers.get(name), received.headers.get(name)]);
  return Response.json(read);
});
const server = createServer((incoming, outgoing) => void listener(incoming, outgoing));

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(() => void server.close());

async function readBoth(headers: string[]): Promise<[string, string | null, string | null][]> {
  const { port } = server.address() as AddressInfo;
  const sent = request({ port, host: "127.0.0.1", headers: ["Host", "localhost", ...headers] }).end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return JSON.parse(Buffer.concat(await response.toArray()).toString()) as [
    string,
    string | null,
    string | null,
  ][];
}

it.each([
  ["no header", []],
  ["each header once", names.flatMap((name, nth) => [name, `value ${nth}`])],
  ["each header twice", [...names, ...names].flatMap((name, nth) => [name, `value ${nth}`])],
  ["capital letters and empty values", names.flatMap((name) => [name.toUpperCase(), ""])],
])("reads what Headers reads: %s", async (_what, headers) => {
  for (const [name, own, standard] of await readBoth(headers)) expect([name, own]).toEqual([name, standard]);
});
