import type { BankProvider, ChangePage, TransactionData } from "../ports.ts";

/** The failures that a test adds to a bank. */
export interface BankFailures {
  /** The process dies at this call, counted from when this was set; null for never. */
  crashesAtCall: number | null;
  /** Calls respond only after this promise. */
  delay: (() => Promise<void>) | null;
  /** The bank does not link posted transactions to their pending ones. */
  hidesLinks: boolean;
  /** Whether the bank has returned transactions without an id of their own since this was set to false. */
  returnedBlankIds: boolean;
  /** What the latest list of each of the bank's accounts has under the id of another transaction of it. */
  repeated: Map<string, TransactionData[]>;
}

export const noBankFailures = (): BankFailures => ({
  crashesAtCall: null,
  delay: null,
  hidesLinks: false,
  returnedBlankIds: false,
  repeated: new Map(),
});

/** Wraps a bank so that a test can delay or interrupt its responses, or strip data from them. */
export function flakyBank(bank: BankProvider, failures: BankFailures): BankProvider {
  const beforeCall = async () => {
    if (failures.crashesAtCall !== null) {
      failures.crashesAtCall -= 1;
      if (failures.crashesAtCall === 0) throw new Error("The process crashes");
    }
    await failures.delay?.();
  };
  const strip = (transactions: TransactionData[]) => {
    failures.returnedBlankIds ||= transactions.some(({ externalId }) => externalId === "");
    return failures.hidesLinks
      ? transactions.map((one) => ({ ...one, pendingExternalId: null }))
      : transactions;
  };
  return {
    ...bank,
    async consentStatus(access) {
      await beforeCall();
      return bank.consentStatus(access);
    },
    async accounts(access, report) {
      await beforeCall();
      return bank.accounts(access, report);
    },
    feed: flakyFeed(bank, failures, beforeCall, strip),
  };
}

function flakyFeed(
  { feed }: BankProvider,
  failures: BankFailures,
  beforeCall: () => Promise<void>,
  strip: (transactions: TransactionData[]) => TransactionData[],
): BankProvider["feed"] {
  if (feed.kind === "cursor") {
    return {
      ...feed,
      async changes(access, cursor, signal, report): Promise<ChangePage> {
        await beforeCall();
        const page = await feed.changes(access, cursor, signal, report);
        return { ...page, added: strip(page.added), modified: strip(page.modified) };
      },
    };
  }
  return {
    ...feed,
    async *transactions(access, accountId, from, signal, report) {
      const repeated: TransactionData[] = [];
      const ids = new Set<string | null>();
      failures.repeated.set(accountId, repeated);
      for await (const page of feed.transactions(access, accountId, from, signal, report)) {
        await beforeCall();
        for (const one of page) {
          if (one.externalId !== "" && ids.has(one.externalId)) repeated.push(one);
          ids.add(one.externalId);
        }
        failures.returnedBlankIds ||= repeated.length > 0;
        yield strip(page);
      }
    },
  };
}
