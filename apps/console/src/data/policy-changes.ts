import type { CardLimit, CardPolicy, Event } from "@purser/client";
import { limitInWords } from "./card-labels.ts";
import { formatInstant, inWords } from "./format.ts";

/** How amounts, times and categories are written. */
export interface PolicyWords {
  /** That of the policy's cards. A policy has none of its own. */
  currency: string;
  timeZone: string;
  categoryOf: (category: string) => string;
}

type PolicyChange = Extract<Event, { type: "card_policy.updated" }>["data"];
type Changed = keyof NonNullable<PolicyChange["before"]>;

/** What a change of a policy changed, each part in words. Fields that a newer service may have are left out. */
export function policyChangesInWords({ before = {}, ...after }: PolicyChange, words: PolicyWords): string[] {
  const known: Readonly<Record<string, Writer | undefined>> = writers;
  return (Object.keys(before) as Changed[]).flatMap(
    (field) => known[field]?.(before[field], after[field], words) ?? [],
  );
}

type Writer = (from: unknown, to: unknown, words: PolicyWords) => string | null;

/** All fields of a policy that can change. The limits have all that `spendingLimit` and `limitInterval` have. */
const writers = {
  name: (from, to) => `name from “${String(from)}” to “${String(to)}”`,
  description: () => "description",
  limits: (from, to, { currency }) => `limits from ${limitsOf(from, currency)} to ${limitsOf(to, currency)}`,
  allowAtm: (_, to) => allowance("ATM withdrawals", to),
  allowOnline: (_, to) => allowance("purchases online", to),
  allowInternational: (_, to) => allowance("purchases abroad", to),
  merchantCategories: (from, to, { categoryOf }) => list("allowed categories", from, to, categoryOf),
  blockedMerchantCategories: (from, to, { categoryOf }) => list("blocked categories", from, to, categoryOf),
  allowedMerchants: (from, to) => list("allowed merchants", from, to),
  blockedMerchants: (from, to) => list("blocked merchants", from, to),
  activeFrom: (from, to, { timeZone }) => `start from ${timeOf(from, timeZone)} to ${timeOf(to, timeZone)}`,
  activeTo: (from, to, { timeZone }) => `end from ${timeOf(from, timeZone)} to ${timeOf(to, timeZone)}`,
  daysOfWeek: (from, to) => `days from ${daysOf(from)} to ${daysOf(to)}`,
} satisfies Record<
  Exclude<keyof CardPolicy, "id" | "organizationId" | "spendingLimit" | "limitInterval">,
  Writer
>;

const allowance = (what: string, isAllowed: unknown): string =>
  `${what} ${isAllowed === true ? "are allowed now" : "are not allowed any more"}`;

function limitsOf(limits: unknown, currency: string): string {
  const all = limits as readonly CardLimit[];
  if (all.length === 0) return "none";
  return all.map(({ amount, interval }) => limitInWords(amount, interval, currency)).join(" and ");
}

function list(
  what: string,
  from: unknown,
  to: unknown,
  write: (item: string) => string = (item) => item,
): string | null {
  const [before, after] = [from as readonly string[], to as readonly string[]];
  const parts = [
    ...after.filter((item) => !before.includes(item)).map((item) => `${write(item)} added`),
    ...before.filter((item) => !after.includes(item)).map((item) => `${write(item)} removed`),
  ];
  return parts.length === 0 ? null : `${what}: ${parts.join(", ")}`;
}

const timeOf = (time: unknown, timeZone: string): string =>
  time === null ? "none" : formatInstant(time as Date, timeZone);

const dayNames = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

const daysOf = (days: unknown): string => {
  const all = days as readonly number[];
  return all.length === 0 ? "every day" : all.map((day) => dayNames[day] ?? inWords(String(day))).join(", ");
};
