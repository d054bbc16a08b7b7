// @module-tag slow
import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { text } from "node:stream/consumers";
import type { HttpLimits } from "@purser/platform/settings";
import type { WebhookReceiver } from "@purser/platform/inbox";
import { testSettings } from "@purser/testing";
import { initTRPC } from "@trpc/server";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { BodyBudget } from "../http/body-budget.ts";
import type { HttpEnv, RequestContext } from "../http/context.ts";
import { createMetrics } from "../operations/metrics.ts";
import { type TestService, createTestService } from "../testing/service.ts";
import { streamTrpc } from "../transports/trpc-stream.ts";
import { type HttpServer, listen } from "./http-server.ts";

const mebibyte = 1024 * 1024;
const { httpLimits } = testSettings();
const logger = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

interface Limited {
  server: HttpServer;
  /** The value of a series of `/metrics`, such as `name{label="value"}`. */
  metric: (series: string) => Promise<number>;
}

/** Starts a server with these limits for the test. */
async function limited(
  fetch: Parameters<HttpServer["serve"]>[0],
  limits: Partial<HttpLimits>,
): Promise<Limited> {
  const { registry, edge } = createMetrics();
  const settings = { ...testSettings(), port: 0, httpLimits: { ...httpLimits, ...limits } };
  const server = await listen(fetch, settings, edge);
  onTestFinished(() => server.drain(0, logger));
  return { server, metric: (series) => valueOf(registry.metrics(), series) };
}

async function valueOf(metrics: Promise<string>, series: string): Promise<number> {
  const line = (await metrics).split("\n").find((one) => one.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length));
}

async function open({ port }: HttpServer, bytes: string | Buffer = ""): Promise<Socket> {
  const socket = connect(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, "Host: localhost", ...headers, "", ""].join("\r\n");
const get = head("GET /health/live");

/** Reads the first response of a connection, as text. */
async function responseOn(socket: Socket): Promise<string> {
  let received = "";
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    received += String(chunk);
    if (received.includes("\r\n\r\n")) break;
  }
  return received;
}

const closed = (socket: Socket) => (socket.closed ? undefined : once(socket, "close"));

