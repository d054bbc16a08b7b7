import { type Person, type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type TestServer, servePurser } from "../test/serve.ts";
import { createPurserClient } from "./client.ts";
import type { PurserClient } from "./generated/purser-client.ts";
import type { MutationOptions } from "./options.ts";

let purser: TestPurser;
let server: TestServer;
let owner: Person;
let client: PurserClient;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
  server = await servePurser(purser, [owner]);
  client = createPurserClient({ baseUrl: server.baseUrl, token: owner.userId });
});
afterAll(async () => {
  await server.close();
  await purser.close();
});
beforeEach(() => {
  server.requests.length = 0;
  server.interceptors.length = 0;
});

const refusedByTrpc = async () => {
  const problem = {
    code: "RATE_LIMITED",
    status: 429,
    detail: "A sentence.",
    requestId: "req_1",
    retryable: true,
  };
  const error = { code: -32029, message: problem.detail, data: { httpStatus: 429, problem } };
  return Response.json({ error }, { status: 429, headers: { "retry-after": "0" } });
};

const ownOrganizations = () => purser.as(owner).organizations.list({ userId: owner.userId });
const keys = () => server.requests.map(({ headers }) => headers.get("idempotency-key"));
const answer =
  (status: number, headers: Record<string, string> = {}) =>
  async () =>
    new Response("<html>", { status, headers });
const problem =
  (status: number, code: string, retryable: boolean, headers: Record<string, string> = {}) =>
  async () =>
    Response.json(
      { code, status, detail: "A sentence.", requestId: "req_1", retryable },
      { status, headers },
    );

describe("a mutation whose response is lost", () => {
  it("is retried with the same key, takes effect once, and returns the first response", async () => {
    const lost: unknown[] = [];
    const drop = async (_: Request, handle: () => Promise<Response>) => {
      lost.push(await (await handle()).json());
      return null;
    };
    server.interceptors.push(drop, drop);
    const created = await client.organizations.create({ name: "Once" });
    expect(lost).toEqual([{ result: { data: created } }, { result: { data: created } }]);
    expect((await ownOrganizations()).filter(({ name }) => name === "Once")).toHaveLength(1);
    expect(keys()).toHaveLength(3);
    expect(new Set(keys()).size).toBe(1);
    expect(keys()[0]).toMatch(/^[0-9a-f]{32}$/);
  });

  it("is retried with the caller's key, which also deduplicates a later call", async () => {
    const call = () => client.organizations.create({ name: "Keyed" }, { idempotencyKey: "order-7" });
    expect(await call()).toEqual(await call());
    expect(keys()).toEqual(["order-7", "order-7"]);
    expect((await ownOrganizations()).filter(({ name }) => name === "Keyed")).toHaveLength(1);
  });

  it.each([
    ["an option", {}, { idempotencyKey: "own-1", headers: { "Idempotency-Key": "other" } }],
    ["a header of the call", { "idempotency-key": "other" }, { headers: { "Idempotency-Key": "own-1" } }],
    ["headers of the call", {}, { headers: new Headers({ "IDEMPOTENCY-KEY": "own-1" }) }],
    ["a header of the client", { "Idempotency-KEY": "own-1" }, { headers: { "x-other": "1" } }],
  ] satisfies [string, Record<string, string>, MutationOptions][])(
    "is retried with the caller's key as %s",
    async (_, headers, options) => {
      const own = createPurserClient({ baseUrl: server.baseUrl, token: owner.userId, headers });
      server.interceptors.push(async () => null);
      await own.organizations.delete({ id: purser.unknownId("org") }, options).catch(() => {});
      expect(keys()).toEqual(["own-1", "own-1"]);
    },
  );

  it("keeps the first key of a function that returns another one for each attempt", async () => {
    let attempt = 0;
    const headers = () => ({ "idempotency-key": `attempt-${(attempt += 1)}` });
    const own = createPurserClient({ baseUrl: server.baseUrl, token: owner.userId, headers });
    server.interceptors.push(async () => null);
    await own.organizations.create({ name: "One key" });
    expect(keys()).toEqual(["attempt-1", "attempt-1"]);
    await own.organizations.create({ name: "Another key" });
    expect(keys()[2]).toBe("attempt-3");
  });

  it("is not sent with queries", async () => {
    const headers = { "idempotency-key": "own-1" };
    const own = createPurserClient({ baseUrl: server.baseUrl, token: owner.userId, headers });
    const input = { userId: owner.userId };
    const lists = await Promise.all([own.organizations.list(input), own.organizations.list(input)]);
    expect(lists[0]).toEqual(lists[1]);
    await own.organizations.list({}, { headers: { "x-other": "1" } });
    expect(keys()).toEqual([null, null]);
  });

  it.each(["ключ", "two\nlines", " ", " at its ends ", "with space", "", "k".repeat(256)])(
    "is sent with the key %j in a form that the service refuses too",
    async (idempotencyKey) => {
      server.interceptors.push(problem(400, "VALIDATION_FAILED", false));
      const call = client.organizations.create({ name: "Never" }, { idempotencyKey });
      await expect(call).rejects.toMatchObject({ code: "VALIDATION_FAILED" });
      expect(keys()).toHaveLength(1);
      expect(keys()[0]).not.toMatch(/^[\x21-\x7e]{1,255}$/);
    },
  );

  it("rejects with a network failure if the server stays unreachable", async () => {
    const impatient = createPurserClient({ baseUrl: server.baseUrl, token: owner.userId, retries: 1 });
    server.interceptors.push(
      async () => null,
      async () => null,
    );
    await expect(impatient.organizations.create({ name: "Never" })).rejects.toMatchObject({
      code: "NETWORK_FAILURE",
      status: 0,
      cause: expect.any(TypeError),
    });
    expect(server.requests).toHaveLength(2);
  });

  it("has a different key from the next mutation", async () => {
    await client.organizations.create({ name: "First" });
    await client.organizations.create({ name: "Second" });
    expect(new Set(keys()).size).toBe(2);
  });
});

