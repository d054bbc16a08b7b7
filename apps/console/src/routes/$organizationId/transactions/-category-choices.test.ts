import { describe, expect, it } from "vitest";
import { categoryChoices, categoryOfText, labelOfCategory } from "./-category-choices.ts";

describe("the choices of categories", () => {
  const choices = categoryChoices(["FOOD_AND_DRINK", "Food and drink", "TRAVEL", "HMRC VAT"]);

  it("are one for each category of the service, also where two have the same words", () => {
    expect(choices).toEqual([
      { category: "FOOD_AND_DRINK", label: "Food and drink (FOOD_AND_DRINK)" },
      { category: "Food and drink", label: "Food and drink" },
      { category: "TRAVEL", label: "Travel" },
      { category: "HMRC VAT", label: "HMRC VAT" },
    ]);
    for (const { category, label } of choices) {
      expect(categoryOfText(choices, label)).toBe(category);
      expect(labelOfCategory(choices, category)).toBe(label);
    }
  });

  it("are found in any case, and other texts stay as they are", () => {
    expect(categoryOfText(choices, " travel ")).toBe("TRAVEL");
    expect(categoryOfText(choices, "Garden party")).toBe("Garden party");
    expect(labelOfCategory(choices, "garden_party")).toBe("Garden party");
  });
});
