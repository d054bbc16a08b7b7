import { describe, expect, it } from "vitest";
import { splitIntoMonths, startOfDay } from "./rules.ts";

describe("the parts of a report of card spending", () => {
  it.each([
    ["2026-03-01", "2026-03-31", [], ["2026-03-01", "2026-03-31"]],
    ["2026-03-02", "2026-03-31", ["2026-03-02..2026-03-31"], null],
    [
      "2025-12-31",
      "2026-03-15",
      ["2025-12-31..2025-12-31", "2026-03-01..2026-03-15"],
      ["2026-01-01", "2026-02-28"],
    ],
    ["2024-03-01", "2026-02-27", ["2026-02-01..2026-02-27"], ["2024-03-01", "2026-01-31"]],
  ] as const)("from %s to %s are days and whole months", (first, last, days, months) => {
    const parts = splitIntoMonths({ first, last });
    expect(parts.days.map((part) => `${part.first}..${part.last}`)).toEqual(days);
    expect(parts.months).toEqual(months && { first: months[0], last: months[1] });
  });

  it("begin when the day begins in the organization's time zone", () => {
    expect(startOfDay("2026-03-29", "Europe/London").toISOString()).toBe("2026-03-29T00:00:00.000Z");
    expect(startOfDay("2026-03-30", "Europe/London").toISOString()).toBe("2026-03-29T23:00:00.000Z");
    expect(startOfDay("2026-03-02", "Pacific/Kiritimati").toISOString()).toBe("2026-03-01T10:00:00.000Z");
    // Midnight is skipped, and a whole day.
    expect(startOfDay("2018-11-04", "America/Sao_Paulo").toISOString()).toBe("2018-11-04T03:00:00.000Z");
    expect(startOfDay("2011-12-30", "Pacific/Apia").toISOString()).toBe("2011-12-30T10:00:00.000Z");
  });
});
