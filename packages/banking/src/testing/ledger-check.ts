import { dayMs } from "@purser/core";
import { expect } from "vitest";
import type { TransactionData } from "../ports.ts";
import { isSyntheticId } from "../syncs/rules/matching.ts";
import { lexemesOf } from "../transactions/lexemes.ts";
import {
  type BankState,
  type StoredLedger,
  type CurrentConsent,
  type StoredRow,
  type ListedTransaction,
  accountsOf,
  contentOfRow,
  contentOfListed,
  contentOfRepeated,
  isPresent,
  isListedAs,
  totalsOfRows,
  totalsStored,
  transactionOf,
} from "./ledger-model.ts";

interface LatestRead {
  consent: CurrentConsent;
  /** The first day that was read from a bank without a change feed; null if the bank returns everything. */
  windowFrom: string | null;
  /** The first day that was read of an account with an older pending row, by our id of the account. */
  pendingSince: ReadonlyMap<string, string>;
  /** Whether the bank returned every transaction with an id. */
  hasAllIds: boolean;
  /** What the bank without a change feed listed under the id of another transaction. */
  repeated: readonly TransactionData[];
}

/**
 * The invariant after a successful sync: each of the bank's transactions has exactly one row with the same content, and
 * there are no other rows. Exceptions:
 *
 * - If a bank with a change feed changes a posted amount under the same id, the change is quarantined and the row stays
 *   unchanged.
 * - A bank without a change feed returns nothing about earlier days, so earlier rows stay unchanged.
 * - What a bank without a change feed lists under the id of another transaction has a row as well, until the next read
 *   of its day.
 * - A bank that returned no ids cannot identify what it already returned in the same read. The next read with ids
 *   removes the leftovers.
 */
export function expectAgreement(
  reading: LatestRead,
  before: StoredLedger,
  after: StoredLedger,
  truth: BankState,
): RowsByRoot {
  const { consent, windowFrom, hasAllIds, repeated } = reading;
  const accounts = accountsOf(consent, after);
  const listed = truth.listed.filter(({ date }) => windowFrom === null || date >= windowFrom);
  const rows = after.rows.filter(isPresent);
  const rowOf = matchRows(consent, rows, listed, accounts);
  expect(
    listed.filter((one) => !rowOf.has(one)),
    "listed transactions without a row",
  ).toEqual([]);
  for (const [one, row] of rowOf) {
    expect(row.accountId, "the account").toBe(accounts.get(one.account));
    if (isListedAs(row, one)) continue;
    expect(windowFrom, `the row ${JSON.stringify(row)} is not ${JSON.stringify(one)}`).toBeNull();
    expect(quarantined(after, row), `the row ${JSON.stringify(row)} is not ${JSON.stringify(one)}`).toContain(
      "DIFFERENT_AMOUNT",
    );
    const hadThisAmount = one.history.some(
      ({ amount, status }) => status === "POSTED" && amount === row.amount,
    );
    expect(
      hadThisAmount && row.amount !== one.amount,
      "only a posted amount that changes is quarantined",
    ).toBe(true);
    const earlier = rowBefore(before, row);
    if (earlier !== undefined)
      expect(contentOfRow(row), "a quarantined row stays as it was").toBe(contentOfRow(earlier));
  }
  const taken = new Set(rowOf.values());
  const others = rows.filter((row) => !taken.has(row));
  const repeatedContents = repeated.map((one) => contentOfRepeated(consent, one, accounts));
  for (const row of others) {
    const index = isSyntheticId(row.externalId) ? repeatedContents.indexOf(contentOfRow(row)) : -1;
    if (index >= 0) repeatedContents.splice(index, 1);
    else if (hasAllIds || !isSyntheticId(row.externalId)) expectUnlisted(reading, before, row);
  }
  expect(repeatedContents, "what is listed under the id of another transaction, without a row").toEqual([]);
  return new Map([...rowOf].map(([{ root }, row]) => [root, { row, consent }]));
}

