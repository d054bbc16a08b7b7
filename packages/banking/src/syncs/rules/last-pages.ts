/** The number of bits that mark the ids met so far: 2 MiB, however long the history. */
const bits = 2 ** 24;

/**
 * Remembers on which page of a log each id appears last. A log is as long as the history, and nearly every id appears
 * in it once, so only ids that may appear twice are remembered.
 */
export class LastPages {
  /** Two ids that share a bit cost an entry in the map; they cause no wrong result. */
  readonly #met = new Uint8Array(bits / 8);
  readonly #repeated = new Map<string, number>();

  /** Notes that an id appears on this page. Call it page by page, in order. */
  note(key: string, page: number): void {
    const bit = hash(key) % bits;
    const mask = 1 << (bit % 8);
    const met = this.#met[bit >> 3]!;
    if ((met & mask) !== 0) this.#repeated.set(key, page);
    this.#met[bit >> 3] = met | mask;
  }

  /** Whether an id of this page appears on no later one. */
  isLast(key: string, page: number): boolean {
    return (this.#repeated.get(key) ?? page) === page;
  }
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  return (value ^ (value >>> 15)) >>> 0;
}
