import { type Column, type SQL, is, sql } from "drizzle-orm";
import { PgCustomColumn, bigint, customType } from "drizzle-orm/pg-core";

/** An identifier, compared byte by byte: its order is the order of creation in every locale. */
export const id = customType<{ data: string }>({ dataType: () => 'text COLLATE "C"' });

/** An instant with millisecond precision, like the clock's. */
export const instant = customType<{ data: Date; driverData: string }>({
  dataType: () => "timestamp (3) with time zone",
  toDriver: (date) => date.toISOString(),
  fromDriver: readInstant,
});

/** PostgreSQL's 64-bit transaction id, as text. */
export const transactionId = customType<{ data: string }>({ dataType: () => "xid8" });

/** Whole minor units of a currency, within JavaScript's exact integers. */
export const money = (name: string) => bigint(name, { mode: "number" });

/** A sum of money, which may be beyond JavaScript's exact integers. */
export const moneySum = (name: string) => bigint(name, { mode: "bigint" });
/** Lexemes for a search, as PostgreSQL stores them. */
export const tsvector = customType<{ data: string }>({ dataType: () => "tsvector" });

/** The condition of a CHECK: the column holds one of these values. The values are ours, so they need no escaping. */
export function isOneOf(column: string, values: readonly string[]): SQL {
  return sql.raw(`${column} IN (${values.map((value) => `'${value}'`).join(", ")})`);
}

/** Text encrypted at rest. `purser keys rotate` finds these columns by their type and reseals them. */
export const sealed = customType<{ data: string }>({ dataType: () => "text", toDriver: sealedOnly });

/** A JSON object as text, some of which are encrypted at rest. They are rotated like those of {@link sealed}. */
export const sealedOrObject = customType<{ data: string }>({
  dataType: () => "text",
  toDriver: sealedOrObjectOnly,
});

/** A SHA-256 digest as base64url, some of which are encrypted at rest. They are rotated like those of {@link sealed}. */
export const sealedOrDigest = customType<{ data: string }>({
  dataType: () => "text",
  toDriver: sealedOrDigestOnly,
});

/**
 * Reads PostgreSQL's text of an instant in UTC, such as `2026-03-02 09:15:00.5+00`. `Date` reads ISO 8601 exactly, but in other
 * texts it takes the year 49 for 2049.
 */
function readInstant(text: string): Date {
  const date = new Date(`${text.slice(0, 10)}T${text.slice(11, -"+00".length)}Z`);
  if (!text.endsWith("+00") || Number.isNaN(date.getTime()))
    throw new Error(`"${text}" is not an instant in UTC`);
  return date;
}

/** Whether a column holds text encrypted at rest. */
export function isSealed(column: Column): boolean {
  return (
    is(column, PgCustomColumn) &&
    [sealedOnly, sealedOrObjectOnly, sealedOrDigestOnly].includes(column["mapTo"] as never)
  );
}

/** Refuses plain text, so a mistake cannot store a secret unencrypted. */
function sealedOnly(value: string): string {
  if (/^v1\.\d+\./.test(value)) return value;
  throw new Error("This column takes sealed text only");
}

function sealedOrDigestOnly(value: string): string {
  return /^[\w-]{43}$/.test(value) ? value : sealedOnly(value);
}

function sealedOrObjectOnly(value: string): string {
  return value.startsWith("{") ? value : sealedOnly(value);
}
