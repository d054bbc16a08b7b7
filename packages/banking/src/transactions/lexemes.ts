import { wordsOf } from "@purser/core";

/**
 * The search index of transactions: each row has a `tsvector` of lexemes, made here and not by PostgreSQL's dictionaries.
 * Every lexeme begins with the end of the organization's id, so that a look-up reads the entries of one organization only.
 * It has one lexeme for each word, one for its month, and one for its amount.
 */

/** What is indexed of a transaction. */
export interface SearchableRow {
  description: string;
  merchantName: string | null;
  transactionDate: string;
  amount: number;
}

/** The lexemes of a row, separated by spaces. */
export function lexemesOf(organizationId: string, row: SearchableRow): string {
  const key = keyOfOrganization(organizationId);
  const text = row.merchantName === null ? row.description : `${row.description} ${row.merchantName}`;
  // Concatenated, since every synced row passes here.
  let lexemes = `${key}${monthLexeme(monthOf(row.transactionDate))} ${key}${amountLexeme(row.amount)}`;
  for (const word of wordsOf(text)) lexemes += ` ${key}${word}`;
  return lexemes;
}

/** What a search asks for. */
export interface Search {
  organizationId: string;
  /** Each must begin a word of the row. */
  words: readonly string[];
  minAmount: number | undefined;
  maxAmount: number | undefined;
}

/** What a row must have, each as a `tsquery`: every word, and the amount if there is a range. */
export function searchTermsOf({ organizationId, words, minAmount, maxAmount }: Search): string[] {
  const key = keyOfOrganization(organizationId);
  const terms = words.map((word) => `'${key}${word}':*`);
  if (minAmount !== undefined || maxAmount !== undefined) {
    const prefixes = amountPrefixes(minAmount ?? 0, maxAmount ?? Number.MAX_SAFE_INTEGER);
    terms.push(anyOfTerms(prefixes.map((prefix) => `'${key}${prefix}':*`)));
  }
  return terms;
}

/** The term for a row of one of these months. */
export function termOfMonths(organizationId: string, months: readonly number[]): string {
  const key = keyOfOrganization(organizationId);
  return anyOfTerms(months.map((month) => `'${key}${monthLexeme(month)}'`));
}

/** Writes terms that a row must all have as one `tsquery`. */
export const tsqueryOf = (terms: readonly string[]): string => terms.join(" & ");

const anyOfTerms = (terms: readonly string[]): string => `(${terms.join(" | ")})`;

// The end of an id is random. Where two organizations share it, the condition on the organization separates them.
const keyOfOrganization = (organizationId: string): string => organizationId.slice(-6);

/** The number of a day's month. Months are counted, so that the month before is one less. */
export function monthOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

/** The first day of a month. */
export function firstDayOf(month: number): string {
  const year = String(Math.floor(month / 12)).padStart(4, "0");
  return `${year}-${String((month % 12) + 1).padStart(2, "0")}-01`;
}

const monthLexeme = (month: number): string => `#${month.toString(36)}`;

/** Amounts with equally many digits have a common order by prefixes: 1250 to 1259 begin with 125. */
function amountLexeme(amount: number): string {
  const digits = String(amount);
  return `${amountMark(digits.length)}${digits}`;
}

const amountMark = (digits: number): string => `$${digits.toString(36)}`;

/** The prefixes that together all amounts of a range have, both ends included, and no other amount. */
export function amountPrefixes(least: number, most: number): string[] {
  const prefixes: string[] = [];
  for (let digits = String(least).length; digits <= String(most).length; digits += 1) {
    const first = digits === 1 ? 0 : 10 ** (digits - 1);
    const last = Math.min(10 ** digits - 1, Number.MAX_SAFE_INTEGER);
    const [from, to] = [Math.max(least, first), Math.min(most, last)];
    if (from === first && to === last) prefixes.push(amountMark(digits));
    else prefixes.push(...prefixesBetween(from, to).map((prefix) => `${amountMark(digits)}${prefix}`));
  }
  return prefixes;
}

/** The prefixes of the numbers between two that have equally many digits. */
function prefixesBetween(from: number, to: number): string[] {
  const prefixes: string[] = [];
  for (let next = from; next <= to;) {
    let free = 0;
    while (
      next % 10 ** (free + 1) === 0 &&
      next + 10 ** (free + 1) - 1 <= to &&
      String(next).length > free + 1
    )
      free += 1;
    const text = String(next);
    prefixes.push(text.slice(0, text.length - free));
    next += 10 ** free;
  }
  return prefixes;
}
