import { Readable } from "node:stream";
import { QueryClient } from "@tanstack/react-query";
import { describe, expect, it, vi } from "vitest";
import { createPurserAuth } from "./auth.ts";
import { createPurserClient } from "./client.ts";
import { PurserError } from "./error.ts";
import type { PurserClientOptions } from "./options.ts";
import { paginate } from "./paginate.ts";
import { createPurserQueries } from "./tanstack.ts";

const baseUrl = "https://purser.example";
const id = "org_1";
const never = () => new Promise<never>(() => {});
const answer = (data: unknown) => Response.json({ result: { data } });
const refusal = (status: number, code: string) =>
  Response.json(
    { code, status, detail: "A sentence.", requestId: "req_1", retryable: status === 503 },
    { status },
  );

/** A client whose `fetch` ignores its signal, as that of some tests and tools does. */
function clientOf(fetch: () => Response | Promise<Response>, options: Partial<PurserClientOptions> = {}) {
  const sent = vi.fn<(url: string, init: RequestInit) => Promise<Response>>(async () => fetch());
  return { sent, client: createPurserClient({ baseUrl, fetch: sent, batch: false, ...options }) };
}

const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.fail("The call succeeded"),
    (error: unknown) => error,
  );

const streamed = (...texts: string[]) => {
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode(texts.join(""))),
  });
  return new Response(body, { headers: { "content-type": "text/event-stream" } });
};
const event = (name: string) => `id: ${name}\ndata: ${JSON.stringify({ type: name })}\n\n`;

describe("an abort", () => {
  // Several calls often share a controller, which the first that fails aborts with its error.
  const reason = new PurserError("CARD_CLOSED", "This card is closed.", { status: 409, retryable: true });

  it("is the error of the call, and its reason the cause, also if that is another call's error", async () => {
    const { client } = clientOf(never);
    const queries = [
      (signal: AbortSignal) => client.organizations.get({ id }, { signal }),
      (signal: AbortSignal) => client.events.stream({ organizationId: id }, { signal }).next(),
    ];
    for (const call of queries) {
      const controller = new AbortController();
      const error = errorOf(call(controller.signal));
      controller.abort(reason);
      expect(await error).toMatchObject({ code: "ABORTED", status: 0, retryable: false });
      expect(((await error) as Error).cause).toBe(reason);
      expect(await errorOf(call(AbortSignal.abort(reason)))).toMatchObject({
        code: "ABORTED",
        cause: reason,
      });
    }
  });

  it("within the function for the token ends a call at once", async () => {
    const controller = new AbortController();
    const { client, sent } = clientOf(never, {
      timeoutMs: Infinity,
      token: () => {
        controller.abort("Signed out");
        return never();
      },
    });
    const call = client.organizations.get({ id }, { signal: controller.signal });
    expect(await errorOf(call)).toMatchObject({ code: "ABORTED", cause: "Signed out" });
    expect(sent).not.toHaveBeenCalled();
  });

  it("before the request leaves, and during a renewal, lets nothing be sent", async () => {
    const controller = new AbortController();
    const token = Promise.withResolvers<string>();
    const early = clientOf(() => answer(null), { token: () => token.promise });
    const call = early.client.organizations.delete({ id }, { signal: controller.signal });
    controller.abort();
    expect(await errorOf(call)).toMatchObject({ code: "ABORTED" });
    token.resolve("token");
    const renewal = Promise.withResolvers<string>();
    const renewing = Promise.withResolvers<void>();
    const getToken = vi.fn<() => string>(() => "old");
    const renewed = clientOf(() => refusal(401, "UNAUTHENTICATED"), {
      token: getToken,
      onUnauthorized: () => {
        renewing.resolve();
        return renewal.promise;
      },
    });
    const other = new AbortController();
    const repeated = renewed.client.organizations.delete({ id }, { signal: other.signal });
    await renewing.promise;
    other.abort();
    expect(await errorOf(repeated)).toMatchObject({ code: "ABORTED" });
    renewal.resolve("new");
    // Whatever would follow has happened after a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve));
    expect([early.sent.mock.calls.length, renewed.sent.mock.calls.length]).toEqual([0, 1]);
    expect(getToken).toHaveBeenCalledTimes(1);
  });

  it("ends a sign-in that waits for its headers", async () => {
    const controller = new AbortController();
    const auth = createPurserAuth({ baseUrl, headers: never, fetch: never });
    const { signal } = controller;
    const call = auth.twoFactor.verifyTotp({ code: "123456" }, { challenge: "a=1", signal });
    controller.abort("Closed");
    expect(await errorOf(call)).toMatchObject({ code: "ABORTED", cause: "Closed" });
    const late = auth.twoFactor.verifyTotp({ code: "123456" }, { challenge: "a=1", timeoutMs: 1 });
    expect(await errorOf(late)).toMatchObject({ code: "TIMEOUT" });
  });
});

