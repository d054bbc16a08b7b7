/** How many bits tell what was met: 2 MiB, whatever the history. */
const bits = 2 ** 24;

/**
 * On which page of a log each id stands last. A log is as long as the history, and nearly every id stands in it once:
 * only those are kept that may stand twice.
 */
export class LastPages {
  /** A bit that another id has set costs an entry more, and makes no mistake. */
  readonly #met = new Uint8Array(bits / 8);
  readonly #repeated = new Map<string, number>();

  /** Notes that an id stands on this page; pages come in their order. */
  note(key: string, page: number): void {
    const bit = hash(key) % bits;
    const mask = 1 << (bit % 8);
    const met = this.#met[bit >> 3]!;
    if ((met & mask) !== 0) this.#repeated.set(key, page);
    this.#met[bit >> 3] = met | mask;
  }

  /** Whether an id that stands on this page stands on no later one. */
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
