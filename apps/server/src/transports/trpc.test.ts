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
  result?: { data: { id?: string }; nextAfter?: string | null };
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
        retryAfterSeconds: null,
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
    // httpBatchStreamLink reads a refusal of the whole batch only in this form.
    const lines = await request(`${names(11)}?batch=1&input=${inputs(11)}`, {
      headers: { ...headers, "trpc-accept": "application/jsonl" },
    });
    expect([lines.status, (await read(lines)).error?.message]).toEqual([
      400,
      "A batch holds at most 10 calls.",
    ]);
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

  it.each(["GET", "POST"])("rejects a key on a batch of several queries: %s", async (method) => {
    const key = { ...headers, "idempotency-key": crypto.randomUUID() };
    const body = method === "POST" ? { method, body: '{"0":{},"1":{}}' } : {};
    const response = await request("organizations.list,organizations.list?batch=1", {
      headers: key,
      ...body,
    });
    expect(response.status).toBe(400);
    expect((await read(response)).error?.data.problem["code"]).toBe("VALIDATION_FAILED");
  });

  it("rejects a batch that mixes queries and mutations", async () => {
    const response = await request("organizations.create,organizations.get?batch=1", {
      method: "POST",
      body: "{}",
    });
    expect(response.status).toBe(400);
  });

  it("streams the outcome of each call to httpBatchStreamLink, whose lists may send a cursor", async () => {
    const id = service.purser.unknownId("org");
    const sent = { 0: { id }, 1: { cursor: null, direction: "forward", limit: 1 }, 2: { cursor: "nope" } };
    const input = encodeURIComponent(JSON.stringify(sent));
    const response = await request(
      `organizations.get,organizations.list,organizations.list?batch=1&input=${input}`,
      { headers: { ...headers, "trpc-accept": "application/jsonl" } },
    );
    expect([response.status, response.headers.get("x-request-id")]).toEqual([200, expect.any(String)]);
    const [head, ...lines] = (await response.text()).trim().split("\n");
    expect(Object.keys(JSON.parse(head!))).toEqual(["0", "1", "2"]);
    const codes = lines.flatMap((line) => /"code":"([A-Z_]+)"/.exec(line)?.[1] ?? []);
    expect(codes.toSorted()).toEqual(["ORGANIZATION_NOT_FOUND", "VALIDATION_FAILED"]);
    const posted = await request("organizations.list?batch=1", {
      method: "POST",
      headers: { ...headers, "trpc-accept": "application/jsonl" },
      body: '{"0":{"limit":1}}',
    });
    expect(await posted.text()).not.toContain('"code"');
  });

  it("streams what it would answer otherwise, whatever the request", async () => {
    const codesOf = async (response: Response) =>
      [...(await response.text()).matchAll(/"code":"([A-Z_]+)"/g)].map(([, code]) => String(code)).toSorted();
    const deep = `{"0":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    const requests: [path: string, init: RequestInit & { headers?: Record<string, string> }][] = [
      // The caller is checked before the input.
      ["me.get?batch=1&input=%7B", { headers: {} }],
      ["me.get?batch=1&input=%7B", {}],
      ["me.get,organizations.list?batch=1&input=" + encodeURIComponent('{"1":{"direction":"back"}}'), {}],
      ["me.get?batch=1", { method: "POST", body: deep }],
      ["me.get?batch=1", { method: "POST", body: '{"__proto__":{"0":{"x":1}}}' }],
      // tRPC's handler would run the mutation behind the query.
      ["me.get,organizations.create/?batch=1", { method: "POST", body: '{"1":{"name":"Acme"}}' }],
      ["me.get,%E0%A4%A?batch=1", {}],
      ["__proto__,constructor,me.get?batch=1", {}],
    ];
    for (const [path, init] of requests) {
      const plain = await request(path, init);
      const own = { ...(init.headers ?? headers), "trpc-accept": "application/jsonl" };
      const lines = await request(path, { ...init, headers: own });
      expect(await codesOf(lines), path).toEqual(await codesOf(plain));
      for (const name of ["content-type", "cache-control", "x-content-type-options"])
        expect(lines.headers.get(name), path).toBe(plain.headers.get(name));
    }
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

  it("takes a query by POST, whose input may be longer than a URL", async () => {
    const post = (path: string, body: string, more = {}) =>
      request(path, { method: "POST", headers: { ...headers, ...more }, body });
    const id = "x".repeat(20_000);
    const long = await read(await post("organizations.get", JSON.stringify({ id })));
    expect(long.error?.data.problem).toMatchObject({ code: "VALIDATION_FAILED" });
    const list = await post("organizations.list?input=nonsense", `{"userId":"${owner.userId}"}`);
    expect([list.status, await read(list)]).toEqual([
      200,
      { result: { data: expect.any(Array), nextAfter: null } },
    ]);
    const batch = await post("organizations.get,me.get?batch=1", `{"0":{"id":"org_1"}}`);
    expect([batch.status, (await read<Envelope[]>(batch))[1]?.result?.data.id]).toEqual([207, owner.userId]);
    expect((await post("organizations.get", `{"id":"${"x".repeat(1024 * 1024)}"}`)).status).toBe(413);
    expect((await post("organizations.get", "{", { "content-type": "text/plain" })).status).toBe(415);
    expect((await read(await post("organizations.get", "{"))).error?.data.problem["code"]).toBe(
      "MALFORMED_JSON",
    );
  });

  it("takes a mutation only by POST, whatever the request says in addition", async () => {
    const override = { ...headers, "x-http-method-override": "POST" };
    const response = await request('organizations.create?input={"name":"Acme"}', { headers: override });
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("ignores an idempotency key on a query by POST", async () => {
    const key = { ...headers, "idempotency-key": crypto.randomUUID() };
    const send = (id: string) =>
      request("organizations.get", { method: "POST", headers: key, body: JSON.stringify({ id }) });
    expect([(await send("org_1")).status, (await send("org_2")).status]).toEqual([404, 404]);
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

describe("a list over /trpc", () => {
  const listed = async (input: object) => {
    const address = `organizations.list?input=${encodeURIComponent(JSON.stringify(input))}`;
    return read<{ result?: { data: { id: string }[]; nextAfter: string | null }; error?: Envelope["error"] }>(
      await request(address),
    );
  };

  beforeAll(async () => {
    for (const name of ["One", "Two", "Three"]) await create({}, JSON.stringify({ name }));
  });

  it("returns the cursor of the next page with the data, for each call of a batch", async () => {
    const all = (await listed({})).result!;
    expect(all.nextAfter).toBeNull();
    const first = (await listed({ limit: 2 })).result!;
    expect(first.data).toEqual(all.data.slice(0, 2));
    expect(first.nextAfter).toBe(all.data[1]!.id);
    const limits = encodeURIComponent(JSON.stringify({ 0: { limit: 1 }, 1: {}, 2: { limit: 2 } }));
    const list = "organizations.list";
    const batch = await read<Envelope[]>(
      await request(`${list},${list},${list},me.get?batch=1&input=${limits}`),
    );
    const [one, rest, two, me] = batch.map(({ result }) => result);
    expect([one, rest, two].map((result) => result?.nextAfter)).toEqual([
      all.data[0]!.id,
      null,
      all.data[1]!.id,
    ]);
    expect(me).not.toHaveProperty("nextAfter");
  });

  it("takes `cursor` as another name of `after`, and the direction of infinite queries", async () => {
    const { data } = (await listed({})).result!;
    const first = await listed({ limit: 1, cursor: null, direction: "forward" });
    expect(first.result?.data).toEqual(data.slice(0, 1));
    const second = await listed({ limit: 1, cursor: data[0]!.id, direction: "forward" });
    expect(second.result?.data).toEqual(data.slice(1, 2));
    const moved = await listed({ limit: 1, after: data[0]!.id, cursor: data[1]!.id });
    expect(moved.result?.data).toEqual(data.slice(2, 3));
    expect((await listed({ after: data[0]!.id, cursor: null })).result?.data).toEqual(data.slice(1));
  });

  it.each([
    ["an unknown cursor", { cursor: "org_1" }, "after"],
    ["a backward direction", { direction: "backward" }, "direction"],
  ])("refuses %s", async (_, input, field) => {
    const { error } = await listed(input);
    expect(error?.data.problem).toMatchObject({ code: "VALIDATION_FAILED", issues: [{ path: [field] }] });
  });

  it("leaves `cursor` unknown to other procedures, and to REST", async () => {
    const one = await request(`me.get?input=${encodeURIComponent('{"cursor":null}')}`);
    const rest = await service.app.request(`${base}/api/organizations?cursor=x`, { headers });
    expect([one.status, rest.status]).toEqual([400, 400]);
  });
});
