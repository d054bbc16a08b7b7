import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { DamagedBackup, endOfRows } from "./format.ts";

/** Every line except a row is shorter. It bounds the search in a file that is not a backup. */
const longestLine = 1024 * 1024;

/** Reads the text of a backup file line by line or table by table, with bounded memory. */
export class BackupText {
  readonly #pieces: AsyncGenerator<Buffer>;
  /** Bytes that are read but not consumed. They start at the start of a line. */
  #buffered: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#pieces = decompressed(file);
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#buffered.indexOf("\n");
      if (end >= 0) return this.#take(end + 1).toString("utf8", 0, end);
      if (this.#buffered.length > longestLine) throw new DamagedBackup("The file is not a backup of Purser");
      await this.#more();
    }
  }

  /** Yields whole rows, up to the line that ends the table. */
  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.#endOfRows();
      const whole = end ?? this.#buffered.lastIndexOf("\n") + 1;
      if (whole > 0) yield this.#take(whole);
      if (end !== null) break;
      await this.#more();
    }
    this.#take(endOfRows.length);
  }

  /** Throws unless the text ends here. */
  async end(): Promise<void> {
    const { done } = await this.#pieces.next();
    if (this.#buffered.length > 0 || !done)
      throw new DamagedBackup("The backup continues after its manifest");
  }

  async close(): Promise<void> {
    await this.#pieces.return(undefined);
  }

  #endOfRows(): number | null {
    if (this.#buffered.subarray(0, endOfRows.length).equals(endOfRows)) return 0;
    const before = this.#buffered.indexOf(`\n${endOfRows.toString()}`);
    return before < 0 ? null : before + 1;
  }

  #take(length: number): Buffer {
    const taken = this.#buffered.subarray(0, length);
    this.#buffered = this.#buffered.subarray(length);
    return taken;
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#pieces.next();
    if (done) throw cutOff();
    this.#buffered = this.#buffered.length === 0 ? value : Buffer.concat([this.#buffered, value]);
  }
}

async function* decompressed(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const text = createGunzip({ chunkSize: 256 * 1024 });
  source.on("error", (error) => text.destroy(error)).pipe(text);
  try {
    yield* text as AsyncIterable<Buffer>;
  } catch (error) {
    const { code = "" } = error as NodeJS.ErrnoException;
    if (code === "Z_BUF_ERROR") throw cutOff(error);
    if (!code.startsWith("Z_")) throw error;
    throw new DamagedBackup("The file was altered, or is not a backup of Purser", { cause: error });
  } finally {
    source.destroy();
  }
}

function cutOff(cause?: unknown): DamagedBackup {
  return new DamagedBackup("The backup is incomplete: it was cut off, or is still being written", { cause });
}
