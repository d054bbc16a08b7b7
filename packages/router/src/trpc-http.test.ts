import { createContext } from "@purser/platform";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { proceduresOf } from "./procedures.ts";
import { withBatchInputs } from "./trpc-http.ts";
import { publicProcedure, router } from "./trpc.ts";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

describe("withBatchInputs", () => {
  it("gives each call its own response metadata", async () => {
    const seen: boolean[] = [];
    const replay = publicProcedure.output(z.null()).mutation(({ ctx: { response } }) => {
      seen.push(response.replayed);
      response.replayed = true;
      return null;
    });
    const request = { names: ["replay", "replay"], isBatch: true, input: null };
    const { call } = proceduresOf(withBatchInputs(router({ replay }), request)).get("replay")!;
    const info = { requestId: "req_1", caller: null, fromTrustedOrigin: false, idempotencyKey: null };
    const ctx = createContext(purser.platform, info);
    for (const batchIndex of [0, 1]) await call({ path: "replay", type: "mutation", ctx, batchIndex });
    expect(seen).toEqual([false, false]);
  });
});
