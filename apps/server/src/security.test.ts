import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { appRouter, openApiDocument, restRoutes } from "@purser/router";
import { readSettings } from "@purser/service/settings";
import { createScene, exampleInputs } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { restRequest } from "./testing/rest-request.ts";
import { type TestService, createTestService } from "./testing/service.ts";

/** The claims of SECURITY.md about OWASP's API risks that no other test covers. */
const base = "http://localhost:3000";
const secure = "https://purser.example.com";
const json = { "content-type": "application/json" };
const routes = restRoutes(appRouter);

let service: TestService;
let production: TestService;

beforeAll(async () => {
  service = await createTestService();
  const { databaseUrl: _, ...settings } = readSettings({
    NODE_ENV: "production",
    BASE_URL: secure,
    DATABASE_URL: "postgres://db.example.com/purser",
    AUTH_SECRET: "a secret of at least 32 characters",
    ENCRYPTION_KEYS: `1:${Buffer.alloc(32, 7).toString("base64")}`,
    SMTP_URL: "none",
    LOG_LEVEL: "silent",
  });
  production = await createTestService({ settings });
});
afterAll(() => Promise.all([service.close(), production.close()]));

const request = (path: string, init?: RequestInit) => service.app.request(`${base}${path}`, init);
const post = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: object = {}) =>
  request(path, { method: "POST", headers: { ...json, ...headers }, body });
const statusAndText = async (response: Response) => [response.status, await response.text()];
const signIn = async () => service.signedIn(await service.purser.person());

/** Every address, with placeholders for its parameters. */
const addressesOf = ({ app }: TestService) => [...new Set(app.routes.map(({ path }) => path))];
const concrete = (path: string) => path.replaceAll(/:\w+/g, "x").replace("*", "x");

type Schema = { _zod: { def: { type: string } } };
type Definition = { type: string; shape?: Record<string, Schema>; catchall?: Schema; options?: Schema[] };

/** A schema and all schemas it contains. */
function partsOf({ _zod: { def } }: Schema): (Definition & Record<string, unknown>)[] {
  const { shape = {}, options = [], ...parts } = def as Definition & Record<string, Schema | undefined>;
  const { innerType, element, in: from, out, valueType } = parts;
  const all = [...Object.values(shape), ...options, innerType, element, from, out, valueType];
  return [parts, ...all.flatMap((part) => (part === undefined ? [] : partsOf(part)))];
}

describe("the contracts (API3)", () => {
  it("name every output field, except in the details of audit entries", () => {
    const loose = routes.filter(({ output }) =>
      partsOf(output).some(({ type, catchall }) => /^(unknown|any|record)$/.test(type) || catchall),
    );
    expect(loose.map(({ procedure }) => procedure)).toEqual(["organizations.audit.list"]);
  });

  it("let a sign-up set no privileged field", async () => {
    const person = { name: "Sam", email: "sam@example.com", password: "correct horse battery" };
    const privileged = {
      id: "user_1",
      role: "admin",
      emailVerified: true,
      twoFactorEnabled: true,
      banned: true,
      isAdministrator: true,
    };
    for (const [field, value] of Object.entries(privileged)) {
      const { status } = await post("/api/auth/sign-up/email", JSON.stringify({ ...person, [field]: value }));
      expect([field, status]).toEqual([field, 400]);
    }
  });
});

