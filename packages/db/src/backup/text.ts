import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { DamagedBackup, endOfRows } from "./format.ts";

/** No line but a row is longer: in a file that is no backup, none is looked for further. */
const longestLine = 1024 * 1024;

/** The text of a backup file, taken line by line or table by table: little of it is in memory at a time. */
export class BackupText {
  readonly #pieces: AsyncGenerator<Buffer>;
  /** What has been read and not taken. It begins where a line begins. */
  #held: Buffer = Buffer.alloc(0);

  constructor(file: string) {
    this.#pieces = decompressed(file);
  }

  async line(): Promise<string> {
    for (;;) {
      const end = this.#held.indexOf("\n");
      if (end >= 0) return this.#take(end + 1).toString("utf8", 0, end);
      if (this.#held.length > longestLine) throw new DamagedBackup("The file is not a backup of Purser");
      await this.#more();
    }
  }

  /** Whole rows, up to the line that ends them. */
  async *rows(): AsyncGenerator<Buffer> {
    for (;;) {
      const end = this.#endOfRows();
      const whole = end ?? this.#held.lastIndexOf("\n") + 1;
      if (whole > 0) yield this.#take(whole);
      if (end !== null) break;
      await this.#more();
    }
    this.#take(endOfRows.length);
  }

  /** Makes sure that nothing follows. */
  async end(): Promise<void> {
    const { done } = await this.#pieces.next();
    if (this.#held.length > 0 || !done) throw new DamagedBackup("The backup goes on after its end");
  }

  async close(): Promise<void> {
    await this.#pieces.return(undefined);
  }

  #endOfRows(): number | null {
    if (this.#held.subarray(0, endOfRows.length).equals(endOfRows)) return 0;
    const before = this.#held.indexOf(`\n${endOfRows.toString()}`);
    return before < 0 ? null : before + 1;
  }

  #take(length: number): Buffer {
    const taken = this.#held.subarray(0, length);
    this.#held = this.#held.subarray(length);
    return taken;
  }

  async #more(): Promise<void> {
    const { done, value } = await this.#pieces.next();
    if (done) throw cutOff();
    this.#held = this.#held.length === 0 ? value : Buffer.concat([this.#held, value]);
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
  return new DamagedBackup("The backup is not whole: it was cut off, or is still being written", { cause });
}
