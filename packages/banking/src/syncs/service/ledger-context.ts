import type { Transaction } from "@purser/db";
import type { UnreadableItem } from "../../ports.ts";
import type { StagedReading } from "../rules/matching.ts";
import type { LedgerKey } from "../store/ledger.ts";
import type { ChangeCounter } from "./change-counter.ts";

/** What a sync has read, and how its ledger is brought up to date with it. */
export interface LedgerScope {
  reading: StagedReading;
  unreadable: readonly UnreadableItem[];
  /** Our account for each of the bank's; null for one that another connection owns, or that could not be read. */
  accountOf: ReadonlyMap<string, string | null>;
  /** Whether the sync reads the feed from its beginning: then a row that it does not return may be gone. */
  isFullRead: boolean;
  /** Whether such a reading holds the whole history. */
  isComplete: boolean;
  /** Whether earlier readings of this feed lacked earlier days, which the bank may add later. */
  isBackfilling: boolean;
  /** Whether the consent covers transactions. If it does not, their absence says nothing. */
  showsTransactions: boolean;
  now: Date;
}

/** What the parts of one update of a ledger share. */
export interface LedgerContext extends LedgerScope {
  transaction: Transaction;
  ledger: LedgerKey;
  counter: ChangeCounter;
  /** Whether the bank lists all that it has, and not only what changed. */
  listsAll: boolean;
  /** The day of each account from which the bank lists everything; empty for a change feed. */
  listedFrom: ReadonlyMap<string, string>;
  /** Accounts that had rows before this sync: only their rows can be matched. */
  knownAccounts: ReadonlySet<string>;
  /** The epochs of accounts that were linked again, see {@link epochOf}. */
  epochs: ReadonlyMap<string, number>;
  hasQuarantined: boolean;
}

/** The epoch of an account. A row of an earlier one has an id that its bank no longer uses. */
export const epochOf = ({ epochs }: LedgerContext, { accountId }: { accountId: string }): number =>
  epochs.get(accountId) ?? 0;