function expectUnlisted(reading: LatestRead, before: StoredLedger, row: StoredRow): void {
  const { windowFrom } = reading;
  expect(windowFrom, `the bank does not list ${JSON.stringify(row)}`).not.toBeNull();
  if (isSincePending(reading, row)) return;
  const earlier = rowBefore(before, row);
  // Transactions that came and went since then were read in between.
  if (earlier !== undefined)
    expect(contentOfRow(row), "a row that was not read stays as it was").toBe(contentOfRow(earlier));
  expect(earlier, "the row was never listed").toBeDefined();
  expect(row.transactionDate < windowFrom!, "a row that the bank omits is removed").toBe(true);
}

/** Whether the day of a row was read only if its account still had its oldest pending row in the latest read. */
const isSincePending = ({ pendingSince }: LatestRead, { accountId, transactionDate }: StoredRow) =>
  transactionDate >= (pendingSince.get(accountId) ?? "9999-12-31");

const rowBefore = (before: StoredLedger, { id }: StoredRow) => before.rows.find((row) => row.id === id);

const quarantined = ({ quarantine }: StoredLedger, { accountId, externalId }: StoredRow) =>
  quarantine
    .filter((one) => one.accountId === accountId && one.externalId === externalId)
    .map(({ reason }) => reason);

/** Finds the row of each transaction by its id or, without one, by its content. Each row is used once. */
function matchRows(
  consent: CurrentConsent,
  rows: StoredRow[],
  listed: ListedTransaction[],
  accounts: ReadonlyMap<number, string>,
): Map<ListedTransaction, StoredRow> {
  const byNumber = new Map(rows.map((row) => [transactionOf(consent, row), row]));
  const matches = new Map<ListedTransaction, StoredRow>();
  for (const one of listed) {
    const row = byNumber.get(one.transaction);
    if (row !== undefined) matches.set(one, row);
  }
  const taken = new Set(matches.values());
  for (const one of listed.filter((each) => !matches.has(each))) {
    const content = contentOfListed(one, accounts);
    const row = rows.find(
      (each) =>
        !taken.has(each) &&
        transactionOf(consent, each) === null &&
        contentOfRow(each) === content &&
        isListedAs(each, one),
    );
    if (row === undefined) continue;
    taken.add(row);
    matches.set(one, row);
  }
  return matches;
}

/** The rows of the bank's transactions, keyed by the first transaction that became each of them. */
export type RowsByRoot = Map<number, { row: StoredRow; consent: CurrentConsent }>;

/** What changed at the bank since the last read. */
interface Circumstances {
  /** Whether the bank has no change feed. */
  isWindow: boolean;
  hidesLinks: boolean;
  returnedBlankIds: boolean;
  /** The earlier rows of a transaction. It may return to them. */
  formerRows: ReadonlyMap<number, ReadonlySet<string>>;
}

/**
 * The invariant of identity: a transaction keeps its row.
 *
 * - This is certain while the bank uses one id, or links the posted transaction to the pending one.
 * - If the bank hides that link, a posted transaction keeps its row only if the match is unambiguous: within eight
 *   days, one pending row of its account, direction and amount disappeared, and no other posted transaction matches.
 * - If the bank returns no ids, or new ids after it was linked again, a transaction with the same content keeps its
 *   row. Transactions with the same content on one day are duplicates and may swap rows, also with a row that has lost
 *   its transaction: a bank without a change feed does not show which of the two it still lists. If such a bank omitted a
 *   row, the transaction returns to it. A change feed without ids lists each version of a transaction, and an earlier
 *   version may have the content of another transaction: these swap rows as well.
 * - A posted transaction of such a bank with another amount gets another row: the earlier one is quarantined.
 */
