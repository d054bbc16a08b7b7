import type { CardPolicy } from "@purser/client";
import { describe, expect, it } from "vitest";
import {
  changesOfValues,
  draftOfValues,
  problemOfDay,
  restrictionsOf,
  valuesAfter,
  valuesOfPolicy,
} from "./-policy-draft.ts";

const locale = { currency: "GBP", timeZone: "America/New_York" };

/** What the form of a policy changes. Its first limit is not among them: it is the first of `limits`. */
const fields = {
  name: "Travel",
  description: null,
  limits: [
    { amount: 15_050, interval: "DAILY" as const },
    { amount: 600_000, interval: "YEARLY" as const },
  ],
  allowAtm: false,
  allowOnline: true,
  allowInternational: true,
  merchantCategories: ["5812"],
  blockedMerchantCategories: ["4511", "4121"],
  blockedMerchants: [],
  allowedMerchants: ["Rail"],
  activeFrom: new Date("2026-03-08T05:00:00Z"),
  activeTo: new Date("2026-03-09T16:30:00Z"),
  daysOfWeek: [1, 5],
} satisfies Partial<CardPolicy>;

const policy: CardPolicy = {
  id: "pol_1",
  organizationId: "org_1",
  spendingLimit: 15_050,
  limitInterval: "DAILY",
  ...fields,
};

describe("the form of a policy", () => {
  it("keeps a stored policy as it is, times within a day too", () => {
    expect(draftOfValues(valuesOfPolicy(policy, locale), locale, policy)).toEqual(fields);
  });

  it("changes only what a person changed, because others may change the rest meanwhile", () => {
    const values = valuesOfPolicy(policy, locale);
    expect(changesOfValues(values, locale, policy)).toEqual({});
    expect(changesOfValues({ ...values, name: "Trips", activeTo: "" }, locale, policy)).toEqual({
      name: "Trips",
      activeTo: null,
    });
  });

  it("takes over what lets a purchase pass, and nothing else", () => {
    const passesWith = {
      limits: [
        { amount: 20_050, interval: "DAILY" as const },
        { amount: 600_000, interval: "YEARLY" as const },
      ],
      allowAtm: true,
      merchantCategories: ["5812", "5411"],
      activeTo: null,
      daysOfWeek: [1, 3, 5],
    };
    const values = valuesAfter({ ...valuesOfPolicy(policy, locale), name: "Trips" }, passesWith, locale);
    expect(values.limits).toEqual([
      { key: "DAILY", amount: 200.5, interval: "DAILY" },
      { key: "YEARLY", amount: 6000, interval: "YEARLY" },
    ]);
    expect(draftOfValues(values, locale, policy)).toMatchObject({
      ...passesWith,
      name: "Trips",
      activeFrom: policy.activeFrom,
      allowedMerchants: ["Rail"],
    });
  });

  it("takes over other days of a period", () => {
    const passesWith = {
      activeFrom: new Date("2026-03-07T05:00:00Z"),
      activeTo: new Date("2026-03-21T04:00:00Z"),
    };
    const values = valuesAfter(valuesOfPolicy(policy, locale), passesWith, locale);
    expect([values.activeFrom, values.activeTo]).toEqual(["2026-03-07", "2026-03-20"]);
    expect(draftOfValues(values, locale, policy)).toMatchObject(passesWith);
  });

  it("ends a policy after its last day, in the organization's zone", () => {
    const values = { ...valuesOfPolicy(policy, locale), activeTo: "2026-03-10" };
    expect(draftOfValues(values, locale, policy).activeTo).toEqual(new Date("2026-03-11T04:00:00Z"));
  });

  it("takes a day that somebody is still writing for none, and keeps a stored end that no field can hold", () => {
    const written = { activeFrom: "12026-03-01", activeTo: "9999-12-31" };
    const values = { ...valuesOfPolicy(policy, locale), ...written };
    expect(draftOfValues(values, locale, policy)).toMatchObject({ activeFrom: null, activeTo: null });
    const endless = { ...policy, activeTo: new Date("9999-12-31T23:59:59.999Z") };
    expect(changesOfValues(valuesOfPolicy(endless, locale), locale, endless)).toEqual({});
  });

  it.each([
    { day: "", isProblem: false },
    { day: "2026-03-11", isProblem: false },
    // Of two digits of a year, browsers make this.
    { day: "0026-03-11", isProblem: true },
    { day: "12026-03-01", isProblem: true },
    { day: "9999-12-31", isProblem: true },
  ])("saves no day that is not whole, unless it is stored so: $day", ({ day, isProblem }) => {
    expect(problemOfDay(day, "2026-03-08")).toBe(isProblem ? "Enter a day" : null);
    expect(problemOfDay(day, day)).toBeNull();
  });

  it("reads amounts in the decimals of the currency, and leaves out limits without one", () => {
    const limits = [
      { key: "a", amount: "12.5", interval: "DAILY" as const },
      { key: "b", amount: "", interval: "WEEKLY" as const },
    ];
    const values = { ...valuesOfPolicy(policy, locale), limits };
    expect(draftOfValues(values, locale).limits).toEqual([{ amount: 1250, interval: "DAILY" }]);
    expect(draftOfValues(values, { ...locale, currency: "BHD" }).limits).toMatchObject([{ amount: 12_500 }]);
  });

  it("says what a policy restricts", () => {
    expect(restrictionsOf(policy)).toEqual([
      "only Rail",
      "1 allowed category",
      "2 blocked categories",
      "no cash",
      "some days",
      "a period",
    ]);
  });
});