describe("a retry", () => {
  it.each([
    ["a lost connection", async () => null],
    ["a bad gateway", answer(502)],
    ["an unavailable service behind a proxy", answer(503)],
    ["a gateway timeout", answer(504)],
    ["a problem UNAVAILABLE", problem(503, "UNAVAILABLE", true)],
    ["a provider's outage", problem(502, "PROVIDER_ERROR", true)],
    ["a first attempt in progress", problem(409, "IDEMPOTENCY_IN_PROGRESS", true)],
    ["a rate limit with Retry-After", problem(429, "RATE_LIMITED", true, { "retry-after": "0" })],
    ["the same as a tRPC error", refusedByTrpc],
  ])("follows upon %s", async (_, interceptor) => {
    server.interceptors.push(interceptor);
    await client.organizations.list({ userId: owner.userId });
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ["a rate limit without Retry-After", problem(429, "RATE_LIMITED", true), "RATE_LIMITED"],
    [
      "a limit that asks for too long a wait",
      problem(429, "RATE_LIMITED", true, { "retry-after": "31" }),
      "RATE_LIMITED",
    ],
    ["a refused mutation", problem(409, "ORGANIZATION_IN_USE", false), "ORGANIZATION_IN_USE"],
    ["an internal error", problem(500, "INTERNAL", false), "INTERNAL"],
    [
      "a provider that is not configured",
      problem(501, "PROVIDER_NOT_CONFIGURED", false),
      "PROVIDER_NOT_CONFIGURED",
    ],
    ["a provider's permanent failure", problem(502, "PROVIDER_ERROR", false), "PROVIDER_ERROR"],
    ["a page of another server", answer(404), "UNEXPECTED_RESPONSE"],
    ["a page with status 200", answer(200), "UNEXPECTED_RESPONSE"],
  ])("does not follow upon %s", async (_, interceptor, code) => {
    server.interceptors.push(interceptor);
    await expect(client.organizations.delete({ id: "org" })).rejects.toMatchObject({ code });
    expect(server.requests).toHaveLength(1);
  });

  it("waits for Retry-After, and reports it if the call fails", async () => {
    server.interceptors.push(answer(503, { "retry-after": "1" }));
    const start = performance.now();
    await client.organizations.list({ userId: owner.userId });
    expect(performance.now() - start).toBeGreaterThan(1000);
    const later = new Date(Date.now() + 90_000).toUTCString();
    server.interceptors.push(answer(503, { "retry-after": later, "x-request-id": "req_2" }));
    const error = await client.organizations
      .list({ userId: owner.userId })
      .catch((reason: unknown) => reason);
    expect(error).toMatchObject({ code: "UNEXPECTED_RESPONSE", status: 503, requestId: "req_2" });
    expect((error as { retryAfterSeconds: number }).retryAfterSeconds).toBeGreaterThan(85);
  });

  it("does not begin a wait that would outlast the call, and rejects with the refusal", async () => {
    server.interceptors.push(problem(429, "RATE_LIMITED", true, { "retry-after": "20" }));
    const call = client.organizations.create({ name: "Refused" }, { timeoutMs: 20_000 });
    await expect(call).rejects.toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 20 });
  });

  it("waits for each call of a batch as long as that call needs", async () => {
    const refusal = (code: string, retryAfterSeconds: number | null) => ({
      error: {
        data: {
          problem: { code, detail: "A sentence.", requestId: "req_1", retryable: true },
          retryAfterSeconds,
        },
      },
    });
    server.interceptors.push(async () =>
      Response.json([refusal("PROVIDER_ERROR", 60), refusal("UNAVAILABLE", null)], {
        status: 503,
        headers: { "retry-after": "60" },
      }),
    );
    const [patient, again] = await Promise.allSettled(
      [1, 2].map((limit) => client.organizations.list({ userId: owner.userId, limit })),
    );
    expect(patient).toMatchObject({ reason: { code: "PROVIDER_ERROR", retryAfterSeconds: 60 } });
    expect(again!.status).toBe("fulfilled");
  });

  it("repeats a failed batch as a batch", async () => {
    server.interceptors.push(answer(503), problem(503, "UNAVAILABLE", true));
    const calls = Array.from({ length: 10 }, (_, index) =>
      client.organizations.list({ userId: owner.userId, limit: index + 1 }),
    );
    expect(await Promise.all(calls)).toHaveLength(10);
    expect(server.requests).toHaveLength(3);
  });

  it("repeats only the failed calls of a batch", async () => {
    server.interceptors.push(async () => null);
    const calls = [1, 2, 3].map((limit) => client.organizations.list({ userId: owner.userId, limit }));
    expect(await Promise.all(calls)).toHaveLength(3);
    expect(server.requests.length).toBeGreaterThan(1);
  });
});

