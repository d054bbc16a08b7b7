import { characterAt, characterCount } from "@purser/core/testing";
import { csvCell, csvColumns, currencyExponents } from "@purser/core";
import { createTestDatabase, isNightly } from "@purser/testing";
import { sql } from "drizzle-orm";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { type Database, connect } from "./index.ts";
import { csvCells, csvLine, csvPage, readCsvPage } from "./csv.ts";

const runs = isNightly ? 2000 : 60;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let db: Database;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { max: 1 });
});
afterAll(async () => {
  await db?.close();
  await database?.drop();
});

const columns = csvColumns(
  z.object({
    text: z.string().nullable(),
    amount: z.int(),
    currency: z.string(),
    day: z.date(),
    at: z.date().nullable(),
  }),
);
/** The end of a line. PostgreSQL never sees it in a text, as it is random. */
const end = "T1XhQ9yBf3w";

/** What makes a cell another one than its text, what looks like it, and what needs several bytes. */
const piece = fc.constantFrom(
  ..."=+-@\t\r\n\",';|\\$^*?()[]{}% \u0001\u007f\u0085\u00a0\u2028\ufeff\uff1déß中𝔸😀a1".match(/./gsu)!,
  "\r\n",
  '""',
  "\\.",
  "***=",
  "(?i)",
  "NULL",
);
const hostile = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""));
const anyCharacter = fc.nat(characterCount - 1).map(characterAt);
const row = fc.record({
  text: fc.option(fc.oneof(hostile, fc.string({ unit: anyCharacter }).map(storable))),
  amount: fc.oneof(fc.integer({ min: -2000, max: 2000 }), fc.maxSafeInteger()),
  currency: fc.oneof(hostile, fc.constantFrom("EUR", "GBP", ...Object.keys(currencyExponents))),
  day: fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }).map(dayOf),
  at: fc.option(fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true })),
});

/** A text of PostgreSQL has neither NUL nor half a surrogate pair. */
function storable(text: string): string {
  return text.replaceAll("\0", "").toWellFormed();
}

function dayOf(date: Date): Date {
  return new Date(date.toISOString().slice(0, 10));
}

const fields = sql.raw(`n int, text text, amount bigint, currency text, day date, at timestamptz(3)`);

describe("a page of CSV", () => {
  it("is byte by byte what csvCell writes, whatever the texts", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 40 }), async (rows) => {
        const items = rows.map((one, n) => ({ ...one, n }));
        const { text, integer, amount, day, instant } = csvCells;
        const line = csvLine(columns, {
          text: text(sql`page.text`),
          amount: integer(sql`page.amount`),
          amountDecimal: amount(sql`page.amount`, sql`page.currency`),
          currency: text(sql`page.currency`),
          day: day(sql`page.day`),
          at: instant(sql`page.at`),
        });
        const page = csvPage({
          line,
          end,
          id: sql`page.n::text`,
          order: sql`page.n DESC`,
          rows: rows.length,
        });
        const [written] = await db.execute<{ text: string | null; last: string | null }>(
          sql`SELECT ${page.text} AS text, ${page.last} AS last
            FROM json_to_recordset(${JSON.stringify(items)}::json) AS page(${fields})`,
        );
        const lines = items
          .toReversed()
          .map((item) => columns.map(({ read }) => csvCell(read(item))).join(",") + end);
        expect(written!.text ?? "").toBe(lines.join(""));
        expect(written!.last).toBe(items.length === 0 ? null : "0");
      }),
      { numRuns: runs },
    );
  });

  it("has no last row if it is not full", async () => {
    const page = csvPage({ line: sql`n::text`, end, id: sql`n::text`, order: sql`n`, rows: 3 });
    const [written] = await db.execute(
      sql`SELECT ${page.text} AS text, ${page.last} AS last FROM generate_series(1, 2) n`,
    );
    expect(written).toEqual({ text: `1${end}2${end}`, last: null });
  });

  it("is cancelled in the database when the reader has left, and leaves the connection to others", async () => {
    const patient = connect(database.url, { max: 2, statementTimeoutMs: 0, lockTimeoutMs: 0 });
    const running = async () => {
      const rows = await db.execute(sql`SELECT pid FROM pg_stat_activity
        WHERE query LIKE '%an endless page%' AND state = 'active' AND pid <> pg_backend_pid()`);
      return rows.length;
    };
    try {
      const left = new AbortController();
      const query = { toSQL: () => ({ sql: "SELECT 'an endless page', pg_sleep(1e6)::text", params: [] }) };
      const reading = readCsvPage(patient, query, left.signal);
      const failure = reading.catch((error: unknown) => error);
      await expect.poll(running).toBe(1);
      left.abort(new Error("The reader has left"));
      expect(await failure).toEqual(new Error("The reader has left"));
      expect(await running()).toBe(0);
      const next = { toSQL: () => ({ sql: "SELECT $1::text || 'é', NULL", params: ["next"] }) };
      expect(await readCsvPage(patient, next)).toEqual({ text: Buffer.from("nexté"), last: null });
      await expect(readCsvPage(patient, next, left.signal)).rejects.toThrow("The reader has left");
    } finally {
      await patient.close();
    }
  });

  it("refuses cells that are not those of the columns", () => {
    expect(() => csvLine(columns, { text: { written: sql`text` } })).toThrow("not those of the columns");
  });

  it("refuses cells with parameters, because the text of a line is written once", () => {
    const [column] = columns;
    expect(() => csvLine([column!], { [column!.name]: { written: sql`${"a value"}` } })).toThrow(
      "parameters",
    );
  });
});
