import type { Transaction } from "@purser/db";
import {
  type LedgerRow,
  type Reported,
  findPosted,
  matchByAmountAndDay,
  formerId,
} from "../rules/reconcile.ts";
import { type Ledger, findPending, updateRows } from "../store/ledger.ts";
import type { IdMapping } from "./id-mapping.ts";
import { type Reading, isRemoved } from "./read.ts";
import { type MatchingIndex, keyOf, pendingRowOf, rowOf, rowsNamedBy } from "./matching-index.ts";

/** What is known where transactions look for their rows. */
export interface MatchContext {
  transaction: Transaction;
  ledger: Ledger;
  naming: IdMapping;
  recognition: MatchingIndex;
  /** Accounts that had rows before. */
  old: ReadonlySet<string>;
  reading: Reading;
  fromBeginning: boolean;
  now: Date;
}

/** Gives for each of these transactions the row that it is, each row once; null for a new one. */
export async function matchRows(
  search: MatchContext,
  reported: Reported[],
): Promise<(one: Reported) => LedgerRow | null> {
  const { transaction, ledger, recognition } = search;
  const byId = await rowsNamedBy(transaction, ledger, reported);
  const unnamed = reported.filter((one) => rowOf(byId, one) === undefined);
  const renamed = await recognition.rowsRenamedTo(unnamed);
  const former = unnamed.filter((one) => renamed.has(keyOf(one))).map((one) => byId.get(keyOf(one)));
  await freeIds(
    search,
    former.filter((row) => row !== undefined),
  );
  const unknown = unnamed.filter((one) => !renamed.has(keyOf(one)));
  const { pending, reworded } = await candidatesFor(search, unknown);
  const taken = new Set<string>();
  const isFree = (row: LedgerRow) => !taken.has(row.id);
  return (one) => {
    const own = byId.get(keyOf(one));
    const named = [rowOf(byId, one), renamed.get(keyOf(one)), own, pendingRowOf(byId, one)];
    const row =
      named.find((each) => each !== undefined && isFree(each)) ??
      (one.status === "POSTED" ? findPosted(pending.filter(isFree), one) : null) ??
      matchByAmountAndDay(reworded.filter(isFree), one);
    if (row !== null) taken.add(row.id);
    return row;
  };
}

/** Takes their ids from rows that were taken away, where other rows are to have them. */
async function freeIds({ transaction, ledger, now }: MatchContext, rows: LedgerRow[]): Promise<void> {
  const freed = rows.map((row) => ({ ...row, externalId: formerId(row) }));
  await updateRows(transaction, ledger.organizationId, freed, now);
}

/** Rows that the bank does not list any more: an unknown transaction may be one of them. */
async function candidatesFor(
  search: MatchContext,
  unknown: Reported[],
): Promise<{ pending: LedgerRow[]; reworded: LedgerRow[] }> {
  const { transaction, ledger, recognition, old, fromBeginning } = search;
  const ofOld = unknown.filter(({ accountId }) => old.has(accountId));
  const posted = ofOld.filter(({ status }) => status === "POSTED");
  const pending = posted.length === 0 ? [] : await findPending(transaction, ledger, posted);
  const ofRenamed = ofOld.filter(({ accountId }) => !recognition.keepsIds(accountId));
  return {
    pending: pending.filter((row) => isGone(search, row) && !recognition.isLinkedToPosted(row)),
    reworded: fromBeginning ? await recognition.unseenOn(ofRenamed) : [],
  };
}

function isGone(
  { naming, recognition, reading }: MatchContext,
  { id, accountId, externalId }: LedgerRow,
): boolean {
  if (naming.listsAll) return !recognition.hasSeen(id);
  return isRemoved(reading, { accountId: externalAccount(naming, accountId), externalId });
}

function externalAccount({ accountOf }: IdMapping, accountId: string): string | null {
  for (const [externalId, id] of accountOf) if (id === accountId) return externalId;
  return null;
}
