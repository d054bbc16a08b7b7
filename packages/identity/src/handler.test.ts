import { betterAuth } from "better-auth";
import { lockTable } from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAuth } from "./auth.ts";
import { createStorage } from "./better-auth-adapter.ts";
import { authOperations } from "./contract/index.ts";
import { disabledEndpoints, endpoints } from "./endpoints.ts";
import { createMails } from "./mails.ts";
import { authOptions } from "./options.ts";
import { type TestAuth, base, createTestAuth, password } from "./testing/client.ts";

let test: TestAuth;
beforeAll(async () => {
  test = await createTestAuth();
});
afterAll(() => test.purser.close());

describe("errors under /api/auth", () => {
  it("keep better-auth's code and message and have the fields of a problem", async () => {
    const reply = await test
      .client()
      .post("/sign-in/email", { email: "who@example.com", password: "wrong password" });
    expect(reply.status).toBe(401);
    expect(reply.headers.get("content-type")).toBe("application/problem+json");
    expect(reply.headers.get("www-authenticate")).toBe("Bearer");
    expect(reply.body).toEqual({
      type: "/docs/problems#INVALID_EMAIL_OR_PASSWORD",
      title: "Invalid email or password",
      status: 401,
      detail: "Invalid email or password",
      code: "INVALID_EMAIL_OR_PASSWORD",
      message: "Invalid email or password",
      requestId: "req_test",
      retryable: false,
    });
  });

  it("are NOT_FOUND for an unknown path", async () => {
    for (const path of [
      "/",
      "",
      "/nothing",
      "/ok",
      "/error",
      "/sign-in",
      "/toString",
      "/__proto__",
      "/get-session/",
    ]) {
      const reply = await test.client().get(path);
      expect([path, reply.status, reply.body["code"]]).toEqual([path, 404, "NOT_FOUND"]);
    }
  });

  it("are METHOD_NOT_ALLOWED with Allow for another method", async () => {
    const post = await test.client().get("/sign-in/email");
    expect([post.status, post.body["code"], post.headers.get("allow")]).toEqual([
      405,
      "METHOD_NOT_ALLOWED",
      "POST",
    ]);
    const get = await test.client().post("/get-session");
    expect([get.status, get.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("are UNAUTHENTICATED for a credential that fails, even with a valid cookie", async () => {
    const { client } = await test.signUp("beside@example.com");
    for (const headers of [{ authorization: "Bearer nonsense" }, { "x-api-key": "nonsense" }]) {
      const reply = await client.post("/update-user", { name: "Changed" }, headers);
      expect(reply).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    }
    expect((await client.get("/get-session")).body["user"]).toMatchObject({ name: "Sam" });
  });

  it("refuse a request with a cookie from an untrusted origin or without an Origin header", async () => {
    const { client } = await test.signUp("origin@example.com");
    const foreign = await client.post("/update-user", { name: "Evil" }, { origin: "https://evil.example" });
    expect(foreign).toMatchObject({ status: 403, body: { code: "UNTRUSTED_ORIGIN" } });
    const headers = { cookie: client.cookie(), "content-type": "application/json" };
    const none = new Request(`${base}/api/auth/update-user`, {
      method: "POST",
      headers,
      body: '{"name":"Evil"}',
    });
    expect(await client.send(none)).toMatchObject({ status: 403, body: { code: "UNTRUSTED_ORIGIN" } });
    expect((await client.get("/get-session")).body["user"]).toMatchObject({ name: "Sam" });
  });

  it.each([
    ["a program", {}, 200],
    ["Node's fetch, which sends only the mode", { "sec-fetch-mode": "cors" }, 200],
    ["our own page", { origin: base, "sec-fetch-mode": "cors", "sec-fetch-site": "same-origin" }, 200],
    ["a foreign page", { origin: "https://evil.example", "sec-fetch-site": "cross-site" }, 403],
    ["a browser that sends no origin", { "sec-fetch-mode": "cors", "sec-fetch-site": "cross-site" }, 403],
  ])("answer a sign-in from %s as expected", async (_, headers: Record<string, string>, status) => {
    await test.auth.createUser({ email: "door@example.com", name: "Sam", password }).catch(() => null);
    const body = JSON.stringify({ email: "door@example.com", password });
    const init = { method: "POST", headers: { "content-type": "application/json", ...headers }, body };
    expect((await test.client().send(new Request(`${base}/api/auth/sign-in/email`, init))).status).toBe(
      status,
    );
  });

  it("hide the cause of an internal error from the caller, and log it", async () => {
    const logged: object[] = [];
    const logger = { ...test.purser.platform.logger, error: (fields: object) => void logged.push(fields) };
    const broken = await createTestAuth();
    await broken.purser.db.execute(sql`ALTER TABLE accounts RENAME COLUMN password TO secret`);
    const auth = createAuth({ ...broken.purser.platform, logger });
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ email: "fault@example.com", password, name: "Sam" });
    const request = new Request(`${base}/api/auth/sign-up/email`, { method: "POST", headers, body });
    const response = await auth.handle(request, { address: "192.0.2.1", requestId: "req_1" });
    const text = await response.text();
    expect(text).not.toMatch(/column|secret|insert|accounts/i);
    expect([response.status, JSON.parse(text).code]).toEqual([500, "INTERNAL"]);
    expect(logged).toContainEqual(
      expect.objectContaining({
        requestId: "req_1",
        failure: expect.objectContaining({ code: expect.any(String) }),
      }),
    );
    expect(JSON.stringify(logged)).not.toContain("fault@example.com");
    await broken.purser.close();
  });

  it("are logged at debug level without the client's text if the client caused them", async () => {
    const logged: [string, string][] = [];
    const record = (level: string) => (fields: object, message: string) =>
      void logged.push([level, `${message} ${JSON.stringify(fields)}`]);
    const [debug, info, warn, error] = [record("debug"), record("info"), record("warn"), record("error")];
    const auth = createAuth({ ...test.purser.platform, logger: { debug, info, warn, error } });
    const send = (body: object, headers: Record<string, string>) =>
      auth.handle(
        new Request(`${base}/api/auth/sign-in/email`, {
          method: "POST",
          headers: { "content-type": "application/json", ...headers },
          body: JSON.stringify({ email: "log@example.com", password, ...body }),
        }),
        { address: "192.0.2.7", requestId: "req_1" },
      );
    const foreign = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
    const replies = [
      await send({}, foreign),
      await send({ callbackURL: "https://evil.example/x" }, {}),
      await send({}, { ...foreign, "sec-fetch-mode": "navigate" }),
    ];
    expect(replies.map(({ status }) => status)).toEqual([403, 403, 403]);
    expect(logged).toContainEqual(["debug", expect.stringContaining("Invalid origin")]);
    expect(logged).toContainEqual(["debug", expect.stringContaining("Invalid callbackURL")]);
    expect(logged.filter(([level]) => level === "error")).toEqual([]);
    expect(JSON.stringify(logged)).not.toContain("evil.example");
  });

  it("are UNAVAILABLE without the database, so clients keep their sessions", async () => {
    const impatient = await createTestAuth({}, { lockTimeoutMs: 200 });
    const { client } = await impatient.signUp("down@example.com");
    const replies = await impatient.purser.db.transaction(async (transaction) => {
      await lockTable(transaction, "sessions");
      return Promise.all([client.get("/get-session"), client.get("/list-sessions")]);
    });
    for (const reply of replies) {
      expect(reply).toMatchObject({ status: 503, body: { code: "UNAVAILABLE" } });
      expect(reply.headers.get("retry-after")).toBe("1");
    }
    expect((await client.get("/get-session")).body["user"]).toMatchObject({ email: "down@example.com" });
    await impatient.purser.close();
  });
});

describe("the order of checks under /api/auth", () => {
  it("is path, method, content type, rate limit, credential, origin, JSON and input", async () => {
    const strict = await createTestAuth({ authAttemptsPerAddress: 1 });
    const { client } = await strict.signUp("order@example.com", strict.client("192.0.2.1"));
    const bad = {
      authorization: "Bearer nonsense",
      "content-type": "text/plain",
      origin: "https://evil.example",
    };
    const codes = async (path: string, headers: Record<string, string>) =>
      (await client.post(path, "{", headers)).body["code"];
    expect(await codes("/nothing", bad)).toBe("NOT_FOUND");
    expect(await codes("/get-session", bad)).toBe("METHOD_NOT_ALLOWED");
    expect(await codes("/change-password", bad)).toBe("UNSUPPORTED_MEDIA_TYPE");
    const json = { ...bad, "content-type": "application/json" };
    expect(await codes("/change-password", json)).toBe("RATE_LIMITED");
    strict.purser.clock.advance(60_000);
    expect(await codes("/change-password", json)).toBe("UNAUTHENTICATED");
    const { authorization: _, ...foreign } = json;
    expect(await codes("/update-user", foreign)).toBe("UNTRUSTED_ORIGIN");
    expect(await codes("/update-user", { ...foreign, origin: base })).toBe("MALFORMED_JSON");
    await strict.purser.close();
  });
});

describe("an endpoint that needs a session", () => {
  it.each([
    ["without a session", () => ({})],
    ["with an expired one", () => ({ cookie: expired })],
  ])("is UNAUTHENTICATED %s before its origin, JSON and input are looked at", async (_, credentials) => {
    const client = test.client();
    for (const [path, methods] of Object.entries(endpoints)) {
      if (isPublic(path)) continue;
      const headers = { ...credentials(), origin: "https://evil.example" };
      const reply =
        "POST" in methods
          ? await client.post(path, "{", headers)
          : await client.get(`${path}?limit=x&limit=y`, headers);
      expect([path, reply.status, reply.body["code"]]).toEqual([path, 401, "UNAUTHENTICATED"]);
    }
  });

  it("is not one for a sign-in", async () => {
    const headers = { cookie: expired, origin: "https://evil.example" };
    const reply = await test.client().post("/sign-in/email", "{", headers);
    expect(reply).toMatchObject({ status: 403, body: { code: "UNTRUSTED_ORIGIN" } });
  });

  const isPublic = (path: string) =>
    authOperations.some((operation) => operation.path === path && operation.public === true);
  let expired: string;
  beforeAll(async () => {
    const { client } = await test.signUp("expired@example.com");
    expired = client.cookie();
    await client.post("/revoke-sessions");
  });
});

describe("endpoints", () => {
  it("list every endpoint of better-auth as offered or disabled", () => {
    const { platform } = test.purser;
    const { api } = betterAuth(
      authOptions(
        platform,
        createStorage(platform),
        createMails(platform, createStorage(platform)),
        () => undefined,
      ),
    );
    const theirs = Object.values(api).flatMap((endpoint) => ("path" in endpoint ? [endpoint.path] : []));
    const paths = theirs.filter((path): path is string => typeof path === "string");
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.toSorted()).toEqual([...Object.keys(endpoints), ...disabledEndpoints].toSorted());
  });

  it("all exist in better-auth", async () => {
    const client = test.client();
    for (const [path, methods] of Object.entries(endpoints)) {
      for (const method of Object.keys(methods)) {
        const reply = method === "GET" ? await client.get(path) : await client.post(path);
        expect([path, reply.status]).not.toEqual([path, 404]);
        expect([path, reply.status]).not.toEqual([path, 405]);
        expect([path, reply.status < 500]).toEqual([path, true]);
      }
    }
  });
});
