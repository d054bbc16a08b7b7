import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createPurserAuth } from "./auth.ts";
import { createPurserClient } from "./client.ts";
import { PurserError, isProblem } from "./error.ts";
import type { PurserClientOptions } from "./options.ts";

type Respond = (request: Request) => Response | Promise<Response>;

/** A client whose server answers with these responses, the last of them again and again. */
function clientOf(responses: Respond[], options: Partial<PurserClientOptions> = {}) {
  const requests: Request[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    const request = new Request(url, init);
    requests.push(request);
    const respond = (responses.length > 1 ? responses.shift() : responses[0])!;
    return respond(request);
  };
  const client = createPurserClient({ baseUrl: "https://purser.example", fetch, batch: false, ...options });
  return { client, requests };
}

const result =
  (data: unknown, headers: Record<string, string> = {}): Respond =>
  () =>
    Response.json({ result: { data } }, { headers });
const problem =
  (status: number, code: string, more: object = {}): Respond =>
  () =>
    Response.json(
      { code, status, detail: "A sentence.", requestId: "req_1", retryable: false, ...more },
      { status },
    );
const refused = problem(401, "UNAUTHENTICATED");
const unavailable = problem(503, "UNAVAILABLE", { retryable: true });
const never: Respond = ({ signal }) =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
const id = "org_1";

