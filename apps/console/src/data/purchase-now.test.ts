import type { CardDecision } from "@purser/client";
import { describe, expect, it } from "vitest";
import { fixOf, fixesInWords, nowSentence, questionsOf, shopsInWords, verdictOf } from "./purchase-now.ts";

const purchase = {
  cardId: "card_1",
  amount: 6200,
  currency: "GBP",
  merchantName: "Cafe Nord",
  merchantId: null,
  merchantCategory: "5462",
  declineReason: "daily_limit_exceeded",
};

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

const words = (decision: CardDecision) => {
  const fix = fixOf(decision, purchase, 3);
  return fix && fixesInWords([fix], "GBP", () => "Bakeries");
};

describe("a declined purchase, decided again", () => {
  it("is asked in each way that it may have been made, as a transaction does not tell", () => {
    const { base, online, abroad } = questionsOf(purchase);
    expect(base).toEqual({
      amount: 6200,
      channel: "in_store",
      merchant: { name: "Cafe Nord", category: "5462" },
    });
    expect(online).toEqual({ ...base, channel: "online" });
    expect(abroad.merchant.country).toBe("ZZ");
    const cash = questionsOf({ ...purchase, merchantCategory: "6011" });
    expect([cash.base.channel, cash.online]).toEqual(["atm", cash.base]);
    const foreign = questionsOf({ ...purchase, declineReason: "international_not_allowed" });
    expect(foreign.base).toEqual(foreign.abroad);
    expect(questionsOf({ ...purchase, declineReason: "online_not_allowed" }).base.channel).toBe("online");
  });

  it("passes, with what is not known of it", () => {
    expect(verdictOf(approved, approved, approved)).toMatchObject({ passes: true, unless: [] });
    expect(
      verdictOf(approved, declined("online_not_allowed"), declined("international_not_allowed")).unless,
    ).toEqual(["it was online", "the merchant is in another country"]);
    expect(verdictOf(overDay, declined("online_not_allowed"), overDay)).toMatchObject({
      passes: false,
      unless: [],
    });
  });

  it("says what is left, and names the limit that lets it pass", () => {
    expect(nowSentence(overDay, purchase, "Bakeries")).toBe("£31.00 is left today, of £150.00.");
    expect(words(overDay)).toEqual({
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
    expect(words(single)?.button).toBe("Set £62.00 for each purchase");
  });

  it("names what to allow", () => {
    const category = declined("merchant_category_not_allowed");
    expect(nowSentence(category, purchase, "Bakeries")).toBe(
      "The policy does not allow the category “Bakeries”.",
    );
    expect(nowSentence(category, purchase, null)).toBe(
      "The policy does not allow merchants without a category.",
    );
    expect(words(category)?.button).toBe("Add “Bakeries”");
    expect(fixOf(category, { ...purchase, merchantCategory: null }, 3)).toBeNull();
    expect(words(declined("merchant_not_allowed"))?.button).toBe("Add Cafe Nord");
    expect(words(declined("day_not_allowed"))?.condition).toBe("when you allow Wednesdays");
    expect(words(declined("card_closed"))).toBeNull();
  });

  it("names all that it needs", () => {
    const fixes = [
      { kind: "add_category", category: "5462" },
      { kind: "limit", interval: "MONTHLY", amount: 42_350 },
    ] as const;
    expect(fixesInWords(fixes, "GBP", () => "Bakeries")).toEqual({
      condition: "when you add “Bakeries” and set £423.50 a month",
      button: "Add “Bakeries” and set £423.50 a month",
    });
  });

  it("tells the shops at which a policy works", () => {
    expect(shopsInWords({ allowedMerchants: [] })).toBeNull();
    expect(shopsInWords({ allowedMerchants: ["Corner Flowers"] })).toBe("Corner Flowers");
    expect(shopsInWords({ allowedMerchants: ["A", "B", "C", "D", "E"] })).toBe("A, B, C, and 2 more");
  });
});
