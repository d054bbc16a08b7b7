import { describe, expect, it } from "vitest";
import { spentByMonth } from "./-spent-by-month.ts";

describe("what cards spent by month", () => {
  const months = [{ first: "2026-05-01" }, { first: "2026-06-01" }];
  const day = (key: string, approved: number) => ({ key, approved });

  it("is the sum of its days", () => {
    const items = [day("2026-05-02", 1200), day("2026-05-31", 300), day("2026-06-01", 700)];
    expect(spentByMonth(items, months)).toEqual([1500, 700]);
  });

  it("is there when a later refund makes all add up to zero", () => {
    expect(spentByMonth([day("2026-05-02", 5000), day("2026-06-02", -5000)], months)).toEqual([5000, -5000]);
  });

  it("is nothing when nothing was spent in any month", () => {
    expect(spentByMonth([], months)).toBeNull();
    expect(spentByMonth([day("2026-05-02", 5000), day("2026-05-09", -5000)], months)).toBeNull();
  });
});
