import type { MerchantCategory } from "@purser/client";
import { describe, expect, it } from "vitest";
import { applyFix } from "./-apply-fix.ts";
import { newPolicyValues } from "./-policy-draft.ts";

const hotels: MerchantCategory = {
  code: "7011",
  name: "hotels_motels_and_resorts",
  group: "personal_services",
  includes: { from: "3501", to: "3999" },
};
const bakeries: MerchantCategory = { code: "5462", name: "bakeries", group: "retail", includes: null };
const about = { currency: "JPY", categories: [hotels, bakeries] };

describe("a change that lets a purchase pass", () => {
  it("raises the limit of its interval alone, in the currency’s own decimals", () => {
    const limits = [
      { key: "a", amount: 100, interval: "DAILY" as const },
      { key: "b", amount: 500, interval: "YEARLY" as const },
    ];
    const fix = { kind: "limit", interval: "DAILY", amount: 181 } as const;
    expect(applyFix({ ...newPolicyValues, limits }, fix, about).limits).toEqual([
      { key: "a", amount: 181, interval: "DAILY" },
      limits[1],
    ]);
  });

  it("adds a category by its name, and removes every entry that includes it", () => {
    const add = { kind: "add_category", category: "5462" } as const;
    expect(applyFix(newPolicyValues, add, about).merchantCategories).toEqual(["bakeries"]);
    const blockedMerchantCategories = ["hotels_motels_and_resorts", "7011", "3501", "bakeries"];
    const left = (category: string) =>
      applyFix(
        { ...newPolicyValues, blockedMerchantCategories },
        { kind: "unblock_category", category },
        about,
      ).blockedMerchantCategories;
    // The code of hotels without an own code does not include a single chain.
    expect(left("3501")).toEqual(["7011", "bakeries"]);
    expect(left("7011")).toEqual(["3501", "bakeries"]);
    expect(left("5462")).toEqual(["hotels_motels_and_resorts", "7011", "3501"]);
  });

  it("removes a merchant as the service compares it, by name or id", () => {
    const blockedMerchants = ["cafe  nord", "m-1", "Other"];
    const fix = { kind: "unblock_merchant", merchant: "Cafe Nord", merchantId: "m-1" } as const;
    expect(applyFix({ ...newPolicyValues, blockedMerchants }, fix, about).blockedMerchants).toEqual([
      "Other",
    ]);
  });
});
