import { expect, it } from "vitest";
import { definedFields } from "./defined-fields.ts";

it("only what is undefined is left out", () => {
  const fields = { amount: 0, note: null, name: "", isOpen: false, category: undefined };
  expect(Object.entries(definedFields(fields))).toEqual([
    ["amount", 0],
    ["note", null],
    ["name", ""],
    ["isOpen", false],
  ]);
});
