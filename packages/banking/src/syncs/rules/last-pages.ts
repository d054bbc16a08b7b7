/** The number of bits that mark the ids met so far: 2 MiB, however long the history. */
const bits = 2 ** 24;

/**
 * Remembers on which page of a log each id appears last. A log is as long as the history, and nearly every id appears
 * in it once, so only ids that may appear twice are remembered.
 *
 * The pages are noted while they are read, with the bank's account ids, which are not yet assigned to ours.
 */
export class LastPages {
  /** Two ids that share a bit cost an entry in the map; they cause no wrong result. */
  #met: Uint8Array | undefined;
  /** The last page of an id in each of the bank's accounts. */
  readonly #repeated = new Map<string, Map<string, number>>();

  /** Notes that an id appears on this page. Call it page by page, in order. */
  note(bankAccountId: string, externalId: string, page: number): void {
    this.#met ??= new Uint8Array(bits / 8);
    const bit = hash(externalId) % bits;
    const mask = 1 << (bit % 8);
    const met = this.#met[bit >> 3]!;
    if ((met & mask) !== 0) {
      const pages = this.#repeated.get(externalId);
      if (pages === undefined) this.#repeated.set(externalId, new Map([[bankAccountId, page]]));
      else pages.set(bankAccountId, page);
    }
    this.#met[bit >> 3] = met | mask;
  }

  /**
   * Whether a transaction of this page is on no later one.
   *
   * @param accountOf Our account for each of the bank's. Several may be the same.
   */
  isLast(
    { accountId, externalId }: { accountId: string; externalId: string },
    page: number,
    accountOf: ReadonlyMap<string, string | null>,
  ): boolean {
    const pages = this.#repeated.get(externalId);
    if (pages === undefined) return true;
    for (const [bankAccountId, last] of pages)
      if (last > page && accountOf.get(bankAccountId) === accountId) return false;
    return true;
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