describe("a time limit", () => {
  it("ends a call with TIMEOUT, and its request", async () => {
    const { client, requests } = clientOf([never], { timeoutMs: 20 });
    const error = await client.organizations.delete({ id }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(PurserError);
    expect(error).toMatchObject({ code: "TIMEOUT", status: 0, retryable: true });
    expect((error as Error).message).toBe("The call took longer than 20 ms.");
    expect((error as Error).stack).toContain("calls.test.ts");
    expect(requests[0]?.signal.aborted).toBe(true);
  });

  it("covers retries, and the functions for token and headers", async () => {
    const { client, requests } = clientOf([unavailable], { timeoutMs: 30 });
    await expect(client.organizations.get({ id })).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(requests).toHaveLength(1);
    const token = () => new Promise<string>(() => {});
    const waiting = clientOf([result(null)], { timeoutMs: 20, token });
    await expect(waiting.client.organizations.get({ id })).rejects.toMatchObject({ code: "TIMEOUT" });
    expect(waiting.requests).toHaveLength(0);
  });

  it("is 30 seconds by default, and can be set per call and removed", async () => {
    vi.useFakeTimers();
    try {
      const { client } = clientOf([never]);
      const outcomes: string[] = [];
      const note = (call: Promise<unknown>, name: string) =>
        void call.catch((error: unknown) => outcomes.push(`${name} ${(error as PurserError).code}`));
      note(client.organizations.get({ id }), "default");
      note(client.organizations.get({ id }, { timeoutMs: 10_000 }), "shorter");
      note(client.organizations.get({ id }, { timeoutMs: 60_000 }), "longer");
      note(client.organizations.get({ id }, { timeoutMs: Infinity }), "none");
      await vi.advanceTimersByTimeAsync(10_000);
      expect(outcomes).toEqual(["shorter TIMEOUT"]);
      await vi.advanceTimersByTimeAsync(20_000);
      expect(outcomes).toEqual(["shorter TIMEOUT", "default TIMEOUT"]);
      await vi.advanceTimersByTimeAsync(10_000_000);
      expect(outcomes).toEqual(["shorter TIMEOUT", "default TIMEOUT", "longer TIMEOUT"]);
    } finally {
      vi.useRealTimers();
    }
  });

  it("leaves neither a listener on a signal that outlives its calls, nor a timer", async () => {
    vi.useFakeTimers();
    try {
      const { signal } = new AbortController();
      const added = vi.spyOn(signal, "addEventListener");
      const removed = vi.spyOn(signal, "removeEventListener");
      const { client } = clientOf([result(null), refused, result([])], { signal, batch: true });
      await client.organizations.delete({ id }, { signal });
      const batched = [client.organizations.get({ id }), client.organizations.list({}, { signal })];
      const outcomes = Promise.allSettled(batched);
      await vi.advanceTimersByTimeAsync(0);
      await outcomes;
      expect(added).toHaveBeenCalled();
      const left = added.mock.calls.filter(
        ([, one]) => !removed.mock.calls.some(([, other]) => one === other),
      );
      expect(left).toEqual([]);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("a mutation whose first attempt waits for a provider", () => {
  const running = problem(409, "IDEMPOTENCY_IN_PROGRESS", { retryable: true });
  const lost = () => Promise.reject(new TypeError("fetch failed"));
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Lets the time pass until the call is over, and returns its output or error. */
  async function outcomeOf(call: Promise<unknown>): Promise<unknown> {
    const state: { outcome?: { value: unknown } } = {};
    const end = (value: unknown) => (state.outcome = { value });
    void call.then(end, end);
    while (!state.outcome) await vi.advanceTimersByTimeAsync(100);
    return state.outcome.value;
  }

  it("is repeated with its key until it has ended, however often, beside the retries after failures", async () => {
    const attempts = [lost, ...Array.from({ length: 12 }, () => running), lost, unavailable, running];
    const { client, requests } = clientOf([...attempts, result({ id })]);
    expect(await outcomeOf(client.organizations.create({ name: "Acme" }))).toEqual({ id });
    expect(requests).toHaveLength(attempts.length + 1);
    expect(new Set(requests.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
  });

  it("rejects with that, and not with TIMEOUT, when its time is over", async () => {
    const { client, requests } = clientOf([running]);
    const start = performance.now();
    const error = await outcomeOf(client.organizations.create({ name: "Acme" }, { timeoutMs: 12_000 }));
    expect(error).toMatchObject({ code: "IDEMPOTENCY_IN_PROGRESS", status: 409 });
    expect(performance.now() - start).toBeGreaterThan(10_000);
    // Every half to full second.
    expect(requests.length).toBeGreaterThan(10);
    expect(requests.length).toBeLessThan(26);
  });

  it("is not repeated without retries", async () => {
    const { client, requests } = clientOf([running], { retries: 0 });
    const error = await outcomeOf(client.organizations.create({ name: "Acme" }));
    expect(error).toMatchObject({ code: "IDEMPOTENCY_IN_PROGRESS" });
    expect(requests).toHaveLength(1);
  });
});

describe("options of one call", () => {
  it("replace those of the client: retries", async () => {
    const { client, requests } = clientOf([unavailable], { retries: 0 });
    await expect(client.organizations.get({ id }, { retries: 1 })).rejects.toMatchObject({ status: 503 });
    expect(requests).toHaveLength(2);
    await expect(client.organizations.get({ id })).rejects.toMatchObject({ status: 503 });
    expect(requests).toHaveLength(3);
  });

  it("add headers, and keep the query out of a batch", async () => {
    const { client, requests } = clientOf([result([])], {
      headers: { "x-one": "1", "x-two": "2" },
      batch: true,
    });
    const headers = { "x-two": "own", "x-three": "3" };
    await Promise.all([client.organizations.list(), client.organizations.list({}, { headers })]);
    const sent = requests.map(({ headers: all }) =>
      ["x-one", "x-two", "x-three"].map((name) => all.get(name)),
    );
    expect(sent.toSorted(([, one], [, other]) => (one! < other! ? -1 : 1))).toEqual([
      ["1", "2", null],
      ["1", "own", "3"],
    ]);
  });

  it.each(["authorization", "x-api-key", "cookie"])(
    "replace the client's credential by theirs: %s",
    async (name) => {
      const clients = [
        clientOf([result([])], { token: "client's" }),
        clientOf([result([])], { headers: { "x-api-key": "client's" } }),
      ];
      for (const { client, requests } of clients) {
        await client.organizations.list({}, { headers: { [name]: "own" } });
        const sent = ["authorization", "x-api-key", "cookie"].map((one) => requests[0]!.headers.get(one));
        expect(sent.filter((one) => one !== null)).toEqual(["own"]);
      }
    },
  );

  it("add a signal: the client's ends all calls, also those to come", async () => {
    const controller = new AbortController();
    const { client, requests } = clientOf([never], { signal: controller.signal });
    const own = new AbortController();
    const calls = [client.me.get(), client.me.get({}, { signal: own.signal })];
    const outcomes = Promise.allSettled(calls);
    controller.abort(new Error("Signed out"));
    const ended = { status: "rejected", reason: { code: "ABORTED", cause: { message: "Signed out" } } };
    expect(await outcomes).toMatchObject([ended, ended]);
    await expect(client.me.get()).rejects.toMatchObject({ code: "ABORTED" });
    expect(requests.length).toBeLessThanOrEqual(2);
  });
});

describe("withResponse", () => {
  it("returns status, headers and request id with the output, from a separate response", async () => {
    const headers = { "x-request-id": "req_7", "idempotency-replayed": "true" };
    const { client, requests } = clientOf([result({ id }, headers)], { batch: true });
    const { data, response } = await client.organizations.create.withResponse({ name: "Acme" });
    expect(data).toEqual({ id });
    expect(response).toMatchObject({ status: 200, requestId: "req_7" });
    expect(response.headers.get("idempotency-replayed")).toBe("true");
    await Promise.all([client.me.get.withResponse(), client.me.get.withResponse()]);
    expect(requests).toHaveLength(3);
  });
});

describe("isProblem", () => {
  const closed = new PurserError("CARD_CLOSED", "This card is closed.", { status: 409 });

  it("distinguishes errors by their codes", () => {
    expect(isProblem(closed)).toBe(true);
    expect(isProblem(closed, "CARD_CLOSED")).toBe(true);
    expect(isProblem(closed, "CARD_NOT_FOUND", "CARD_CLOSED")).toBe(true);
    expect(isProblem(closed, "CARD_NOT_FOUND")).toBe(false);
    expect(isProblem(new PurserError("A_NEW_CODE", "New."), "A_NEW_CODE")).toBe(true);
    for (const other of [
      new Error("CARD_CLOSED"),
      { code: "CARD_CLOSED", name: "PurserError" },
      null,
      "CARD_CLOSED",
    ]) {
      expect(isProblem(other)).toBe(false);
    }
  });

  it("knows errors of a second copy of this package", async () => {
    const copy = (await import(
      new URL("error.ts?second-copy", import.meta.url).href
    )) as typeof import("./error.ts");
    const error = new copy.PurserError("CARD_CLOSED", "This card is closed.");
    expect([error instanceof PurserError, isProblem(error, "CARD_CLOSED")]).toEqual([false, true]);
  });
});

describe("createPurserClient", () => {
  it.each([
    ["localhost:3000", "it starts with http:// or https://"],
    ["purser.example.com", "it starts with http:// or https://"],
    ["//purser.example.com", "it starts with http:// or https://"],
    ["ftp://purser.example.com", "it starts with http:// or https://"],
    ["https://", "it starts with http:// or https://"],
    ["https://purser.example.com/?a=1", "it has no query or fragment"],
    ["https://purser.example.com/#a", "it has no query or fragment"],
    ["https://me:secret@purser.example.com", "credentials belong in `token` or `headers`"],
    ["https://purser.example.com/trpc/", "leave out /trpc"],
  ])("refuses the base URL %j and says why", (baseUrl, rule) => {
    const create = () => createPurserClient({ baseUrl });
    expect(create).toThrow(TypeError);
    expect(create).toThrow(`baseUrl cannot be "${baseUrl}": ${rule}.`);
  });

  it.each(["", "/purser"])(
    "takes the base URL %j of a page where the page is rendered, and refuses calls there",
    async (baseUrl) => {
      const client = createPurserClient({ baseUrl });
      const auth = createPurserAuth({ baseUrl });
      for (const call of [client.me.get(), client.me.get.withResponse(), auth.getSession()])
        await expect(call).rejects.toThrow(
          new TypeError(
            `baseUrl cannot be "${baseUrl}": outside a browser it starts with http:// or https://.`,
          ),
        );
    },
  );
});
