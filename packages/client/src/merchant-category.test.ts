import { isInMerchantCategory, merchantCategories, merchantCategoryLabel } from "@purser/core";
import { describe, expect, it } from "vitest";
import type { MerchantCategory } from "./generated/purser-client.ts";
import { findMerchantCategory } from "./merchant-category.ts";

const categories = merchantCategories.map((category): MerchantCategory => ({
  ...category,
  label: merchantCategoryLabel(category.name),
  group: "stores",
}));

describe("findMerchantCategory", () => {
  it("finds each category by its code and its name", () => {
    for (const category of categories) {
      expect(findMerchantCategory(categories, category.code)).toBe(category);
      expect(findMerchantCategory(categories, category.name)).toBe(category);
    }
  });

  it("finds the category of each code that policies find by its name", { tags: ["slow"] }, () => {
    const codes = Array.from({ length: 10_000 }, (_, code) => String(code).padStart(4, "0"));
    for (const code of codes) {
      const found = findMerchantCategory(categories, code);
      const expected = categories.find(({ name }) => isInMerchantCategory(code, name));
      expect([code, found?.name]).toEqual([code, expected?.name]);
    }
  });

  it("finds none for other texts", () => {
    for (const text of ["", "5", "58120", "3000a", "no_such_category"])
      expect(findMerchantCategory(categories, text)).toBeUndefined();
  });
});
