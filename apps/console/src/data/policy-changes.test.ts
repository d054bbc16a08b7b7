import { expect, it } from "vitest";
import { policyChangesInWords } from "./policy-changes.ts";

const words = {
  currency: "GBP",
  timeZone: "Europe/London",
  categoryOf: (code: string) => `category ${code}`,
};

const policy = {
  id: "pol_1",
  organizationId: "org_1",
  name: "Travel",
  description: null,
  spendingLimit: 80_000,
  limitInterval: "MONTHLY",
  limits: [
    { amount: 80_000, interval: "MONTHLY" },
    { amount: 5000, interval: "PER_TRANSACTION" },
  ],
  allowAtm: false,
  allowOnline: true,
  allowInternational: true,
  merchantCategories: ["4511"],
  blockedMerchantCategories: [],
  allowedMerchants: [],
  blockedMerchants: [],
  activeFrom: null,
  activeTo: new Date("2027-01-01T00:00:00.000Z"),
  daysOfWeek: [1, 2],
} as const satisfies object;

type Change = Parameters<typeof policyChangesInWords>[0];

it("A change of a policy says what was before and after, once for each field", () => {
  const before = {
    spendingLimit: 50_000,
    limits: [{ amount: 50_000, interval: "MONTHLY" }],
    allowAtm: true,
    merchantCategories: ["5812"],
    daysOfWeek: [],
    activeTo: null,
    somethingNew: 1,
  };
  expect(policyChangesInWords({ ...policy, before } as unknown as Change, words)).toEqual([
    "limits from £500.00 a month to £800.00 a month and £50.00 for each purchase",
    "ATM withdrawals are not allowed any more",
    "allowed categories: category 4511 added, category 5812 removed",
    "days from every day to Monday, Tuesday",
    expect.stringMatching(/^end from none to Jan 1, 2027/),
  ]);
});

it("A change of an earlier version, which does not say what was before, stays without words", () => {
  expect(policyChangesInWords(policy as unknown as Change, words)).toEqual([]);
});
