// @module-tag slow
import { characterAt, characterCount } from "@purser/core/testing";
import { type RestRoute, appRouter, openApiDocument, restRoutes } from "@purser/router";
import { type Scene, changedScenes, exampleInputs, isNightly, sharedScenes } from "@purser/testing";
import { Validator } from "@seriousme/openapi-schema-validator";
import addFormats from "ajv-formats";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readResponse, restRequest } from "./testing/rest-request.ts";
import { type TestService, createTestService } from "./testing/service.ts";

/**
 * Fuzzes every operation from its own description: a valid request with any part mutated. No response is a 500, and every
 * response matches the OpenAPI document.
 */
const runs = isNightly ? 2000 : 4;

const document = JSON.parse(JSON.stringify(openApiDocument({ sandbox: true })));
const operations = new Map(
  Object.values<Record<string, Operation>>(document.paths)
    .flatMap((path) => Object.values(path))
    .map((operation) => [operation.operationId, operation]),
);
const ajv = new Ajv2020({ strict: false, allErrors: false });
addFormats.default(ajv);
ajv.addSchema(document, "openapi");

type Fields = Record<string, { examples: unknown[] }>;

interface Operation {
  operationId: string;
  parameters?: { name: string; schema: Fields[string] }[];
  requestBody?: { content: Record<string, { schema: { properties: Fields } }> };
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

let service: TestService;
let scene: Scene;
let sceneOfArea: ReturnType<typeof sharedScenes>;
let onChangedScene: ReturnType<typeof changedScenes>;
let token: string;
/** A key of an organization, which belongs to no account. */
let organizationKey: string;

beforeAll(async () => {
  const unlimited = { authAttemptsPerAddress: 1_000_000, authAttemptsPerAccount: 1_000_000 };
  service = await createTestService({ settings: unlimited });
  sceneOfArea = sharedScenes(service.purser);
  onChangedScene = changedScenes(service.purser);
  const owner = await service.purser.person();
  const organizationId = await service.purser.organization(owner);
  const created = await service.purser
    .as(owner)
    .keys.create({ organizationId, name: "Key", access: "write" });
  organizationKey = created.key;
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

interface Mutated {
  rawBody: string | null;
  extraQuery: [string, string][];
}

/** Changes the fields of an input, and returns what else of the request changes. */
function mutate(input: Record<string, unknown>, changes: Change[]): Mutated {
  const mutated: Mutated = { rawBody: null, extraQuery: [] };
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
    if (one.kind === "body") mutated.rawBody = one.text;
    if (one.kind === "query") mutated.extraQuery.push([one.name, one.value]);
  }
  return mutated;
}

/** Sends a request, and returns its response if it tells nothing and is not a failure. */
async function send(request: Request): Promise<{ response: Response; text: string }> {
  const response = await service.app.request(request);
  const text = await readResponse(response);
  expect(text).not.toMatch(/node_modules|at .*\.ts:|SELECT |INSERT |postgres|drizzle/i);
  // The document promises 500 everywhere, but nothing fails here.
  expect(response.status, text).not.toBe(500);
  return { response, text };
}

function expectPromised(operationId: string, response: Response, text: string): void {
  const promised = operations.get(operationId)!.responses[response.status];
  if (promised === undefined) throw new Error(`${response.status} is not promised: ${text}`);
  if (promised.content === undefined) {
    expect(text).toBe("");
    return;
  }
  const type = response.headers.get("content-type")!.split(";")[0]!;
  const schema = promised.content[type]?.schema;
  if (schema === undefined) throw new Error(`${type} is not promised for ${response.status}`);
  if (type !== "text/event-stream") expect(validate(schema, JSON.parse(text))).toBeNull();
}

const routes = restRoutes(appRouter);

describe.each(routes.map((route) => ({ route, title: route.procedure })))("$title", ({ route }) => {
  it("responds to any input as the OpenAPI document promises, and never with 500", async () => {
    // Queries change nothing, so those of an area share one scene.
    if (route.type !== "mutation") await sendExample(await sceneOfArea(route.procedure));
    // An owner who is refused is refused on every scene.
    else await onChangedScene(route.procedure, sendExample, (status) => status < 400 || status === 403);
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        await sendChanged(changes);
      }),
      { numRuns: runs },
    );
  });

  /** Sends the example request unchanged. The following requests are about the same scene. */
  async function sendExample(its: Scene): Promise<number> {
    scene = its;
    token = await service.auth.openSession(scene.people.owner.userId);
    return sendChanged([]);
  }

  async function sendChanged(changes: Change[]): Promise<number> {
    const request = build(changes);
    const { response, text } = await send(request);
    // A mutated request may reach another route or none, whose responses differ.
    if (leadsHere(request)) expectPromised(route.procedure, response, text);
    return response.status;
  }

  function build(changes: Change[]): Request {
    const input: Record<string, unknown> = { ...exampleInputs[route.procedure]!(scene) };
    return restRequest(route, input, { token, ...mutate(input, changes) });
  }

  function leadsHere(request: Request): boolean {
    const pattern = new RegExp(`^${route.path.replaceAll(/:\w+/g, "[^/]+")}$`);
    const { pathname } = new URL(request.url);
    const others = routes.filter((other) => other.path !== route.path && !other.path.includes(":"));
    return pattern.test(pathname) && !others.some((other) => other.path === pathname);
  }
});

