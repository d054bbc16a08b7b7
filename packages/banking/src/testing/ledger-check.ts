import { expect } from "vitest";
import { isOwnId } from "../syncs/rules/matching.ts";
import {
  type BankState,
  type Ledger,
  type Naming,
  type Row,
  type Told,
  accountsOf,
  contentOfRow,
  contentOfTold,
  isAlive,
  isListedAs,
  transactionOf,
} from "./ledger-model.ts";

interface Reading {
  naming: Naming;
  /** The first day that was read from a bank without a change log; null if the bank returns everything. */
  windowFrom: string | null;
  /** Whether the bank returned every transaction with an id. */
  gaveIds: boolean;
}

/**
 * The invariant after a successful sync: each of the bank's transactions has exactly one row with the same content, and
 * there are no other rows. Exceptions:
 *
 * - If the bank changes a posted amount under the same id, the change is quarantined and the row stays unchanged.
 * - A bank without a change log returns nothing about earlier days, so earlier rows stay unchanged. A posted row that
 *   is missing from the returned days also stays, and is quarantined.
 * - A bank that returned no ids cannot identify what it already returned in the same read. The next read with ids
 *   removes the leftovers.
 */
export function expectAgreement(
  { naming, windowFrom, gaveIds }: Reading,
  before: Ledger,
  after: Ledger,
  truth: BankState,
): Known {
  const accounts = accountsOf(naming, after);
  const told = truth.told.filter(({ date }) => windowFrom === null || date >= windowFrom);
  const rows = after.rows.filter(isAlive);
  const rowOf = matchRows(naming, rows, told, accounts);
  expect(
    told.filter((one) => !rowOf.has(one)),
    "what the bank has is missing",
  ).toEqual([]);
  for (const [one, row] of rowOf) {
    expect(row.accountId, "the account").toBe(accounts.get(one.account));
    if (isListedAs(row, one)) continue;
    expect(quarantined(after, row), `the row ${JSON.stringify(row)} is not ${JSON.stringify(one)}`).toContain(
      "DIFFERENT_AMOUNT",
    );
    const hadThisAmount = one.history.some(
      ({ amount, status }) => status === "POSTED" && amount === row.amount,
    );
    expect(hadThisAmount && row.amount !== one.amount, "only a booked amount that changes is doubted").toBe(
      true,
    );
    const earlier = rowBefore(before, row);
    if (earlier !== undefined) expect(contentOfRow(row), "a doubted row stays").toBe(contentOfRow(earlier));
  }
  const taken = new Set(rowOf.values());
  const others = rows.filter((row) => !taken.has(row));
  for (const row of others) {
    if (gaveIds || !isOwnId(row.externalId)) expectUntold(windowFrom, before, after, row);
  }
  return new Map([...rowOf].map(([{ root }, row]) => [root, { row, naming }]));
}

function expectUntold(windowFrom: string | null, before: Ledger, after: Ledger, row: Row): void {
  expect(windowFrom, `the bank has no ${JSON.stringify(row)}`).not.toBeNull();
  const earlier = rowBefore(before, row);
  // Transactions that came and went since then were read in between.
  if (earlier !== undefined)
    expect(contentOfRow(row), "what was not read stays as it was").toBe(contentOfRow(earlier));
  if (row.transactionDate < windowFrom!) return expect(earlier, "it was never told of").toBeDefined();
  expect(row.status, "what is pending and missing is gone").toBe("POSTED");
  expect(quarantined(after, row), "what is booked and missing is in quarantine").toContain(
    "MISSING_FROM_WINDOW",
  );
}

const rowBefore = (before: Ledger, { id }: Row) => before.rows.find((row) => row.id === id);

const quarantined = ({ quarantine }: Ledger, { accountId, externalId }: Row) =>
  quarantine
    .filter((one) => one.accountId === accountId && one.externalId === externalId)
    .map(({ reason }) => reason);

