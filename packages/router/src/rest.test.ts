import type { Problem } from "@purser/core";
import { callerId, createContext } from "@purser/platform";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { Context } from "./context.ts";
import type { RestMeta } from "./meta.ts";
import { procedureProblem } from "./problems.ts";
import { type RestRequest, restRoutes } from "./rest.ts";
import { publicProcedure, router, userProcedure } from "./trpc.ts";

const Thing = z.object({ id: z.string(), at: z.date() });
const on = (rest: RestMeta) => publicProcedure.meta({ rest, summary: "Does something.", access: "public" });

const things = {
  list: on({ method: "GET", path: "/api/things" })
    .input(
      z.strictObject({
        limit: z.int().max(10).default(5),
        from: z.date().optional(),
        to: z.date().optional(),
      }),
    )
    .output(z.unknown())
    .query(({ input }) => input),
  get: on({ method: "GET", path: "/api/things/:id", params: { id: "thingId" } })
    .input(z.strictObject({ thingId: z.string(), active: z.boolean().optional() }))
    .output(z.unknown())
    .query(({ input }) => input),
  search: on({ method: "POST", path: "/api/things/search" })
    .input(z.strictObject({ after: z.date().optional() }))
    .output(z.array(Thing))
    .query(({ input }) => [{ id: "1", at: input.after ?? new Date(0), secret: "not in the contract" }]),
  create: on({ method: "POST", path: "/api/things", status: 201 })
    .input(z.strictObject({ name: z.string() }))
    .output(Thing)
    .mutation(() => ({ id: "1", at: new Date(0) })),
  update: on({ method: "PATCH", path: "/api/things/:id" })
    .input(z.strictObject({ id: z.string(), name: z.string().nullable().optional() }))
    .output(z.unknown())
    .mutation(({ input }) => input),
  remove: on({ method: "DELETE", path: "/api/things/:id" })
    .input(z.strictObject({ id: z.string() }))
    .output(z.void())
    .mutation(() => {}),
  break: on({ method: "POST", path: "/api/things/break" })
    .input(z.strictObject({}))
    .output(Thing)
    .mutation(() => ({ id: "1", at: new Date(Number.NaN) })),
  wait: on({ method: "POST", path: "/api/things/:id/parts/:partId/wait" })
    .input(z.strictObject({ id: z.string(), partId: z.string() }))
    .output(z.boolean())
    .mutation(({ signal }) => signal?.aborted ?? false),
  mine: userProcedure
    .meta({
      rest: { method: "GET", path: "/api/things/:owner/parts/mine" },
      summary: "Reads one's own.",
      access: "user",
    })
    .input(z.strictObject({ owner: z.string() }))
    .output(z.unknown())
    .query(({ ctx }) => callerId(ctx.caller)),
  internal: publicProcedure
    .input(z.strictObject({}))
    .output(z.void())
    .query(() => {}),
};

const routes = restRoutes(router({ things }));
let purser: TestPurser;
let ctx: Context;

beforeAll(async () => {
  purser = await createTestPurser();
  const unauthenticated = {
    requestId: "req_1",
    caller: null,
    fromTrustedOrigin: false,
    idempotencyKey: null,
  };
  ctx = createContext(purser.platform, unauthenticated);
});
afterAll(() => purser.close());

function call(
  name: keyof typeof things,
  { params = {}, query = "", body }: RequestParts = {},
  signal?: AbortSignal,
) {
  const request: RestRequest = { params, query: new URLSearchParams(query), readBody: () => body };
  return routeOf(name).call(ctx, request, signal);
}

interface RequestParts {
  params?: Record<string, string>;
  query?: string;
  body?: unknown;
}

function routeOf(name: keyof typeof things) {
  return routes.find(({ procedure }) => procedure === `things.${name}`)!;
}

async function problemOf(name: keyof typeof things, request: RequestParts): Promise<Problem> {
  const [outcome] = await Promise.allSettled([call(name, request)]);
  if (outcome.status === "fulfilled") throw new Error(`It succeeded with ${JSON.stringify(outcome.value)}`);
  return procedureProblem(outcome.reason);
}

describe("restRoutes", () => {
  it("puts static segments before parameters of any name", () => {
    expect(routes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "GET /api/things",
      "POST /api/things",
      "POST /api/things/break",
      "POST /api/things/search",
      "DELETE /api/things/:id",
      "GET /api/things/:id",
      "PATCH /api/things/:id",
      "GET /api/things/:owner/parts/mine",
      "POST /api/things/:id/parts/:partId/wait",
    ]);
  });

  it("answers 201 for a creation, 204 without an output, and 200 otherwise", () => {
    expect([routeOf("create").status, routeOf("remove").status, routeOf("get").status]).toEqual([
      201, 204, 200,
    ]);
  });

  it("omits a procedure without an address", () => {
    expect(routeOf("internal")).toBeUndefined();
  });

  const get = (path: RestMeta["path"], params?: Record<string, string>) =>
    on({ method: "GET", path, ...(params && { params }) })
      .input(z.strictObject({ id: z.string() }))
      .output(z.void())
      .query(() => {});

  it("refuses to start with two procedures at one address", () => {
    const twice = router({
      one: get("/api/things/:id"),
      other: get("/api/things/:thingId", { thingId: "id" }),
    });
    expect(() => restRoutes(twice)).toThrow("other: GET /api/things/:thingId is taken by another procedure");
  });

  it("refuses to start with a path parameter that is not a field of the input", () => {
    expect(() => restRoutes(router({ one: get("/api/things/:thingId") }))).toThrow(
      "one: path parameter thingId is not a field of the input",
    );
    expect(() => restRoutes(router({ one: get("/api/things/:id", { id: "thingId" }) }))).toThrow(
      "one: path parameter id is not a field of the input",
    );
  });

  it("refuses to start with a procedure without an input contract", () => {
    const bare = on({ method: "GET", path: "/api/things" })
      .output(z.void())
      .query(() => {});
    expect(() => restRoutes(router({ bare }))).toThrow("bare: a procedure on REST needs an object as input");
  });
});

