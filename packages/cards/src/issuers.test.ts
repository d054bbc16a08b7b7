import { bankAccounts, cards } from "@purser/db";
import { type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { CardIssuer, IssuerName, Issuers } from "./ports.ts";
import { type CardFixture, createCardFixture } from "./testing/card-scene.ts";
import { flakyIssuer } from "./testing/flaky-issuer.ts";

let purser: TestPurser;
let fixture: CardFixture;

const currencies: Record<IssuerName, string[]> = {
  stripe: ["EUR", "GBP"],
  lithic: ["GBP", "USD"],
  sandbox: ["EUR", "GBP", "JPY", "USD"],
};
let configured: IssuerName[] = ["sandbox"];

beforeAll(async () => {
  const { issuers } = flakyIssuer();
  const each: Issuers = {
    get configured() {
      return configured;
    },
    at: async (name): Promise<CardIssuer> => ({
      ...(await issuers.at(name)),
      name,
      supports: (currency) => currencies[name].includes(currency),
    }),
  };
  purser = await createTestPurser({ issuers: each });
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());

/** Issues a card in a currency. Returns its issuer. */
async function issuerOfNewCard(currency: string): Promise<IssuerName> {
  await purser.db.update(bankAccounts).set({ currency }).where(eq(bankAccounts.id, fixture.accountId));
  const { id } = await fixture.card();
  const [card] = await purser.db.select().from(cards).where(eq(cards.id, id));
  expect(card).toMatchObject({ currency, issuedAt: expect.any(Date) });
  return card!.issuer;
}

describe("cards.create, with several issuers", () => {
  it.each([
    ["GBP", ["stripe", "lithic", "sandbox"], "stripe"],
    ["GBP", ["lithic", "stripe", "sandbox"], "lithic"],
    ["EUR", ["lithic", "stripe"], "stripe"],
    ["USD", ["stripe", "lithic", "sandbox"], "lithic"],
    ["JPY", ["sandbox"], "sandbox"],
  ] as const)("issues a card in %s, of %j, at %s", async (currency, names, expected) => {
    configured = [...names];
    expect(await issuerOfNewCard(currency)).toBe(expected);
  });

  it.each([
    ["no issuer has cards in the currency", ["stripe", "lithic"], "NOT_SUPPORTED_BY_PROVIDER"],
    ["only the sandbox has, together with a real issuer", ["stripe", "sandbox"], "NOT_SUPPORTED_BY_PROVIDER"],
    ["no issuer is configured", [], "PROVIDER_NOT_CONFIGURED"],
  ] as const)("refuses if %s, and stores nothing", async (_case, names, code) => {
    configured = [...names];
    const before = await purser.db.$count(cards);
    expect(await refusalOf(issuerOfNewCard("JPY"))).toBe(code);
    expect(await purser.db.$count(cards)).toBe(before);
  });
});
