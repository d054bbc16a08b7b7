import { gzipSync } from "node:zlib";
import { type Person, organizationKeySecret } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestService, createTestService } from "./testing/service.ts";

const base = "http://localhost:3000";
let service: TestService;
let owner: Person;
let headers: Record<string, string>;

beforeAll(async () => {
  service = await createTestService({ settings: { trustedOrigins: [base, "https://app.example.com"] } });
  owner = await service.purser.person();
  headers = { ...(await service.signedIn(owner)), "content-type": "application/json" };
});
afterAll(() => service.close());

const request = (path: string, init?: RequestInit) => service.app.request(`${base}${path}`, init);
const create = (init?: RequestInit) =>
  request("/api/organizations", { method: "POST", headers, body: '{"name":"Acme"}', ...init });
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code;

/** A cookie session, as a browser sends it. */
async function cookie(): Promise<string> {
  const email = `cookie-${crypto.randomUUID()}@example.com`;
  const response = await request("/api/auth/sign-up/email", {
    method: "POST",
    headers: { "content-type": "application/json", origin: base },
    body: JSON.stringify({ name: "Sam", email, password: "correct horse battery" }),
  });
  expect(response.status).toBe(200);
  return response.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

describe("the order of checks", () => {
  const large = JSON.stringify({ name: "x".repeat(1024 * 1024) });

  it("returns 404 before 413, 415 and 401", async () => {
    expect((await request("/nope", { method: "POST", body: large })).status).toBe(404);
    expect((await request("/trpc/nope", { method: "POST", body: large })).status).toBe(404);
  });

  it.each(["/api/organizations", "/trpc/organizations.create", "/api/auth/sign-in/email"])(
    "returns 413 before 415 and 401: %s",
    async (path) => {
      const response = await request(path, {
        method: "POST",
        body: large,
        headers: { "content-type": "text/plain" },
      });
      expect(response.status).toBe(413);
      expect(await response.text()).toContain('"PAYLOAD_TOO_LARGE"');
    },
  );

  it.each(["/api/organizations", "/trpc/organizations.create"])(
    "returns 413 even if a body declares no length: %s",
    async (path) => {
      const chunks = Array.from({ length: 20 }, () => new Uint8Array(64 * 1024));
      const response = await request(path, {
        method: "POST",
        body: ReadableStream.from(chunks),
        duplex: "half",
      });
      expect(response.status).toBe(413);
      expect(response.headers.get("connection")).toBe("close");
    },
  );

  it.each(["/api/organizations", "/trpc/organizations.create", "/api/auth/update-user"])(
    "returns 415 before 401: %s",
    async (path) => {
      for (const type of [
        "text/plain",
        "multipart/form-data; boundary=x",
        "application/octet-stream",
        "application/json; charset=latin1",
      ]) {
        const response = await request(path, {
          method: "POST",
          body: "{}",
          headers: { "content-type": type },
        });
        expect(response.status).toBe(415);
        expect(await response.text()).toContain('"UNSUPPORTED_MEDIA_TYPE"');
      }
    },
  );

  it.each([
    ["/api/organizations", 401],
    ["/trpc/organizations.create", 401],
    ["/api/auth/sign-in/email", 400],
  ])("returns 415 for a compressed body, and says why: %s", async (path, otherwise) => {
    const compressed = { "content-type": "application/json", "content-encoding": "gzip" };
    const response = await request(path, { method: "POST", body: gzipSync("{}"), headers: compressed });
    expect(response.status).toBe(415);
    expect(await response.text()).toContain("must not be compressed");
    const plain = await request(path, {
      method: "POST",
      body: "{}",
      headers: { ...compressed, "content-encoding": "identity" },
    });
    expect(plain.status).toBe(otherwise);
  });

  it.each(["/api/organizations", "/trpc/organizations.create", "/api/auth/update-user"])(
    "returns 401 before 400: %s",
    async (path) => {
      const bad = { "content-type": "application/json", "idempotency-key": "not a key" };
      for (const credential of [{}, { authorization: "Bearer nonsense" }, { "x-api-key": "nonsense" }]) {
        const response = await request(`${path}?limit=x`, {
          method: "POST",
          body: "{",
          headers: { ...bad, ...credential },
        });
        expect(response.status).toBe(401);
        expect(response.headers.get("www-authenticate")).toBe("Bearer");
        expect(await response.text()).toContain('"UNAUTHENTICATED"');
      }
    },
  );

  it.each(["/api/organizations", "/trpc/organizations.create"])(
    "returns 403 for a foreign origin before 400: %s",
    async (path) => {
      const foreign = {
        cookie: await cookie(),
        origin: "https://evil.example.com",
        "content-type": "application/json",
      };
      const response = await request(path, {
        method: "POST",
        body: "{",
        headers: { ...foreign, "idempotency-key": "no key" },
      });
      expect(response.status).toBe(403);
      expect(await response.text()).toContain('"UNTRUSTED_ORIGIN"');
    },
  );

  it.each(["/api/organizations", "/trpc/organizations.create"])(
    "returns 400 MALFORMED_JSON for invalid JSON: %s",
    async (path) => {
      for (const body of ["{", "'", new Uint8Array([0x22, 0xff, 0x22])]) {
        const response = await request(path, { method: "POST", body, headers });
        expect(response.status).toBe(400);
        expect(await response.text()).toContain('"MALFORMED_JSON"');
      }
    },
  );

  it("accepts other spellings of the JSON media type, and treats an absent body as an empty object", async () => {
    expect(
      (await create({ headers: { ...headers, "content-type": "Application/JSON; charset=UTF-8" } })).status,
    ).toBe(201);
    expect(
      (await create({ headers: { ...headers, "content-type": "application/merge-patch+json" } })).status,
    ).toBe(201);
    const { authorization = "" } = headers;
    const empty = await request("/api/organizations", { method: "POST", headers: { authorization } });
    expect(await codeOf(empty)).toBe("VALIDATION_FAILED");
  });

  it("ignores the type and content of a DELETE body", async () => {
    const { id } = (await (await create()).json()) as { id: string };
    const response = await request(`/api/organizations/${id}`, {
      method: "DELETE",
      headers: { ...headers, "content-type": "text/plain" },
      body: "not JSON",
    });
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
  });
});

describe("a cookie request", () => {
  it("may read from any origin, but change data only from a trusted one", async () => {
    const jar = await cookie();
    const post = (origin?: string) =>
      create({ headers: { cookie: jar, "content-type": "application/json", ...(origin && { origin }) } });
    expect((await post(base)).status).toBe(201);
    expect((await post("https://app.example.com")).status).toBe(201);
    for (const origin of [
      undefined,
      "null",
      "https://evil.example.com",
      "https://app.example.com.evil.example",
    ]) {
      const refused = await post(origin);
      expect(refused.status).toBe(403);
      expect(await codeOf(refused)).toBe("UNTRUSTED_ORIGIN");
    }
    const read = await request("/api/organizations/org_1", { headers: { cookie: jar } });
    expect(await codeOf(read)).toBe("ORGANIZATION_NOT_FOUND");
  });

  it("is ignored if the request has a bearer token, even an invalid one", async () => {
    const response = await create({
      headers: {
        cookie: await cookie(),
        authorization: "Bearer nonsense",
        origin: base,
        "content-type": "application/json",
      },
    });
    expect(response.status).toBe(401);
  });
});

describe("a key of an organization", () => {
  it("excludes a cookie sent with it, needs no origin, and is not read from the query", async () => {
    const organizationId = await service.purser.organization(owner);
    const { keyId } = await service.purser.organizationKey(organizationId, "write");
    const key = organizationKeySecret(keyId);
    const path = `/api/organizations/${organizationId}`;
    const jar = await cookie();
    const read = async (init: Record<string, string>, query = "") =>
      (await request(path + query, { headers: init })).status;
    expect(await read({ "x-api-key": key, cookie: jar })).toBe(200);
    expect(await read({ "x-api-key": `${key}x`, cookie: jar })).toBe(401);
    for (const name of ["key", "apiKey", "x-api-key"]) expect(await read({}, `?${name}=${key}`)).toBe(401);
    // The cookie's user could create an organization. The key cannot, whatever the origin.
    const headersOfBoth = { "x-api-key": key, cookie: jar, origin: base, "content-type": "application/json" };
    const response = await create({ headers: headersOfBoth });
    expect([response.status, await codeOf(response)]).toEqual([403, "FORBIDDEN"]);
  });
});

describe("the rate limit", () => {
  it("counts per user, not per credential, and per address for anonymous callers", async () => {
    const limited = await createTestService({ settings: { requestsPerCaller: 2 } });
    const [one, other] = [await limited.purser.person(), await limited.purser.person()];
    const list = async (person: Person) =>
      limited.app.request(`${base}/api/organizations?userId=${person.userId}`, {
        headers: await limited.signedIn(person),
      });
    expect([await list(one), await list(one), await list(other)].map(({ status }) => status)).toEqual([
      200, 200, 200,
    ]);
    const refused = await list(one);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await codeOf(refused)).toBe("RATE_LIMITED");

    // A key of an organization is a caller of its own, also for an owner who has used their limit up.
    const organizationId = await limited.purser.organization(one);
    const { keyId } = await limited.purser.organizationKey(organizationId, "read");
    const withKey = async () => {
      const key = { "x-api-key": organizationKeySecret(keyId) };
      return (await limited.app.request(`${base}/api/organizations/${organizationId}`, { headers: key }))
        .status;
    };
    expect([await withKey(), await withKey(), await withKey()]).toEqual([200, 200, 429]);

    const bogus = () =>
      limited.app.request(`${base}/trpc/organizations.list`, { headers: { authorization: "Bearer x" } });
    expect([(await bogus()).status, (await bogus()).status]).toEqual([401, 401]);
    const over = await bogus();
    expect([over.status, over.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    // These routes may call a provider, and need no session.
    for (const path of ["/banking/links/lnk_1/return", "/billing/checkouts/chk_1/return"])
      expect((await limited.app.request(base + path)).status, path).toBe(429);
    const inBrowser = await limited.app.request(`${base}/billing/done`, { headers: { accept: "text/html" } });
    expect([inBrowser.status, inBrowser.headers.get("retry-after")]).toEqual([
      429,
      expect.stringMatching(/^\d+$/),
    ]);
    expect(await inBrowser.text()).toContain(`<a href="/">Go to your organizations</a>`);
    await limited.close();
  });

  it("names the caller in the log line of a refused request", async () => {
    const lines: object[] = [];
    const logger = { debug() {}, info: (facts: object) => void lines.push(facts), warn() {}, error() {} };
    const limited = await createTestService({ logger, settings: { requestsPerCaller: 1 } });
    const person = await limited.purser.person();
    const { keyId } = await limited.purser.organizationKey(await limited.purser.organization(person), "read");
    const path = `/api/organizations?userId=${person.userId}`;
    for (const init of [await limited.signedIn(person), { "x-api-key": organizationKeySecret(keyId) }]) {
      await limited.app.request(base + path, { headers: init });
      expect((await limited.app.request(base + path, { headers: init })).status).toBe(429);
    }
    expect(lines).toContainEqual(expect.objectContaining({ status: 429, userId: person.userId }));
    expect(lines).toContainEqual(expect.objectContaining({ status: 429, keyId }));
    await limited.close();
  });

  it.each([
    ["/local/checkout/x", 404],
    ["/local/portal/x", 404],
    ["/sandbox/bank/lnk_1", 404],
    ["/cards/reveal/check", 400],
  ])("does not count a form that is too large: %s", async (path, otherwise) => {
    const limited = await createTestService({ settings: { requestsPerCaller: 1 } });
    const post = async (body: string) =>
      (await limited.app.request(base + path, { method: "POST", body })).status;
    const large = "x".repeat(1024 * 1024 + 1);
    expect([await post(large), await post(large)]).toEqual([413, 413]);
    expect(await post("")).toBe(otherwise);
    expect([await post(large), await post("")]).toEqual([413, 429]);
    await limited.close();
  });

  it.each([
    ["/local/checkout/x", 404, ["GET", "POST"]],
    ["/local/portal/x", 404, ["GET", "POST"]],
    ["/sandbox/bank/lnk_1", 404, ["GET", "POST"]],
    ["/billing/paddle?_ptxn=txn_1", 200, ["GET"]],
  ])("holds for a page that needs no session and reads the database: %s", async (path, first, methods) => {
    const credentials = { apiKey: "none", webhookSecrets: [], clientToken: "test_1" };
    const payments = { paddle: { ...credentials, environment: "sandbox" as const } };
    const limited = await createTestService({ settings: { requestsPerCaller: 1, payments } });
    const statuses = [(await limited.app.request(base + path)).status];
    for (const method of methods) statuses.push((await limited.app.request(base + path, { method })).status);
    expect(statuses).toEqual([first, ...methods.map(() => 429)]);
    await limited.close();
  });
});
