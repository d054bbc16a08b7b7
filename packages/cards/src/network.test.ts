import { describe, expect, it } from "vitest";
import { extendedHoldEndsAt, merchantOf } from "./network.ts";

const merchant = (fields: Partial<Parameters<typeof merchantOf>[0]> = {}) =>
  merchantOf({ name: "Corner Coffee", id: "1234567890", category: "5814", country: "GB", ...fields });

describe("merchantOf", () => {
  it("keeps fields in a valid form", () => {
    expect(merchant()).toEqual({ name: "Corner Coffee", id: "1234567890", category: "5814", country: "GB" });
  });

  it.each([
    ["name", null, "Unknown merchant"],
    ["name", "   ", "Unknown merchant"],
    ["name", "  PADDED      ", "PADDED"],
    ["name", "NUL\u0000\u0007BELL", "NUL BELL"],
    ["name", "half \uD83D", "half \uFFFD"],
    ["name", `${"x".repeat(254)}😀`, `${"x".repeat(254)}\uFFFD`],
    ["id", undefined, null],
    ["id", " ", null],
    ["id", "XRKGDPOWEWQRRWU ", "XRKGDPOWEWQRRWU"],
    ["category", null, null],
    ["category", "581", null],
    ["category", "coffee_shops", null],
    ["category", "5814 ", "5814"],
    ["country", null, null],
    ["country", "", null],
    ["country", "gb", "GB"],
    ["country", "GBR", null],
    ["country", "82", null],
  ] as const)("reads a %s of %j as %j", (field, value, expected) => {
    expect(merchant({ [field]: value })[field]).toBe(expected);
  });
});

describe("extendedHoldEndsAt", () => {
  const at = new Date("2026-03-02T09:00:00.000Z");
  const monthLater = new Date("2026-04-02T09:00:00.000Z");

  it.each([
    ["an airline", "3000", monthLater],
    ["a car rental company", "3405", monthLater],
    ["a hotel", "3999", monthLater],
    ["another airline", "4511", monthLater],
    ["another hotel", "7011", monthLater],
    ["another car rental company", "7512", monthLater],
    ["a cruise line", "4411", monthLater],
    ["a timeshare", "7012", monthLater],
    ["a campground", "7033", monthLater],
    ["a truck rental company", "7513", monthLater],
    ["a rental of motor homes", "7519", monthLater],
    ["a contractor", "2999", null],
    ["a railway", "4011", null],
    ["a coffee shop", "5814", null],
    ["a merchant without a category", null, null],
  ])("is for %s, %s: %j", (_who, category, expected) => {
    expect(extendedHoldEndsAt(merchant({ category }), at)).toEqual(expected);
  });
});
