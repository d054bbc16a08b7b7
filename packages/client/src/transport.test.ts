import { decodeWire, encodeWire } from "@purser/core/wire";
import { initTRPC } from "@trpc/server";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
    ["a query that is too long for a URL", "query", true, "x".repeat(5000)],
    ["a mutation", "mutation", true],
  ] as const)("carries dates and look-alikes both ways in %s", async (_, type, batch, more = "") => {
    const send = createTransport({ baseUrl: server.baseUrl, batch });
    const call = {
      path: type === "query" ? "read" : "write",
      type,
      signal: new AbortController().signal,
      clientHeaders: async () => new Headers(),
    };
    const sent = { ...input, more };
    expect((await send({ ...call, input: sent })).data).toEqual(sent);
    expect(seen.pop()).toEqual(sent);
    expect((await send({ ...call, input: undefined })).data).toBeUndefined();
    expect(seen.pop()).toBeUndefined();
  });
});
