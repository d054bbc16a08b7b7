import { createContext } from "@purser/platform";
import {
  type Person,
  type TestPurser,
  callProcedure,
  callerRoles,
  createScene,
  createTestPurser,
  exampleInputs,
  problemOf,
  refusalOf,
} from "@purser/testing";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { appRouter } from "./app-router.ts";
import { asAdministrator, createCallerFactory, publicProcedure, router, userProcedure } from "./trpc.ts";

const meta = {
  rest: { method: "POST", path: "/api/test" },
  summary: "For this test.",
  access: "user",
} as const;
const Input = z.strictObject({ number: z.int() });

const createCaller = createCallerFactory(
  router({
    open: publicProcedure
      .meta(meta)
      .input(Input)
      .output(z.int())
      .query(({ input }) => input.number),
    change: userProcedure
      .meta(meta)
      .input(Input)
      .output(z.int())
      .mutation(({ input }) => input.number),
    administer: userProcedure
      .meta(meta)
      .input(Input)
      .output(z.int())
      .use(asAdministrator)
      .mutation(({ input }) => input.number),
  }),
);

let purser: TestPurser;
let person: Person;

beforeAll(async () => {
  purser = await createTestPurser();
  person = await purser.person();
});
afterAll(() => purser.close());

const as = (caller: Person | null, fromTrustedOrigin = false) =>
  createCaller(contextOf(caller, fromTrustedOrigin));

const contextOf = (caller: Person | null, fromTrustedOrigin: boolean, idempotencyKey: string | null = null) =>
  createContext(purser.platform, { requestId: "req_1", caller, fromTrustedOrigin, idempotencyKey });

describe("publicProcedure", () => {
  it("accepts unauthenticated callers", async () => {
    expect(await as(null).open({ number: 1 })).toBe(1);
  });
});

describe("userProcedure", () => {
  it("requires authentication before it validates the input", async () => {
    expect(await refusalOf(as(null).change({ number: 0.5 }))).toBe("UNAUTHENTICATED");
    expect(await refusalOf(as(person).change({ number: 0.5 }))).toBe("VALIDATION_FAILED");
  });

  it("accepts a mutation by cookie only from a trusted origin, checked before the input", async () => {
    const byCookie: Person = { ...person, credential: "cookie" };
    expect(await refusalOf(as(byCookie).change({ number: 0.5 }))).toBe("UNTRUSTED_ORIGIN");
    expect(await as(byCookie, true).change({ number: 1 })).toBe(1);
    for (const credential of ["bearer", "api-key"] as const) {
      expect(await as({ ...person, credential }).change({ number: 1 })).toBe(1);
    }
  });
});

describe("a repeat whose output an earlier version stored without a field", () => {
  it("is refused, and has no second effect", async () => {
    const { create, list } = purser.as(person, { idempotencyKey: "outdated" }).organizations;
    const { id } = await create({ name: "Acme" });
    const output = JSON.stringify({ output: { id } });
    await purser.db.execute(sql`UPDATE idempotency_keys SET output = ${output} WHERE key = 'outdated'`);
    const help = expect.stringContaining("read its result from the lists");
    const refused: unknown = await create({ name: "Acme" }).catch((error: unknown) => error);
    expect(problemOf(refused)).toMatchObject({ code: "IDEMPOTENCY_KEY_REUSED", help });
    expect((await list({})).map((organization) => organization.id)).toEqual([id]);
  });

  it("is not what a later call with the same context is taken for, whose input is invalid", async () => {
    const { create } = createCallerFactory(appRouter)(contextOf(person, false, "replayed")).organizations;
    const { id } = await create({ name: "Acme" });
    expect(await create({ name: "Acme" })).toMatchObject({ id });
    expect(await refusalOf(create({ name: "" }))).toBe("VALIDATION_FAILED");
  });
});

describe("asAdministrator", () => {
  it("refuses all other callers, after the input was validated", async () => {
    expect(await refusalOf(as(person).administer({ number: 0.5 }))).toBe("VALIDATION_FAILED");
    expect(await refusalOf(as(person).administer({ number: 1 }))).toBe("FORBIDDEN");
    expect(await as({ ...person, isAdministrator: true }).administer({ number: 1 })).toBe(1);
  });
});

describe("an input that the settings, the clock or another field make invalid", () => {
  const tooLong = { from: new Date("2023-12-31"), to: new Date("2026-01-01") };
  const redirect = { redirectUrl: "https://elsewhere.example/" };
  const address = { url: "https://user:password@receiver.example/" };
  it.each([
    ["billing.checkout", redirect],
    ["billing.portal", redirect],
    ["banking.link.create", redirect],
    ["banking.connections.connect", { consentId: "a b" }],
    ["banking.reports.balances", tooLong],
    ["banking.reports.cashflow", tooLong],
    ["cards.reports.spending", tooLong],
    ["cards.cardholder.update", { dateOfBirth: "2026-03-04" }],
    ["webhookEndpoints.create", address],
    ["webhookEndpoints.update", address],
  ])(
    "is invalid in a call of %s by any caller, and for an unknown organization",
    async (procedure, change) => {
      const scene = await createScene(purser, procedure);
      const input: Record<string, unknown> = { ...exampleInputs[procedure]!(scene), ...change };
      const unknown = Object.keys(input).map((field) => [
        field,
        /id$/i.test(field) && !(field in change) ? "unknown" : input[field],
      ]);
      for (const role of callerRoles.filter((one) => one !== "anonymous"))
        for (const sent of [input, Object.fromEntries(unknown)]) {
          const code = await refusalOf(callProcedure(purser.as(scene.callers[role]), procedure, sent));
          expect({ role, code }).toEqual({ role, code: "VALIDATION_FAILED" });
        }
    },
  );
});
