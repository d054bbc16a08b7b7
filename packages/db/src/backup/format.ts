import { createHash, createHmac } from "node:crypto";
import { z } from "zod";

/**
 * A backup is gzipped text. The first line is the header. Each table follows: a line with its name and columns, its rows
 * as COPY writes them, and `\.`. The last line is the manifest, with the rows and the checksum of each table. A file
 * without a manifest is incomplete.
 */
export const backupFormat = 1;

/** Ends the rows of a table. COPY doubles every backslash of the data, so no row can be this. */
export const endOfRows = Buffer.from("\\.\n");

/** The first line. */
export const Header = z.object({
  purser: z.literal("backup"),
  format: z.int(),
  migration: z.object({ tag: z.string(), when: z.int() }),
  madeAt: z.iso.datetime(),
  /** Identifies AUTH_SECRET; see {@link secretFingerprint}. */
  authSecret: z.string(),
});
export type Header = z.infer<typeof Header>;

/** Returns a digest that identifies a long random secret and reveals nothing else. */
export function secretFingerprint(secret: string): string {
  return createHmac("sha256", secret).update("purser backup").digest("base64url");
}

/** The line before the rows of a table. `table` includes the schema, both quoted for SQL. */
export const TableHead = z.strictObject({ table: z.string(), columns: z.array(z.string()) });
export type TableHead = z.infer<typeof TableHead>;

/** The last line. */
export const Manifest = z.strictObject({
  tables: z.array(z.strictObject({ table: z.string(), rows: z.int(), sha256: z.hex() })),
});
export type Manifest = z.infer<typeof Manifest>;

/** How much a backup or a restore transferred. */
export interface Transfer {
  tables: number;
  rows: number;
}

/** Adds up a manifest. */
export function totalsOf({ tables }: Manifest): Transfer {
  return { tables: tables.length, rows: tables.reduce((sum, { rows }) => sum + rows, 0) };
}

/** The file is not a backup, incomplete, or altered. The message says which. */
export class DamagedBackup extends Error {
  override readonly name = "DamagedBackup";
}

/** Counts and hashes the rows that pass through it. */
export class RowChecksum {
  readonly #hash = createHash("sha256");
  #rows = 0;

  async *of(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      this.#hash.update(piece);
      for (let at = piece.indexOf(newline); at >= 0; at = piece.indexOf(newline, at + 1)) this.#rows += 1;
      yield piece;
    }
  }

  /** Returns the manifest's numbers. Call it once, after all rows have passed. */
  result(): { rows: number; sha256: string } {
    return { rows: this.#rows, sha256: this.#hash.digest("hex") };
  }
}

const newline = 10;