export function expectIdentity(
  {
    known,
    before,
    after,
    truth,
  }: { known: RowsByRoot; before: StoredLedger; after: StoredLedger; truth: BankState },
  now: RowsByRoot,
  { isWindow, hidesLinks, returnedBlankIds, formerRows }: Circumstances,
): void {
  const free = new Set<number>();
  for (const [root, { row, consent }] of now) {
    const had = known.get(root);
    if (had === undefined || had.row.id === row.id) continue;
    const isNamed = transactionOf(had.consent, had.row) !== null && transactionOf(consent, row) !== null;
    const isPosting = had.row.status === "PENDING" && row.status === "POSTED";
    const isAmbiguous = isPosting && !isUnmistakable(known, after, truth, had.row, row);
    // A transaction without ids has no link either.
    if (returnedBlankIds && isAmbiguous) free.add(root);
    if (isNamed && !returnedBlankIds && had.consent.consentId === consent.consentId) {
      const hasOtherAmount = isWindow && had.row.status === "POSTED" && had.row.amount !== row.amount;
      const isCertain = !hasOtherAmount && !(hidesLinks && isAmbiguous);
      expect(isCertain, `${JSON.stringify(had.row)} has become ${JSON.stringify(row)}`).toBe(false);
      free.add(root);
    }
    if (formerRows.get(root)?.has(row.id)) free.add(root);
  }
  const rowsOf = (all: RowsByRoot) => Map.groupBy(all, ([, { row }]) => contentOfRow(row));
  const rowsNow = rowsOf(now);
  const knownIds = new Set([...known.values()].map(({ row }) => row.id));
  const stale = before.rows.filter((row) => isPresent(row) && !knownIds.has(row.id));
  const nowIds = new Set([...now.values()].map(({ row }) => row.id));
  const mayBeVersion = (row: StoredRow) =>
    returnedBlankIds && !isWindow && !nowIds.has(row.id) && isSyntheticId(row.externalId);
  const versions = after.rows.filter((row) => isPresent(row) && mayBeVersion(row));
  for (const [content, earlier] of rowsOf(known)) {
    const later = rowsNow.get(content) ?? [];
    const unchanged = earlier.filter(([root]) => !free.has(root) && later.some(([other]) => other === root));
    const ofContent = versions.filter((row) => contentOfRow(row) === content);
    const ids = new Set([...later.map(([, { row }]) => row), ...ofContent].map(({ id }) => id));
    const alike = stale.filter((row) => contentOfRow(row) === content);
    const kept = [...earlier.map(([, { row }]) => row), ...alike].filter(({ id }) => ids.has(id));
    expect(kept.length, `rows with the content ${content}`).toBeGreaterThanOrEqual(unchanged.length);
  }
}

/**
 * The rows of transactions that the latest reading did not list because their days were not read. Each stays, unless
 * another transaction has it: a pending row may be that of a posted transaction which the bank does not link to it.
 * The days of the pending one were not read, so the match is unknown, and one of the same amount within eight days may
 * take it. Of the days that were read, duplicates may swap rows, and one of them may then move to an earlier day.
 */
export function expectUnread(
  reading: LatestRead,
  { known, after, truth }: { known: RowsByRoot; after: StoredLedger; truth: BankState },
  now: RowsByRoot,
): RowsByRoot {
  const alive = new Set(after.rows.filter(isPresent).map(({ id }) => id));
  const takers = new Map([...now.values()].map(({ row }) => [row.id, row]));
  const listedRoots = new Set(truth.listed.map(({ root }) => root));
  const unread = [...known].filter(([root, { row }]) => !now.has(root) && alive.has(row.id));
  for (const [root, { row }] of unread) {
    const taker = takers.get(row.id);
    const { windowFrom } = reading;
    const wasRead = windowFrom === null || row.transactionDate >= windowFrom || isSincePending(reading, row);
    if (taker === undefined || wasRead || !listedRoots.has(root)) continue;
    const mayBePosted = row.status === "PENDING" && taker.status === "POSTED" && mayPost(row, taker);
    expect(mayBePosted, `${JSON.stringify(taker)} has the row of ${JSON.stringify(row)}`).toBe(true);
  }
  return new Map(unread.filter(([, { row }]) => !takers.has(row.id)));
}

