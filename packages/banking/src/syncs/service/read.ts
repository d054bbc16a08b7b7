import type { Access, BankProvider, CursorFeed, TransactionData, WindowFeed } from "../../ports.ts";
import { BankError } from "../../ports.ts";

/** What was read of a bank, beside the transactions, which are kept elsewhere, page by page. */
export interface Reading {
  /** Where the next synchronisation goes on. */
  cursor: string;
  /** Keys ({@link removalKey}) of what the bank has removed, and not listed again since. */
  removed: ReadonlySet<string>;
  /** From which day on everything was read, where the bank was asked for days. */
  windowFrom: string | null;
}

/** Where pages are kept until all of them are there. */
export interface Staging {
  add(transactions: TransactionData[]): Promise<void>;
  clear(): Promise<void>;
}

/** How often a reading begins anew because the bank's data changed under it. */
const attempts = 5;

/** How many days are read again by windows: banks change what is that young. */
const overlapDays = 14;

/** Reads everything since the cursor, page by page; null is the beginning. */
export async function readBank(
  { feed }: BankProvider,
  access: Access,
  accountIds: readonly string[],
  { cursor, today }: { cursor: string | null; today: string },
  staging: Staging,
  signal: AbortSignal,
): Promise<Reading> {
  if (feed.kind === "window") return readWindow(feed, access, accountIds, { cursor, today }, staging, signal);
  for (let attempt = 1; ; attempt += 1) {
    await staging.clear();
    try {
      return await readChanges(feed, access, cursor, staging, signal);
    } catch (error) {
      // Its pages are of two states of the bank: none of them counts, and the first one's cursor still holds.
      const hasMoved = error instanceof BankError && error.kind === "mutated" && attempt < attempts;
      if (!hasMoved) throw error;
    }
  }
}

async function readChanges(
  feed: CursorFeed,
  access: Access,
  from: string | null,
  staging: Staging,
  signal: AbortSignal,
): Promise<Reading> {
  const removed = new Set<string>();
  let cursor = from;
  for (;;) {
    const page = await feed.changes(access, cursor, signal);
    const listed = [...page.added, ...page.modified];
    for (const { accountId, externalId } of listed) {
      if (externalId === null) continue;
      removed.delete(removalKey(accountId, externalId));
      removed.delete(removalKey(null, externalId));
    }
    for (const { accountId, externalId } of page.removed) removed.add(removalKey(accountId, externalId));
    if (listed.length > 0) await staging.add(listed);
    if (!page.hasMore) return { cursor: page.cursor, removed, windowFrom: null };
    // A feed that stands still would be read for ever.
    if (page.cursor === cursor) throw new BankError("outage", "The bank's feed does not move on");
    cursor = page.cursor;
  }
}

async function readWindow(
  feed: WindowFeed,
  access: Access,
  accountIds: readonly string[],
  { cursor, today }: { cursor: string | null; today: string },
  staging: Staging,
  signal: AbortSignal,
): Promise<Reading> {
  await staging.clear();
  const windowFrom = cursor === null ? daysBefore(today, feed.historyDays) : daysBefore(cursor, overlapDays);
  for (const accountId of accountIds) {
    for await (const page of feed.transactions(access, accountId, windowFrom, signal)) {
      if (page.length > 0) await staging.add(page);
    }
  }
  return { cursor: today, removed: new Set(), windowFrom };
}

/** Names what was removed: by its account where the bank tells. */
function removalKey(accountId: string | null, externalId: string): string {
  return JSON.stringify([accountId, externalId.trim()]);
}

/** Whether the bank says that it has this no more. */
export function isRemoved(
  { removed }: Reading,
  { accountId, externalId }: { accountId: string | null; externalId: string | null },
): boolean {
  if (externalId === null) return false;
  return removed.has(removalKey(accountId, externalId)) || removed.has(removalKey(null, externalId));
}

function daysBefore(day: string, days: number): string {
  return new Date(Date.parse(day) - days * 24 * 60 * 60 * 1000).toISOString().slice(0, 10);
}
