import { describe, expect, it } from "vitest";
import { hasReport } from "./-search.ts";

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