function expectOverloaded(response: string, type = "problem+json"): void {
  expect(response).toMatch(/^HTTP\/1\.1 503 /);
  expect(response.toLowerCase()).toContain(`\r\ncontent-type: application/${type}\r\n`);
  expect(response).toMatch(/retry-after: 1\r\n/i);
  expect(response).toMatch(/"code":"UNAVAILABLE","requestId":"req_/);
}

describe("the limit of connections", () => {
  const ok = () => new Response("ok");

  it("closes the oldest silent connection for a new one", async () => {
    const { server, metric } = await limited(ok, { maxConnections: 3 });
    const silent = [await open(server), await open(server, "GET / HT"), await open(server)];
    await expect.poll(() => metric("purser_http_connections")).toBe(3);
    for (const gone of silent.slice(0, 2)) {
      const closing = text(gone);
      expect(await responseOn(await open(server, get))).toMatch(/^HTTP\/1\.1 200 /);
      const last = await closing;
      // A client that has begun a request learns why.
      if (gone.bytesWritten > 0) expectOverloaded(last);
      else expect(last).toBe("");
    }
    expect(await metric("purser_http_connections")).toBe(3);
    expect(await metric('purser_http_refused_total{reason="replaced"}')).toBe(2);
  });

  it("closes the connection that has been idle for longest if none is silent", async () => {
    const { server } = await limited(ok, { maxConnections: 3 });
    const idle = [await open(server, get), await open(server, get), await open(server, get)];
    for (const socket of idle) await responseOn(socket);
    // The first one is used again, so the second one has been idle for longest.
    idle[0]!.write(get);
    await responseOn(idle[0]!);
    idle[1]!.resume();
    expect(await responseOn(await open(server, get))).toMatch(/^HTTP\/1\.1 200 /);
    await closed(idle[1]!);
    idle[0]!.write(get);
    expect(await responseOn(idle[0]!)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("refuses with 503 if all others wait for responses, and closes none of them", async () => {
    const release = Promise.withResolvers<void>();
    let begun = 0;
    const app = async () => {
      begun += 1;
      await release.promise;
      return ok();
    };
    const { server, metric } = await limited(app, { maxConnections: 3 });
    const responses = Promise.all([1, 2, 3].map(async () => responseOn(await open(server, get))));
    await expect.poll(() => begun).toBe(3);
    expectOverloaded(await text(await open(server, get)));
    expect(await metric('purser_http_refused_total{reason="connections"}')).toBe(1);
    expect(begun).toBe(3);
    release.resolve();
    for (const response of await responses) expect(response).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("closes the oldest connection whose body is incomplete if all others wait for responses", async () => {
    let begun = 0;
    const app = async (request: Request) => {
      begun += 1;
      await request.text().catch(() => "");
      return ok();
    };
    const { server } = await limited(app, { maxConnections: 2 });
    const slow = head("POST /", "Content-Length: 9");
    const one = await open(server, `${slow}{`);
    const other = await open(server, `${slow}{`);
    const ends = [text(one), text(other)] as const;
    await expect.poll(() => begun).toBe(2);
    const response = await responseOn(await open(server, get));
    expect(response).toMatch(/^HTTP\/1\.1 200 /);
    expectOverloaded(await ends[0]);
    other.write('"name":1');
    other.end();
    expect(await ends[1]).toMatch(/^HTTP\/1\.1 200 /);
  });
});

describe("the memory for bodies", () => {
  const received: string[] = [];
  const receiver = (area: "cards" | "billing"): WebhookReceiver => ({
    area,
    provider: "example",
    verify: (_body, headers) => {
      received.push(`${area} ${headers.get("x-size")}`);
      return { outcome: "refused", reason: "signature" };
    },
    apply: async () => "APPLIED",
  });
  let service: TestService;
  beforeAll(async () => {
    // A quarter of it is room for two large bodies, and half of it for four.
    const settings = { httpLimits: { ...httpLimits, bodyMemoryBytes: 8 * mebibyte } };
    service = await createTestService({ settings, receivers: [receiver("cards"), receiver("billing")] });
  });
  afterAll(() => service.close());

  const large = mebibyte - 1;
  const post = (path: string, size: number) =>
    head(`POST ${path}`, "Content-Type: application/json", `Content-Length: ${size}`, `X-Size: ${size}`);
  const metricOf = async (series: string) => {
    const response = await service.app.request("http://localhost:3000/metrics");
    return valueOf(response.text(), series);
  };
  const inUse = (purpose: string) => metricOf(`purser_http_body_bytes{purpose="${purpose}"}`);
  /** A body takes memory as it arrives. With all but its last byte, it has taken what it needs. */
  const allButOne = " ".repeat(large - 1);
  /** Opens connections that announce large bodies and send all but their last byte. */
  async function flood(server: HttpServer, path: string, purpose: string, count: number): Promise<Socket[]> {
    const sockets = await Promise.all(Array.from({ length: count }, () => open(server, post(path, large))));
    for (const socket of sockets) socket.write(allButOne);
    await expect.poll(() => inUse(purpose)).toBe(count * large);
    return sockets;
  }

  it.each([
    ["requests", "/api/organizations", 4],
    ["requests", "/api/auth/sign-in/email", 4],
    ["requests", "/trpc/organizations.create", 4],
    ["webhooks", "/api/webhooks/billing/example", 2],
    ["cards", "/api/webhooks/cards/example", 2],
  ])("refuses a large body with 503 once %s use up theirs: %s", async (purpose, path, count) => {
    const { server } = await limited(service.app.fetch, {});
    const sockets = await flood(server, path, purpose, count);
    const refused = await responseOn(await open(server, post(path, large) + allButOne));
    // The errors of tRPC contain the problem.
    expectOverloaded(refused, path.startsWith("/trpc/") ? "json" : "problem+json");
    // Whatever is flooded, these are answered by the app.
    const others = {
      requests: "/api/organizations",
      webhooks: "/api/webhooks/billing/example",
      cards: "/api/webhooks/cards/example",
    };
    for (const [other, address] of Object.entries(others)) {
      const sizes = other === purpose ? [16 * 1024] : [16 * 1024, large];
      for (const size of sizes) {
        const bytes = post(address, size) + " ".repeat(size);
        expect(await responseOn(await open(server, bytes)), `${address} ${size}`).toMatch(
          /^HTTP\/1\.1 4\d\d /,
        );
      }
    }
    for (const socket of sockets) socket.destroy();
    await expect.poll(() => inUse(purpose)).toBe(0);
  });

  it("is not taken by clients that only announce large bodies", async () => {
    const { server } = await limited(service.app.fetch, {});
    const path = "/api/webhooks/cards/example";
    for (let count = 0; count < 20; count += 1) await open(server, `${post(path, large)}{`);
    // One more is the request for the metrics.
    await expect.poll(() => metricOf("http_requests_in_flight")).toBe(21);
    const response = await responseOn(await open(server, post(path, large) + " ".repeat(large)));
    expect(response).toMatch(/^HTTP\/1\.1 401 /);
  });

  it("refuses a chunked body when it outgrows what is left", async () => {
    const { server } = await limited(service.app.fetch, {});
    const path = "/api/webhooks/billing/example";
    await flood(server, path, "webhooks", 2);
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const socket = await open(server, head(`POST ${path}`, "Transfer-Encoding: chunked") + chunk);
    expectOverloaded(await responseOn(socket));
  });

  it("holds the memory until the response, and gives it back also for a body over 1 MiB", async () => {
    const { server } = await limited(service.app.fetch, {});
    const [first] = await flood(server, "/api/webhooks/cards/example", "cards", 2);
    first!.write(" ");
    expect(await responseOn(first!)).toMatch(/^HTTP\/1\.1 401 /);
    expect(received).toContain(`cards ${large}`);
    expect(await inUse("cards")).toBe(large);
    const over = await open(server, post("/api/webhooks/cards/example", 2 * mebibyte));
    expect(await responseOn(over)).toMatch(/^HTTP\/1\.1 413 /);
    expect(await inUse("cards")).toBe(large);
  });
});

describe("a client that does not read its response", () => {
  /** More than the kernel buffers for a connection. */
  const big = "x".repeat(16 * mebibyte);
  const cuts = 'purser_http_refused_total{reason="unread"}';

  it("is cut off after the timeout", async () => {
    const { server, metric } = await limited(() => new Response(big), { responseTimeoutMs: 50 });
    const stuck = await open(server, get);
    stuck.pause();
    await expect.poll(() => metric(cuts)).toBe(1);
    expect(await metric("purser_http_unsent_bytes")).toBe(0);
    // What the kernel had buffered still arrives, but the response stays incomplete.
    stuck.resume();
    let length = 0;
    stuck.on("data", (chunk: Buffer) => (length += chunk.length));
    await closed(stuck);
    expect(length).toBeLessThan(big.length);
    expect(await metric("purser_http_connections")).toBe(0);
  });

  it("is cut off alike from a stream, whose body takes memory until then", async () => {
    const t = initTRPC.create();
    const call = { names: ["big"], isBatch: true, input: null };
    const router = t.router({ big: t.procedure.query(() => big) });
    const bodies = new BodyBudget(8 * mebibyte, () => undefined);
    const lease = bodies.open("requests");
    lease.extendTo(mebibyte);
    const app = new Hono<HttpEnv>().get("/trpc/*", async (c) => {
      c.env.requestContext = { bodyLease: lease } as RequestContext;
      const response = await streamTrpc(c, router, call, { ctx: {}, onError: () => undefined });
      c.env.requestContext.bodyLease?.release();
      return response;
    });
    const { server, metric } = await limited(app.fetch, { responseTimeoutMs: 5000 });
    (await open(server, head("GET /trpc/big?batch=1"))).pause();
    await expect.poll(() => metric("purser_http_unsent_bytes")).toBeGreaterThan(0);
    expect(bodies.used.requests).toBe(mebibyte);
    await expect.poll(() => metric(cuts)).toBe(1);
    await expect.poll(() => bodies.used.requests).toBe(0);
  });

  it("is cut off for the responses to requests that it has sent ahead", async () => {
    const { server, metric } = await limited(() => new Response(big), { responseMemoryBytes: 40 * mebibyte });
    const unsent = () => metric("purser_http_unsent_bytes");
    const ahead = await open(server, get.repeat(2));
    ahead.pause();
    await expect.poll(unsent).toBeGreaterThan(16 * mebibyte);
    ahead.write(get);
    await expect.poll(() => metric(cuts)).toBe(1);
    expect(await unsent()).toBe(0);
    ahead.resume();
    await closed(ahead);
    expect(await metric(cuts)).toBe(1);
  });

  it("has time from when a response is its turn, and is not cut off once it has read it", async () => {
    const release = Promise.withResolvers<void>();
    const app = async ({ url }: Request) => {
      if (url.endsWith("/slow")) await release.promise;
      return new Response(big);
    };
    // Long enough to read the responses on a busy machine.
    const { server, metric } = await limited(app, { responseTimeoutMs: 3000 });
    const patient = await open(server, head("GET /slow") + get);
    await expect.poll(() => metric("purser_http_unsent_bytes")).toBeGreaterThan(0);
    (await open(server, get)).pause();
    await expect.poll(() => metric(cuts)).toBe(1);
    let length = 0;
    patient.on("data", (chunk: Buffer) => (length += chunk.length));
    release.resolve();
    await expect.poll(() => length).toBeGreaterThan(2 * big.length);
    (await open(server, get)).pause();
    await expect.poll(() => metric(cuts)).toBe(2);
    patient.write(get);
    await expect.poll(() => length).toBeGreaterThan(3 * big.length);
  });

  it("is cut off for others when unread responses use up their memory", async () => {
    const { server, metric } = await limited(() => new Response(big), { responseMemoryBytes: 40 * mebibyte });
    const unsent = () => metric("purser_http_unsent_bytes");
    const stuck: Socket[] = [];
    for (let index = 1; index <= 2; index += 1) {
      const socket = await open(server, get);
      socket.pause();
      stuck.push(socket);
      await expect.poll(unsent).toBeGreaterThan((index - 1) * 16 * mebibyte);
    }
    const third = await open(server, get);
    third.pause();
    await expect.poll(() => metric(cuts)).toBe(1);
    expect(await unsent()).toBeLessThanOrEqual(40 * mebibyte);
    // The others still get all of theirs.
    for (const socket of [stuck[1]!, third]) {
      let length = 0;
      socket.on("data", (chunk: Buffer) => (length += chunk.length));
      socket.resume();
      await expect.poll(() => length).toBeGreaterThan(big.length);
    }
    await expect.poll(unsent).toBe(0);
  });
});
