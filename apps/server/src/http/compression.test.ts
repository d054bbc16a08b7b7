import { once } from "node:events";
import { type IncomingHttpHeaders, request } from "node:http";
import { syncBuiltinESMExports } from "node:module";
import { buffer } from "node:stream/consumers";
import zlib, { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { type Person, testClock, testSettings } from "@purser/testing";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createMetrics } from "../operations/metrics.ts";
import { type HttpServer, listen } from "../process/http-server.ts";
import { type TestService, createTestService } from "../testing/service.ts";
import { preferredEncoding } from "./compression.ts";

let service: TestService;
let server: HttpServer;
let owner: Person;
let organizationId: string;
let credential: Record<string, string>;

beforeAll(async () => {
  // better-auth reads the time from Date.
  service = await createTestService({ clock: testClock(new Date()) });
  server = await listen(service.app.fetch, { ...testSettings(), port: 0 }, createMetrics().edge);
  owner = await service.purser.person();
  organizationId = await service.purser.organization(owner);
  for (let count = 0; count < 10; count += 1) await service.purser.organizationKey(organizationId, "read");
  credential = await service.signedIn(owner);
});
afterAll(async () => {
  server.cut();
  await service.close();
});

const list = () => `/api/keys?organizationId=${organizationId}`;

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Sends a request over a socket, and decompresses nothing. */
async function send(
  path: string,
  headers: Record<string, string> = {},
  method = "GET",
  body = "",
): Promise<Answer> {
  const sent = request({
    port: server.port,
    path,
    method,
    headers: { ...credential, "content-type": "application/json", ...headers },
  });
  sent.end(body);
  const [response] = await once(sent, "response");
  return { status: response.statusCode, headers: response.headers, bytes: await buffer(response) };
}

const decoders = { br: brotliDecompressSync, gzip: gunzipSync, zstd: zstdDecompressSync };

describe("a response over 1 kB", () => {
  it.each(Object.entries(decoders))(
    "is compressed with %s, and its length is exact",
    async (name, decode) => {
      const plain = await send(list());
      const compressed = await send(list(), { "accept-encoding": name });
      expect(compressed.status).toBe(200);
      expect(compressed.headers).toMatchObject({
        "content-encoding": name,
        "content-length": String(compressed.bytes.length),
        "content-type": "application/json",
        vary: "Accept-Encoding",
      });
      expect(compressed.bytes.length).toBeLessThan(plain.bytes.length / 3);
      expect(decode(compressed.bytes).toString()).toBe(plain.bytes.toString());
    },
  );

  it("is not compressed for a client that does not accept it, and says that it varies", async () => {
    for (const accepted of ["", "identity", "br;q=0, gzip;q=0", "deflate", "*;q=0"]) {
      const { headers } = await send(list(), { "accept-encoding": accepted });
      expect(headers["content-encoding"]).toBeUndefined();
      expect(headers.vary).toBe("Accept-Encoding");
    }
    expect((await send(list())).headers["content-encoding"]).toBeUndefined();
  });

  it("is compressed over tRPC, batches included", async () => {
    const input = encodeURIComponent(JSON.stringify({ organizationId }));
    const { headers, bytes } = await send(`/trpc/keys.list?input=${input}`, { "accept-encoding": "br" });
    expect(headers["content-encoding"]).toBe("br");
    expect(JSON.parse(brotliDecompressSync(bytes).toString())).toMatchObject({
      result: { data: expect.any(Array) },
    });
    const calls = encodeURIComponent(JSON.stringify({ 0: { organizationId }, 1: { organizationId } }));
    const batch = await send(`/trpc/keys.list,keys.list?batch=1&input=${calls}`, {
      "accept-encoding": "gzip",
    });
    expect(JSON.parse(gunzipSync(batch.bytes).toString())).toHaveLength(2);
  });

  it("varies by origin as well for a front end of another origin", async () => {
    const headers = { origin: "http://localhost:3000", "accept-encoding": "br" };
    expect((await send(list(), headers)).headers.vary).toBe("Accept-Encoding, Origin");
  });

  it("has the headers of GET without a body as an answer to HEAD", async () => {
    const { status, headers, bytes } = await send(list(), { "accept-encoding": "br" }, "HEAD");
    expect([status, headers["content-encoding"], headers.vary, bytes.length]).toEqual([
      200,
      "br",
      "Accept-Encoding",
      0,
    ]);
  });

  it("is not compressed where another site makes a browser ask for it", async () => {
    const { headers } = await send(list(), { "accept-encoding": "br", "sec-fetch-site": "cross-site" });
    expect(headers["content-encoding"]).toBeUndefined();
  });
});

