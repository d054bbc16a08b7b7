import {
  type CardPolicy,
  type CardPolicyDraft,
  type LimitInterval,
  type PassingTerms,
  decimalsOf,
} from "@purser/client";
import { changedFields } from "../../../data/changed-fields.ts";
import { parseMoney } from "../../../data/format.ts";
import { addDays, isDay, zonedDay, zonedDayStart } from "../../../data/zoned-day.ts";

/** The currency of the amounts, and the zone of the days. */
export interface Locale {
  currency: string;
  timeZone: string;
}

/** What the form of a policy holds. Amounts are in major units, and days are calendar days of the organization. */
export interface PolicyValues {
  name: string;
  description: string;
  limits: { key: string; amount: string | number; interval: LimitInterval }[];
  allowedMerchants: string[];
  blockedMerchants: string[];
  merchantCategories: string[];
  blockedMerchantCategories: string[];
  allowAtm: boolean;
  allowOnline: boolean;
  allowInternational: boolean;
  daysOfWeek: string[];
  /** The first day. */
  activeFrom: string;
  /** The last day, where the policy itself has the moment after it. */
  activeTo: string;
}

export const newPolicyValues: PolicyValues = {
  name: "",
  description: "",
  limits: [],
  allowedMerchants: [],
  blockedMerchants: [],
  merchantCategories: [],
  blockedMerchantCategories: [],
  allowAtm: true,
  allowOnline: true,
  allowInternational: true,
  daysOfWeek: [],
  activeFrom: "",
  activeTo: "",
};

/** The values of a stored policy. */
export function valuesOfPolicy(policy: CardPolicy, { currency, timeZone }: Locale): PolicyValues {
  const { name, description, limits, activeFrom, activeTo, daysOfWeek, ...same } = policy;
  const { allowedMerchants, blockedMerchants, merchantCategories, blockedMerchantCategories } = same;
  const { allowAtm, allowOnline, allowInternational } = same;
  return {
    name,
    description: description ?? "",
    limits: limits.map((limit) => valuesOfLimit(limit, currency)),
    allowedMerchants,
    blockedMerchants,
    merchantCategories,
    blockedMerchantCategories,
    allowAtm,
    allowOnline,
    allowInternational,
    daysOfWeek: daysOfWeek.map(String),
    activeFrom: firstDayOf(activeFrom, timeZone),
    activeTo: lastDayOf(activeTo, timeZone),
  };
}

const firstDayOf = (activeFrom: Date | null, timeZone: string): string =>
  activeFrom === null ? "" : zonedDay(activeFrom, timeZone);

/** The policy ends before `activeTo`, so its last day is that of the moment before. */
const lastDayOf = (activeTo: Date | null, timeZone: string): string =>
  activeTo === null ? "" : zonedDay(new Date(activeTo.getTime() - 1), timeZone);

const valuesOfLimit = ({ amount, interval }: CardPolicy["limits"][number], currency: string) => {
  return { key: interval, amount: amount / 10 ** decimalsOf(currency), interval };
};

/**
 * The values after a change of the policy that lets a purchase pass. It changes the amounts of limits, and nothing else about
 * them, so those stay that are still being written, and are none yet.
 */
export function valuesAfter(
  values: PolicyValues,
  { limits, daysOfWeek, activeFrom, activeTo, ...same }: PassingTerms,
  { currency, timeZone }: Locale,
): PolicyValues {
  return Object.assign({ ...values }, same, {
    ...(limits !== undefined && {
      limits: values.limits.map((limit) => {
        const changed = limits.find(({ interval }) => interval === limit.interval);
        return changed === undefined ? limit : { ...valuesOfLimit(changed, currency), key: limit.key };
      }),
    }),
    ...(daysOfWeek !== undefined && { daysOfWeek: daysOfWeek.map(String) }),
    ...(activeFrom !== undefined && { activeFrom: firstDayOf(activeFrom, timeZone) }),
    ...(activeTo !== undefined && { activeTo: lastDayOf(activeTo, timeZone) }),
  });
}

/**
 * The policy that the form describes. What is not a day yet counts as none, because the draft is tried while people write.
 * A start or an end that is not the beginning of a day stays as it is while nobody changes its day.
 */
export function draftOfValues(
  { name, description, limits, daysOfWeek, activeFrom: firstDay, activeTo: lastDay, ...same }: PolicyValues,
  { currency, timeZone }: Locale,
  stored?: CardPolicy,
): CardPolicyDraft & { name: string } {
  const activeFrom = isDay(firstDay) ? zonedDayStart(firstDay, timeZone) : null;
  const activeTo = isDay(lastDay) ? zonedDayStart(addDays(lastDay, 1), timeZone) : null;
  const before = stored && valuesOfPolicy(stored, { currency, timeZone });
  return {
    ...same,
    name,
    description: description.trim() === "" ? null : description,
    limits: limits.flatMap(({ amount, interval }) => {
      const minor = parseMoney(amount, currency);
      return minor === null ? [] : [{ amount: minor, interval }];
    }),
    daysOfWeek: daysOfWeek.map(Number).toSorted((a, b) => a - b),
    activeFrom: stored && before?.activeFrom === firstDay ? stored.activeFrom : activeFrom,
    activeTo: stored && before?.activeTo === lastDay ? stored.activeTo : activeTo,
  };
}

/**
 * What is wrong with a day before it is saved. A field holds a day while only a part of its year is written, which must not
 * become a policy without an end. A day that is stored may stay.
 */
export const problemOfDay = (day: string, stored: string): string | null =>
  day === "" || day === stored || isDay(day) ? null : "Enter a day";

/** What the form changes in the stored policy. Another user may change the rest at the same time. */
export function changesOfValues(
  values: PolicyValues,
  locale: Locale,
  stored: CardPolicy,
): Partial<CardPolicyDraft> {
  const before = draftOfValues(valuesOfPolicy(stored, locale), locale, stored);
  return changedFields(before, draftOfValues(values, locale, stored));
}

/** What a policy restricts beside amounts, in words. */
export function restrictionsOf(policy: CardPolicy): string[] {
  const lists = [
    [policy.allowedMerchants, "allowed merchant"],
    [policy.blockedMerchants, "blocked merchant"],
    [policy.merchantCategories, "allowed category"],
    [policy.blockedMerchantCategories, "blocked category"],
  ] as const;
  const [only] = policy.allowedMerchants;
  const named = policy.allowedMerchants.length === 1 && only !== undefined ? [`only ${only}`] : [];
  return [
    ...named,
    ...lists.flatMap(([items, what]) =>
      items.length === 0 || (items === policy.allowedMerchants && named.length > 0)
        ? []
        : [`${items.length} ${items.length === 1 ? what : what.replace(/y$/, "ie").concat("s")}`],
    ),
    ...(policy.allowAtm ? [] : ["no cash"]),
    ...(policy.allowOnline ? [] : ["not online"]),
    ...(policy.allowInternational ? [] : ["not abroad"]),
    ...(policy.daysOfWeek.length === 0 ? [] : ["some days"]),
    ...(policy.activeFrom === null && policy.activeTo === null ? [] : ["a period"]),
  ];
}
