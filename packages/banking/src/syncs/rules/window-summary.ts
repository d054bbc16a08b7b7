/** What the list of a bank that is read by days shows only as a whole: the ids that it has more than once, and its first days. */
export class WindowSummary {
  /** The account in which each id appears first. All accounts are the bank's. */
  readonly #firstAccounts = new Map<string, string>();
  /** How often an id appears in each account. Only of ids that appear more than once. */
  readonly #counts = new Map<string, Map<string, number>>();
  readonly #firstDays = new Map<string, string>();

  /** Notes a transaction, with the bank's id of its account. */
  note(accountId: string, externalId: string | null, date: string): void {
    const firstDay = this.#firstDays.get(accountId);
    if (firstDay === undefined || date < firstDay) this.#firstDays.set(accountId, date);
    if (externalId === null) return;
    const firstAccount = this.#firstAccounts.get(externalId);
    if (firstAccount === undefined) {
      this.#firstAccounts.set(externalId, accountId);
      return;
    }
    const counts = this.#counts.get(externalId) ?? new Map([[firstAccount, 1]]);
    counts.set(accountId, (counts.get(accountId) ?? 0) + 1);
    this.#counts.set(externalId, counts);
  }

  /**
   * Whether the list has an id more than once in one of our accounts.
   *
   * @param accountOf Our account for each of the bank's. Several may be the same.
   */
  isRepeated(accountId: string, externalId: string, accountOf: ReadonlyMap<string, string | null>): boolean {
    let count = 0;
    for (const [bankAccountId, ofAccount] of this.#counts.get(externalId) ?? [])
      if (accountOf.get(bankAccountId) === accountId) count += ofAccount;
    return count > 1;
  }

  /** The first day of which the bank lists a transaction of its account. */
  firstDay(bankAccountId: string): string | undefined {
    return this.#firstDays.get(bankAccountId);
  }
}
