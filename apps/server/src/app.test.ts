import type { Person } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crossSiteOrigins } from "./http/cors.ts";
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
describe("every response", () => {
  it("carries a request id, and reuses the caller's id if it is harmless", async () => {
    const made = (await request("/health/live")).headers.get("x-request-id");
    expect(made).toMatch(/^req_[0-9a-f]{32}$/);
    const given = await request("/nope", { headers: { "x-request-id": "trace-0123456789" } });
    expect(given.headers.get("x-request-id")).toBe("trace-0123456789");
    expect(((await given.json()) as { requestId: string }).requestId).toBe("trace-0123456789");
    const odd = await request("/nope", { headers: { "x-request-id": "<script>alert(1)</script>" } });
    expect(odd.headers.get("x-request-id")).toMatch(/^req_/);
  });

  it.each([
    "/api/organizations",
    "/trpc/organizations.list",
    "/api/auth/get-session",
    "/nope",
    "/openapi.json",
  ])("forbids caching, MIME sniffing and framing: %s", async (path) => {
    const { headers: response } = await request(path);
    expect(response.get("cache-control")).toBe("no-store");
    expect(response.get("x-content-type-options")).toBe("nosniff");
    expect(response.get("content-security-policy")).toContain("frame-ancestors 'none'");
    expect(response.get("strict-transport-security")).toBeNull();
  });

  it("sends HSTS if the service runs on https", async () => {
    const secure = await createTestService({ settings: { baseUrl: "https://purser.example.com" } });
    const response = await secure.app.request("https://purser.example.com/health/live");
    expect(response.headers.get("strict-transport-security")).toBe("max-age=31536000");
    await secure.close();
  });
});

describe("path and method", () => {
  it.each([
    "/nope",
    "/api/nope",
    "/api/organizations/",
    "/API/organizations",
    "/trpc/nope",
    "/trpc/",
    "/api/auth/nope",
    "/api/webhooks/cards/nobody",
  ])("%s is a JSON 404", async (path) => {
    const response = await request(path, { method: "POST", headers, body: "{}" });
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toMatch(/json/);
    expect(await response.text()).toContain('"NOT_FOUND"');
  });

  it.each([
    ["PUT", "/api/organizations", "GET, HEAD, POST"],
    ["OPTIONS", "/api/organizations", "GET, HEAD, POST"],
    ["POST", "/api/organizations/org_1", "GET, HEAD, PATCH, DELETE"],
    ["GET", "/api/organizations/invitations/inv_1/accept", "POST"],
    ["PATCH", "/api/organizations/invitations/inv_1", "GET, HEAD, DELETE"],
    ["GET", "/api/cards/status", "PATCH"],
    ["PATCH", "/api/cards/transactions", "GET, HEAD"],
    ["PUT", "/api/cards/policies", "GET, HEAD, POST"],
    ["PATCH", "/api/cards/policies/check", "POST"],
    ["POST", "/health/live", "GET, HEAD"],
    ["DELETE", "/docs", "GET, HEAD"],
    ["GET", "/trpc/organizations.create", "POST"],
    ["PUT", "/trpc/organizations.list", "GET, HEAD, POST"],
    ["GET", "/api/auth/sign-in/email", "POST"],
    ["PUT", "/api/auth/get-session", "GET, HEAD"],
  ])("%s %s is 405 and allows %s", async (method, path, allow) => {
    const response = await request(path, { method });
    expect(response.status).toBe(405);
    const sorted = (list: string) => list.split(", ").toSorted();
    expect(sorted(response.headers.get("allow") ?? "")).toEqual(sorted(allow));
    expect(await response.text()).toContain('"METHOD_NOT_ALLOWED"');
  });

  it.each(["/sandbox/bank/%00", "/sandbox/bank/lnk_%00", "/banking/links/%00/return"])(
    "returns 404 for %s",
    async (path) => {
      expect((await request(path)).status).toBe(404);
    },
  );

  it("answers HEAD like GET, without a body", async () => {
    const response = await request(`/api/organizations?userId=${owner.userId}`, { method: "HEAD", headers });
    expect(response.status).toBe(200);
    expect(await response.text()).toBe("");
  });
});

