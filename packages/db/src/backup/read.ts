import { DamagedBackup, Header, Manifest, RowChecksum, TableHead, backupFormat } from "./format.ts";
import { BackupText } from "./text.ts";

/** Called after the last row of each table. */
export type OnTable = (table: string, rows: number) => void;

/** Handles the rows of a table. It must consume all of them. */
type TakeRows = (table: TableHead, rows: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Reads a whole backup and passes every table to `take`. Throws {@link DamagedBackup} if the file is not as written; the
 * rows passed until then must have no effect.
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
      const checksum = new RowChecksum();
      await take(head.data, checksum.of(text.rows()));
      const entry = { table: head.data.table, ...checksum.result() };
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
  const { format } = header.data;
  if (format !== backupFormat)
    throw new Error(
      `The backup has format ${format}, and this version of Purser reads format ${backupFormat}`,
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

/** Parses a line as JSON. Returns undefined if it is not JSON. */
function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}