describe("a text that never changes", () => {
  const compress = ["zstdCompressSync", "brotliCompressSync", "gzipSync"] as const;
  let calls: number;
  beforeEach(() => {
    calls = 0;
    for (const name of compress) {
      const original = zlib[name];
      vi.spyOn(zlib, name).mockImplementation((...input: Parameters<typeof original>) => {
        calls += 1;
        return Reflect.apply(original, zlib, input);
      });
    }
    // The named imports of a module of Node are changed with it only by this.
    syncBuiltinESMExports();
  });
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it.each([
    ["/openapi.json", "zstd"],
    ["/docs/index.json", "gzip"],
    ["/docs/banking", "br"],
    ["/docs/problems", "gzip"],
    ["/assets/reference.js", "zstd"],
  ])("is compressed once, however often it is requested: %s with %s", async (path, encoding) => {
    const answers = [];
    for (let count = 0; count < 3; count += 1)
      answers.push(await send(path, { "accept-encoding": encoding }));
    expect(calls).toBe(1);
    const plain = await send(path);
    for (const { headers, bytes } of answers) {
      expect(headers["content-encoding"]).toBe(encoding);
      expect(decoders[encoding as keyof typeof decoders](bytes).equals(plain.bytes)).toBe(true);
    }
    await send(list(), { "accept-encoding": encoding });
    expect(calls).toBe(2);
  });
});

describe("an asset", () => {
  const path = "/assets/purser.css";

  it("has a version per encoding, and is not sent again", async () => {
    const plain = await send(path);
    const compressed = await send(path, { "accept-encoding": "br" });
    expect(brotliDecompressSync(compressed.bytes).equals(plain.bytes)).toBe(true);
    expect(compressed.headers.etag).not.toBe(plain.headers.etag);
    for (const known of [
      compressed.headers.etag!,
      `W/${compressed.headers.etag!}`,
      `"other", ${compressed.headers.etag!}`,
    ]) {
      const { status, headers, bytes } = await send(path, {
        "accept-encoding": "br",
        "if-none-match": known,
      });
      expect([status, bytes.length, headers["content-encoding"]]).toEqual([304, 0, undefined]);
      expect(headers).toMatchObject({ etag: compressed.headers.etag, vary: "Accept-Encoding" });
      expect(headers["x-request-id"]).toMatch(/^req_/);
    }
    const other = { "accept-encoding": "gzip", "if-none-match": compressed.headers.etag! };
    expect((await send(path, other)).status).toBe(200);
  });
});

it.each([
  // Pages are compressed better.
  ["/", "br"],
  ["/docs", "br"],
  ["/docs/problems", "br"],
  ["/openapi.json", "zstd"],
  ["/sign-in", "br"],
])("%s is compressed", async (path, encoding) => {
  const { status, headers } = await send(path, { "accept-encoding": "gzip, deflate, br, zstd" });
  expect([status, headers["content-encoding"], headers.vary]).toEqual([200, encoding, "Accept-Encoding"]);
});

describe("a response that is not compressed", () => {
  const everything = { "accept-encoding": "zstd, br, gzip" };

  it("is small", async () => {
    const { headers } = await send(`/api/organizations/${organizationId}`, everything);
    expect([headers["content-encoding"], headers.vary]).toEqual([undefined, undefined]);
  });

  it("is that of a mutation, which may hold a secret together with what the caller chose", async () => {
    const body = JSON.stringify({ organizationId, name: "n".repeat(200), access: "read" });
    const { status, headers, bytes } = await send("/api/keys", everything, "POST", body);
    expect([status, headers["content-encoding"]]).toEqual([201, undefined]);
    expect(JSON.parse(bytes.toString())).toMatchObject({ key: expect.stringMatching(/^purser_org_/) });
    const long = JSON.stringify({ name: "n".repeat(200) });
    const trpc = await send("/trpc/organizations.create", everything, "POST", long);
    expect([trpc.status, trpc.headers["content-encoding"]]).toEqual([200, undefined]);
  });

  it("is that of /api/auth", async () => {
    for (let count = 0; count < 10; count += 1) await service.signedIn(owner);
    const { status, headers, bytes } = await send("/api/auth/list-sessions", everything);
    expect([status, headers["content-encoding"], bytes.length > 1000]).toEqual([200, undefined, true]);
  });
});

describe("Accept-Encoding", () => {
  it.each([
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip, deflate, br", "br"],
    ["GZIP", "gzip"],
    ["*", "zstd"],
    ["br;q=0.5, gzip;q=0.8", "gzip"],
    ["zstd;q=0, *", "br"],
    ["identity, br", "br"],
    ["identity, br;q=0.5", null],
    ["br;q=nonsense", null],
    ["br ; q=1.0", "br"],
    [",,;", null],
    ["", null],
  ])("%j selects %j", (accepted, expected) => {
    expect(preferredEncoding(accepted)).toBe(expected);
  });
});
