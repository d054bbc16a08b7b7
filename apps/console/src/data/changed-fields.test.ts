import { expect, it } from "vitest";
import { changedFields } from "./changed-fields.ts";

it("changedFields keeps what a person changed, and nothing that only looks different", () => {
  const before = { name: "Travel", note: null, days: [1, 2], end: new Date(1), same: true };
  expect(changedFields(before, { ...before, name: " Travel ", days: [1, 2], end: new Date(1) })).toEqual({});
  expect(changedFields<object>(before, { ...before, note: "New", days: [1], end: null })).toEqual({
    note: "New",
    days: [1],
    end: null,
  });
});
