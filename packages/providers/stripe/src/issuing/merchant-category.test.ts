import { readFileSync } from "node:fs";
import { join } from "node:path";
import { isMerchantCategory, merchantCategoryCode } from "@purser/core";
import { describe, expect, it } from "vitest";

/** The categories of spending controls in the SDK, which exports them only as a type. */
function categoriesOfStripe(): string[] {
  const entry = new URL(import.meta.resolve("stripe"));
  const declarations = readFileSync(new URL(join("resources", "Issuing", "Cards.d.ts"), entry), "utf8");
  const [, union = ""] = /type AllowedCategory = ([^;]+);/.exec(declarations) ?? [];
  return [...union.matchAll(/'(\w+)'/g)].map(([, name = ""]) => name);
}

describe("merchant categories", () => {
  it("include every category of Stripe, each with its own code except miscellaneous", () => {
    const categories = categoriesOfStripe();
    expect(categories.length).toBeGreaterThan(290);
    expect(categories.filter((name) => !isMerchantCategory(name))).toEqual([]);
    expect(categories.filter((name) => merchantCategoryCode(name) === null)).toEqual(["miscellaneous"]);
    expect(new Set(categories.map(merchantCategoryCode)).size).toBe(categories.length);
  });
});
