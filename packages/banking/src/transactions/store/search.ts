import { type Executor, bankTransactions } from "@purser/db";
import { type Column, type SQL, and, desc, or, sql } from "drizzle-orm";
import { type Search, firstDayOf, monthOf, termOfMonths, searchTermsOf, tsqueryOf } from "../lexemes.ts";
import {
  type FilteredColumns,
  type ListPosition,
  type ListedRow,
  type TransactionFilter,
  fitsFilter,
  hasSeveral,
  isListed,
  isOfAccounts,
  listedColumns,
} from "./list.ts";

/** The limits of the steps. Within them, each takes about 30 ms at most. */
const productionLimits = {
  /** How many rows the first walk reads, and the second one. */
  firstWalk: 3000,
  secondWalk: 20_000,
  /** So many matches in the walks are a sign of too many in all to sort them at once. */
  frequent: 10,
  /** Up to so many matches are sorted at once. */
  sorted: 4000,
  /** A term that is so many times as frequent as the rarest one is checked on the rows. */
  common: 2,
  /** How many months each look-up covers. Together they cover ten years. The last look-up has no limit. */
  windows: [1, 2, 4, 8, 16, 32, 64],
};

/**
 * Lists the transactions that match a search, newest first. Which plan is fast depends on how often the words occur, which
 * PostgreSQL cannot know for each organization. So this tries in turn, and each step has a limit:
 *
 * 1. Walk the list a little and check each row. This suffices for very frequent words, and for a short list.
 * 2. If so many of the rows matched that a longer walk should fill the page, walk further.
 * 3. If the walks found hardly any, look up the matches of all time, if they are few.
 * 4. Look up the matches of the month, of the two months before, of the four before these, until the page is full. Only
 *    the rare terms are looked up: the index collects all rows of a frequent one before it finds the few that match both.
 */
export async function searchTransactionRows(
  db: Executor,
  filter: TransactionFilter,
  search: Search,
  rows: number,
  limits = productionLimits,
): Promise<ListedRow[]> {
  if (filter.accountIds?.length === 0) return [];
  const terms = searchTermsOf(search);
  const first = await walk(db, filter, terms, { steps: limits.firstWalk, rows });
  if (first.next === null) return first.found;
  let { found, next } = first;
  const from = (): TransactionFilter => ({ ...filter, after: next });
  const missing = () => rows - found.length;
  if (found.length * limits.secondWalk >= missing() * limits.firstWalk) {
    const second = await walk(db, from(), terms, { steps: limits.secondWalk, rows: missing() });
    found = [...found, ...second.found];
    if (second.next === null) return found;
    next = second.next;
  }
  if (found.length < limits.frequent) {
    const few = await lookUpFew(db, from(), tsqueryOf(terms), { most: limits.sorted, rows: missing() });
    if (few !== null) return [...found, ...few];
  }

  const counts = terms.length === 1 ? [1] : await countTerms(db, filter, terms, limits.firstWalk);
  const mostOfRare = Math.max(1, Math.min(...counts)) * limits.common;
  const isRare = (index: number) => counts[index]! <= mostOfRare;
  const rare = terms.filter((_, index) => isRare(index));
  const checked = terms.filter((_, index) => !isRare(index));
  const lookUpNext = (where: TransactionFilter, months: string[]) =>
    lookUp(db, where, { indexed: [...rare, ...months], checked }, missing());
  let month = monthOf(next.transactionDate);
  const firstMonth = monthOf(filter.firstDay ?? "0001-01-01");
  for (const size of limits.windows) {
    const months = Array.from({ length: size }, (_, back) => month - back);
    found = [...found, ...(await lookUpNext(from(), [termOfMonths(filter.organizationId, months)]))];
    month -= size;
    if (missing() === 0 || month < firstMonth) return found;
  }
  const rest = { ...filter, after: { transactionDate: firstDayOf(month + 1), id: "" } };
  return [...found, ...(await lookUpNext(rest, []))];
}

interface Walk {
  found: ListedRow[];
  /** Where to continue; null if the page is full, or if the list ends. */
  next: ListPosition | null;
}

/** Reads so many rows in list order, and returns those that match. */
async function walk(
  db: Executor,
  filter: TransactionFilter,
  terms: readonly string[],
  { steps, rows }: { steps: number; rows: number },
): Promise<Walk> {
  const walked = db
    .select({
      ...listedColumns,
      lexemes: bankTransactions.search,
      step: sql<number>`row_number() OVER (ORDER BY ${inOrder})`.as("step"),
    })
    .from(bankTransactions)
    .where(isWalked(filter))
    .orderBy(inOrder)
    .limit(steps)
    .as("walked");
  const isMatch = and(isOfAccounts(filter, walked.accountId), matches(walked.lexemes, tsqueryOf(terms)));
  const { lexemes: _lexemes, step: _step, ...fields } = walked._.selectedFields;
  const found = await db
    .select({ ...fields, isMatch: sql<boolean>`${isMatch}`, isLast: sql<boolean>`${walked.step} = ${steps}` })
    .from(walked)
    .where(or(sql`${walked.step} = ${steps}`, isMatch))
    .orderBy(desc(walked.transactionDate), desc(walked.id))
    .limit(rows + 1);
  const page = found.filter((row) => row.isMatch).slice(0, rows);
  const last = found.find(({ isLast }) => isLast);
  return {
    found: page.map(withoutMarks),
    next: page.length < rows && last !== undefined ? last : null,
  };
}

