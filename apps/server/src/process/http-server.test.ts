import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { text } from "node:stream/consumers";
import { testSettings } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createMetrics } from "../operations/metrics.ts";
import { type TestService, createTestService } from "../testing/service.ts";
import { type HttpServer, bindHttpServer, listen } from "./http-server.ts";

const anyPort = { ...testSettings(), port: 0 };
const metrics = createMetrics().edge;
let service: TestService;
let server: HttpServer;
let port: number;

beforeAll(async () => {
  service = await createTestService();
  server = await listen(service.app.fetch, anyPort, metrics);
  ({ port } = server);
});
afterAll(async () => {
  await server.drain(1000, service.purser.platform.logger);
  await service.close();
});

/** Sends these bytes and returns everything received until the connection closes. */
async function exchange(bytes: string, at = port): Promise<string> {
  const socket = connect(at, "127.0.0.1");
  await once(socket, "connect");
  socket.write(bytes);
  return text(socket);
}

describe("the HTTP server", () => {
  it("does not reveal its software", async () => {
    const live = "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    for (const bytes of [live, "nonsense\r\n\r\n"]) {
      expect(await exchange(bytes)).not.toMatch(/node|hono|purser|server:|powered/i);
    }
  });

  it("responds with 503 until the app serves, on the port that it will keep", async () => {
    const starting = await bindHttpServer(anyPort, metrics);
    const request = "GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    const early = await exchange(request, starting.port);
    expect(early).toMatch(/^HTTP\/1\.1 503 /);
    expect(early).toMatch(/retry-after: 1\r\n/i);
    expect(early).toMatch(/"code":"UNAVAILABLE"/);
    starting.serve(service.app.fetch);
    expect(await exchange(request, starting.port)).toMatch(/^HTTP\/1\.1 200 /);
    await starting.drain(0, service.purser.platform.logger);
  });

  it.each([
    ["together", 0, ["handled", "handled", "written", "written"]],
    ["at once if they take long", 5, ["handled", "written", "handled", "written"]],
  ])("writes the responses of one turn of the event loop %s", async (_title, busyMs, expected) => {
    const order: string[] = [];
    // On a busy machine, a response may take longer than a batch may.
    vi.useFakeTimers({ toFake: ["performance"] });
    const respond: Parameters<HttpServer["serve"]>[0] = (_request, { outgoing }) => {
      vi.advanceTimersByTime(busyMs);
      order.push("handled");
      outgoing.once("prefinish", () => order.push("written"));
      return new Response("ok");
    };
    const ordered = await listen(respond, anyPort, metrics);
    onTestFinished(() => {
      vi.useRealTimers();
      return ordered.drain(0, service.purser.platform.logger);
    });
    const sockets = [connect(ordered.port, "127.0.0.1"), connect(ordered.port, "127.0.0.1")];
    const get = (socket: Socket, connection: string) =>
      socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`);
    // From a response on, the server has accepted the connection.
    for (const socket of sockets) {
      get(socket, "keep-alive");
      await once(socket, "data");
    }
    order.length = 0;
    // The kernel has both requests before this process reads the first.
    for (const socket of sockets) get(socket, "close");
    await Promise.all(sockets.map((socket) => text(socket)));
    expect(order).toEqual(expected);
  });

  it("returns 413 for an oversized body without reading all of it", async () => {
    const head = "POST /api/organizations HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n";
    const declared = await exchange(`${head}Content-Length: 5000000000\r\n\r\n{`);
    expect(declared).toMatch(/^HTTP\/1\.1 413 /);
    const chunk = `100000\r\n${"x".repeat(0x100000)}\r\n`;
    const chunked = await exchange(`${head}Transfer-Encoding: chunked\r\n\r\n${chunk}${chunk}`);
    expect(chunked).toMatch(/^HTTP\/1\.1 413 /);
  });
});

describe("the shutdown of the HTTP server", () => {
  it("responds to a request that arrived while the event loop was blocked", async () => {
    const ending = await listen(service.app.fetch, anyPort, metrics);
    const socket = connect(ending.port, "127.0.0.1");
    await once(socket, "connect");
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const drained = ending.drain(5000, service.purser.platform.logger);
    await vi.waitUntil(() => vi.getTimerCount() > 0, { timeout: 60_000 });
    vi.advanceTimersByTime(1040);
    // The request arrives unread just as the grace period of idle connections ends.
    socket.write("GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    vi.advanceTimersByTime(20);
    vi.useRealTimers();
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    await drained;
  });
});
