import type { Access, BankProvider, ChangePage, TransactionData } from "../ports.ts";

/** The misbehavior that a test adds to a bank. */
export interface FailureMode {
  /** The process dies at this call, counted from when this was set; null for never. */
  breaksOffAt: number | null;
  /** Calls respond only after this promise. */
  waitsFor: (() => Promise<void>) | null;
  /** The bank does not link posted transactions to their pending ones. */
  hidesLinks: boolean;
  /** Whether the bank has returned a transaction without an id since this was set to false. */
  gaveBlanks: boolean;
}

/** Wraps a bank so that a test can delay or interrupt its responses, or strip data from them. */
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
