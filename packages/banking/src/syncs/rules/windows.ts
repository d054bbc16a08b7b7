import { addToDay } from "@purser/core";
import type { BankReading } from "./matching.ts";

/** The number of days that are read again: banks change transactions this recent. */
const overlapDays = 14;

interface ReadDays {
  today: string;
  /** The day of the last reading; null to read the whole history. */
  since: string | null;
  historyDays: number;
  /** The day of the oldest pending row of the account that every bank lists; null without one. */
  pendingSince: string | null;
}

/** The first day to read of an account: its last days again, and those since it has a pending transaction. */
export function firstDayToRead({ today, since, historyDays, pendingSince }: ReadDays): string {
  if (since === null) return addToDay(today, -historyDays);
  const recent = addToDay(since, -overlapDays);
  return pendingSince !== null && pendingSince < recent ? pendingSince : recent;
}

interface ListedDays {
  /** The bank's id of the account. */
  externalId: string;
  /** The first day of which the bank listed a transaction. */
  firstListed: string | undefined;
  /** The first of the days that every bank lists. */
  servedFrom: string;
}

/**
 * The first day from which a row that the bank does not list is missing; null for a bank that reports changes, and for an account
 * that it refuses. Days
 * before `servedFrom` are listed as far back as the bank goes, which the first listed row of the account shows.
 */
export function missingFrom(
  { windowFrom, windows, refused }: Pick<BankReading, "windowFrom" | "windows" | "refused">,
  { externalId, firstListed, servedFrom }: ListedDays,
): string | null {
  if (windowFrom === null || refused?.has(externalId)) return null;
  const from = windows?.get(externalId) ?? windowFrom;
  if (from >= servedFrom) return from;
  const listed = firstListed !== undefined && firstListed < servedFrom ? firstListed : servedFrom;
  return from > listed ? from : listed;
}