/** Finds the row of each transaction by its id or, without one, by its content. Each row is used once. */
function matchRows(
  naming: Naming,
  rows: Row[],
  told: Told[],
  accounts: ReadonlyMap<number, string>,
): Map<Told, Row> {
  const byNumber = new Map(rows.map((row) => [transactionOf(naming, row), row]));
  const matches = new Map<Told, Row>();
  for (const one of told) {
    const row = byNumber.get(one.transaction);
    if (row !== undefined) matches.set(one, row);
  }
  const taken = new Set(matches.values());
  for (const one of told.filter((each) => !matches.has(each))) {
    const content = contentOfTold(one, accounts);
    const row = rows.find(
      (each) =>
        !taken.has(each) &&
        transactionOf(naming, each) === null &&
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
export type Known = Map<number, { row: Row; naming: Naming }>;

/** What changed at the bank since the last read. */
interface Circumstances {
  hidesLinks: boolean;
  gaveBlanks: boolean;
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
 *   row. Transactions with the same content on one day are twins and may swap rows. If a bank without a change log
 *   omitted a row, the transaction returns to it with the consent under which it had that row.
 */
export function expectIdentity(
  { known, after, truth }: { known: Known; after: Ledger; truth: BankState },
  now: Known,
  { hidesLinks, gaveBlanks, formerRows }: Circumstances,
): void {
  const free = new Set<number>();
  for (const [root, { row, naming }] of now) {
    const had = known.get(root);
    if (had === undefined || had.row.id === row.id) continue;
    const isNamed = transactionOf(had.naming, had.row) !== null && transactionOf(naming, row) !== null;
    if (isNamed && !gaveBlanks && had.naming.consentId === naming.consentId) {
      const wasHidden = hidesLinks && had.row.status === "PENDING" && row.status === "POSTED";
      const isCertain = !wasHidden || isUnmistakable(known, after, truth, had.row, row);
      expect(isCertain, `${JSON.stringify(had.row)} has become ${JSON.stringify(row)}`).toBe(false);
      free.add(root);
    }
    if (formerRows.get(root)?.has(row.id)) free.add(root);
  }
  const rowsOf = (all: Known) => Map.groupBy(all, ([, { row }]) => contentOfRow(row));
  const rowsNow = rowsOf(now);
  for (const [content, earlier] of rowsOf(known)) {
    const later = rowsNow.get(content) ?? [];
    const unchanged = earlier.filter(([root]) => !free.has(root) && later.some(([other]) => other === root));
    const ids = new Set(later.map(([, { row }]) => row.id));
    const kept = earlier.filter(([, { row }]) => ids.has(row.id));
    expect(kept.length, `rows that say ${content}`).toBeGreaterThanOrEqual(unchanged.length);
  }
}

const isNear = (one: Row, other: Row) =>
  Math.abs(Date.parse(one.transactionDate) - Date.parse(other.transactionDate)) <= 8 * 86_400_000;

/** Whether the match between this pending row and this posted transaction is unambiguous in both directions. */
function isUnmistakable(known: Known, after: Ledger, truth: BankState, pending: Row, posted: Row): boolean {
  const fits = (one: Row, other: Row) =>
    one.accountId === other.accountId &&
    one.amount === other.amount &&
    one.type === other.type &&
    isNear(one, other);
  if (!fits(pending, posted)) return false;
  const standing = new Set(truth.told.map(({ transaction }) => transaction));
  const gone = [...known.values()].filter(({ row, naming }) => {
    const transaction = transactionOf(naming, row);
    return (
      row.status === "PENDING" && fits(row, posted) && (transaction === null || !standing.has(transaction))
    );
  });
  const earlier = new Set(
    [...known.values()].filter(({ row }) => row.status === "POSTED").map(({ row }) => row.id),
  );
  const rivals = after.rows.filter(
    (row) => row.status === "POSTED" && !earlier.has(row.id) && fits(row, pending),
  );
  return gone.length === 1 && rivals.length === 1;
}

/** The invariants that hold at all times, whether a sync succeeds or not. */
export function expectSoundBooks({ rows, accounts, sources, syncs, pages }: Ledger): void {
  for (const { id, transactionCount } of accounts) {
    const listed = rows.filter((row) => row.accountId === id && row.status === "POSTED");
    expect(transactionCount, "the number of listed transactions").toBe(listed.length);
    const current = sources.filter(
      ({ accountId, supersededAt }) => accountId === id && supersededAt === null,
    );
    expect(current, "an account is fed from one place").toHaveLength(1);
  }
  const sum = (what: "added" | "modified" | "removed") =>
    syncs.reduce((total, sync) => total + sync[what], 0);
  expect(sum("added") - sum("removed"), "what all syncs counted").toBe(rows.filter(isAlive).length);
  for (const sync of syncs) {
    expect(["SUCCEEDED", "FAILED"], "a sync comes to an end").toContain(sync.status);
    if (sync.status === "FAILED") expect([sync.added, sync.modified, sync.removed]).toEqual([0, 0, 0]);
  }
  expect(pages, "nothing of what was read is left").toEqual([]);
}

/** The expected balances: pending debits are already spent, pending credits are not yet received. */
export function expectBalances({ naming }: Reading, after: Ledger, { balances }: BankState): void {
  const accounts = accountsOf(naming, after);
  expect(accounts.size).toBe(balances.length);
  for (const { account, booked, pending } of balances) {
    const ours = after.accounts.find(({ id }) => id === accounts.get(account))!;
    const spendable = ours.type === "CHECKING" || ours.type === "SAVINGS";
    expect(ours.balance).toBe(booked);
    expect(ours.availableBalance).toBe(spendable ? booked + Math.min(0, pending) : null);
  }
}