describe("an aborted stream", () => {
  it("yields nothing more, although more has arrived", async () => {
    const controller = new AbortController();
    const { client } = clientOf(() => streamed(event("1"), event("2")));
    const seen: string[] = [];
    const states: boolean[] = [];
    const reading = async () => {
      const options = { signal: controller.signal, onConnection: (isOpen: boolean) => states.push(isOpen) };
      for await (const { type } of client.events.stream({ organizationId: id }, options)) {
        seen.push(type);
        controller.abort("Closed");
      }
    };
    expect(await errorOf(reading())).toMatchObject({ code: "ABORTED", cause: "Closed" });
    expect([seen, states]).toEqual([["1"], [true]]);
  });

  it("ends at once if it is aborted as it opens", async () => {
    const controller = new AbortController();
    const { client } = clientOf(() => streamed(": connected\n\n"));
    const options = { signal: controller.signal, onConnection: () => controller.abort("Closed") };
    const next = client.events.stream({ organizationId: id }, options).next();
    expect(await errorOf(next)).toMatchObject({ code: "ABORTED", cause: "Closed" });
  });
});

describe("a stream that is left", () => {
  /** A client whose connections stay open without a value, and what happens to the first. */
  function waiting() {
    const reading = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const { client, sent } = clientOf(() => {
      const chunks = [": connected\n\n"].map((text) => new TextEncoder().encode(text));
      const body = new ReadableStream<Uint8Array>(
        {
          pull(controller) {
            const chunk = chunks.shift();
            if (chunk) return controller.enqueue(chunk);
            reading.resolve();
            return never();
          },
          cancel: () => closed.resolve(),
        },
        { highWaterMark: 0 },
      );
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    });
    const states: boolean[] = [];
    const onConnection = (isOpen: boolean) => void states.push(isOpen);
    const stream = client.events.stream({ organizationId: id }, { onConnection });
    return { stream, sent, states, reading: reading.promise, closed: closed.promise };
  }
  const over = { done: true, value: undefined };

  it("while it waits for a value ends its connection, and what waits for the value", async () => {
    const { stream, sent, states, reading, closed } = waiting();
    const next = stream.next();
    await reading;
    expect(await Promise.all([stream.return(), next, closed])).toEqual([over, over, undefined]);
    expect(await stream.next()).toEqual(over);
    expect([sent.mock.calls.length, states]).toEqual([1, [true]]);
  });

  it("with an error while it waits rejects with the error alone", async () => {
    const { stream, reading, closed } = waiting();
    const next = stream.next();
    await reading;
    const reason = new PurserError("UNAVAILABLE", "Try again later.", { status: 503, retryable: true });
    expect(await errorOf(stream.throw(reason))).toBe(reason);
    expect(await Promise.all([next, closed])).toEqual([over, undefined]);
  });

  it("as a stream of Node that is destroyed ends its connection", async () => {
    for (const error of [undefined, new Error("The response is gone")]) {
      const { stream, reading, closed } = waiting();
      const readable = Readable.from(stream);
      const errors: Error[] = [];
      readable.on("error", (reason) => errors.push(reason)).resume();
      const destroyed = new Promise((resolve) => readable.once("close", resolve));
      await reading;
      readable.destroy(error);
      await Promise.all([closed, destroyed]);
      expect(errors).toEqual(error ? [error] : []);
    }
  });

  it("before it has begun, or while its code is loaded, connects never", async () => {
    const early = waiting();
    expect(await early.stream.return()).toEqual(over);
    const loading = waiting();
    const next = loading.stream.next();
    expect(await Promise.all([loading.stream.return(), next])).toEqual([over, over]);
    expect([early.sent.mock.calls, loading.sent.mock.calls]).toEqual([[], []]);
  });
});

describe("an aborted list", () => {
  it("yields nothing more of the page that it has", async () => {
    const controller = new AbortController();
    const { client } = clientOf(() => answer([{ id: "1" }, { id: "2" }]));
    const seen: string[] = [];
    const reading = async () => {
      const options = { signal: controller.signal };
      for await (const one of paginate(client.cards.list, { organizationId: id }, options)) {
        seen.push(one.id);
        controller.abort("Closed");
      }
    };
    expect(await errorOf(reading())).toMatchObject({ code: "ABORTED", cause: "Closed" });
    expect(seen).toEqual(["1"]);
  });
});

describe("a query of TanStack", () => {
  it("ends with the page that shows it, and with the signal of its options", async () => {
    const { client } = clientOf(never);
    const queries = createPurserQueries(client);
    const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
    const own = new AbortController();
    const options = queries.organizations.get.queryOptions({ id }, { signal: own.signal });
    const pages = queries.cards.list.infiniteQueryOptions({ organizationId: id }, { signal: own.signal });
    const page = new AbortController();
    const shown = [
      options.queryFn({ signal: page.signal }),
      pages.queryFn({ signal: page.signal, pageParam: null }),
    ].map(errorOf);
    const fetched = errorOf(queryClient.query(options));
    page.abort();
    expect(await Promise.all(shown)).toMatchObject([{ code: "ABORTED" }, { code: "ABORTED" }]);
    own.abort("Closed");
    expect(await fetched).toMatchObject({ code: "ABORTED", cause: "Closed" });
  });
});
