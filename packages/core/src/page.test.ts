import { describe, expect, it } from "vitest";
import { z } from "zod";
import { newId } from "./id.ts";
import { page } from "./page.ts";

const List = z.strictObject(page("org"));
const id = newId("org", new Date("2026-03-02T12:00:00.000Z"));

describe("page", () => {
  it("defaults to a limit of 1000", () => expect(List.parse({})).toEqual({ limit: 1000 }));

  it.each([1, 25, 1000])("takes a limit of %d", (limit) => {
    expect(List.parse({ limit, after: id })).toEqual({ limit, after: id });
  });

  it.each([0, -1, 1001, 1.5, Number.NaN, Number.POSITIVE_INFINITY, "5", null])(
    "refuses a limit of %s",
    (limit) => {
      expect(List.safeParse({ limit }).success).toBe(false);
    },
  );

  it("refuses an `after` that is not an identifier of this list", () => {
    for (const after of ["", "org_1", newId("mem", new Date(0)), `${id}x`, null, 5]) {
      expect(List.safeParse({ after }).success).toBe(false);
    }
  });
});
