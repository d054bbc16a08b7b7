import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPurserClient } from "./client.ts";
import { PurserError } from "./error.ts";
import type { PurserClientOptions } from "./options.ts";

/** One response of the scripted server: a stream of messages, which then ends, or an answer. */
type Scripted =
  | { messages: string[]; breaks?: boolean; stays?: boolean }
  | { status: number; code: string; wait?: string };

let requests: { lastEventId: unknown; authorization: string | null; at: number }[];

let dates: Date[];

beforeEach(() => {
  requests = [];
  dates = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
});
afterEach(() => vi.useRealTimers());

const event = (name: string) =>
  `id: ${name}\ndata: ${JSON.stringify({ type: name, createdAt: "\u0001D2026-03-02T09:00:00.000Z" })}\n\n`;
const opening = (id: string) => `retry: 1000\nevent: connected\nid: ${id}\ndata: {}\n\n`;
const problem = (status: number, code: string) => ({
  status,
  code,
  detail: code,
  requestId: "req_1",
  retryable: status === 503 || status === 429,
});
const failure = (status: number, code: string) =>
  `event: serialized-error\ndata: ${JSON.stringify({ data: { problem: problem(status, code) } })}\n\n`;

/** Returns a client whose server answers by the script, one response after the other. */
function scripted(script: Scripted[], options: Partial<PurserClientOptions> = {}) {
  return createPurserClient({
    baseUrl: "http://localhost:3000",
    ...options,
    fetch: async (address, init) => {
      const input = JSON.parse(new URL(address).searchParams.get("input")!) as Record<string, unknown>;
      const authorization = new Headers(init.headers).get("authorization");
      requests.push({ lastEventId: input["lastEventId"], authorization, at: performance.now() });
      const next = script.shift();
      if (next === undefined) throw new TypeError("fetch failed");
      return "messages" in next ? streaming(next) : refusing(next);
    },
  });
}

function streaming({
  messages,
  breaks = false,
  stays = false,
}: Extract<Scripted, { messages: string[] }>): Response {
  const chunks = messages.map((message) => new TextEncoder().encode(message));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk) return controller.enqueue(chunk);
      if (stays) return new Promise<void>(() => {});
      return breaks ? controller.error(new TypeError("terminated")) : controller.close();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
}

function refusing({ status, code, wait }: Extract<Scripted, { status: number }>): Response {
  const body = JSON.stringify({ error: { data: { problem: problem(status, code) } } });
  return new Response(body, { status, headers: { ...(wait && { "retry-after": wait }) } });
}

interface Outcome {
  seen: string[];
  code: string;
}

/** Follows until the stream rejects, or has this many events. */
async function follow(client: ReturnType<typeof scripted>, count = Infinity, options = {}): Promise<Outcome> {
  const seen: string[] = [];
  const reading = (async () => {
    try {
      for await (const { type, createdAt } of client.events.stream({ organizationId: "org_1" }, options)) {
        dates.push(createdAt);
        if (seen.push(type) === count) return "left";
      }
      return "over";
    } catch (error) {
      return (error as { code: string }).code;
    }
  })();
  const state: { outcome?: Outcome } = {};
  void reading.then((code) => (state.outcome = { seen, code }));
  while (!state.outcome) await vi.advanceTimersByTimeAsync(500);
  return state.outcome;
}

