import { describe, expect, it } from "vitest";
import { firstDayToRead, missingFrom } from "./windows.ts";

describe("missingFrom", () => {
  const reading = { windowFrom: "2024-03-02", windows: new Map([["short", "2026-02-16"]]) };
  const servedFrom = "2025-12-03";

  it.each([
    ["null for a bank that reports changes", null, "one", "2025-01-01", null],
    ["the first day of a window of recent days", "2024-03-02", "short", undefined, "2026-02-16"],
    ["the first listed day of a long window", "2024-03-02", "one", "2025-06-01", "2025-06-01"],
    ["the first served day, if the bank lists later ones", "2024-03-02", "one", "2026-01-01", servedFrom],
    ["the first served day, if the bank lists none", "2024-03-02", "one", undefined, servedFrom],
    ["the first day of the window, if a row is before it", "2024-03-02", "one", "2024-03-01", "2024-03-02"],
  ])("is %s", (_what, windowFrom, externalId, firstListed, expected) => {
    const days = { externalId, firstListed, servedFrom };
    expect(missingFrom({ ...reading, windowFrom }, days)).toBe(expected);
  });
});

describe("firstDayToRead", () => {
  it.each([
    ["14 days before the last reading", "2026-03-01", null, "2026-02-15"],
    ["the day of an older pending transaction", "2026-03-01", "2026-02-01", "2026-02-01"],
    ["14 days before, if the pending transaction is later", "2026-03-01", "2026-02-20", "2026-02-15"],
    ["the beginning of the history before the first reading", null, "2026-02-01", "2024-03-02"],
  ])("is %s", (_what, since, pendingSince, expected) => {
    expect(firstDayToRead({ today: "2026-03-02", since, historyDays: 730, pendingSince })).toBe(expected);
  });
});