describe("a process that only runs jobs", () => {
  it("serves only health and metrics", async () => {
    const worker = await createTestService({ settings: { role: "worker" } });
    const statusOf = async (path: string) => (await worker.app.request(base + path)).status;
    for (const path of ["/health/live", "/metrics"]) expect(await statusOf(path)).toBe(200);
    await expect.poll(() => statusOf("/health/ready")).toBe(200);
    for (const path of ["/", "/api/organizations", "/trpc/organizations.list", "/docs", "/openapi.json"]) {
      expect(await statusOf(path)).toBe(404);
    }
    await worker.close();
  });
});

describe("CORS", () => {
  const preflight = (origin: string) =>
    request("/api/organizations", {
      method: "OPTIONS",
      headers: {
        origin,
        "access-control-request-method": "POST",
        "access-control-request-headers": "idempotency-key",
      },
    });

  it("allows trusted origins with cookies, and exposes our headers to them", async () => {
    const response = await preflight("https://app.example.com");
    expect(response.status).toBe(204);
    expect(response.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
    expect(response.headers.get("access-control-allow-credentials")).toBe("true");
    const allowed = response.headers.get("access-control-allow-headers")!.split(",");
    // Tracing libraries in browsers add these to every request, and tRPC's httpBatchStreamLink the last.
    const tracing = ["Baggage", "Sentry-Trace", "Traceparent", "Tracestate"];
    expect(allowed).toEqual(expect.arrayContaining(["Idempotency-Key", ...tracing, "Trpc-Accept"]));
    const failed = await request("/nope", { headers: { origin: "https://app.example.com" } });
    expect(failed.headers.get("access-control-allow-origin")).toBe("https://app.example.com");
    expect(failed.headers.get("access-control-expose-headers")).toMatch(
      /Content-Disposition.*Link.*Set-Auth-Token.*X-Request-Id/,
    );
    expect(failed.headers.get("vary")).toMatch(/origin/i);
    const called = await request("/trpc/organizations.list?input=%7B%7D", {
      headers: { ...headers, origin: "https://app.example.com" },
    });
    expect(called.headers.get("vary")).toMatch(/origin/i);
  });

  it.each([
    ["https://purser.example.com", "https://app.example.com", false],
    ["https://purser.example.com", "https://example.com", false],
    ["https://purser.example.com", "https://example.vercel.app", true],
    ["https://purser.example.com", "https://example.org", true],
    ["http://localhost:3000", "http://localhost:5173", false],
    ["http://localhost:3000", "http://127.0.0.1:5173", true],
  ])("with the address %s knows of %s whether it is on another site: %s", (baseUrl, origin, isCrossSite) => {
    const trustedOrigins = [baseUrl, origin];
    expect(crossSiteOrigins({ baseUrl, trustedOrigins })).toEqual(isCrossSite ? [origin] : []);
  });

  it("sends no CORS headers to other origins", async () => {
    const response = await preflight("https://evil.example.com");
    expect(response.status).toBe(405);
    const names = [...response.headers.keys()].filter((name) => name.startsWith("access-control"));
    expect(names).toEqual([]);
  });
});

describe("an unreachable database", () => {
  it.each(["/api/organizations?userId=user_1", "/trpc/organizations.list", "/api/auth/get-session"])(
    "is 503 with Retry-After: %s",
    async (path) => {
      const alone = await createTestService();
      const bearer = await alone.signedIn(await alone.purser.person());
      await alone.purser.platform.db.close();
      const response = await alone.app.request(base + path, { headers: bearer });
      expect(response.status).toBe(503);
      expect(response.headers.get("retry-after")).toBe("1");
      expect(await response.text()).toContain('"UNAVAILABLE"');
      await alone.close();
    },
  );
});

describe("an unexpected error", () => {
  it("returns 500 with only the request's id, and is logged without data", async () => {
    const lines: object[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error: (facts: object) => void lines.push(facts) };
    const broken = await createTestService({ logger });
    const person = await broken.purser.person();
    const authorization = await broken.signedIn(person);
    await broken.purser.platform.db.$client`alter table organizations rename to gone`;
    const response = await broken.app.request(`${base}/api/organizations?userId=${person.userId}`, {
      headers: authorization,
    });
    const body = (await response.json()) as { code: string; requestId: string };
    expect([response.status, body.code]).toEqual([500, "INTERNAL"]);
    expect(JSON.stringify(body)).not.toMatch(/organizations|relation|select/i);
    expect(lines).toContainEqual(
      expect.objectContaining({ requestId: body.requestId, err: expect.any(Error) }),
    );
    await broken.close();
  });
});
