import { z } from "zod";
import { currencyExponent } from "./money.ts";

/** A column of a list as CSV (RFC 4180). */
export interface CsvColumn {
  /** The field's name in the contract. The names of nested fields are joined by a dot. */
  name: string;
  read: (item: Fields) => unknown;
}

type Fields = Record<string, unknown>;

/** RFC 4180. */
export const csvEndOfLine = "\r\n";

/**
 * Derives the columns of a list from the contract of its items. An amount has a column in minor units and one in decimals.
 *
 * @example
 * csvColumns(BankTransaction).map(({ name }) => name); // ["id", "amount", "amountDecimal", "currency", …]
 */
export function csvColumns(item: z.ZodObject): CsvColumn[] {
  return columnsOf(item, "", (fields) => fields);
}

function columnsOf(item: z.ZodObject, prefix: string, readParent: (item: Fields) => Fields): CsvColumn[] {
  return Object.entries(item.shape).flatMap(([field, schema]): CsvColumn[] => {
    const name = `${prefix}${field}`;
    if (schema instanceof z.ZodObject)
      return columnsOf(schema, `${name}.`, (one) => readParent(one)[field] as Fields);
    const column = { name, read: (one: Fields) => readParent(one)[field] };
    if (field !== "amount" || !("currency" in item.shape)) return [column];
    return [column, { name: `${prefix}amountDecimal`, read: (one) => new DecimalAmount(readParent(one)) }];
  });
}

/** An amount in major units. It is a number for a spreadsheet, and exact. */
class DecimalAmount {
  readonly text: string;

  constructor({ amount, currency }: Fields) {
    const exponent = currencyExponent(currency as string);
    const digits = String(Math.abs(amount as number)).padStart(exponent + 1, "0");
    const whole = digits.slice(0, digits.length - exponent);
    const sign = (amount as number) < 0 ? "-" : "";
    this.text = sign + (exponent === 0 ? whole : `${whole}.${digits.slice(-exponent)}`);
  }
}

/**
 * Writes a value as a cell. A text that a spreadsheet would run as a formula gets an apostrophe in front. The database
 * writes most cells itself, in the same way.
 */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  if (value instanceof DecimalAmount) return value.text;
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
