import type { Person } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestService, createTestService } from "../testing/service.ts";

const base = "http://localhost:3000";
let service: TestService;
let owner: Person;
let headers: Record<string, string>;

beforeAll(async () => {
  service = await createTestService();
  owner = await service.purser.person();
  headers = { ...(await service.signedIn(owner)), "content-type": "application/json" };
});
afterAll(() => service.close());

const request = (path: string, init?: RequestInit) =>
  service.app.request(`${base}${path}`, { headers, ...init });
const create = (name: string, more: Record<string, string> = {}) =>
  request("/api/organizations", {
    method: "POST",
    headers: { ...headers, ...more },
    body: JSON.stringify({ name }),
  });
const idOf = async (response: Response) => ((await response.json()) as { id: string }).id;

describe("a REST response", () => {
  it("is 201 for a created resource, 200 for a read, 204 without a body for no output", async () => {
    const created = await create("Acme");
    expect([created.status, created.headers.get("content-type")]).toEqual([201, "application/json"]);
    const id = await idOf(created);
    expect((await request(`/api/organizations/${id}`)).status).toBe(200);
    const deleted = await request(`/api/organizations/${id}`, { method: "DELETE" });
    expect([deleted.status, deleted.headers.get("content-type"), await deleted.text()]).toEqual([
      204,
      null,
      "",
    ]);
  });

  it("is null if there is no result", async () => {
    const id = await idOf(await create("Acme"));
    const response = await request(`/api/organizations/${id}/subscription`);
    expect([response.status, await response.text()]).toEqual([200, "null"]);
  });

  it("may be kept if it is a public catalog, and by no shared cache if a session may be renewed", async () => {
    const path = "/api/cards/merchant-categories";
    const kept = async (response: Response | Promise<Response>) =>
      (await response).headers.get("cache-control");
    expect(await kept(request(path, { headers: {} }))).toBe("public, max-age=86400");
    expect(await kept(request(path))).toBe("private, max-age=86400");
    expect(await kept(request(`${path}?limit=0`, { headers: {} }))).toBe("no-store");
    expect(await kept(request("/api/billing/plans", { headers: {} }))).toBe("no-store");
  });

  it("varies by origin if it may be kept, so that no cache gives a front end what it may not read", async () => {
    for (const origin of [{}, { origin: "https://stranger.example" }, { origin: base }]) {
      const response = await request("/api/cards/merchant-categories", { headers: origin });
      expect(response.headers.get("vary"), JSON.stringify(origin)).toBe("Origin, Accept-Encoding");
      const isTrusted = "origin" in origin && origin.origin === base;
      expect(response.headers.has("access-control-allow-origin")).toBe(isTrusted);
    }
  });

  it("is a problem document for an error", async () => {
    const response = await request("/api/organizations/org_1");
    expect(response.status).toBe(404);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toEqual({
      type: "/docs/problems#ORGANIZATION_NOT_FOUND",
      title: expect.any(String),
      status: 404,
      detail: expect.any(String),
      code: "ORGANIZATION_NOT_FOUND",
      requestId: response.headers.get("x-request-id"),
      retryable: false,
      help: expect.stringContaining("GET /api/organizations"),
    });
  });
});

describe("the next page", () => {
  it("is linked by an absolute address with the same query, as long as there are more items", async () => {
    const person = await service.purser.person();
    const hers = await service.signedIn(person);
    for (const name of ["One", "Two", "Three"])
      await service.purser.as(person).organizations.create({ name });
    const seen: string[] = [];
    let next: string | undefined = `/api/organizations?userId=${person.userId}&limit=2`;
    while (next !== undefined) {
      const response: Response = await request(next, { headers: hers });
      for (const { name } of (await response.json()) as { name: string }[]) seen.push(name);
      const link = response.headers.get("link") ?? "";
      next = /^<http:\/\/localhost:3000(\/api\/organizations\?[^>]+)>; rel="next"$/.exec(link)?.[1];
      if (next !== undefined) expect(new URLSearchParams(next.split("?")[1]).get("limit")).toBe("2");
    }
    expect(seen).toEqual(["Three", "Two", "One"]);
  });
});

describe("an idempotency key", () => {
  it("returns the first response again, marked as a replay", async () => {
    const key = { "idempotency-key": crypto.randomUUID() };
    const [first, again] = [await create("Acme", key), await create("Acme", key)];
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(await idOf(again)).toBe(await idOf(first));
    expect(first.headers.get("idempotency-replayed")).toBeNull();
    expect(again.headers.get("idempotency-replayed")).toBe("true");
  });

  it.each(["", "two words", "ümlaut", "x".repeat(256)])("is rejected if it is malformed: %j", async (key) => {
    const response = await create("Acme", { "idempotency-key": key });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: "VALIDATION_FAILED",
      issues: [{ path: ["Idempotency-Key"] }],
    });
  });

  it("has no effect on queries", async () => {
    const response = await request("/api/organizations/org_1", {
      headers: { ...headers, "idempotency-key": "two words" },
    });
    expect(response.status).toBe(404);
  });
});

describe("the address of a CSV file", () => {
  const path = "/api/banking/transactions.csv?teamId=org_1&query=caf%C3%A9";
  const refused = async (accept: string) => {
    const response = await request(path, { headers: { accept } });
    return [response.status, response.headers.get("content-type"), await response.text()] as const;
  };

  it("leads a browser that is signed out to the sign-in, and from there to the file", async () => {
    const [status, type, page] = await refused("text/html,application/xhtml+xml,*/*;q=0.8");
    expect([status, type]).toEqual([401, "text/html; charset=utf-8"]);
    const [, link = ""] = /<a class="button" href="([^"]+)"/.exec(page)!;
    const { pathname, searchParams } = new URL(link, base);
    expect([pathname, searchParams.get("next")]).toEqual(["/sign-in", path]);
  });

  it.each(["*/*", "text/csv", "application/json"])("answers a program with a problem: %s", async (accept) => {
    const [status, type] = await refused(accept);
    expect([status, type]).toEqual([401, "application/problem+json"]);
  });
});
