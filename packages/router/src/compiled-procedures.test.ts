import { Problem } from "@purser/core";
import { TRPCError } from "@trpc/server";
import { expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "./app-router.ts";
import { compileProcedures } from "./compiled-procedures.ts";
import { proceduresOf } from "./procedures.ts";
import { publicProcedure, router } from "./trpc.ts";

/** What the middleware and the resolver of the called procedure did, in order. */
let steps: unknown[] = [];

const recorded = publicProcedure.use(async ({ next, ctx: _ctx, signal: _signal, ...options }) => {
  steps.push(["first", { ...options, getRawInput: typeof options.getRawInput }]);
  const result = await next({ ctx: { first: 1 } });
  steps.push(result.ok ? ["done", result.data] : ["failed", result.error]);
  return result;
});
const checked = recorded.input(z.strictObject({ number: z.int() })).output(z.object({ number: z.int() }));
const answered = { ok: true, data: { number: 7, more: 1 }, marker: "middlewareMarker" as never } as const;

const procedures = {
  direct: publicProcedure
    .input(z.strictObject({ number: z.int() }))
    .output(z.object({ number: z.int() }))
    .query(({ input }) => ({ ...input, more: "not in the contract" })),
  chained: checked
    .use(({ next, ctx, input }) => {
      steps.push(["second", ctx, input]);
      return next({ ctx: { second: 2 } });
    })
    .use(({ next }) => next())
    .mutation(({ ctx, input, path }) => {
      steps.push(["resolver", ctx, input, path]);
      return input;
    }),
  changesInput: checked.use(({ next }) => next({ input: { number: 3 } })).query(({ input }) => input),
  answersEarly: checked.use(async () => answered).query(() => ({ number: 1 })),
  refuses: checked
    .use(() => {
      throw new Problem("FORBIDDEN");
    })
    .query(() => ({ number: 1 })),
  throws: checked.query(() => {
    throw new Problem("ORGANIZATION_NOT_FOUND");
  }),
  throwsTrpc: checked.query(() => {
    throw new TRPCError({ code: "CONFLICT", message: "Taken" });
  }),
  // As drizzle's queries are.
  thenable: checked.query(
    ({ input }) =>
      ({
        // oxlint-disable-next-line unicorn/no-thenable -- The test needs one.
        then: (resolve: (value: unknown) => void) => resolve(input),
      }) as unknown as Promise<{ number: number }>,
  ),
  breaksContract: checked.query(() => ({ number: 0.5 })),
};

const inputs: [string, () => unknown][] = [
  ["valid", () => ({ number: 1 })],
  ["invalid", () => ({ number: "1" })],
  ["absent", () => undefined],
  [
    "not read",
    () => {
      throw new SyntaxError("Unexpected end");
    },
  ],
];
const cases = Object.keys(procedures).flatMap((name) =>
  inputs.map(([kind, read]) => [name as keyof typeof procedures, kind, read] as const),
);

it.each(cases)("a compiled procedure does what tRPC's does: %s, input %s", async (name, _kind, read) => {
  const own = router(procedures);
  const [expected, asynchronous, synchronous] = [
    await outcomeOf(own, name, async () => read()),
    await outcomeOf(compileProcedures(own), name, async () => read()),
    await outcomeOf(compileProcedures(own), name, read),
  ];
  expect(asynchronous).toEqual(expected);
  expect(synchronous).toEqual(expected);
});

async function outcomeOf(of: ReturnType<typeof router>, name: string, getRawInput: () => unknown) {
  steps = [];
  const { call, type } = proceduresOf(of).get(name)!;
  const [outcome] = await Promise.allSettled([
    call({ path: name, type, ctx: { zero: 0 }, getRawInput, signal: undefined, batchIndex: 0 }),
  ]);
  if (outcome.status === "fulfilled") return { data: outcome.value, steps };
  const error = outcome.reason as TRPCError;
  return { name: error.name, code: error.code, message: error.message, cause: error.cause, steps };
}

it("every procedure of the app is compiled", () => {
  const own = proceduresOf(appRouter);
  const same = [...proceduresOf(compileProcedures(appRouter))].filter(
    ([name, { call }]) => call === own.get(name)!.call,
  );
  expect(same.map(([name]) => name)).toEqual([]);
});

it("a procedure without both contracts stays as it is", () => {
  const bare = router({
    none: publicProcedure.query(() => 1),
    input: publicProcedure.input(z.strictObject({})).query(() => 1),
    outputFirst: publicProcedure
      .output(z.int())
      .input(z.strictObject({}))
      .query(() => 1),
    several: publicProcedure
      .input(z.object({ one: z.int() }))
      .input(z.object({ other: z.int() }))
      .output(z.int())
      .query(() => 1),
  });
  const own = proceduresOf(bare);
  for (const [name, { call }] of proceduresOf(compileProcedures(bare)))
    expect(call, name).toBe(own.get(name)!.call);
});
