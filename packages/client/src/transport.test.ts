import { decodeWire, encodeWire } from "@purser/core/wire";
import { initTRPC } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { type TestServer, serveRouter } from "../test/serve.ts";
import { createTransport } from "./transport.ts";

const t = initTRPC.create({
  transformer: { serialize: encodeWire, deserialize: (value: unknown) => decodeWire(value) },
});
const anything = t.procedure.input(z.unknown());
const seen: unknown[] = [];
const echo = ({ input }: { input: unknown }) => {
  seen.push(input);
  return input;
};

let server: TestServer;
beforeAll(async () => {
  server = await serveRouter(t.router({ read: anything.query(echo), write: anything.mutation(echo) }));
});
afterAll(() => server.close());

const input = {
  at: new Date("2026-03-01T10:00:00.123Z"),
  within: [{ at: [new Date(0)] }],
  text: "2026-03-01T10:00:00.123Z",
  marked: "\u0001D2026-03-01T10:00:00.123Z",
  empty: "",
  nothing: null,
  amount: -9007199254740991,
};

describe("the transport", () => {
  it.each([
    ["a query in a batch", "query", true],
    ["a query by itself", "query", false],
    ["a mutation", "mutation", true],
  ] as const)("carries dates and look-alikes both ways in %s", async (_, type, batch) => {
    const send = createTransport({ baseUrl: server.baseUrl, batch });
    const call = {
      path: type === "query" ? "read" : "write",
      type,
      signal: undefined,
      idempotencyKey: undefined,
    };
    expect(await send({ ...call, input })).toEqual(input);
    expect(seen.pop()).toEqual(input);
    expect(await send({ ...call, input: undefined })).toBeUndefined();
    expect(seen.pop()).toBeUndefined();
  });

  it("leaves no listener on a signal that outlives its calls", async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, "addEventListener");
    const removed = vi.spyOn(signal, "removeEventListener");
    const send = createTransport({ baseUrl: server.baseUrl });
    await send({ path: "read", type: "query", input, signal, idempotencyKey: undefined });
    await send({ path: "write", type: "mutation", input, signal, idempotencyKey: undefined });
    await send({ path: "gone", type: "query", input, signal, idempotencyKey: undefined }).catch(() => {});
    expect(added).toHaveBeenCalled();
    const left = added.mock.calls.filter(([, one]) => !removed.mock.calls.some(([, other]) => one === other));
    expect(left).toEqual([]);
  });
});
