import type { Issuers } from "@purser/cards/ports";
import { cards } from "@purser/db";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { seedDemo } from "./index.ts";

let purser: TestPurser;

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

describe("the demo data", () => {
  it("stays in the sandbox, even where a real issuer is configured", async () => {
    const sandbox = await purser.platform.issuers.at("sandbox");
    const called: string[] = [];
    const issuers: Issuers = {
      configured: ["stripe", "sandbox"],
      at: async (name) => (called.push(name), sandbox),
    };
    expect(await seedDemo({ ...purser.platform, issuers }, purser.auth)).toBe(true);
    expect(called).not.toContain("stripe");
    const issued = await purser.db.select({ issuer: cards.issuer }).from(cards);
    expect(new Set(issued.map(({ issuer }) => issuer))).toEqual(new Set(["sandbox"]));
  });
});
