import { describe, expect, it } from "vitest";
import { parseExactJson } from "./responses.ts";

describe("parseExactJson", () => {
  it("reads amounts as text and other numbers as numbers", () => {
    const text =
      '{"amount": 12.50, "balances": {"current": 12345678901234567.89, "limit": null}, "count": 1.0}';
    expect(parseExactJson(text)).toEqual({
      amount: "12.50",
      balances: { current: "12345678901234567.89", limit: null },
      count: 1,
    });
  });

  it("returns text that is not JSON unchanged", () => {
    expect(parseExactJson("<html>")).toBe("<html>");
  });
});
