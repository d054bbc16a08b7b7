import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createContext } from "@purser/platform";
import { type Context, handleTrpcRequest, appRouter } from "@purser/router";
import type { Person, TestPurser } from "@purser/testing";
import type { AnyTRPCRouter } from "@trpc/server";

/** Intercepts one request between client and service. If it returns null, the connection breaks. */
type Interceptor = (request: Request, handle: () => Promise<Response>) => Promise<Response | null>;

export interface TestServer {
  baseUrl: string;
  /** Every received request, whatever its outcome. */
  requests: Request[];
  /** Each intercepts one of the next requests, in this order. */
  interceptors: Interceptor[];
  close(): Promise<void>;
}

/** Serves the service's router as tRPC over HTTP. The bearer token is the user's id. */
export function servePurser({ platform }: TestPurser, people: Person[]): Promise<TestServer> {
  return serve((request) => {
    const token =
      request.headers.get("authorization")?.replace("Bearer ", "") ?? request.headers.get("x-api-key");
    const ctx = createContext(platform, {
      requestId: request.headers.get("x-request-id") ?? "req_of_the_test",
      caller: people.find(({ userId }) => userId === token) ?? null,
      fromTrustedOrigin: false,
      idempotencyKey: request.headers.get("idempotency-key"),
    });
    return respondWithTrpc(request, ctx);
  });
}

/** Serves any router whose procedures need no context. */
export function serveRouter(router: AnyTRPCRouter): Promise<TestServer> {
  return serve((request) => respondWithTrpc(request, {} as Context, router));
}

/** Answers like the server, without its checks. */
export async function respondWithTrpc(
  request: Request,
  ctx: Context,
  router: AnyTRPCRouter = appRouter,
): Promise<Response> {
  if (request.headers.has("trpc-accept"))
    return fetchRequestHandler({
      endpoint: "/trpc",
      router,
      req: request,
      allowMethodOverride: true,
      createContext: () => ({ ...ctx }),
    });
  const { pathname, searchParams } = new URL(request.url);
  const path = decodeURIComponent(pathname.slice("/trpc/".length));
  const isBatch = searchParams.has("batch");
  const input = request.method === "GET" ? searchParams.get("input") : await request.clone().text();
  const call = { names: isBatch ? path.split(",") : [path], isBatch, input: input || null };
  const { status, body, replayed } = await handleTrpcRequest(router, call, ctx);
  const headers = {
    "content-type": "application/json",
    "x-request-id": request.headers.get("x-request-id") ?? "req_of_the_test",
    ...(replayed && { "idempotency-replayed": "true" }),
  };
  return new Response(body, { status, headers });
}

/** Serves requests with this function, over a real connection. */
export async function serve(handle: (request: Request) => Promise<Response>): Promise<TestServer> {
  const requests: Request[] = [];
  const interceptors: Interceptor[] = [];
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const request = await toRequest(incoming);
    requests.push(request);
    const passOn = () => handle(request);
    const response = await (interceptors.shift()?.(request, passOn) ?? passOn());
    if (response === null) return incoming.socket.destroy();
    outgoing.statusCode = response.status;
    return outgoing.setHeaders(response.headers).end(await response.text());
  };
  const server = createServer((incoming, outgoing) => void answer(incoming, outgoing));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    requests,
    interceptors,
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(Buffer.from(chunk));
  const { method = "GET", url = "/", headers } = incoming;
  const fields = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Request(new URL(url, `http://${headers.host}`), {
    method,
    headers: fields,
    body: method === "GET" ? null : Buffer.concat(chunks),
  });
}
