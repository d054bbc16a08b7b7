import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { text } from "node:stream/consumers";
import type { WebhookReceiver } from "@purser/platform/inbox";
import { testSettings } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createMetrics } from "../operations/metrics.ts";
import { type TestService, createTestService } from "../testing/service.ts";
import { type HttpServer, listen } from "./http-server.ts";

const anyPort = { ...testSettings(), port: 0 };
const metrics = createMetrics().edge;
/** Far below the limits of production, so that a client that stalls is answered at once. */
const hurried = { ...anyPort.httpLimits, headerTimeoutMs: 50, requestTimeoutMs: 100 };
const receiver: WebhookReceiver = {
  area: "billing",
  provider: "example",
  verify: () => ({ outcome: "refused", reason: "signature" }),
  apply: async () => "APPLIED",
};
let service: TestService;
let server: HttpServer;
let impatient: HttpServer;

beforeAll(async () => {
  service = await createTestService({ receivers: [receiver] });
  server = await listen(service.app.fetch, anyPort, metrics);
  impatient = await listen(service.app.fetch, { ...anyPort, httpLimits: hurried }, metrics);
});
afterAll(async () => {
  await Promise.all([server, impatient].map((one) => one.drain(0, service.purser.platform.logger)));
  await service.close();
});

async function open(bytes: string | Buffer, at = server): Promise<Socket> {
  const socket = connect({ port: at.port, host: "127.0.0.1", allowHalfOpen: true });
  await once(socket, "connect");
  socket.write(bytes);
  return socket;
}

interface RawResponse {
  status: number;
  headers: Map<string, string>;
  body: string;
}

/** Reads all responses of a connection that the server closes. */
async function responsesOf(socket: Socket): Promise<RawResponse[]> {
  let rest = await text(socket);
  socket.end();
  const responses: RawResponse[] = [];
  while (rest !== "") {
    const [head = "", ...after] = rest.split("\r\n\r\n");
    const [first = "", ...lines] = head.split("\r\n");
    const headers = new Map(
      lines.map((line) => [line.split(": ")[0]!.toLowerCase(), line.slice(line.indexOf(": ") + 2)]),
    );
    const length = Number(headers.get("content-length") ?? 0);
    const remaining = after.join("\r\n\r\n");
    responses.push({ status: Number(first.split(" ")[1]), headers, body: remaining.slice(0, length) });
    rest = remaining.slice(length);
  }
  return responses;
}

function expectProblem({ status, headers, body }: RawResponse, expected: number): void {
  expect(status).toBe(expected);
  expect(headers.get("content-type")).toBe("application/problem+json");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("cache-control")).toBe("no-store");
  const requestId = headers.get("x-request-id");
  expect(requestId).toMatch(/^req_/);
  // The clients of sign-in endpoints expect the detail as the message too.
  const { message, ...problem } = JSON.parse(body) as { message?: string; detail: string };
  expect([undefined, problem.detail]).toContain(message);
  expect(problem).toEqual({
    type: expect.stringMatching(/^\/docs\/problems#[A-Z_]+$/),
    title: expect.any(String),
    status,
    detail: expect.stringMatching(/^[A-Z].*\.$/),
    code: expect.stringMatching(/^[A-Z_]+$/),
    requestId,
    // Only a request that arrives in time may succeed unchanged.
    retryable: status === 408,
    ...(status === 404 && { help: expect.stringMatching(/\/docs/) }),
  });
}

const host = "Host: localhost\r\n";
const close = `${host}Connection: close\r\n`;

