import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer, get } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Collector, type ReceivedSpan, startCollector } from "../testing/collector.ts";
import { type TestService, createTestService } from "../testing/service.ts";
import { openTracing } from "./index.ts";
import type { Tracing } from "./port.ts";

const base = "http://localhost:3000";
const caller = { traceId: "0af7651916cd43dd8448eb211c80319c", spanId: "b7ad6b7169203331" };
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;
/** The trace of a request that opens a stream. */
const following = { traceId: "1bf7651916cd43dd8448eb211c80319c", spanId: "c7ad6b7169203331" };

let collector: Collector;
let tracing: Tracing;
let service: TestService;
let spans: ReceivedSpan[];
/** Personal data and secrets, sent to the service or created by it. */
const secrets = ["hunter2", "sam@example.com", "Samantha", "203.0.113.9"];
/** The `traceparent` headers that a provider received. */
const handedOn: string[] = [];

beforeAll(async () => {
  collector = await startCollector();
  tracing = await open(collector, 1);
  service = await createTestService({ tracing });
  await everythingThatMayTell();
  await callProvider();
  await followEvents();
  await tracing.close();
  spans = collector.spans();
});
afterAll(async () => {
  await service.close();
  collector.close();
});

async function open({ url }: Collector, share: number, reported: unknown[] = []): Promise<Tracing> {
  return (await openTracing({ traces: { url, share } }, (error) => reported.push(error)))!;
}

const request = (path: string, init?: RequestInit) => service.app.request(`${base}${path}`, init);

/** Sends requests with personal data in every possible place. None of it may reach the collector. */
async function everythingThatMayTell(): Promise<void> {
  const headers = {
    "content-type": "application/json",
    "user-agent": "hunter2",
    "x-forwarded-for": "203.0.113.9",
    "x-request-id": "hunter2-hunter2",
    tracestate: "vendor=hunter2",
    baggage: "user=hunter2",
  };
  const post = (path: string, body: object, more: object = {}) =>
    request(path, { method: "POST", headers: { ...headers, ...more }, body: JSON.stringify(body) });
  const person = { name: "Samantha", email: "sam@example.com", password: "hunter2-hunter2" };
  const signedUp = await post("/api/auth/sign-up/email?callback=hunter2", person);
  const token = signedUp.headers.get("set-auth-token") ?? "";
  const { user } = (await signedUp.json()) as { user: { id: string } };
  const signedIn = { authorization: `Bearer ${token}` };
  const created = await post("/api/organizations", { name: "hunter2 Ltd" }, { ...signedIn, traceparent });
  const { id } = (await created.json()) as { id: string };
  secrets.push(token, decodeURIComponent(token).split(".")[0]!, user.id, id);
  await post("/api/auth/sign-in/email", { email: person.email, password: "hunter2 is wrong" });
  // Only a confirmed address may send invitations.
  await service.purser.db.$client`update users set email_verified = true`;
  await post(`/api/organizations/${id}/invitations`, { email: "sam@example.com", role: "MEMBER" }, signedIn);
  await post(
    `/api/organizations/${id}/invitations`,
    { email: "hunter2@example.com", role: "MEMBER" },
    signedIn,
  );
  await request(`/api/organizations/hunter2?secret=hunter2`, { headers: signedIn });
  await request(`/trpc/organizations.get?input=${encodeURIComponent('{"id":"hunter2"}')}`, {
    headers: signedIn,
  });
  await request("/hunter2/is/nowhere");
  await request("/health/ready");
  await service.purser.drain();
  // A failed statement quotes its parameters.
  await service.purser.db
    .$client`alter table organizations add constraint named check (name like 'A%')`.catch(() => 0);
  await service.purser.db
    .$client`alter table organizations add constraint long check (length(name) < 8) not valid`;
  await post("/api/organizations", { name: "hunter2 GmbH" }, signedIn);
}

