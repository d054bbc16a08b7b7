import { describe, expect, it } from "vitest";
import { categoryNameInWords } from "./category-names.ts";

describe("a merchant category’s name", () => {
  it.each([
    ["hotels_motels_and_resorts", "Hotels, motels and resorts"],
    ["mens_and_boys_clothing_and_accessories_stores", "Men’s and boys’ clothing and accessories stores"],
    ["heating_plumbing_a_c", "Heating, plumbing, A/C"],
    ["door_to_door_sales", "Door-to-door sales"],
    ["bakeries", "Bakeries"],
    ["a_new_category", "A new category"],
  ])("of %s is %s", (name, words) => {
    expect(categoryNameInWords(name)).toBe(words);
  });
});
