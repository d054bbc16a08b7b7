import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isInMerchantCategory, isMerchantCategory, merchantCategoryCode } from "./merchant-category.ts";

const code = fc.integer({ min: 0, max: 9999 }).map((number) => String(number).padStart(4, "0"));

describe("isMerchantCategory", () => {
  it.each([
    "5411",
    "0742",
    "0000",
    "9999",
    "grocery_stores_supermarkets",
    "Grocery Stores Supermarkets",
    "GROCERY-STORES-SUPERMARKETS",
    "  ac_refrigeration_repair ",
    "Miscellaneous",
  ])("takes %j", (text) => {
    expect(isMerchantCategory(text)).toBe(true);
  });

  it.each([
    "",
    " ",
    "_",
    "541",
    "54111",
    "5411\n5412",
    "54a1",
    "٥٤١١",
    "5411,5412",
    "54-11",
    "grocery",
    "grocerystoressupermarkets",
    "grocery_stores_supermarkets_",
    "constructor",
    "__proto__",
  ])("refuses %j", (text) => {
    expect(isMerchantCategory(text)).toBe(false);
  });
});

describe("merchantCategoryCode", () => {
  it.each([
    ["veterinary_services", "0742"],
    ["grocery_stores_supermarkets", "5411"],
    ["eating_places_restaurants", "5812"],
    ["fast_food_restaurants", "5814"],
    ["automated_cash_disburse", "6011"],
    ["betting_casino_gambling", "7995"],
    ["electric_vehicle_charging", "5552"],
    ["marketplaces", "5262"],
    ["government_owned_lotteries_us_region_only", "7800"],
    ["emergency_services_gcas_visa_use_only", "9702"],
    ["intra_company_purchases", "9950"],
    ["Book Stores", "5942"],
    ["door-to-door sales", "5963"],
    ["airlines_air_carriers", "4511"],
    ["miscellaneous", null],
    ["bookshops", null],
    ["", null],
  ])("maps %j to the code %s", (text, expected) => {
    expect(merchantCategoryCode(text)).toBe(expected);
  });

  it("returns four digits unchanged", () => {
    fc.assert(
      fc.property(code, (digits) => {
        expect(merchantCategoryCode(digits)).toBe(digits);
      }),
    );
  });
});

describe("isInMerchantCategory", () => {
  it.each([
    ["5411", "5411", true],
    ["5411", "grocery_stores_supermarkets", true],
    ["grocery_stores_supermarkets", "5411", true],
    ["Grocery Stores Supermarkets", "grocery-stores-supermarkets", true],
    ["5411", "5412", false],
    ["5411", "bakeries", false],
    ["bakeries", "grocery_stores_supermarkets", false],
    // Ranges: the first and the last code of each, and the codes beside them.
    ["2999", "airlines_air_carriers", false],
    ["3000", "airlines_air_carriers", true],
    ["3350", "airlines_air_carriers", true],
    ["4511", "airlines_air_carriers", true],
    ["3351", "airlines_air_carriers", false],
    ["3351", "car_rental_agencies", true],
    ["3500", "car_rental_agencies", true],
    ["7512", "car_rental_agencies", true],
    ["3501", "hotels_motels_and_resorts", true],
    ["3999", "hotels_motels_and_resorts", true],
    ["7011", "hotels_motels_and_resorts", true],
    ["4000", "hotels_motels_and_resorts", false],
    ["3058", "4511", false],
    ["airlines_air_carriers", "4511", true],
    ["airlines_air_carriers", "3058", false],
    // Codes without a name.
    ["0001", "miscellaneous", true],
    ["miscellaneous", "miscellaneous", true],
    ["5411", "miscellaneous", false],
    ["3058", "miscellaneous", false],
    ["miscellaneous", "5999", false],
    // Unknown texts are in nothing, not even in themselves.
    ["bookshops", "bookshops", false],
    ["bookshops", "miscellaneous", false],
    ["5411", "bookshops", false],
  ])("a merchant of %s is in %s: %s", (merchant, category, expected) => {
    expect(isInMerchantCategory(merchant, category)).toBe(expected);
  });

  it("contains every code in itself and in no other code", () => {
    fc.assert(
      fc.property(code, code, (one, other) => {
        expect(isInMerchantCategory(one, one)).toBe(true);
        expect(isInMerchantCategory(one, other)).toBe(one === other);
      }),
    );
  });
});
