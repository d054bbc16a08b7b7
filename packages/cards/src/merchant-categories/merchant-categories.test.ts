import { isMerchantCategory, merchantCategoryCode, merchantGroupOf } from "@purser/core";
import { type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

describe("cards.merchantCategories.list", () => {
  const list = (input?: { after?: string; limit?: number }) =>
    purser.as(null).cards.merchantCategories.list(input);

  it("lists every category once, by code, to anyone", async () => {
    const all = await list();
    expect(all.length).toBeGreaterThan(250);
    expect(all.map(({ code }) => code)).toEqual([...new Set(all.map(({ code }) => code))].toSorted());
    expect(all.find(({ code }) => code === "5812")).toEqual({
      code: "5812",
      name: "eating_places_restaurants",
      label: "Eating places, restaurants",
      group: "stores",
      includes: null,
    });
    expect(all.filter(({ includes }) => includes !== null)).toEqual([
      {
        code: "4511",
        name: "airlines_air_carriers",
        label: "Airlines, air carriers",
        group: "transport",
        includes: { from: "3000", to: "3350" },
      },
      {
        code: "7011",
        name: "hotels_motels_and_resorts",
        label: "Hotels, motels and resorts",
        group: "personal_services",
        includes: { from: "3501", to: "3999" },
      },
      {
        code: "7512",
        name: "car_rental_agencies",
        label: "Car rental agencies",
        group: "business_services",
        includes: { from: "3351", to: "3500" },
      },
    ]);
  });

  it("lists what policies take", async () => {
    for (const { code, name } of await list()) {
      expect([isMerchantCategory(code), isMerchantCategory(name)]).toEqual([true, true]);
      expect(merchantCategoryCode(name)).toBe(code);
    }
  });

  it("pages by code", async () => {
    const first = await list({ limit: 2 });
    expect(first.map(({ code }) => code)).toEqual(["0742", "0763"]);
    expect((await list({ limit: 2, after: "0763" }))[0]!.code).toBe("0780");
    expect(await list({ after: "9950" })).toEqual([]);
    expect(await refusalOf(list({ after: "0001" }))).toBe("VALIDATION_FAILED");
  });
});

describe("merchantGroupOf", () => {
  it.each([
    ["0742", "agriculture"],
    ["1499", "agriculture"],
    ["1500", "contracted_services"],
    ["3058", "transport"],
    ["4799", "transport"],
    ["4900", "utilities"],
    ["5411", "retail"],
    ["5651", "clothing"],
    ["5812", "stores"],
    ["6011", "financial_services"],
    ["7299", "personal_services"],
    ["7372", "business_services"],
    ["7538", "repairs"],
    ["7995", "entertainment"],
    ["8999", "professional_services"],
    ["9999", "government"],
  ])("finds %s in %s", (code, group) => {
    expect(merchantGroupOf(code)).toBe(group);
  });
});