/** Whether one row may be the posting of the other: the same account, amount and direction within eight days. */
const mayPost = (one: StoredRow, other: StoredRow) =>
  one.accountId === other.accountId &&
  one.amount === other.amount &&
  one.type === other.type &&
  Math.abs(Date.parse(one.transactionDate) - Date.parse(other.transactionDate)) <= 8 * dayMs;

/** Whether the match between this pending row and this posted transaction is unambiguous in both directions. */
function isUnmistakable(
  known: RowsByRoot,
  after: StoredLedger,
  truth: BankState,
  pending: StoredRow,
  posted: StoredRow,
): boolean {
  if (!mayPost(pending, posted)) return false;
  const listedNumbers = new Set(truth.listed.map(({ transaction }) => transaction));
  const gone = [...known.values()].filter(({ row, consent }) => {
    const transaction = transactionOf(consent, row);
    return (
      row.status === "PENDING" &&
      mayPost(row, posted) &&
      (transaction === null || !listedNumbers.has(transaction))
    );
  });
  const earlier = new Set(
    [...known.values()].filter(({ row }) => row.status === "POSTED").map(({ row }) => row.id),
  );
  const rivals = after.rows.filter(
    (row) => row.status === "POSTED" && !earlier.has(row.id) && mayPost(row, pending),
  );
  return gone.length === 1 && rivals.length === 1;
}

/** The invariants that hold at all times, whether a sync succeeds or not. */
export function expectSoundBooks(ledger: StoredLedger): void {
  const { rows, accounts, sources, syncs, pages } = ledger;
  expect(totalsStored(ledger), "the daily totals").toEqual(totalsOfRows(rows));
  const isFound = (row: StoredRow) => lexemesIn(row.search) === lexemesIn(lexemesOf(row.organizationId, row));
  expect(
    rows.filter((row) => !isFound(row)),
    "rows that are found by something else",
  ).toEqual([]);
  for (const { id, transactionCount } of accounts) {
    const listed = rows.filter((row) => row.accountId === id && row.status === "POSTED");
    expect(transactionCount, "the number of listed transactions").toBe(listed.length);
    const current = sources.filter(
      ({ accountId, supersededAt }) => accountId === id && supersededAt === null,
    );
    expect(current, "an account has one current source").toHaveLength(1);
  }
  const sum = (what: "added" | "modified" | "removed") =>
    syncs.reduce((total, sync) => total + sync[what], 0);
  expect(sum("added") - sum("removed"), "the sum of all counts").toBe(rows.filter(isPresent).length);
  for (const sync of syncs) {
    expect(["SUCCEEDED", "FAILED"], "every sync ends").toContain(sync.status);
    if (sync.status === "FAILED") expect([sync.added, sync.modified, sync.removed]).toEqual([0, 0, 0]);
  }
  expect(pages, "no staged page is left").toEqual([]);
}

/** The lexemes of a `tsvector` in its text form, or of a text, in one order. None of ours has a quote. */
const lexemesIn = (search: string | null): string =>
  [...new Set(search?.replaceAll("'", "").split(" "))].toSorted().join(" ");

/** The expected balances: pending debits are already spent, pending credits are not yet received. */
export function expectBalances({ consent }: LatestRead, after: StoredLedger, { balances }: BankState): void {
  const accounts = accountsOf(consent, after);
  expect(accounts.size).toBe(balances.length);
  for (const { account, booked, pending } of balances) {
    const ours = after.accounts.find(({ id }) => id === accounts.get(account))!;
    const spendable = ours.type === "CHECKING" || ours.type === "SAVINGS";
    expect(ours.balance).toBe(booked);
    expect(ours.availableBalance).toBe(spendable ? booked + Math.min(0, pending) : null);
  }
}
