import { once } from "node:events";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { findFreePort } from "../testing/process.ts";
import { type TestService, createTestService } from "../testing/service.ts";
import { type HttpServer, listen } from "./http-server.ts";

let service: TestService;
let server: HttpServer;
let port: number;

beforeAll(async () => {
  service = await createTestService();
  port = await findFreePort();
  server = await listen(service.app.fetch, { host: "127.0.0.1", port });
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
  it.each([
    ["TRACE /api/organizations HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 405],
    ["PROPFIND /nope HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 404],
    ["GET http://elsewhere.example/nope HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 404],
    ["GET /nope HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400],
    ["GET /a\\b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n", 400],
  ])("responds to %j with a problem document of status %i", async (bytes, status) => {
    const response = await exchange(bytes);
    expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(response).toMatch(/content-type: application\/problem\+json/i);
    expect(response).toMatch(/"requestId":"req_/);
    expect(response).toMatch(/x-content-type-options: nosniff/i);
  });

  it.each([
    ["whose head", "GET /health/live HTTP/1.1\r\nHost: loc"],
    ["whose body", "POST /api/auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{"],
    [
      "whose chunk",
      "POST /api/cards HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{",
    ],
  ])("times out a client %s does not end", async (_what, bytes) => {
    const hurried = { headersTimeout: 50, requestTimeout: 100, connectionsCheckingInterval: 20 };
    const at = await findFreePort();
    const impatient = await listen(service.app.fetch, { host: "127.0.0.1", port: at }, hurried);
    expect(await exchange(bytes, at)).toMatch(/^HTTP\/1\.1 408 /);
    await impatient.drain(0, service.purser.platform.logger);
  });

  it("returns 431 for a head over 64 KiB, and does not reveal its software", async () => {
    const response = await exchange(`GET /?${"x".repeat(70_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`);
    expect(response).toBe("HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n\r\n");
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
    const at = await findFreePort();
    const ending = await listen(service.app.fetch, { host: "127.0.0.1", port: at });
    const socket = connect(at, "127.0.0.1");
    await once(socket, "connect");
    vi.useFakeTimers({ toFake: ["setTimeout", "setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const drained = ending.drain(5000, service.purser.platform.logger);
    await vi.waitUntil(() => vi.getTimerCount() > 0);
    vi.advanceTimersByTime(1040);
    // The request arrives unread just as the grace period of idle connections ends.
    socket.write("GET /health/live HTTP/1.1\r\nHost: localhost\r\n\r\n");
    vi.advanceTimersByTime(20);
    vi.useRealTimers();
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
    await drained;
  });
});
