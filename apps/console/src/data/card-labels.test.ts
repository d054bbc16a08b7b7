import { describe, expect, it } from "vitest";
import { limitSentence, reasonInWords } from "./card-labels.ts";

const decision = {
  reason: "daily_limit_exceeded",
  limit: 15_000,
  used: 11_900,
  remaining: 3100,
  interval: "DAILY",
  resetsAt: new Date("2026-03-02T00:00:00Z"),
} as const;

describe("the words of a decline", () => {
  it("say the limit, what was used and left of it, and when it resets, in the organization's zone", () => {
    const before = new Date("2026-03-01T19:00:00Z");
    const sentence = limitSentence(decision, "GBP", "America/New_York", before)!;
    expect(sentence).toContain("£150.00 a day");
    expect(sentence).toContain("£119.00 was used, so £31.00 was left");
    expect(sentence).toMatch(/resets on Mar 1, 2026.*7:00/);
    expect(limitSentence(decision, "GBP", "UTC")).toContain("It reset on");
  });

  it("leave out what a limit for each purchase does not have", () => {
    const single = {
      ...decision,
      reason: "transaction_limit_exceeded",
      interval: "PER_TRANSACTION",
    } as const;
    expect(limitSentence(single, "JPY", "UTC")).toBe("The policy allowed ¥15,000 for each purchase.");
    expect(limitSentence({ ...decision, reason: "card_paused" }, "GBP", "UTC")).toBeNull();
  });

  it("stand for a reason that the console does not know too", () => {
    expect(reasonInWords("moon_phase").title).toBe("Moon phase");
  });
});