describe("a malformed request", () => {
  it.each<[string, string | Buffer, number]>([
    ["no HTTP", "hello\r\n\r\n", 400],
    ["a TLS handshake", Buffer.from("16030100c8010000c40303", "hex"), 400],
    ["the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 400],
    ["HTTP/0.9", "GET /health/live\r\n\r\n", 400],
    ["an unknown version", `GET /health/live HTTP/3.0\r\n${close}\r\n`, 400],
    ["an unknown method", `FROB / HTTP/1.1\r\n${close}\r\n`, 400],
    ["a space in the target", `GET /a b HTTP/1.1\r\n${close}\r\n`, 400],
    ["a backslash in the target", `GET /a\\b HTTP/1.1\r\n${close}\r\n`, 400],
    ["a target without a slash", `GET health HTTP/1.1\r\n${close}\r\n`, 400],
    ["the target *", `OPTIONS * HTTP/1.1\r\n${close}\r\n`, 400],
    ["HTTP/1.1 without Host", "GET /health/live HTTP/1.1\r\nConnection: close\r\n\r\n", 400],
    ["two Hosts", `GET /health/live HTTP/1.1\r\nHost: a\r\n${close}\r\n`, 400],
    ["an invalid Host", "GET /health/live HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400],
    ["a header without a colon", `GET /health/live HTTP/1.1\r\n${host}nonsense\r\n\r\n`, 400],
    ["a NUL in a header", `GET /health/live HTTP/1.1\r\n${host}X-A: a\0b\r\n\r\n`, 400],
    ["a folded header", `GET /health/live HTTP/1.1\r\n${host}X-A: a\r\n b\r\n\r\n`, 400],
    ["a head that ends with the connection", `GET /health/live HTTP/1.1\r\n${host}`, 400],
    ["a length that is no number", `POST /api/cards HTTP/1.1\r\n${host}Content-Length: x\r\n\r\n`, 400],
    ["a negative length", `POST /api/cards HTTP/1.1\r\n${host}Content-Length: -1\r\n\r\n`, 400],
    [
      "two lengths",
      `POST /api/cards HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
      400,
    ],
    [
      "a length and chunks",
      `POST /api/cards HTTP/1.1\r\n${host}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      400,
    ],
    [
      "an unknown transfer encoding",
      `POST /api/cards HTTP/1.1\r\n${host}Transfer-Encoding: x\r\n\r\n{}`,
      400,
    ],
    [
      "a chunk that is no number",
      `POST /api/cards HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\nx\r\n`,
      400,
    ],
    [
      "a body that ends with the connection",
      `POST /api/auth/sign-in/email HTTP/1.1\r\n${host}Content-Length: 9\r\n\r\n{`,
      400,
    ],
    ["an upgrade to an unknown path", `GET /nope HTTP/1.1\r\n${close}Upgrade: websocket\r\n\r\n`, 404],
    ["TRACE", `TRACE /api/organizations HTTP/1.1\r\n${close}\r\n`, 405],
    ["TRACE of a sign-in endpoint", `TRACE /api/auth/get-session HTTP/1.1\r\n${close}\r\n`, 405],
    ["TRACE of an unknown sign-in endpoint", `TRACE /api/auth/nope HTTP/1.1\r\n${close}\r\n`, 404],
    ["TRACE with a body", `TRACE /api/auth/get-session HTTP/1.1\r\n${close}Content-Length: 2\r\n\r\n{}`, 405],
    ["CONNECT", `CONNECT elsewhere.example:443 HTTP/1.1\r\n${host}\r\n`, 405],
    ["an unknown expectation", `GET /health/live HTTP/1.1\r\n${close}Expect: magic\r\n\r\n`, 417],
    ["a head over 64 KiB", `GET /?${"x".repeat(70_000)} HTTP/1.1\r\n${host}\r\n`, 431],
    [
      "a body over 1 MiB",
      `POST /api/auth/sign-in/email HTTP/1.1\r\n${host}Content-Length: 5000000000\r\n\r\n{`,
      413,
    ],
    [
      "chunks with long extensions",
      `POST /api/cards HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n1;${"x".repeat(70_000)}\r\n`,
      413,
    ],
  ])("gets a problem document: %s", async (_what, bytes, status) => {
    const socket = await open(bytes);
    // Ends only the client's side, as a client does that has sent all it has to say.
    socket.end();
    const [response, ...more] = await responsesOf(socket);
    expect(more).toEqual([]);
    expectProblem(response!, status);
  });

  it.each(["café", "日本", "two words"])(
    "says that its address must be percent-encoded: %s",
    async (query) => {
      // As curl sends what was typed.
      const socket = await open(`GET /api/banking/transactions?query=${query} HTTP/1.1\r\n${host}\r\n`);
      socket.end();
      const [response] = await responsesOf(socket);
      expectProblem(response!, 400);
      const { detail } = JSON.parse(response!.body) as { detail: string };
      expect(detail).toContain("percent-encoded");
    },
  );

  it.each([
    ["whose head", `GET /health/live HTTP/1.1\r\n${host}`],
    ["whose body", `POST /api/auth/sign-in/email HTTP/1.1\r\n${host}Content-Length: 9\r\n\r\n{`],
    ["whose chunk", `POST /api/cards HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n9\r\n{`],
  ])("gets 408 %s does not end", async (_what, bytes) => {
    const [response, ...more] = await responsesOf(await open(bytes, impatient));
    expect(more).toEqual([]);
    expectProblem(response!, 408);
  });

  it("is answered after the requests before it on the same connection", async () => {
    const metricsRequest = `GET /metrics HTTP/1.1\r\n${host}\r\n`;
    const socket = await open(`${metricsRequest}${metricsRequest}nonsense\r\n\r\n`);
    const [first, second, third, ...more] = await responsesOf(socket);
    expect([first?.status, second?.status]).toEqual([200, 200]);
    expectProblem(third!, 400);
    expect(more).toEqual([]);
  });

  it("gets its answer although the client goes on sending", async () => {
    const socket = await open("nonsense\r\n\r\n");
    socket.on("error", () => undefined);
    const more = Buffer.alloc(16 * 1024);
    const pour = () => {
      while (socket.writable && socket.write(more));
    };
    socket.on("drain", pour);
    pour();
    const [response] = await responsesOf(socket);
    expectProblem(response!, 400);
  });
});

describe("a client that sends all of its body before it reads", () => {
  const chunked = (path: string, ...headers: string[]) =>
    [
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n`,
      "Transfer-Encoding: chunked\r\n",
      ...headers,
      "\r\n",
    ].join("");
  const size = 0x10000;
  const chunk = Buffer.from(`${size.toString(16)}\r\n${"x".repeat(size)}\r\n`);
  const bodyBytes = 5 * 1024 * 1024;

  async function sendAll(socket: Socket): Promise<void> {
    // Beside other work on the machine, sending may take longer than the server reads on.
    vi.useFakeTimers({ toFake: ["setTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    // A reset connection fails here, or in the reading after it.
    for (let sent = 0; sent < bodyBytes; sent += size) if (!socket.write(chunk)) await once(socket, "drain");
    socket.write("0\r\n\r\n");
  }

  it.each([
    "/api/organizations",
    "/api/auth/sign-in/email",
    "/api/webhooks/billing/example",
    "/trpc/organizations.create",
  ])("gets 413 for a body over 1 MiB, and an orderly end: %s", async (path) => {
    const socket = await open(chunked(path));
    await sendAll(socket);
    const [response, ...more] = await responsesOf(socket);
    expect(more).toEqual([]);
    if (!path.startsWith("/trpc/")) return expectProblem(response!, 413);
    expect(response!.status).toBe(413);
    expect(JSON.parse(response!.body)).toMatchObject({
      error: { data: { problem: { code: "PAYLOAD_TOO_LARGE" } } },
    });
  });

  it.each([
    ["that an unknown path ignores", chunked("/nope", "Connection: close\r\n"), 404],
    ["after an unknown expectation", chunked("/api/cards", "Expect: magic\r\n"), 417],
  ])("gets its answer and an orderly end, with a body %s", async (_what, head, status) => {
    const socket = await open(head);
    await sendAll(socket);
    const [response, ...more] = await responsesOf(socket);
    expect(more).toEqual([]);
    expectProblem(response!, status);
  });

  it("has no effect with what follows the last response", async () => {
    const called: string[] = [];
    const fetch = ({ url }: Request) => {
      called.push(new URL(url).pathname);
      return new Response("ok", { headers: { Connection: "close" } });
    };
    const own = await listen(fetch, anyPort, metrics);
    onTestFinished(() => own.drain(0, service.purser.platform.logger));
    const socket = await open(chunked("/first"), own);
    await sendAll(socket);
    socket.write(`GET /second HTTP/1.1\r\n${host}\r\n`);
    expect((await responsesOf(socket)).map(({ status }) => status)).toEqual([200]);
    await once(socket, "close");
    expect(called).toEqual(["/first"]);
  });

  it("is cut off if it never ends", async () => {
    const socket = await open(chunked("/nope", "Connection: close\r\n"));
    const cut = new Promise((resolve) => socket.on("error", () => undefined).once("close", resolve));
    const sending = setInterval(() => socket.write("1\r\nx\r\n"), 20);
    onTestFinished(() => clearInterval(sending));
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 404 /);
    await cut;
  });
});

describe("a request", () => {
  it.each(["/health/live", "/health/ready"])(
    "gets %s over HTTP/1.0 without Host, as probes send it",
    async (path) => {
      const status = async () => {
        const [response] = await responsesOf(await open(`GET ${path} HTTP/1.0\r\n\r\n`));
        return response?.status;
      };
      // A busy machine may be unready for a moment.
      await expect.poll(status).toBe(200);
    },
  );

  it.each([
    ["without a body", `GET /metrics HTTP/1.1\r\n${host}\r\n`, 200],
    [
      "with a body",
      `POST /api/organizations HTTP/1.1\r\n${host}Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}`,
      401,
    ],
  ])("is answered after its client has closed its own side: %s", async (_what, bytes, status) => {
    const socket = await open(bytes);
    socket.end();
    const responses = await responsesOf(socket);
    expect(responses.map((response) => response.status)).toEqual([status]);
  });

  it("is answered with all others of its connection after the client has closed its side", async () => {
    const socket = await open(`GET /metrics HTTP/1.1\r\n${host}\r\n`.repeat(3));
    socket.end();
    expect((await responsesOf(socket)).map(({ status }) => status)).toEqual([200, 200, 200]);
  });
});
