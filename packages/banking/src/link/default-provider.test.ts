import { type Person, type TestPurser, createTestPurser, problemOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BankProvider, ProviderName } from "../ports.ts";

let purser: TestPurser;
let owner: Person;
let teamId: string;
let configured: ProviderName[] = [];

beforeAll(async () => {
  const banks = {
    get configured() {
      return configured;
    },
    at: async (name: ProviderName) =>
      ({
        institution: async (id: string) => ({ id, name: id, country: "GB", logoUrl: null }),
        createLink: async () => ({
          url: `https://${name}.example`,
          expiresAt: new Date("2026-03-03"),
          state: name,
        }),
      }) as unknown as BankProvider,
  };
  purser = await createTestPurser({ banks });
  owner = await purser.person();
  teamId = await purser.organization(owner);
});
afterAll(() => purser.close());

/** Creates a link without a provider. Returns its address, or the code of the refusal and what is wrong. */
const create = (...providers: ProviderName[]) => createAs(owner, providers);
const createAs = (person: Person, providers: ProviderName[]) => {
  configured = providers;
  return purser
    .as(person)
    .banking.link.create({ teamId, providerId: "a-bank" })
    .then(
      ({ url }) => url,
      (error: unknown) => {
        const { code, issues } = problemOf(error) as { code: string; issues?: { message: string }[] };
        return [code, issues?.map(({ message }) => message)];
      },
    );
};

describe("banking.link.create, without a provider", () => {
  it("uses the sandbox where it is on", async () => {
    expect(await create("sandbox", "plaid", "yapily")).toBe("https://sandbox.example");
  });

  it("uses the only provider that is configured where the sandbox is off", async () => {
    expect(await create("plaid")).toBe("https://plaid.example");
    expect(await create("yapily")).toBe("https://yapily.example");
  });

  it("asks for the provider if there are several, before it looks at who asks", async () => {
    const stranger = await purser.person();
    for (const person of [owner, stranger])
      expect(await createAs(person, ["plaid", "yapily"])).toEqual([
        "VALIDATION_FAILED",
        ["Name the provider: plaid or yapily"],
      ]);
  });

  it("says that no provider is configured", async () => {
    expect(await create()).toEqual(["PROVIDER_NOT_CONFIGURED", undefined]);
  });
});
