import { describe, expect, it } from "vitest";
import { merchantCategories } from "./merchant-category.ts";
import { merchantCategoryLabel } from "./merchant-category-label.ts";

describe("merchantCategoryLabel", () => {
  it.each([
    ["hotels_motels_and_resorts", "Hotels, motels and resorts"],
    ["mens_and_boys_clothing_and_accessories_stores", "Men’s and boys’ clothing and accessories stores"],
    ["heating_plumbing_a_c", "Heating, plumbing, A/C"],
    ["door_to_door_sales", "Door-to-door sales"],
    ["bakeries", "Bakeries"],
    ["a_new_category", "A new category"],
  ])("of %s is %s", (name, label) => {
    expect(merchantCategoryLabel(name)).toBe(label);
  });

  it("has a label of its own for each category", () => {
    const labels = merchantCategories.map(({ name }) => merchantCategoryLabel(name));
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels.filter((label) => label.includes("_") || !/^[A-Z]/.test(label))).toEqual([]);
  });
});
