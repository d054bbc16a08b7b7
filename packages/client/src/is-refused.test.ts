import { describe, expect, it } from "vitest";
import { isRefused } from "./is-refused.ts";

describe("isRefused", () => {
  it.each([
    ["DECLINED", "card_paused", true],
    ["DECLINED", "decision_timed_out", true],
    ["DECLINED", "authorization_reversed", false],
    ["DECLINED", "authorization_expired", false],
    ["PENDING", null, false],
    ["COMPLETED", null, false],
  ] as const)("tells of %s, %s whether the purchase was refused", (status, declineReason, expected) => {
    expect(isRefused({ status, declineReason })).toBe(expected);
  });
});
