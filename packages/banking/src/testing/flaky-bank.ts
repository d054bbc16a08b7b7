import type { Access, BankProvider, ChangePage, TransactionData } from "../ports.ts";

/** How a bank is to behave beyond what it does by itself. */
export interface FailureMode {
  /** The process breaks off at this call of the bank, counted from when this was set; null for never. */
  breaksOffAt: number | null;
  /** The bank answers a call only after this. */
  waitsFor: (() => Promise<void>) | null;
  /** The bank does not say which pending transaction a posted one was. */
  hidesLinks: boolean;
  /** Whether it has given a transaction without an id since this was set to false. */
  gaveBlanks: boolean;
}

/** A bank whose answers a test can hold back, break off, or rob of what they say. */
export function flakyBank(bank: BankProvider, mood: FailureMode): BankProvider {
  const call = async () => {
    if (mood.breaksOffAt !== null) {
      mood.breaksOffAt -= 1;
      if (mood.breaksOffAt === 0) throw new Error("The process breaks off");
    }
    await mood.waitsFor?.();
  };
  const told = (facts: TransactionData[]) => {
    mood.gaveBlanks ||= facts.some(({ externalId }) => externalId === "");
    return mood.hidesLinks ? facts.map((one) => ({ ...one, pendingExternalId: null })) : facts;
  };
  return {
    ...bank,
    async standing(access) {
      await call();
      return bank.standing(access);
    },
    async accounts(access) {
      await call();
      return bank.accounts(access);
    },
    feed: unrulyFeed(bank, call, told),
  };
}

function unrulyFeed(
  { feed }: BankProvider,
  call: () => Promise<void>,
  told: (facts: TransactionData[]) => TransactionData[],
): BankProvider["feed"] {
  if (feed.kind === "cursor") {
    return {
      ...feed,
      async changes(access: Access, cursor: string | null, signal: AbortSignal): Promise<ChangePage> {
        await call();
        const page = await feed.changes(access, cursor, signal);
        return { ...page, added: told(page.added), modified: told(page.modified) };
      },
    };
  }
  return {
    ...feed,
    async *transactions(access, accountId, from, signal) {
      for await (const page of feed.transactions(access, accountId, from, signal)) {
        await call();
        yield told(page);
      }
    },
  };
}
