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

interface Envelope {
  result?: { data: { id?: string } };
  error?: { message: string; code: number; data: { httpStatus: number; problem: Record<string, unknown> } };
}

const request = (path: string, init?: RequestInit) =>
  service.app.request(`${base}/trpc/${path}`, { headers, ...init });
const read = async <Body = Envelope>(response: Response) => (await response.json()) as Body;
const create = (more: Record<string, string> = {}, body = '{"name":"Acme"}') =>
  request("organizations.create", { method: "POST", headers: { ...headers, ...more }, body });
const names = (count: number) => Array.from({ length: count }, () => "organizations.get").join(",");
const inputs = (count: number) =>
  encodeURIComponent(
    JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, index) => [index, { id: "org_1" }]))),
  );

describe("/trpc", () => {
  it("wraps the same problem as REST in tRPC's envelope", async () => {
    const response = await request(`organizations.get?input=${encodeURIComponent('{"id":"org_1"}')}`);
    const { error } = await read(response);
    expect([response.status, response.headers.get("content-type")]).toEqual([404, "application/json"]);
    expect(error?.data).toMatchObject({
      httpStatus: 404,
      problem: {
        code: "ORGANIZATION_NOT_FOUND",
        status: 404,
        requestId: response.headers.get("x-request-id"),
      },
    });
  });

  it("uses the same envelope for requests rejected before the procedure", async () => {
    const response = await create({ authorization: "Bearer nonsense" });
    const { error } = await read(response);
    expect(response.status).toBe(401);
    expect(error).toEqual({
      message: expect.any(String),
      code: expect.any(Number),
      data: {
        httpStatus: 401,
        problem: expect.objectContaining({ code: "UNAUTHENTICATED", requestId: expect.any(String) }),
      },
    });
  });

  it("answers each call of a batch of ten separately", async () => {
    const response = await request(`${names(10)}?batch=1&input=${inputs(10)}`);
    const results = await read<Envelope[]>(response);
    expect(results.map(({ error }) => error?.data.problem["code"])).toEqual(
      Array(10).fill("ORGANIZATION_NOT_FOUND"),
    );
  });

  it("rejects a batch of eleven", async () => {
    const response = await request(`${names(11)}?batch=1&input=${inputs(11)}`);
    expect(response.status).toBe(400);
    expect((await read(response)).error?.data.problem["code"]).toBe("BATCH_TOO_LARGE");
  });

  it("fails only the unknown procedure of a batch", async () => {
    const response = await request(`organizations.nope,organizations.get?batch=1&input=${inputs(2)}`);
    const results = await read<Envelope[]>(response);
    expect(results.map(({ error }) => error?.data.problem["code"])).toEqual([
      "NOT_FOUND",
      "ORGANIZATION_NOT_FOUND",
    ]);
  });

  it("replays a mutation with the same key, and marks the replay", async () => {
    const key = { "idempotency-key": crypto.randomUUID() };
    const [first, again] = [await create(key), await create(key)];
    expect((await read(again)).result?.data.id).toBe((await read(first)).result?.data.id);
    expect([first, again].map((response) => response.headers.get("idempotency-replayed"))).toEqual([
      null,
      "true",
    ]);
  });

  it("rejects a key on a batch of several calls, and accepts it on a batch of one", async () => {
    const key = { ...headers, "idempotency-key": crypto.randomUUID() };
    const several = await request("organizations.create,organizations.create?batch=1", {
      method: "POST",
      headers: key,
      body: '{"0":{"name":"One"},"1":{"name":"Two"}}',
    });
    expect(several.status).toBe(400);
    expect((await read(several)).error?.data.problem["code"]).toBe("VALIDATION_FAILED");
    const one = await request("organizations.create?batch=1", {
      method: "POST",
      headers: key,
      body: '{"0":{"name":"One"}}',
    });
    expect(one.status).toBe(200);
  });

  it("rejects a batch that mixes queries and mutations", async () => {
    const response = await request("organizations.create,organizations.get?batch=1", {
      method: "POST",
      body: "{}",
    });
    expect(response.status).toBe(400);
  });

  it("never streams, even on request", async () => {
    const response = await request(`${names(2)}?batch=1&input=${inputs(2)}`, {
      headers: { ...headers, "trpc-accept": "application/jsonl", accept: "application/jsonl" },
    });
    expect(await read<Envelope[]>(response)).toHaveLength(2);
  });

  it("runs no mutation from a form, which any site could submit", async () => {
    const form = new FormData();
    form.set("name", "Acme");
    const { authorization = "" } = headers;
    const response = await request("organizations.create", {
      method: "POST",
      headers: { authorization },
      body: form,
    });
    expect(response.status).toBe(415);
  });

  it("ignores headers and query parameters that override the method", async () => {
    const response = await request("organizations.get?input={}", { method: "POST", body: '{"id":"org_1"}' });
    expect(response.status).toBe(405);
  });

  it("rejects connectionParams, which only subscriptions have", async () => {
    for (const name of ["connectionParams", "connection%50arams"]) {
      const response = await request(`billing.plans.list?${name}=1`, { headers: {} });
      expect(response.status).toBe(400);
      expect((await read(response)).error?.data.problem["code"]).toBe("VALIDATION_FAILED");
    }
  });

  it("treats an absent body as an absent input", async () => {
    const { authorization = "" } = headers;
    const response = await request("organizations.create", { method: "POST", headers: { authorization } });
    expect(response.status).toBe(400);
    expect((await read(response)).error?.data.problem["code"]).toBe("VALIDATION_FAILED");
  });

  it("returns 404 for paths that cannot be decoded or that name inherited properties", async () => {
    for (const path of ["%E0%A4%A", "__proto__", "constructor", "organizations", "organizations."]) {
      expect((await request(path)).status).toBe(404);
    }
  });
});