const inOrder = sql`${bankTransactions.transactionDate} DESC, ${bankTransactions.id} DESC`;

/** No index orders several accounts by day, so these are checked on the rows that the walk has read. */
const isWalked = (filter: TransactionFilter): SQL | undefined =>
  and(isListed(filter), hasSeveral(filter.accountIds) ? undefined : isOfAccounts(filter), fitsFilter(filter));

const withoutMarks = <Row extends { isMatch: boolean; isLast: boolean }>({
  isMatch: _isMatch,
  isLast: _isLast,
  ...row
}: Row) => row;

/** How many of the rows of a walk have each term. */
async function countTerms(
  db: Executor,
  filter: TransactionFilter,
  terms: readonly string[],
  steps: number,
): Promise<number[]> {
  const walked = db
    .select({ lexemes: bankTransactions.search })
    .from(bankTransactions)
    .where(isWalked(filter))
    .orderBy(inOrder)
    .limit(steps)
    .as("walked");
  const counts = terms.map((term) => sql`count(*) FILTER (WHERE ${matches(walked.lexemes, term)})`);
  const [counted] = await db
    .select({ counts: sql<number[]>`json_build_array(${sql.join(counts, sql`, `)})` })
    .from(walked);
  return counted!.counts;
}

const matches = (lexemes: Column | SQL, tsquery: string): SQL => sql`${lexemes} @@ ${tsquery}::tsquery`;

/**
 * Finds the matches of a `tsquery` like {@link lookUp}. Returns null if the organization has more than `most` of them,
 * whether they fit the filter or not.
 */
async function lookUpFew(
  db: Executor,
  filter: TransactionFilter,
  tsquery: string,
  { most, rows }: { most: number; rows: number },
): Promise<ListedRow[] | null> {
  const some = db
    .select({ ...listedColumns })
    .from(bankTransactions)
    .where(isInIndex(filter, tsquery))
    .limit(most + 1)
    .as("some");
  const counted = db
    .select({
      ...some._.selectedFields,
      position: sql<number>`row_number() OVER ()`.as("position"),
      isTooMany: sql<boolean>`count(*) OVER () > ${most}`.as("is_too_many"),
    })
    .from(some)
    .as("counted");
  const { position, isTooMany, ...fields } = counted._.selectedFields;
  const found = await db
    .select({ ...fields, isTooMany })
    .from(counted)
    // Of too many, one row suffices to say so.
    .where(sql`CASE WHEN ${isTooMany} THEN ${position} = 1 ELSE ${fits(filter, counted)} END`)
    .orderBy(desc(counted.transactionDate), desc(counted.id))
    .limit(rows);
  if (found[0]?.isTooMany === true) return null;
  return found.map(({ isTooMany: _isTooMany, ...row }) => row);
}

/** Finds the rows with all `indexed` terms by the index, then those of them that fit and have the others, newest first. */
async function lookUp(
  db: Executor,
  filter: TransactionFilter,
  { indexed, checked }: { indexed: readonly string[]; checked: readonly string[] },
  rows: number,
): Promise<ListedRow[]> {
  // The offset separates the look-up: no condition may lead the planner to another index.
  const matching = db
    .select({ ...listedColumns, lexemes: bankTransactions.search })
    .from(bankTransactions)
    .where(isInIndex(filter, tsqueryOf(indexed)))
    .offset(sql.raw("0") as never)
    .as("matching");
  const { lexemes, ...fields } = matching._.selectedFields;
  return db
    .select(fields)
    .from(matching)
    .where(
      and(fits(filter, matching), checked.length === 0 ? undefined : matches(lexemes, tsqueryOf(checked))),
    )
    .orderBy(desc(matching.transactionDate), desc(matching.id))
    .limit(rows);
}

const isInIndex = (filter: TransactionFilter, tsquery: string): SQL =>
  and(isListed(filter), matches(bankTransactions.search, tsquery))!;

/** Whether a match is of the accounts of the filter, and fits the rest of it. */
const fits = (filter: TransactionFilter, row: FilteredColumns & { accountId: Column }): SQL =>
  and(isOfAccounts(filter, row.accountId), fitsFilter(filter, row)) ?? sql`true`;