/** Calls a provider with both of Node's HTTP clients, within a request. */
async function callProvider(): Promise<void> {
  const provider = createServer((incoming, outgoing) => {
    handedOn.push(incoming.headers["traceparent"] as string);
    outgoing.writeHead(incoming.url?.startsWith("/refused") ? 429 : 200).end("hunter2");
  }).listen(0, "127.0.0.1");
  await once(provider, "listening");
  const address = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
  await tracing.request(new Headers({ traceparent }), async () => {
    await (await fetch(`${address}/refused/hunter2?key=hunter2`)).text();
    const [response] = await once(get(`${address}/hunter2`), "response");
    await once(response.resume(), "end");
    return new Response();
  });
  provider.close();
}

/** Opens a stream of events, and reads it until one that happens after that. */
async function followEvents(): Promise<void> {
  const owner = await service.purser.person();
  const organizationId = await service.purser.organization(owner);
  const headers = {
    ...(await service.signedIn(owner)),
    traceparent: `00-${following.traceId}-${following.spanId}-01`,
  };
  const stream = await request(`/api/events/stream?organizationId=${organizationId}`, { headers });
  const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
  await reader.read();
  await service.purser.as(owner).organizations.update({ id: organizationId, name: "Best" });
  // Heartbeats may come first.
  for (let text = ""; !text.includes("organization.updated");) {
    const { done, value } = await reader.read();
    expect(done).toBe(false);
    text += value;
  }
  await reader.cancel();
}

/** Formats a trace as indented names. */
function tree(all: ReceivedSpan[], parent: string, depth = 0): string[] {
  const children = all.filter(({ parentSpanId }) => parentSpanId === parent);
  return children.flatMap(({ name, spanId }) => ["  ".repeat(depth) + name, ...tree(all, spanId, depth + 1)]);
}

const named = (name: string) => spans.filter((span) => span.name === name);

describe("a request", () => {
  it("joins its caller's trace, with the procedure and every statement below it", () => {
    const created = named("POST /api/organizations").find(({ traceId }) => traceId === caller.traceId);
    expect(created).toMatchObject({
      parentSpanId: caller.spanId,
      attributes: {
        "http.request.method": "POST",
        "http.route": "/api/organizations",
        "http.response.status_code": 201,
      },
    });
    expect(tree(spans, created!.spanId)).toEqual([
      "select sessions",
      "insert rate_limits",
      "organizations.create",
      "  transaction",
      "    insert organizations",
      "    insert memberships",
      "    insert audit_entries",
    ]);
  });

  it("starts a trace if its caller has none, and records its outcome as a code", () => {
    const [rest] = named("GET /api/organizations/:id");
    const [trpc] = named("GET /trpc/organizations.get");
    expect([rest!.parentSpanId, trpc!.parentSpanId]).toEqual(["", ""]);
    expect(rest!.traceId).not.toBe(trpc!.traceId);
    const refused = named("organizations.get").map(({ attributes }) => attributes["error.type"]);
    expect(refused).toEqual(["VALIDATION_FAILED", "ORGANIZATION_NOT_FOUND"]);
  });

  it("marks the failed statement with PostgreSQL's code", () => {
    const failed = named("insert organizations").filter(({ attributes }) => "error.type" in attributes);
    expect(failed.map(({ attributes }) => attributes["error.type"])).toEqual(["23514"]);
    const statuses = named("POST /api/organizations").map(
      ({ attributes }) => attributes["http.response.status_code"],
    );
    expect(statuses).toEqual([201, 500]);
  });

  it("ends with its response if that is a stream, whose later statements are of no request", () => {
    // On a cluster, what finds the organization's node is a part of the request that needs it.
    const placement = / select( pg_dist_shard)?$/;
    expect(tree(spans, following.spanId).filter((span) => !placement.test(span))).toEqual([
      "GET /api/events/stream",
      "  select sessions",
      "  insert rate_limits",
      "  events.stream",
      "    select memberships",
      "    select events",
      "    select events",
    ]);
  });

  it("is not traced if it is a probe or a scrape", () => {
    expect(spans.filter(({ name }) => name.includes("health"))).toEqual([]);
  });
});