/** The operations of the document under /api/auth. */
const authRoutes = Object.entries<Record<string, Operation>>(document.paths)
  .filter(([path]) => path.startsWith("/api/auth/"))
  .flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      title: operation.operationId,
      operation,
      route: {
        path: path as RestRoute["path"],
        method: method.toUpperCase() as RestRoute["method"],
        parameters: [],
      },
    })),
  );

const authRouteOf = (operationId: string) => authRoutes.find(({ title }) => title === operationId)!.route;

interface Account {
  email: string;
  token: string;
  keyId: string;
  apiKey: string;
}

const password = "purser-demo-1";
let accounts = 0;

/** A person with a password, a session and an API key. */
async function createAccount(): Promise<Account> {
  const email = `fuzz-${(accounts += 1)}@example.com`;
  await service.auth.createUser({ email, name: "Sam", password });
  const { id: keyId, key: apiKey } = await service.auth.createApiKey(email, { name: "Key" });
  // A session of the test's own clock has ended by that of better-auth, which is the process's.
  const signIn = restRequest(authRouteOf("auth.signInEmail"), { email, password });
  const { headers } = await service.app.request(signIn);
  return { email, token: headers.get("set-auth-token")!, keyId, apiKey };
}

/** The input that the examples of an operation's fields make, with those of this person. */
function authInput({ parameters = [], requestBody }: Operation, account: Account): Record<string, unknown> {
  const body = requestBody?.content["application/json"]!.schema.properties ?? {};
  const query = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
  const examples = Object.entries({ ...body, ...query }).map(
    ([
      name,
      {
        examples: [value],
      },
    ]) => [name, value],
  );
  const own = {
    email: account.email,
    newEmail: `new-${account.email}`,
    password,
    currentPassword: password,
    id: account.keyId,
    keyId: account.keyId,
    callbackURL: "/welcome",
  };
  const input = Object.fromEntries(examples) as Record<string, unknown>;
  return { ...input, ...Object.fromEntries(Object.entries(own).filter(([name]) => name in input)) };
}

describe.each(authRoutes)("$title", ({ title, operation, route }) => {
  it("responds to any input as the OpenAPI document promises, and never with 500", async () => {
    const credential = fc.constantFrom("session", "session", "key", "organization's key", "none");
    await fc.assert(
      fc.asyncProperty(credential, fc.array(change, { maxLength: 3 }), async (by, changes) => {
        const account = await createAccount();
        const keys: Record<string, string> = { key: account.apiKey, "organization's key": organizationKey };
        const credentials = { token: by === "session" ? account.token : null, apiKey: keys[by] ?? null };
        const input = authInput(operation, account);
        const mutated = mutate(input, changes);
        const { response, text } = await send(restRequest(route, input, { ...mutated, ...credentials }));
        expectPromised(title, response, text);
      }),
      { numRuns: runs },
    );
  });
});

describe("an operation under /api/auth that refuses what depends on the state", () => {
  async function expectStatus(
    status: number,
    operationId: string,
    input: Record<string, unknown>,
    credential: { token?: string; apiKey?: string } = {},
  ): Promise<void> {
    const { response, text } = await send(restRequest(authRouteOf(operationId), input, credential));
    expect([operationId, response.status], text).toEqual([operationId, status]);
    expectPromised(operationId, response, text);
  }

  it("responds as the OpenAPI document promises", async () => {
    const { email, keyId, apiKey } = await createAccount();
    const other = await createAccount();
    await expectStatus(422, "auth.signUpEmail", { email, password, name: "Sam" });
    await expectStatus(302, "auth.verifyEmail", { token: "abc", callbackURL: "/welcome" });
    await expectStatus(403, "auth.listSessions", {}, { apiKey: organizationKey });
    await expectStatus(403, "auth.apiKeyCreate", { name: "Key" }, { apiKey });
    await expectStatus(404, "auth.apiKeyGet", { id: keyId }, { token: other.token });
    await expectStatus(404, "auth.apiKeyUpdate", { keyId, name: "Key" }, { token: other.token });
    await expectStatus(404, "auth.apiKeyDelete", { keyId }, { token: other.token });
  });

  it("responds so to the link of another user's new address, and of one that was taken meanwhile", async () => {
    const [wanting, other] = [await createAccount(), await createAccount()];
    const newEmail = `wanted-${wanting.email}`;
    await expectStatus(200, "auth.changeEmail", { newEmail }, { token: wanting.token });
    await service.purser.drain();
    const mail = service.purser.mails.findLast(({ to }) => to === newEmail)!;
    const link = { token: decodeURIComponent(/[?&]token=(\S+)/.exec(mail.text)![1]!) };
    await expectStatus(403, "auth.verifyEmail", link, { token: other.token });
    await service.auth.createUser({ email: newEmail, name: "Sam" });
    await expectStatus(422, "auth.verifyEmail", link, { token: wanting.token });
  });

  it("responds so to the creator of an organization who deletes the account", async () => {
    const creator = await createAccount();
    const creating = { method: "POST", path: "/api/organizations", parameters: [] } as const;
    await send(restRequest(creating, { name: "Acme" }, { token: creator.token }));
    await expectStatus(409, "auth.deleteUser", { password }, { token: creator.token });
  });
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
