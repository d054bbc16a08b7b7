import type { CardDecision, PassingTerms } from "@purser/client";
import { describe, expect, it } from "vitest";
import { changesInWords, nowSentence, shopsInWords } from "./purchase-now.ts";

const purchase = { currency: "GBP", merchantName: "Cafe Nord" };

const approved: CardDecision = {
  outcome: "approved",
  reason: null,
  requestedAmount: 6200,
  approvedAmount: 6200,
  limit: null,
  used: null,
  remaining: null,
  resetsAt: null,
  interval: null,
};
const declined = (reason: string, basis: Partial<CardDecision> = {}): CardDecision => ({
  ...approved,
  outcome: "declined",
  reason,
  approvedAmount: 0,
  ...basis,
});
const overDay = declined("daily_limit_exceeded", {
  limit: 15_000,
  used: 11_900,
  remaining: 3100,
  interval: "DAILY",
});

const words = (before: PassingTerms, after: PassingTerms) =>
  changesInWords(before, after, { currency: "GBP", timeZone: "America/New_York" }, () => "Bakeries");

describe("a declined purchase, decided again", () => {
  it("says what is left, and names the limit that lets it pass", () => {
    expect(nowSentence(overDay, purchase, "Bakeries")).toBe("£31.00 is left today, of £150.00.");
    const yearly = { amount: 100, interval: "YEARLY" } as const;
    const [before, after] = [15_000, 18_100].map((amount) => ({
      limits: [{ amount, interval: "DAILY" as const }, yearly],
    }));
    expect(words(before!, after!)).toEqual({
      condition: "with at least £181.00 a day",
      button: "Set £181.00 a day",
    });
    const single = declined("transaction_limit_exceeded", {
      limit: 5000,
      used: 0,
      remaining: 5000,
      interval: "PER_TRANSACTION",
    });
    expect(nowSentence(single, purchase, "")).toBe("The policy allows £50.00 for each purchase.");
    const limits = [{ amount: 6200, interval: "PER_TRANSACTION" as const }];
    expect(words({}, { limits }).button).toBe("Set £62.00 for each purchase");
  });

  it("names what to allow", () => {
    const category = declined("merchant_category_not_allowed");
    expect(nowSentence(category, purchase, "Bakeries")).toBe(
      "The policy does not allow the category “Bakeries”.",
    );
    expect(nowSentence(category, purchase, null)).toBe(
      "The policy does not allow merchants without a category.",
    );
    expect(words({ merchantCategories: ["5411"] }, { merchantCategories: ["5411", "5462"] }).button).toBe(
      "Add “Bakeries”",
    );
    expect(words({ allowedMerchants: ["Diner"] }, { allowedMerchants: ["Diner", "Cafe Nord"] }).button).toBe(
      "Add Cafe Nord",
    );
    expect(words({ daysOfWeek: [1] }, { daysOfWeek: [1, 3] }).condition).toBe("when you allow Wednesdays");
  });

  it("names what no longer to block", () => {
    const blocked = { blockedMerchants: ["cafe nord", "Other"], blockedMerchantCategories: ["5462"] };
    expect(words(blocked, { blockedMerchants: ["Other"], blockedMerchantCategories: [] }).button).toBe(
      "Unblock “Bakeries” and unblock cafe nord",
    );
  });

  it("names all that it needs", () => {
    const limits = [{ amount: 42_350, interval: "MONTHLY" as const }];
    const before = { merchantCategories: ["5411"], allowOnline: false, activeTo: new Date(1) };
    const after = { merchantCategories: ["5411", "5462"], limits, allowOnline: true, activeTo: null };
    expect(words(before, after)).toEqual({
      condition:
        "when you remove the last day, allow purchases online, add “Bakeries”, and set £423.50 a month",
      button: "Remove the last day, allow purchases online, add “Bakeries”, and set £423.50 a month",
    });
  });

  it("names other days of a period, in the organization's zone", () => {
    const after = {
      activeFrom: new Date("2026-03-07T05:00:00Z"),
      activeTo: new Date("2026-03-21T04:00:00Z"),
    };
    expect(words({}, after).button).toBe(
      "Set the first day to Mar 7, 2026 and set the last day to Mar 20, 2026",
    );
  });

  it("tells the shops at which a policy works", () => {
    expect(shopsInWords({ allowedMerchants: [] })).toBeNull();
    expect(shopsInWords({ allowedMerchants: ["Corner Flowers"] })).toBe("Corner Flowers");
    expect(shopsInWords({ allowedMerchants: ["A", "B", "C", "D", "E"] })).toBe("A, B, C, and 2 more");
  });
});