describe("a job", () => {
  it("is a trace of its own", () => {
    expect(named("job mail.send").map(({ parentSpanId }) => parentSpanId)).toEqual(["", ""]);
  });
});

describe("a call of a provider", () => {
  it("joins the trace, propagates it, and records only the host", () => {
    const calls = named("GET 127.0.0.1");
    expect(calls.map(({ traceId, spanId }) => `00-${traceId}-${spanId}-01`)).toEqual(handedOn);
    expect(calls.map(({ traceId }) => traceId)).toEqual([caller.traceId, caller.traceId]);
    expect(calls.map(({ attributes }) => attributes["http.response.status_code"])).toEqual([429, 200]);
  });
});

describe("what is exported", () => {
  it("contains no personal data: no parameters, addresses, names, identifiers or tokens", () => {
    const sent = collector.received();
    expect(sent.includes("insert into")).toBe(true);
    expect(secrets.filter((secret) => sent.includes(secret))).toEqual([]);
  });

  it("follows the sampling decision of the caller, and samples the rest by the configured share", async () => {
    const another = await startCollector();
    const rare = await open(another, 0);
    const follow = (headers: Record<string, string>) =>
      rare.request(new Headers(headers), async () => new Response());
    await follow({});
    await follow({ traceparent: traceparent.replace(/01$/, "00") });
    await follow({ traceparent });
    await rare.close();
    expect(another.spans().map(({ traceId }) => traceId)).toEqual([caller.traceId]);
    another.close();
  });

  it("reports a failed export", async () => {
    const refusing = await startCollector(400);
    const reported: unknown[] = [];
    const lost = await open(refusing, 1, reported);
    await lost.request(new Headers(), async () => new Response());
    await lost.close();
    expect(reported).toEqual([expect.any(Error)]);
    refusing.close();
  });
});

describe("a line in the log", () => {
  it("carries the current trace's ids, and none outside a trace", async () => {
    const fields = async () => tracing.logFields();
    expect(tracing.logFields()).toBeUndefined();
    let inside: Awaited<ReturnType<typeof fields>>;
    await tracing.request(new Headers({ traceparent }), async () => {
      inside = await fields();
      return new Response();
    });
    expect(inside!).toEqual({ trace_id: caller.traceId, span_id: expect.stringMatching(/^[0-9a-f]{16}$/) });
  });
});

describe("without a collector", () => {
  const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  // Our tracing modules that the process loads, and those it would load with a collector.
  const script = `
    import { registerHooks } from "node:module";
    const loaded = new Set();
    registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) });
    const sdk = () => [...loaded].filter((url) => url.includes("/node_modules/@opentelemetry/")).length;
    await import(${module("port.ts")});
    await import(${module("../http/middleware.ts")});
    const { processLogger } = await import(${module("../process/logger.ts")});
    const { openTracing } = await import(${module("index.ts")});
    const off = await openTracing({ traces: null }, () => 0);
    const before = sdk();
    await import(${module("exporting.ts")});
    processLogger({ logLevel: "info" }, { logFields: () => ({ trace_id: "a", span_id: "b" }) }).info({}, "traced");
    processLogger({ logLevel: "info" }, off).info({ off, before, after: sdk() }, "plain");
  `;

  it("loads no OpenTelemetry module, and adds no fields to log lines", () => {
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
      encoding: "utf8",
    });
    expect(stderr).toBe("");
    const lines = stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    // Each logger writes its lines when it gets to it.
    const [traced, plain] = ["traced", "plain"].map((msg) => lines.find((line) => line["msg"] === msg));
    expect(traced).toMatchObject({ trace_id: "a", span_id: "b" });
    expect(plain).toMatchObject({ off: null, before: 0 });
    expect(plain).not.toHaveProperty("trace_id");
    expect(plain!["after"]).toBeGreaterThan(10);
  });
});
