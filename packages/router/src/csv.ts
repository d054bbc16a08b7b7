import { currencyExponent } from "@purser/core";
import { z } from "zod";

/** How the items of a list are written as CSV (RFC 4180). */
export interface CsvFormat {
  /** The columns: the fields of the items, nested ones joined by a dot. */
  columns: readonly string[];
  /** The first line. */
  header: string;
  /** Writes an item as a line. */
  line(item: unknown): string;
}

const endOfLine = "\r\n";

interface CsvColumn {
  name: string;
  read: (item: Fields) => unknown;
}

type Fields = Record<string, unknown>;

/**
 * Derives the format of a list from its contract. An amount stands in minor units, and beside it in decimals.
 *
 * @example
 * csvFormat(z.array(BankTransaction)).header; // "id,amount,amountDecimal,currency,…"
 */
export function csvFormat(output: z.ZodType): CsvFormat {
  const item = output instanceof z.ZodArray ? output.element : undefined;
  if (!(item instanceof z.ZodObject)) throw new Error("CSV needs a list of objects");
  const columns = columnsOf(item, "", (fields) => fields);
  return {
    columns: columns.map(({ name }) => name),
    header: columns.map(({ name }) => name).join(",") + endOfLine,
    line: (one) => columns.map(({ read }) => csvCell(read(one as Fields))).join(",") + endOfLine,
  };
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

/** Writes a value as a cell. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "number") return String(value);
  if (value instanceof DecimalAmount) return value.text;
  if (value instanceof Date) return value.toISOString();
  const text = typeof value === "string" ? value : JSON.stringify(value);
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
