import { addToDay, utcDay } from "@purser/core";
import type { BankingPlatform } from "../../context.ts";
import { type Access, BankError, type WindowFeed, minHistoryDays } from "../../ports.ts";
import type { BankReading } from "../rules/matching.ts";
import { firstDayToRead } from "../rules/windows.ts";
import { listPendingSince } from "../store/accounts.ts";
import type { SyncRow } from "../store/runs.ts";
import type { Staging } from "./apply.ts";

/** The first of the days that every bank lists. */
const servedSince = (today: string): string => addToDay(today, -minHistoryDays);

interface DaysRequest {
  feed: WindowFeed;
  access: Access;
  /** The bank's ids of the accounts. */
  accountIds: readonly string[];
  /** Accounts that the bank lists and that cannot be read. */
  unreadable: readonly string[];
  /** Accounts that this connection has never read. */
  adopted: ReadonlySet<string>;
  /** The day of the last reading; null for the whole history. */
  since: string | null;
  /** Whether the bank has refused earlier days. */
  isBackfilling: boolean;
}

/**
 * Reads the days since the last sync, and again those that the bank may still change. From null and for adopted accounts,
 * it reads the whole history. Fails if the bank refuses every account.
 */
export async function readDays(
  { db, clock }: Pick<BankingPlatform, "db" | "clock">,
  sync: SyncRow,
  { feed, access, accountIds, unreadable, adopted, since, isBackfilling }: DaysRequest,
  staging: Staging,
  signal: AbortSignal,
): Promise<BankReading> {
  await staging.clear();
  const today = utcDay(clock.now());
  const pendingSince = await listPendingSince(db, sync, servedSince(today));
  const days = { today, since, historyDays: feed.historyDays, pendingSince: null };
  const windows = new Map<string, string>();
  const refused = new Set<string>();
  let isHistoryComplete = since === null || !isBackfilling;
  const readFrom = async (accountId: string, day: string) => {
    const pages = feed.transactions(access, accountId, day, signal, staging.reportUnreadable);
    for await (const page of pages) await staging.add(page);
    windows.set(accountId, day);
  };
  // An account that cannot be read still has transactions. A new one has to wait.
  const owned = unreadable.filter((accountId) => pendingSince.has(accountId));
  // What is read twice counts twice.
  for (const accountId of new Set([...accountIds, ...owned])) {
    const own = {
      since: adopted.has(accountId) ? null : since,
      pendingSince: pendingSince.get(accountId) ?? null,
    };
    await readFrom(accountId, firstDayToRead({ ...days, ...own }))
      .catch((error: unknown) => {
        if (!BankError.is(error, "history_unavailable")) throw error;
        isHistoryComplete = false;
        return readFrom(accountId, servedSince(today));
      })
      .catch((error: unknown) => {
        if (!BankError.is(error, "account_refused")) throw error;
        refused.add(accountId);
        const problem = "The bank refuses the transactions of this account.";
        staging.reportUnreadable({ kind: "account", accountId, externalId: null, problem });
      });
  }
  // As a success it would look like a bank that has nothing new. A failure is retried and shown.
  if (refused.size > 0 && windows.size === 0)
    throw new BankError("outage", "The bank refuses the transactions of every account");
  return {
    cursor: today,
    removed: new Set(),
    windowFrom: firstDayToRead(days),
    windows,
    refused,
    isHistoryComplete,
  };
}
