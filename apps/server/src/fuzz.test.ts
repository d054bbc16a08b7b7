import { characterAt, characterCount } from "@purser/core/testing";
import { appRouter, openApiDocument, restRoutes } from "@purser/router";
import { type Scene, createScene, exampleInputs, sharedScenes } from "@purser/testing";
import { Validator } from "@seriousme/openapi-schema-validator";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readResponse, restRequest } from "./testing/rest-request.ts";
import { type TestService, createTestService } from "./testing/service.ts";

/**
 * Fuzzes every route from its own description: a valid request with any part mutated. No response is a 500, and every
 * response matches the OpenAPI document.
 */
const runs = process.env["PURSER_PROFILE"] === "nightly" ? 2000 : 4;

const document = JSON.parse(JSON.stringify(openApiDocument({ sandbox: true })));
const operations = new Map(
  Object.values<Record<string, Operation>>(document.paths)
    .flatMap((path) => Object.values(path))
    .map((operation) => [operation.operationId, operation]),
);
const ajv = new Ajv2020({ strict: false, allErrors: false });
addFormats.default(ajv);
ajv.addSchema(document, "openapi");

interface Operation {
  operationId: string;
  responses: Record<string, { content: Record<string, { schema: object }> }>;
}

let service: TestService;
let scene: Scene;
let sceneOfArea: ReturnType<typeof sharedScenes>;
let token: string;

beforeAll(async () => {
  service = await createTestService();
  sceneOfArea = sharedScenes(service.purser);
});
afterAll(() => service.close());

describe("/openapi.json", () => {
  it("is a valid OpenAPI 3.1 document", async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined });
  });
});

const anyCharacter = fc.nat(characterCount - 1).map(characterAt);
const nasty = fc.oneof(
  fc.constantFrom(
    "",
    " ",
    "\0",
    "\ud800",
    "x".repeat(300),
    "../..",
    "%00",
    "'; DROP TABLE users; --",
    "__proto__",
  ),
  fc.constantFrom(
    "null",
    "true",
    "1e400",
    "-1",
    "0",
    "1001",
    "NaN",
    "2026-02-30",
    "org_",
    "mem_00000000000000000000000000",
  ),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
);
const nastyJson = fc.oneof(
  nasty,
  fc.constantFrom(null, true, 0, -1, 1.5, 1e308, [], {}, [[]], { a: 1 }),
  fc.jsonValue(),
);

/** The mutations of a request. */
const change = fc.oneof(
  fc.record({ kind: fc.constant("set" as const), which: fc.nat(9), value: nastyJson }),
  fc.record({ kind: fc.constant("drop" as const), which: fc.nat(9) }),
  fc.record({ kind: fc.constant("add" as const), name: nasty, value: nastyJson }),
  fc.record({
    kind: fc.constant("body" as const),
    text: fc.oneof(nasty, fc.constantFrom("{", "[]", "null", '"a"', "1")),
  }),
  fc.record({
    kind: fc.constant("query" as const),
    name: fc.oneof(fc.constantFrom("limit", "after", "id"), nasty),
    value: nasty,
  }),
);
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

const routes = restRoutes(appRouter);

describe.each(routes.map((route) => ({ route, title: route.procedure })))("$title", ({ route }) => {
  beforeAll(async () => {
    // Queries change nothing, so those of an area share one scene.
    scene = await (route.type === "mutation"
      ? createScene(service.purser, route.procedure)
      : sceneOfArea(route.procedure));
    token = await service.auth.openSession(scene.people.owner.userId);
  });

  it("responds to any input as the OpenAPI document promises, and never with 500", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 3 }), async (changes) => {
        const request = build(changes);
        const response = await service.app.request(request);
        const text = await readResponse(response);
        expect(text).not.toMatch(/node_modules|at .*\.ts:|SELECT |INSERT |postgres|drizzle/i);
        // The document promises 500 everywhere, but nothing fails here.
        expect(response.status, text).not.toBe(500);
        // A mutated request may reach another route or none, whose responses differ.
        if (leadsHere(request)) expectPromised(response, text);
      }),
      { numRuns: runs },
    );
  });

  function expectPromised(response: Response, text: string): void {
    const promised = operations.get(route.procedure)!.responses[response.status];
    if (promised === undefined) throw new Error(`${response.status} is not promised: ${text}`);
    if (response.status === 204) {
      expect(text).toBe("");
      return;
    }
    const type = response.headers.get("content-type")!.split(";")[0]!;
    const schema = promised.content[type]?.schema;
    if (schema === undefined) throw new Error(`${type} is not promised for ${response.status}`);
    if (type !== "text/event-stream") expect(validate(schema, JSON.parse(text))).toBeNull();
  }

  function build(changes: Change[]): Request {
    const input: Record<string, unknown> = { ...exampleInputs[route.procedure]!(scene) };
    let rawBody: string | null = null;
    const extraQuery: [string, string][] = [];
    for (const one of changes) {
      const names = Object.keys(input);
      const name = "which" in one ? names[one.which % Math.max(names.length, 1)] : undefined;
      if (one.kind === "set" && name !== undefined) input[name] = one.value;
      if (one.kind === "drop" && name !== undefined) delete input[name];
      if (one.kind === "add")
        Object.defineProperty(input, one.name, {
          value: one.value,
          enumerable: true,
          configurable: true,
          writable: true,
        });
      if (one.kind === "body") rawBody = one.text;
      if (one.kind === "query") extraQuery.push([one.name, one.value]);
    }
    return restRequest(route, input, { token, rawBody, extraQuery });
  }

  function leadsHere(request: Request): boolean {
    const pattern = new RegExp(`^${route.path.replaceAll(/:\w+/g, "[^/]+")}$`);
    const { pathname } = new URL(request.url);
    const others = routes.filter((other) => other.path !== route.path && !other.path.includes(":"));
    return pattern.test(pathname) && !others.some((other) => other.path === pathname);
  }
});

const compiled = new Map<string, ReturnType<typeof ajv.compile>>();

/** Returns the mismatches, or null. References resolve against the whole document. */
function validate(schema: object, value: unknown): unknown {
  const key = JSON.stringify(schema);
  const check =
    compiled.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"#/components/', '"openapi#/components/')));
  compiled.set(key, check);
  return check(value) ? null : { errors: check.errors, value };
}