describe("events.stream of the client", () => {
  it("yields events with dates, and continues after the last one, or after the beginning", async () => {
    const client = scripted([
      { messages: [opening("0")], breaks: true },
      { messages: [opening("0"), event("1"), event("2")], breaks: true },
      { messages: [opening("2"), event("3")], stays: true },
    ]);
    expect(await follow(client, 3)).toEqual({ seen: ["1", "2", "3"], code: "left" });
    expect(dates).toEqual(Array.from({ length: 3 }, () => new Date("2026-03-02T09:00:00.000Z")));
    expect(requests.map(({ lastEventId }) => lastEventId)).toEqual([undefined, "0", "2"]);
  });

  it("tells its position once the value before it is handled, so that another stream can continue there", async () => {
    const client = scripted([
      { messages: [opening("0"), event("1"), event("2")], breaks: true },
      { messages: [opening("2"), event("3")], stays: true },
    ]);
    const done: string[] = [];
    const onCursor = async (cursor: string) => {
      await Promise.resolve();
      done.push(`stored ${cursor}`);
    };
    const reading = (async () => {
      for await (const { type } of client.events.stream({ organizationId: "org_1" }, { onCursor })) {
        done.push(`handled ${type}`);
        if (done.length === 7) break;
      }
    })();
    await vi.advanceTimersByTimeAsync(5000);
    await reading;
    expect(done).toEqual([
      "stored 0",
      "handled 1",
      "stored 1",
      "handled 2",
      "stored 2",
      "stored 2",
      "handled 3",
    ]);
  });

  it.each([
    new Error("The disk is full"),
    // As from a call of the client within the function, whose failures are not those of this connection.
    new PurserError("UNAVAILABLE", "Try again later.", { status: 503, retryable: true }),
    new PurserError("UNAUTHENTICATED", "Sign in.", { status: 401 }),
  ])("rejects with the error of the caller's own function: %s", async (cause) => {
    const fail = () => {
      throw cause;
    };
    const failing = [
      { onCursor: () => Promise.reject(cause) },
      { onConnection: fail },
      { onConnection: (isOpen: boolean) => (isOpen ? undefined : fail()) },
    ];
    for (const options of failing) {
      requests = [];
      const client = scripted([
        { messages: [opening("0")], breaks: true },
        { messages: [opening("0"), event("1")], stays: true },
      ]);
      const reading = client.events.stream({ organizationId: "org_1" }, options).next();
      const caught: unknown[] = [];
      void reading.catch((error: unknown) => caught.push(error));
      await vi.advanceTimersByTimeAsync(5000);
      expect(caught).toEqual([cause]);
      expect(caught[0]).toBe(cause);
      expect(requests).toHaveLength(1);
    }
  });

  it("reports when the connection is lost and when it is back", async () => {
    const client = scripted([
      { messages: [opening("0")], breaks: true },
      { status: 503, code: "UNAVAILABLE" },
      { messages: [opening("0"), event("1")], stays: true },
    ]);
    const states: boolean[] = [];
    const reading = (async () => {
      const options = { onConnection: (isOpen: boolean) => states.push(isOpen) };
      for await (const _ of client.events.stream({ organizationId: "org_1" }, options)) break;
    })();
    // Two waits of the client, until it has connected again.
    await vi.advanceTimersByTimeAsync(60_000);
    await reading;
    expect(states).toEqual([true, false, true]);
  });

  it("reports once that no attempt to connect has succeeded yet", async () => {
    const client = scripted([
      { status: 503, code: "UNAVAILABLE" },
      { status: 503, code: "UNAVAILABLE" },
      { messages: [opening("0"), event("1")], stays: true },
    ]);
    const states: boolean[] = [];
    await follow(client, 1, { onConnection: (isOpen: boolean) => states.push(isOpen) });
    expect(states).toEqual([false, true]);
  });

  it("drops an event that broke off, and gets it again", async () => {
    const half = event("2").slice(0, -1);
    const client = scripted([
      { messages: [opening("0"), event("1") + half.slice(0, 9), half.slice(9)] },
      { messages: [opening("1"), event("2")], stays: true },
    ]);
    expect(await follow(client, 2)).toEqual({ seen: ["1", "2"], code: "left" });
    expect(requests[1]!.lastEventId).toBe("1");
  });

  it("waits as the server asks: retry of a stream, Retry-After of a refusal", async () => {
    const client = scripted([
      { messages: [opening("0"), "retry: 7000\n\n"] },
      { status: 503, code: "UNAVAILABLE", wait: "20" },
      { messages: [opening("0"), event("1")], stays: true },
    ]);
    expect((await follow(client, 1)).seen).toEqual(["1"]);
    const [first, second, third] = requests.map(({ at }) => at);
    expect(second! - first!).toBeGreaterThanOrEqual(7000);
    expect(third! - second!).toBeGreaterThanOrEqual(27_000);
  });

  it.each([
    [403, "FORBIDDEN"],
    [404, "ORGANIZATION_NOT_FOUND"],
    [410, "CURSOR_EXPIRED"],
    [400, "VALIDATION_FAILED"],
  ])("ends with %i, at once and in the middle", async (status, code) => {
    expect(await follow(scripted([{ status, code }]))).toEqual({ seen: [], code });
    const client = scripted([{ messages: [opening("0"), event("1"), failure(status, code)] }]);
    expect(await follow(client)).toEqual({ seen: ["1"], code });
  });

  it("waits for as long as a refusal asks, and goes on", async () => {
    const client = scripted([
      { messages: [opening("0"), event("1")] },
      { status: 429, code: "RATE_LIMITED", wait: "45" },
      { status: 503, code: "UNAVAILABLE", wait: "120" },
      { messages: [event("2")], stays: true },
    ]);
    expect(await follow(client, 2)).toEqual({ seen: ["1", "2"], code: "left" });
    const waits = requests.slice(1).map(({ at }, index) => at - requests[index]!.at);
    expect(waits[1]).toBeGreaterThanOrEqual(45_000);
    expect(waits[2]).toBeGreaterThanOrEqual(120_000);
  });

  it("renews a credential that no longer holds, and otherwise ends", async () => {
    const script = (): Scripted[] => [
      { messages: [opening("0"), event("1"), failure(401, "UNAUTHENTICATED")] },
      { status: 401, code: "UNAUTHENTICATED" },
      { messages: [opening("1"), event("2")], stays: true },
    ];
    const renewing = scripted(script(), { token: "old", onUnauthorized: () => "new" });
    expect(await follow(renewing, 2)).toEqual({ seen: ["1", "2"], code: "left" });
    expect(requests.map(({ authorization }) => authorization)).toEqual([
      "Bearer old",
      "Bearer old",
      "Bearer new",
    ]);
    expect(await follow(scripted(script()))).toEqual({ seen: ["1"], code: "UNAUTHENTICATED" });
  });

  it("connects again when it hears nothing for 45 seconds", async () => {
    const client = scripted([
      { messages: [opening("0"), event("1")], stays: true },
      { messages: [opening("1"), event("2")], stays: true },
    ]);
    expect((await follow(client, 2)).seen).toEqual(["1", "2"]);
    expect(requests[1]!.at - requests[0]!.at).toBeGreaterThanOrEqual(45_000);
  });

  it("gives up after as many failures in a row as it may have, and never by itself", async () => {
    expect(await follow(scripted([]), 1, { retries: 2 })).toEqual({ seen: [], code: "NETWORK_FAILURE" });
    expect(requests).toHaveLength(3);
    const failures = Array.from({ length: 12 }, () => ({ status: 503, code: "UNAVAILABLE" }));
    const late = scripted([...failures, { messages: [event("1")], stays: true }]);
    expect((await follow(late, 1)).seen).toEqual(["1"]);
  });

  it("counts a connection that opens and then fails among the failures in a row", async () => {
    const failing = () => ({ messages: [opening("0"), failure(503, "UNAVAILABLE")] });
    const client = scripted(Array.from({ length: 9 }, failing));
    expect(await follow(client, 1, { retries: 2 })).toEqual({ seen: [], code: "UNAVAILABLE" });
    expect(requests).toHaveLength(3);
    requests = [];
    const late = scripted([...Array.from({ length: 9 }, failing), { messages: [event("1")], stays: true }]);
    expect((await follow(late, 1)).seen).toEqual(["1"]);
    const waits = requests.slice(1).map(({ at }, index) => at - requests[index]!.at);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(15_000);
  });

  it.each([
    // A 200 is no message: a proxy that buffers sends the headers, and keeps the body.
    ["delivers nothing", { messages: [], stays: true }, [false]],
    ["ends at once", { messages: [] }, [false]],
    ["ends after it has opened", { messages: [opening("0")] }, [true, false, true, false, true]],
  ])("counts a connection that %s among the failures in a row", async (_, connection, expected) => {
    const states: boolean[] = [];
    const options = { retries: 2, onConnection: (isOpen: boolean) => states.push(isOpen) };
    const repeated = (times: number) => Array.from({ length: times }, () => structuredClone(connection));
    const outcome = await follow(scripted(repeated(9)), 1, options);
    expect(outcome).toEqual({ seen: [], code: "NETWORK_FAILURE" });
    expect(requests).toHaveLength(3);
    expect(states).toEqual(expected);
    requests = [];
    await follow(scripted([...repeated(9), { messages: [event("1")], stays: true }]), 1);
    const waits = requests.slice(1).map(({ at }, index) => at - requests[index]!.at);
    expect(waits.at(-1)! - waits[0]!).toBeGreaterThanOrEqual(10_000);
  });

  it("connects again as soon as a server that drains asks", async () => {
    const drained = () => ({ messages: [opening("0"), "retry: 600\n\n"] });
    const client = scripted([drained(), drained(), { messages: [event("1")], stays: true }]);
    expect((await follow(client, 1, { retries: 0 })).seen).toEqual(["1"]);
    expect(requests.map(({ at }) => at - requests[0]!.at)).toEqual([0, 600, 1200]);
  });

  it("starts its count again when a connection has worked", async () => {
    const working = () => ({ messages: [opening("0"), "event: ping\n\n", failure(503, "UNAVAILABLE")] });
    const client = scripted([...Array.from({ length: 4 }, working), { messages: [event("1")], stays: true }]);
    expect((await follow(client, 1, { retries: 1 })).seen).toEqual(["1"]);
  });

  it("ends with its signal, while it reads and while it waits", async () => {
    for (const script of [[{ messages: [opening("0")], stays: true }], []]) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(), 3000);
      const outcome = await follow(scripted(script), 1, { signal: controller.signal });
      expect(outcome).toEqual({ seen: [], code: "ABORTED" });
    }
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends if the answer is not of Purser", async () => {
    const client = createPurserClient({
      baseUrl: "http://localhost:3000",
      fetch: async () => new Response("<html>"),
    });
    expect(await follow(client)).toEqual({ seen: [], code: "UNEXPECTED_RESPONSE" });
  });
});
