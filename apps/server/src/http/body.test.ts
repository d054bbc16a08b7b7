import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { text } from "node:stream/consumers";
import type { HttpBindings } from "@hono/node-server";
import type { Logger } from "@purser/core";
import { testSettings } from "@purser/testing";
import { Hono } from "hono";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createMetrics } from "../operations/metrics.ts";
import { listen } from "../process/http-server.ts";
import { type ListeningService, startListeningService } from "../testing/listening-service.ts";
import { BodyBudget } from "./body-budget.ts";
import { readBytes } from "./body.ts";
import type { HttpEnv, RequestContext } from "./context.ts";

describe("a body in chunks", () => {
  const bodies = new BodyBudget(4 * 1024 * 1024, () => undefined);
  const app = new Hono<HttpEnv>().post("/", async (c) => c.body(Buffer.from(await readBytes(c, "requests"))));

  it.each([
    ["of an unknown length", {}],
    ["of a declared length", { "content-length": "40000" }],
  ])("%s is copied chunk by chunk, so that none stays in memory", async (_, headers) => {
    const expected = Buffer.from(Array.from({ length: 40_000 }, (__, index) => index % 251));
    const chunk = new Uint8Array(1);
    let next = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (next === expected.length) return controller.close();
          // Whoever kept the earlier chunk would now see this one in its place.
          chunk[0] = expected[next++]!;
          controller.enqueue(chunk);
        },
      },
      { highWaterMark: 0 },
    );
    const init: RequestInit = { method: "POST", headers, body, duplex: "half" };
    const requestContext = { bodies } as RequestContext;
    const response = await app.request("/", init, { requestContext });
    expect(Buffer.from(await response.arrayBuffer()).equals(expected)).toBe(true);
  });
});

describe("a body over a connection", () => {
  const lines: { level: string; fields: object }[] = [];
  const write = (level: keyof Logger) => (fields: object) => void lines.push({ level, fields });
  const logger = { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") };
  let listening: ListeningService;
  beforeAll(async () => {
    listening = await startListeningService({ logger });
  });
  afterAll(() => listening.close());

  const head = (...headers: string[]) =>
    ["POST /api/organizations HTTP/1.1", "Host: localhost", ...headers, "", ""].join("\r\n");
  const json = "Content-Type: application/json";
  async function open(bytes: string): Promise<Socket> {
    const socket = connect(Number(new URL(listening.base).port), "localhost");
    await once(socket, "connect");
    socket.write(bytes);
    return socket;
  }

  it("is complete also if each of its chunks has one byte", async () => {
    const { purser, signedIn } = listening.service;
    const { authorization } = await signedIn(await purser.person());
    const body = JSON.stringify({ name: "In chunks" }).padEnd(40_000);
    const chunked = `${body.replaceAll(/./g, (byte) => `1\r\n${byte}\r\n`)}0\r\n\r\n`;
    const sent = [json, `Authorization: ${authorization}`, "Transfer-Encoding: chunked", "Connection: close"];
    expect(await text(await open(head(...sent) + chunked))).toMatch(/^HTTP\/1\.1 201 .*"name":"In chunks"/s);
  });

  it("is discarded where nothing reads it, before the response", async () => {
    const begun = Promise.withResolvers<HttpBindings>();
    const release = Promise.withResolvers<void>();
    const fetch = async (_: Request, bindings: unknown) => {
      begun.resolve(bindings as HttpBindings);
      await release.promise;
      return new Response("ok");
    };
    const server = await listen(fetch, { ...testSettings(), port: 0 }, createMetrics().edge);
    onTestFinished(() => server.cut());
    const socket = connect(server.port, "127.0.0.1");
    const chunked = `${"1\r\nx\r\n".repeat(10_000)}0\r\n\r\n`;
    const sent = ["Host: localhost", "Transfer-Encoding: chunked", "Connection: close"];
    socket.write(["GET / HTTP/1.1", ...sent, "", chunked].join("\r\n"));
    const { incoming } = await begun.promise;
    await expect.poll(() => incoming.complete).toBe(true);
    expect(incoming.readableLength).toBe(0);
    release.resolve();
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*ok$/s);
  });

  it("is discarded once its response is complete, also behind a response that is not", async () => {
    const begun: HttpBindings[] = [];
    const fetch = (_: Request, bindings: unknown) => {
      begun.push(bindings as HttpBindings);
      return begun.length === 1 ? new Promise<Response>(() => undefined) : new Response("", { status: 404 });
    };
    const server = await listen(fetch, { ...testSettings(), port: 0 }, createMetrics().edge);
    onTestFinished(() => server.cut());
    const socket = connect(server.port, "127.0.0.1");
    onTestFinished(() => void socket.destroy());
    // Less than what Node keeps of a body by itself.
    const chunked = "1\r\nx\r\n".repeat(20_000);
    const sent = `GET / HTTP/1.1\r\nHost: localhost\r\n\r\n${head("Transfer-Encoding: chunked")}${chunked}`;
    socket.write(sent);
    await expect.poll(() => begun[1]?.incoming.socket.bytesRead).toBe(sent.length);
    await expect.poll(() => begun[1]!.incoming.readableLength).toBe(0);
  });

  it("may be absent", async () => {
    expect(await text(await open(head("Connection: close")))).toMatch(/^HTTP\/1\.1 401 /);
  });

  it.each(["Content-Length: 20000", "Transfer-Encoding: chunked"])(
    "is a refusal of the client's if it leaves in the middle: %s",
    async (length) => {
      lines.length = 0;
      const socket = await open(`${head(json, length)}5\r\n{"nam`);
      const inFlight = async () => {
        const response = await listening.service.app.request(`${listening.base}/metrics`);
        return Number(/^http_requests_in_flight (\d+)$/m.exec(await response.text())?.[1]);
      };
      // One is the request for the metrics.
      await expect.poll(inFlight).toBe(2);
      socket.resetAndDestroy();
      await expect.poll(inFlight).toBe(1);
      const requests = lines.filter(
        ({ fields }) => "route" in fields && fields.route === "/api/organizations",
      );
      expect(requests).toMatchObject([{ level: "info", fields: { status: 400 } }]);
      expect(lines.filter(({ level }) => level === "warn" || level === "error")).toEqual([]);
    },
  );
});