describe("an oversized request (API4)", () => {
  const names = Array.from({ length: 12_000 }, (_, index) => `k${index.toString(36)}`).join("&");

  it.each(["/api/billing/plans", "/api/auth/get-session", "/trpc/billing.plans.list"])(
    "has its query parsed in one pass, however many names it has: %s",
    async (path) => {
      const seconds: number[] = [];
      for (let times = 0; times < 3; times += 1) {
        const before = process.cpuUsage();
        expect((await (await request(`${path}?${names}`)).text()).length).toBeLessThan(20_000);
        const { user, system } = process.cpuUsage(before);
        seconds.push((user + system) / 1e6);
      }
      // One pass per name would take more than three seconds of processor time. A single pass takes a twentieth of one,
      // unless the collection of all the garbage of earlier tests falls into it.
      expect(Math.min(...seconds)).toBeLessThan(1);
    },
  );

  it.each(["/api/organizations", "/trpc/organizations.create", "/api/auth/sign-up/email"])(
    "gets only the first errors of a megabyte of invalid input: %s",
    async (path) => {
      const headers = await signIn();
      const wide = JSON.stringify(
        Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, "\0"])),
      );
      const long = JSON.stringify({ ["n".repeat(500_000)]: Array.from({ length: 500 }, () => "\0") });
      for (const body of [wide, long]) {
        const response = await post(path, body, headers);
        expect(response.status).toBe(400);
        expect((await response.text()).length).toBeLessThan(200_000);
      }
      expect((await (await post(`${path}?${names}`, "{}", headers)).text()).length).toBeLessThan(40_000);
    },
  );

  it.each(["/api/organizations", "/trpc/organizations.create", "/api/auth/sign-up/email"])(
    "is a validation error however deeply it is nested: %s",
    async (path) => {
      const deep = `{"name":${"[".repeat(200_000)}${"]".repeat(200_000)}}`;
      const response = await post(path, deep, await signIn());
      expect(await statusAndText(response)).toEqual([400, expect.stringContaining("VALIDATION_FAILED")]);
    },
  );

  it("is never decompressed: compressed JSON is refused", async () => {
    const bomb = gzipSync(JSON.stringify({ name: "x".repeat(5_000_000) }));
    const response = await post("/api/organizations", bomb, {
      ...(await signIn()),
      "content-encoding": "gzip",
    });
    expect(await statusAndText(response)).toEqual([415, expect.stringContaining("UNSUPPORTED_MEDIA_TYPE")]);
  });

  it("can ask for at most a thousand items per page", async () => {
    const scene = await createScene(service.purser, "organizations.get");
    const token = await service.auth.openSession(scene.people.owner.userId);
    const lists = routes.filter(({ input }) => "limit" in input.shape);
    expect(lists.length).toBeGreaterThan(10);
    for (const route of lists) {
      for (const limit of [0, 1001]) {
        const input = { ...exampleInputs[route.procedure]!(scene), limit };
        expect((await service.app.request(restRequest(route, input, { token }))).status).toBe(400);
      }
    }
  });
});

