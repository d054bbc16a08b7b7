import { describe, expect, it } from "vitest";
import { hasOrderedRanges, hasReport, listInput, rangeProblems } from "./-search.ts";

describe("what the list is asked for", () => {
  it("has a search that contains a word, and no other", () => {
    expect(listInput("org_1", { query: "£12" })).toMatchObject({ query: "£12" });
    for (const query of ["£", "&", "…", " - "])
      expect(listInput("org_1", { query })).not.toHaveProperty("query");
  });

  it("is nothing while a range ends before it begins", () => {
    const ordered = { from: "2026-03-01", to: "2026-03-01", minAmount: 50, maxAmount: 50 };
    expect(hasOrderedRanges(ordered)).toBe(true);
    expect(hasOrderedRanges({ from: ordered.from, maxAmount: 1 })).toBe(true);
    for (const [field, change] of [
      ["to", { from: "2026-03-02" }],
      ["maxAmount", { minAmount: 51 }],
    ] as const) {
      expect(hasOrderedRanges({ ...ordered, ...change })).toBe(false);
      expect(rangeProblems({ ...ordered, ...change })[field]).toMatch(/^This is/);
    }
  });
});

describe("the sums of filtered transactions", () => {
  const [today, from] = ["2026-03-15", "2026-03-01"];

  it("are left out for days after today, which the report does not count", () => {
    expect(hasReport({ from, to: today }, today)).toBe(true);
    expect(hasReport({ from, to: "2026-03-16" }, today)).toBe(false);
  });

  it("are left out for filters that the report does not have", () => {
    expect(hasReport({ from, to: today, query: "rent" }, today)).toBe(false);
    expect(hasReport({ from, to: today, status: "PENDING" }, today)).toBe(false);
    expect(hasReport({ from: today, to: from }, today)).toBe(false);
  });
});
