import { AsyncLocalStorage } from "node:async_hooks";
import { type Person, type TestPurser, createTestPurser, problemOf } from "@purser/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { type TestServer, servePurser } from "../test/serve.ts";
import { createPurserClient } from "./client.ts";
import { PurserError } from "./error.ts";
import type {
  BankingTransactionsListInput,
  CardsPoliciesCreateInput,
  PurserClient,
} from "./generated/purser-client.ts";
import type { PurserClientOptions } from "./options.ts";

let purser: TestPurser;
let server: TestServer;
let owner: Person;
let stranger: Person;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
  stranger = await purser.person();
  server = await servePurser(purser, [owner, stranger]);
});
afterAll(async () => {
  await server.close();
  await purser.close();
});
beforeEach(() => {
  server.requests.length = 0;
  server.interceptors.length = 0;
});

const clientOf = (person: Person | null, options: Partial<PurserClientOptions> = {}) =>
  createPurserClient({ baseUrl: server.baseUrl, token: person?.userId, ...options });

/** What a test calls over HTTP and in process. */
interface Callable {
  cards: { policies: { create: (input: CardsPoliciesCreateInput) => Promise<unknown> } };
  banking: { transactions: { list: (input: BankingTransactionsListInput) => Promise<unknown> } };
}

/** Returns the PurserError of a call. Fails if the call succeeds or rejects with another error. */
async function errorOf(call: Promise<unknown>): Promise<PurserError> {
  const error = await call.then(
    () => expect.fail("The call succeeded"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(PurserError);
  return error as PurserError;
}

describe("a call", () => {
  it("returns the procedure's output, with dates as Date and no output as undefined", async () => {
    const client = clientOf(owner);
    const { id, memberships } = await client.organizations.create({ name: "Acme" });
    expect(memberships).toMatchObject([{ role: "OWNER", isCreator: true }]);
    const invitation = { organizationId: id, email: "guest@example.com", role: "MEMBER" } as const;
    expect(await client.organizations.invitations.create(invitation)).toBeUndefined();
    const invitations = await client.organizations.invitations.list({ organizationId: id });
    const expiresAt = new Date(purser.clock.now().getTime() + 7 * 24 * 60 * 60 * 1000);
    expect(invitations).toEqual([{ id: expect.stringMatching(/^inv_/), ...invitation, expiresAt }]);
    expect(await client.organizations.subscription.get({ organizationId: id })).toBeNull();
  });

  it("rejects with the problem's code, status, message and request id", async () => {
    const client = clientOf(stranger, { headers: { "x-request-id": "req_known" } });
    const error = await errorOf(client.organizations.get({ id: purser.unknownId("org") }));
    expect(error).toMatchObject({
      name: "PurserError",
      code: "ORGANIZATION_NOT_FOUND",
      status: 404,
      message: "There is no such organization.",
      requestId: "req_known",
      issues: [],
    });
  });

  it("rejects an invalid input with its issues", async () => {
    const error = await errorOf(clientOf(owner).organizations.create({ name: "  " }));
    expect(error).toMatchObject({ code: "VALIDATION_FAILED", status: 400 });
    expect(error.issues).toMatchObject([{ path: ["name"], code: "too_small", message: expect.any(String) }]);
  });

  it.each([
    ["a mutation", Number.NaN],
    ["a mutation", Infinity],
    ["a mutation", -Infinity],
    ["a mutation", new Date(Number.NaN)],
    ["a query", Number.NaN],
    ["a query", new Date(Number.NaN)],
    ["a long query", Infinity],
    ["a long query", new Date(Number.NaN)],
  ])("refuses what JSON does not have as in process, in %s: %s", async (kind, invalid) => {
    const { id: organizationId } = await clientOf(owner).organizations.create({ name: "Acme" });
    // JSON has null instead, which is no limit at all.
    const call = ({ cards, banking }: Callable) =>
      kind === "a mutation"
        ? cards.policies.create({ organizationId, name: "Travel", spendingLimit: invalid as number })
        : banking.transactions.list({
            teamId: organizationId,
            ...(typeof invalid === "number" ? { minAmount: invalid } : { from: invalid }),
            ...(kind === "a long query" && { query: "x".repeat(5000) }),
          });
    const { issues } = problemOf(await call(purser.as(owner)).catch((error: unknown) => error));
    expect(issues).toContainEqual(expect.objectContaining({ code: "invalid_type" }));
    expect(await errorOf(call(clientOf(owner)))).toMatchObject({ code: "VALIDATION_FAILED", issues });
    expect(await errorOf(call(clientOf(owner, { batch: false })))).toMatchObject({ issues });
  });

  it("rejects with a stack that contains the caller's line", async () => {
    const offline = clientOf(null, { fetch: () => Promise.reject(new TypeError("No network")), retries: 0 });
    async function theCallersOwn(client: PurserClient) {
      await client.organizations.create({ name: "" });
    }
    for (const client of [clientOf(owner), offline]) {
      expect((await errorOf(theCallersOwn(client))).stack).toContain("theCallersOwn");
    }
  });

  it("is anonymous without a token", async () => {
    expect(await errorOf(clientOf(null).organizations.create({ name: "Acme" }))).toMatchObject({
      code: "UNAUTHENTICATED",
      status: 401,
    });
  });

  it("rejects with the serialization error if an input cannot be serialized", async () => {
    const input = { name: 1n as unknown as string };
    await expect(clientOf(owner).organizations.create(input)).rejects.toThrow(TypeError);
    await expect(clientOf(owner).organizations.get({ id: 1n as unknown as string })).rejects.toThrow(
      TypeError,
    );
    expect(server.requests).toHaveLength(0);
  });
});

describe("token and headers", () => {
  it("are evaluated before every request", async () => {
    const tokens = [stranger.userId, Promise.resolve(owner.userId)];
    const client = clientOf(null, { token: () => tokens.shift(), headers: async () => ({ "X-Trace": "7" }) });
    await errorOf(client.organizations.list({ userId: owner.userId }));
    await client.organizations.list({ userId: owner.userId });
    expect(await errorOf(client.organizations.list({ userId: owner.userId }))).toMatchObject({ status: 401 });
    expect(
      server.requests.map(({ headers }) => [headers.get("x-trace"), headers.get("authorization")]),
    ).toEqual([
      ["7", `Bearer ${stranger.userId}`],
      ["7", `Bearer ${owner.userId}`],
      ["7", null],
    ]);
  });

  it("of two people never share a request, wherever their calls meet", async () => {
    const person = new AsyncLocalStorage<Person>();
    const client = clientOf(null, { token: async () => person.getStore()!.userId });
    const readAs = (one: Person) => person.run(one, () => client.me.get());
    const profiles = await Promise.all([readAs(owner), readAs(stranger), readAs(owner)]);
    expect(profiles.map(({ id }) => id)).toEqual([owner.userId, stranger.userId, owner.userId]);
    expect(server.requests).toHaveLength(2);
  });

  it("may contain an API key, in every form of headers that fetch accepts", async () => {
    const client = clientOf(null, { headers: new Headers({ "x-api-key": owner.userId }) });
    await client.organizations.create({ name: "By key" });
    expect(server.requests[0]?.headers.get("content-type")).toBe("application/json");
  });

  it("reject with the error of their function, and send nothing", async () => {
    const failure = new Error("The session has ended");
    const client = clientOf(null, { token: () => Promise.reject(failure) });
    await expect(client.organizations.get({ id: "org" })).rejects.toBe(failure);
    await expect(client.organizations.create({ name: "Acme" })).rejects.toBe(failure);
    expect(server.requests).toHaveLength(0);
  });
});

describe("createPurserClient", () => {
  it("accepts a base URL with a path, with or without a trailing slash", async () => {
    const addresses: string[] = [];
    const fetch = (url: string, init: RequestInit) => {
      addresses.push(`${init.method} ${url} ${init.credentials}`);
      return Promise.resolve(Response.json({ result: { data: null } }));
    };
    for (const baseUrl of [
      "https://purser.example",
      "https://purser.example/api/",
      new URL("https://purser.example/a"),
    ]) {
      const client = createPurserClient({ baseUrl, fetch, credentials: "include" });
      await client.organizations.delete({ id: "org" });
    }
    expect(addresses).toEqual([
      "POST https://purser.example/trpc/organizations.delete include",
      "POST https://purser.example/api/trpc/organizations.delete include",
      "POST https://purser.example/a/trpc/organizations.delete include",
    ]);
  });

  it("accepts an empty base URL for the page's origin in a browser", async () => {
    const addresses: string[] = [];
    const fetch = (url: string) => {
      addresses.push(url);
      return Promise.resolve(Response.json({ result: {} }));
    };
    vi.stubGlobal("location", { href: "https://app.example/deep/page?query#hash" });
    onTestFinished(() => void vi.unstubAllGlobals());
    await createPurserClient({ baseUrl: "", fetch }).organizations.delete({ id: "org" });
    expect(addresses).toEqual(["https://app.example/trpc/organizations.delete"]);
  });

  it("has a method for every procedure and no others", () => {
    const { organizations } = clientOf(owner);
    expect(Object.keys(organizations)).toContain("members");
    expect("then" in organizations).toBe(false);
  });
});

const reads = (client: ReturnType<typeof clientOf>, count: number) =>
  Promise.all(
    Array.from({ length: count }, () => client.organizations.list({ userId: owner.userId, limit: 1 })),
  );
const sizes = () => server.requests.map(({ url }) => new URL(url).pathname.split(",").length);

describe("batching", () => {
  it("sends queries of one tick in requests of at most ten", async () => {
    expect(await reads(clientOf(owner), 23)).toHaveLength(23);
    expect(sizes().toSorted((one, other) => one - other)).toEqual([3, 10, 10]);
  });

  it("can be turned off", async () => {
    await reads(clientOf(owner, { batch: false }), 3);
    expect(sizes()).toEqual([1, 1, 1]);
    expect(server.requests.every(({ url }) => !url.includes("batch"))).toBe(true);
  });

  it("never contains a mutation", async () => {
    const client = clientOf(owner);
    await Promise.all([
      client.organizations.create({ name: "One" }),
      client.organizations.create({ name: "Two" }),
    ]);
    expect(server.requests.map(({ url }) => new URL(url).search)).toEqual(["", ""]);
  });

  it("gives each call its own outcome", async () => {
    const client = clientOf(owner);
    const [found, missing] = await Promise.allSettled([
      client.organizations.list({ userId: owner.userId }),
      client.organizations.get({ id: purser.unknownId("org") }),
    ]);
    expect(server.requests).toHaveLength(1);
    expect(found.status).toBe("fulfilled");
    expect(missing).toMatchObject({ reason: { code: "ORGANIZATION_NOT_FOUND", status: 404 } });
  });

  it("splits URLs over 4 KiB, and sends a query that is longer by itself by POST", async () => {
    const client = clientOf(owner);
    const calls = [900, 1800, 1900, 9000].map((length) =>
      client.organizations.get({ id: "x".repeat(length) }),
    );
    const codes = await Promise.all(calls.map(async (call) => (await errorOf(call)).code));
    expect(new Set(codes)).toEqual(new Set(["VALIDATION_FAILED"]));
    const sent = server.requests.map(({ method, url }) => [method, url.length] as const);
    expect(sent.map(([method]) => method).toSorted()).toEqual(["GET", "GET", "POST"]);
    expect(Math.max(...sent.map(([, length]) => length))).toBeLessThanOrEqual(4096);
    const long = server.requests.find(({ method }) => method === "POST");
    expect(await long?.json()).toEqual({ id: "x".repeat(9000) });
    expect(long?.headers.get("idempotency-key")).toBeNull();
  });
});