describe("a GET route", () => {
  it("takes its input from the path and the query", async () => {
    expect(await call("get", { params: { id: "1" }, query: "active=false" })).toEqual({
      thingId: "1",
      active: false,
    });
    expect(await call("list", { query: "limit=3&from=2026-03-01" })).toEqual({
      limit: 3,
      from: new Date("2026-03-01T00:00:00.000Z"),
    });
  });

  it("applies the contract's default for an absent field", async () => {
    expect(await call("list")).toEqual({ limit: 5 });
  });

  it.each([
    ["a limit that is too large", "list", { query: "limit=11" }, ["limit"]],
    ["a fraction", "list", { query: "limit=1.5" }, ["limit"]],
    ["a repeated parameter", "list", { query: "limit=1&limit=2" }, ["limit"]],
    ["an impossible date", "list", { query: "from=2026-02-30" }, ["from"]],
    [
      "a boolean that is neither true nor false",
      "get",
      { params: { id: "1" }, query: "active=no" },
      ["active"],
    ],
    [
      "a path parameter that the query contradicts",
      "get",
      { params: { id: "1" }, query: "thingId=2" },
      ["thingId"],
    ],
    [
      "a path parameter that the query repeats twice",
      "get",
      { params: { id: "1" }, query: "thingId=1&thingId=1" },
      ["thingId"],
    ],
  ] as const)("refuses %s and names the field", async (_what, name, request, path) => {
    const { code, issues } = await problemOf(name, request);
    expect({ code, paths: issues?.map((issue) => issue.path) }).toEqual({
      code: "VALIDATION_FAILED",
      paths: [path],
    });
  });

  it("refuses an unknown field, because a typo in a filter would widen the result", async () => {
    const { issues } = await problemOf("list", { query: "limt=1" });
    expect(issues).toMatchObject([{ code: "unrecognized_keys" }]);
  });

  it("accepts a path parameter that the query repeats with the same value", async () => {
    expect(await call("get", { params: { id: "1" }, query: "thingId=1" })).toEqual({ thingId: "1" });
  });

  it("does not take a path parameter from the query under its name in the path", async () => {
    expect((await problemOf("get", { params: { id: "1" }, query: "id=1" })).code).toBe("VALIDATION_FAILED");
  });
});

describe("a POST or PATCH route", () => {
  it("takes its input from the path and the body", async () => {
    const request = { params: { id: "1" }, body: { name: null } };
    expect(await call("update", request)).toEqual({ id: "1", name: null });
  });

  it("treats an absent body as an empty one", async () => {
    expect(await call("update", { params: { id: "1" } })).toEqual({ id: "1" });
  });

  it("accepts a path parameter that the body repeats, and refuses one that it contradicts", async () => {
    expect(await call("update", { params: { id: "1" }, body: { id: "1" } })).toEqual({ id: "1" });
    for (const id of ["2", 1, null]) {
      const { issues } = await problemOf("update", { params: { id: "1" }, body: { id } });
      expect(issues).toEqual([{ path: ["id"], code: "path_mismatch", message: expect.any(String) }]);
    }
  });

  it.each([null, 5, "text", [], [{}]])("refuses %j as a body", async (body) => {
    const { code, issues } = await problemOf("update", { params: { id: "1" }, body });
    expect({ code, paths: issues?.map(({ path }) => path) }).toEqual({
      code: "VALIDATION_FAILED",
      paths: [[]],
    });
  });

  it("refuses a query string, naming each of its fields", async () => {
    const { issues } = await problemOf("create", { query: "name=a&x=1", body: { name: "a" } });
    expect(issues?.map(({ path }) => path)).toEqual([["name"], ["x"]]);
  });

  it("can be a query, with dates as strings", async () => {
    const at = new Date("2026-03-01T00:00:00.000Z");
    expect(await call("search", { body: { after: "2026-03-01" } })).toEqual([{ id: "1", at }]);
  });
});

describe("any route", () => {
  it("returns only the fields of the output contract", async () => {
    expect(await call("search")).toEqual([{ id: "1", at: new Date(0) }]);
  });

  it("returns nothing if the output contract is void", async () => {
    expect(await call("remove", { params: { id: "1" } })).toBeUndefined();
  });

  it("answers INTERNAL if an output violates its contract", async () => {
    const problem = await problemOf("break", {});
    expect({ code: problem.code, issues: problem.issues }).toEqual({ code: "INTERNAL", issues: undefined });
  });

  it("requires authentication before it validates the input", async () => {
    expect((await problemOf("mine", { params: { owner: "1" }, query: "limt=1" })).code).toBe(
      "UNAUTHENTICATED",
    );
  });

  it("passes the caller's abort signal to the procedure", async () => {
    const params = { id: "1", partId: "2" };
    expect(await call("wait", { params }, AbortSignal.abort())).toBe(true);
    expect(await call("wait", { params })).toBe(false);
  });
});
