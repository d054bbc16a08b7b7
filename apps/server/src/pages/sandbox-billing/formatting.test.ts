import { expect, it } from "vitest";
import { formatBillingInstant, formatMinorUnits } from "./formatting.ts";

it.each([
  [2900, "GBP", "£29.00"],
  [2900, "JPY", "¥2,900"],
  // `Intl` has no decimals for these.
  [2900, "HUF", "HUF 29.00"],
  [2900, "IQD", "IQD 2.900"],
])("%i minor units of %s are %s", (minorUnits, currency, formatted) => {
  expect(formatMinorUnits(minorUnits, currency).replaceAll("\u00A0", " ")).toBe(formatted);
});

it("an instant has its day and time in UTC", () => {
  const instant = new Date("2026-03-02T09:00:00Z");
  expect(formatBillingInstant(instant).replaceAll("\u202F", " ")).toBe("March 2, 2026, 9:00 AM UTC");
});