describe("production (API5, API9)", () => {
  it("has no sandbox procedure on any transport, no sandbox page, and accepts no sandbox event", async () => {
    const there = addressesOf(production);
    expect(there.filter((path) => /sandbox|local|dev\//.test(path.replace(/^\/assets\/.*/, "")))).toEqual([]);
    for (const { method, path, procedure } of routes.filter((route) =>
      route.procedure.startsWith("sandbox."),
    )) {
      const init = { method, headers: json, body: "{}" };
      expect((await production.app.request(secure + concrete(path), init)).status).toBe(404);
      expect(
        (await production.app.request(`${secure}/trpc/${procedure}`, { ...init, method: "POST" })).status,
      ).toBe(404);
    }
    const described = JSON.stringify(openApiDocument(production.purser.platform.settings));
    expect(described).not.toContain("/api/sandbox/");
    expect(production.purser.receivers).toEqual([]);
  });

  it("serves only what OpenAPI describes and these addresses", () => {
    const document = openApiDocument(production.purser.platform.settings) as { paths: object };
    // Paths that differ only in the names of their parameters, or ask for a list as CSV, are one path of the document.
    const shapeOf = (path: string) => path.replaceAll(/:\w+|\{\w+\}/g, ":").replace(/\.csv$/, "");
    const described = new Set(Object.keys(document.paths).map(shapeOf));
    const others = addressesOf(production).filter((path) => !described.has(shapeOf(path)));
    expect(others.filter((path) => !path.startsWith("/assets/")).toSorted()).toEqual([
      "/",
      "/account",
      "/api/auth/*",
      "/banking/linked",
      "/banking/links/:id/return",
      "/billing/checkouts/:id/return",
      "/billing/done",
      "/cards/reveal/:issuer",
      "/cards/reveal/check",
      "/cards/reveal/open",
      "/docs",
      "/docs/:area",
      "/docs/index.json",
      "/forgot-password",
      "/health/live",
      "/health/ready",
      "/invitations/:id",
      "/metrics",
      "/openapi.json",
      "/reset-password",
      "/sign-in",
      "/sign-up",
      "/trpc/*",
      "/verify-email",
    ]);
  });
});

describe("an address from a caller (API7)", () => {
  it("is never fetched by the service", async () => {
    let visits = 0;
    const trap = createServer(() => (visits += 1)).listen(0, "127.0.0.1");
    await once(trap, "listening");
    trap.on("connection", () => (visits += 1));
    const url = `http://127.0.0.1:${(trap.address() as AddressInfo).port}/`;
    // better-auth uses the process's clock, so the session must be valid at that time.
    service.purser.clock.set(new Date());
    const owner = await service.purser.person();
    const headers = { ...json, ...(await service.signedIn(owner)) };
    const organization = `/api/organizations/${await service.purser.organization(owner)}`;
    const change = { method: "PATCH", headers, body: JSON.stringify({ avatarUrl: url }) };
    expect((await request(organization, change)).status).toBe(200);
    expect((await post("/api/auth/update-user", JSON.stringify({ image: url }), headers)).status).toBe(200);
    await service.purser.drain();
    trap.close();
    expect(visits).toBe(0);
  });

  const foreign = [
    "https://evil.example/",
    "http://localhost:3000.evil.example/",
    "http://localhost:3000@evil.example/",
    "https://localhost:3000/",
    "//evil.example/",
    "javascript:alert(1)",
  ];

  it.each(foreign)("is rejected as a redirect after a bank or a payment: %s", async (redirectUrl) => {
    const owner = await service.purser.person();
    const headers = await service.signedIn(owner);
    const teamId = await service.purser.organization(owner);
    const plan = { planId: "local_team", variantId: "local_team_monthly" };
    for (const [path, input] of [
      ["/api/billing/checkout", { teamId, ...plan, redirectUrl }],
      ["/api/banking/link", { teamId, provider: "sandbox", providerId: "sandbox-bank", redirectUrl }],
    ] as const) {
      const response = await post(path, JSON.stringify(input), headers);
      expect(await statusAndText(response)).toEqual([400, expect.stringContaining('"redirectUrl"')]);
    }
  });

  it("is not built from the Host header: links in e-mails use the configured address", async () => {
    const { email } = await service.purser.person();
    const forged = { host: "evil.example", "x-forwarded-host": "evil.example", "x-forwarded-proto": "ftp" };
    const init = { method: "POST", headers: { ...json, ...forged }, body: JSON.stringify({ email }) };
    await service.app.request("http://evil.example/api/auth/send-verification-email", init);
    await service.app.request("http://evil.example/api/auth/request-password-reset", init);
    await service.purser.drain();
    const links = service.purser.mails.flatMap(({ text }) => text.match(/\w+:\/\/\S+/g) ?? []);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((link) => !link.startsWith(`${base}/`))).toEqual([]);
  });
});

describe("every response (API8)", () => {
  it.each(["GET", "POST", "DELETE"])(
    "to %s has security headers, and does not reveal its software",
    async (method) => {
      for (const path of [...addressesOf(production), "/nope", "/api/nope"]) {
        const headers = { origin: "https://evil.example", ...(method === "POST" && json) };
        const init = { method, headers, ...(method === "POST" && { body: "{" }) };
        const response = await production.app.request(secure + concrete(path), init);
        const responseHeaders = Object.fromEntries(response.headers);
        const isPublic = method === "GET" && path === "/api/cards/merchant-categories";
        expect(responseHeaders, path).toMatchObject({
          "x-content-type-options": "nosniff",
          "x-request-id": expect.stringMatching(/^req_/) as string,
          "cache-control": expect.stringMatching(isPublic ? /^public,/ : /^no-(store|cache)$/) as string,
          "content-security-policy": expect.stringContaining("frame-ancestors 'none'") as string,
          "strict-transport-security": "max-age=31536000",
        });
        const revealing = /^(server|via|x-powered-by|access-control-.*)$/;
        expect(Object.keys(responseHeaders).filter((name) => revealing.test(name))).toEqual([]);
        if (path.startsWith("/assets/") || path === "/metrics") continue;
        expect(await response.text()).not.toMatch(
          /node_modules|\bat [^"]*\.[cm]?[jt]s:\d+:\d+|hono|better-auth@|node\/?v?\d\d/i,
        );
      }
    },
  );

  it("hides its cookies from scripts, other sites and plain http", async () => {
    const body = JSON.stringify({ name: "Sam", email: "sam@example.com", password: "correct horse battery" });
    const init = { method: "POST", headers: { ...json, origin: secure }, body };
    const { headers } = await production.app.request(`${secure}/api/auth/sign-up/email`, init);
    const [cookie, ...more] = headers.getSetCookie();
    const [named, ...attributes] = cookie!.split("; ");
    expect(named).toMatch(/^__Secure-better-auth\.session_token=/);
    expect(attributes.toSorted()).toEqual(["HttpOnly", "Max-Age=604800", "Path=/", "SameSite=Lax", "Secure"]);
    expect(more).toEqual([]);
  });
});