const never = () => new Promise<null>(() => {});

describe("an aborted call", () => {
  it.each([
    ["query", (signal: AbortSignal) => client.organizations.list({ userId: owner.userId }, { signal })],
    ["mutation", (signal: AbortSignal) => client.organizations.create({ name: "No" }, { signal })],
  ])("ends at once while a %s is under way", async (_, call) => {
    const controller = new AbortController();
    // Abort when the request has reached the server. With a timer it could arrive during the next test.
    server.interceptors.push(() => {
      controller.abort(new Error("Changed my mind"));
      return never();
    });
    await expect(call(controller.signal)).rejects.toMatchObject({
      code: "ABORTED",
      status: 0,
      cause: { message: "Changed my mind" },
    });
  });

  it("does not abort the rest of its batch", async () => {
    const controller = new AbortController();
    server.interceptors.push(async (_, handle) => {
      controller.abort();
      return handle();
    });
    const [one, other] = await Promise.allSettled([
      client.organizations.list({ userId: owner.userId }, { signal: controller.signal }),
      client.organizations.list({ userId: owner.userId }),
    ]);
    expect(one).toMatchObject({ status: "rejected", reason: { code: "ABORTED" } });
    expect(other.status).toBe("fulfilled");
    expect(server.requests).toHaveLength(1);
  });

  it("does not wait for its next retry", async () => {
    const controller = new AbortController();
    server.interceptors.push(() => {
      // From now on: the client may take longer than this to send the request.
      setTimeout(() => controller.abort(new DOMException("Too late", "TimeoutError")), 300);
      return answer(503, { "retry-after": "20" })();
    });
    const start = performance.now();
    const { signal } = controller;
    await expect(client.organizations.list({ userId: owner.userId }, { signal })).rejects.toMatchObject({
      code: "ABORTED",
      cause: { name: "TimeoutError" },
    });
    expect(performance.now() - start).toBeLessThan(10_000);
    expect(server.requests).toHaveLength(1);
  });

  it("is not sent if its signal was aborted before", async () => {
    const options = { signal: AbortSignal.abort() };
    await expect(client.organizations.create({ name: "No" }, options)).rejects.toMatchObject({
      code: "ABORTED",
    });
    expect(server.requests).toHaveLength(0);
  });
});
