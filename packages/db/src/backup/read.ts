import { DamagedBackup, Header, Manifest, TableHead, RowChecksum, backupFormat } from "./format.ts";
import { BackupText } from "./text.ts";

/** Told of each table when all of its rows are through. */
export type OnTable = (table: string, rows: number) => void;

/** What is done with the rows of a table: all of them have to be taken. */
type TakeRows = (table: TableHead, rows: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Reads a backup from its first byte to its last, and gives every table to `take`. Throws {@link DamagedBackup} where
 * it is not what was written; what was taken until then must have no effect.
 */
export async function readBackup(
  file: string,
  take: TakeRows,
  onTable: OnTable = () => undefined,
): Promise<{ header: Header; manifest: Manifest }> {
  const text = new BackupText(file);
  try {
    const header = headerOf(await text.line());
    const found: Manifest["tables"] = [];
    for (;;) {
      const line = parsed(await text.line());
      const manifest = Manifest.safeParse(line);
      if (manifest.success) {
        await text.end();
        compare(found, manifest.data.tables);
        return { header, manifest: manifest.data };
      }
      const head = TableHead.safeParse(line);
      if (!head.success) throw altered("a table is not named");
      const tally = new RowChecksum();
      await take(head.data, tally.of(text.rows()));
      const entry = { table: head.data.table, ...tally.result() };
      found.push(entry);
      onTable(entry.table, entry.rows);
    }
  } finally {
    await text.close();
  }
}

function headerOf(line: string): Header {
  const header = Header.safeParse(parsed(line));
  if (!header.success) throw new DamagedBackup("The file is not a backup of Purser");
  const theirs = header.data.format;
  if (theirs !== backupFormat)
    throw new Error(
      `The backup has format ${theirs}, and this version of Purser reads format ${backupFormat}`,
    );
  return header.data;
}

function compare(found: Manifest["tables"], written: Manifest["tables"]): void {
  for (const [index, { table, rows, sha256 }] of written.entries()) {
    const here = found[index];
    if (here?.table !== table || here.rows !== rows || here.sha256 !== sha256)
      throw altered(`the rows of ${table} are not those that were written`);
  }
  if (found.length !== written.length) throw altered("it has tables that its manifest does not name");
}

function altered(how: string): DamagedBackup {
  return new DamagedBackup(`The backup was altered: ${how}`);
}

/** What the line holds in JSON; undefined where it holds none. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
