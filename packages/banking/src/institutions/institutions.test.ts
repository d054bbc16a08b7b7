import { type Person, type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { BankError, type BankProvider, type ProviderName } from "../ports.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
let person: Person;

beforeAll(async () => {
  purser = await createTestPurser();
  person = await purser.person();
});
afterAll(() => purser.close());

const list = (input: object = {}) => purser.as(person).banking.institutions.list(input);
const ids = async (input: object = {}) => (await list(input)).map(({ id }) => id);

describe("banking.institutions.list", () => {
  it("returns the sandbox's banks to any signed-in user, with exactly the documented fields", async () => {
    const all = await list();
    expect(all).toContainEqual({
      id: "sandbox-bank",
      provider: "sandbox",
      name: "Sandbox Bank",
      country: "GB",
      logoUrl: null,
    });
    expect(all.every(({ provider }) => provider === "sandbox")).toBe(true);
    expect(await list({ provider: "sandbox" })).toEqual(all);
    expect(await refusalOf(purser.as(null).banking.institutions.list({}))).toBe("UNAUTHENTICATED");
  });

  it("searches all configured providers, also while one has an outage", async () => {
    const names: ProviderName[] = ["sandbox", "plaid", "yapily"];
    const bankOf = (provider: ProviderName): Partial<BankProvider> => ({
      async institutions() {
        if (provider === "yapily") throw new BankError("outage", "Down");
        return ["first", "second"].map((name) => ({
          id: `${provider}-${name}`,
          name,
          country: "GB",
          logoUrl: null,
        }));
      },
    });
    const several = await createTestPurser({
      banks: { configured: names, at: async (provider) => bankOf(provider) as BankProvider },
    });
    const { list: listAll } = several.as(await several.person()).banking.institutions;
    expect((await listAll()).map(({ id, provider }) => `${provider} ${id}`)).toEqual([
      "sandbox sandbox-first",
      "plaid plaid-first",
      "sandbox sandbox-second",
      "plaid plaid-second",
    ]);
    expect((await listAll({ limit: 1, after: "plaid-first" })).map(({ id }) => id)).toEqual([
      "sandbox-second",
    ]);
    expect(await refusalOf(listAll({ provider: "yapily" }))).toBe("PROVIDER_ERROR");
    await several.close();
  });

  it("pages through all banks of providers with many, of which one reads no more than it is asked for", async () => {
    const numbers = { sandbox: 1300, plaid: 700 };
    const asked: number[] = [];
    const bankOf = (provider: "sandbox" | "plaid"): Partial<BankProvider> => ({
      async institutions({ atLeast = 100 }) {
        const all = Array.from({ length: numbers[provider] }, (_, nth) => {
          const name = `${provider}-${nth}`;
          return { id: name, name, country: "GB", logoUrl: null };
        });
        if (provider === "plaid") return all;
        asked.push(atLeast);
        return all.slice(0, atLeast);
      },
    });
    const names: ProviderName[] = ["sandbox", "plaid"];
    const several = await createTestPurser({
      banks: { configured: names, at: async (name) => bankOf(name as "sandbox" | "plaid") as BankProvider },
    });
    const { list: listAll } = several.as(await several.person()).banking.institutions;
    const first = await listAll({ limit: 2 });
    expect([first.map(({ id }) => id), asked]).toEqual([["sandbox-0", "plaid-0"], [500]]);
    for (const input of [{}, { provider: "sandbox" as const }]) {
      const seen: string[] = [];
      for (let after: string | undefined; ; after = seen.at(-1)) {
        const page = await listAll({ ...input, limit: 400, ...(after !== undefined && { after }) });
        seen.push(...page.map(({ id }) => id));
        if (page.length < 400) break;
      }
      expect(seen).toHaveLength("provider" in input ? 1300 : 2000);
      expect(new Set(seen).size).toBe(seen.length);
      expect(seen.findLast((id) => id.startsWith("sandbox"))).toBe("sandbox-1299");
    }
    expect(await refusalOf(listAll({ after: "no-bank" }))).toBe("VALIDATION_FAILED");
    await several.close();
  });

  it("refuses a search if no provider is configured", async () => {
    const none = await createTestPurser({
      banks: { configured: [], at: () => Promise.reject(new Error("Not configured")) },
    });
    const caller = await none.person();
    expect(await refusalOf(none.as(caller).banking.institutions.list())).toBe("PROVIDER_NOT_CONFIGURED");
    await none.close();
  });

  it.each([
    [{ query: "sprout" }, ["sprout-bank"]],
    [{ query: "  SPROUT " }, ["sprout-bank"]],
    [{ query: "credit du" }, ["credit-du-mistral"]],
    [{ query: "mistral crédit" }, ["credit-du-mistral"]],
    [{ query: "sandbox", country: "GB" }, ["sandbox-bank"]],
    [{ query: "sandbox", country: "gb" }, ["sandbox-bank"]],
    [{ query: "sandbox", country: "DE" }, []],
    [{ query: "no such bank" }, []],
    [{ query: "%" }, []],
    [{ country: "AQ" }, []],
  ])("finds by name and country: %j", async (input, expected) => {
    expect(await ids(input)).toEqual(expected);
  });

  it("returns all without a query, and filters by country", async () => {
    const all = await list();
    expect(await list({ query: "" })).toEqual(all);
    const british = await list({ country: "GB" });
    expect(british).toEqual(all.filter(({ country }) => country === "GB"));
    expect(british.length).toBeGreaterThan(1);
  });

  it("returns pages", async () => {
    const all = await ids();
    const first = await ids({ limit: 2 });
    expect(first).toEqual(all.slice(0, 2));
    expect(await ids({ limit: 3, after: first[1] })).toEqual(all.slice(2, 5));
    expect(await ids({ after: all.at(-1) })).toEqual([]);
  });

  it.each([
    [{ provider: "tink" }, "VALIDATION_FAILED"],
    [{ provider: "plaid" }, "PROVIDER_NOT_CONFIGURED"],
    [{ provider: "yapily" }, "PROVIDER_NOT_CONFIGURED"],
    [{ country: "GBR" }, "VALIDATION_FAILED"],
    [{ country: "G1" }, "VALIDATION_FAILED"],
    [{ country: "ß" }, "VALIDATION_FAILED"],
    [{ query: "q".repeat(201) }, "VALIDATION_FAILED"],
    [{ query: "a\0" }, "VALIDATION_FAILED"],
    [{ after: "no-bank" }, "VALIDATION_FAILED"],
    [{ limit: 0 }, "VALIDATION_FAILED"],
    [{ teamId: "org_1" }, "VALIDATION_FAILED"],
  ])("refuses %j", async (input, code) => {
    expect(await refusalOf(list(input))).toBe(code);
  });
});
