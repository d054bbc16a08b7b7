import { type TestPurser, createTestPurser } from "@purser/testing";
import type {
  Access,
  AccountData,
  BankError,
  BankProvider,
  ChangePage,
  TransactionData,
} from "../../ports.ts";
import { sandboxBank } from "../bank.ts";
import { addBankTransaction, type clearBankFaults, setBankFault } from "../controls/bank.ts";
import type { SandboxBankFault } from "../faults.ts";

type BankTarget = Parameters<typeof clearBankFaults>[0];
type Changes = Omit<ChangePage, "hasMore">;

/** The sandbox's banks in their own database, with helpers for their tests. */
export interface TestBank {
  purser: TestPurser;
  /** A bank with pages of 100 changes, whose simulated delays end at once. */
  bank: BankProvider;
  organizationId: string;
  otherId: string;
  /** How long the bank would have waited, in milliseconds. */
  waits: number[];
  open(consentId: string, institutionId?: string, team?: string): Promise<Access>;
  page(access: Access, cursor: string | null, bank?: BankProvider): Promise<ChangePage>;
  /** Reads all pages of the change feed from a cursor. */
  readOn(access: Access, cursor?: string | null, bank?: BankProvider): Promise<Changes>;
  /** Reads all transactions of an account since a day, at a bank without a change feed. */
  readWindow(access: Access, accountId: string, from: string): Promise<TransactionData[]>;
  /** Changes something at the bank, as the control procedures do. */
  atBank<Result>(access: Access, act: (target: BankTarget) => Promise<Result>): Promise<Result>;
  fail(
    access: Access,
    fault: SandboxBankFault,
    times?: number | null,
    milliseconds?: number | null,
  ): Promise<void>;
  /** Pays from an account. Returns the transaction's id. */
  pay(access: Access, account: AccountData, amount: number, pending?: boolean): Promise<string | null>;
  close(): Promise<void>;
}

/** An institution with a short history, which is quick to read. */
export const anyInstitution = "sprout-bank";

export async function createTestBank(): Promise<TestBank> {
  const purser = await createTestPurser();
  const { platform, db } = purser;
  const waits: number[] = [];
  const sleep = async (milliseconds: number) => void waits.push(milliseconds);
  const bank = sandboxBank(platform, { sleep, pageSize: 100 });
  const windowed = sandboxBank(platform, { feed: "window", pageSize: 20 });
  const owner = await purser.person();
  const organizationId = await purser.organization(owner);
  const otherId = await purser.organization(owner);

  const atBank: TestBank["atBank"] = ({ organizationId: team, consentId }, act) =>
    db.transaction((transaction) => act({ transaction, organizationId: team, consentId, notify: false }));

  const page: TestBank["page"] = (access, cursor, at = bank) => {
    if (at.feed.kind !== "cursor") throw new Error("It has no cursor");
    return at.feed.changes(access, cursor, new AbortController().signal);
  };

  return {
    purser,
    bank,
    organizationId,
    otherId,
    waits,
    atBank,
    page,
    async open(consentId, institutionId = anyInstitution, team = organizationId) {
      const named = { organizationId: team, institutionId, consentId };
      const { token } = await bank.openConsent(named);
      return { ...named, token };
    },
    async readOn(access, cursor = null, at = bank) {
      const all: Changes = { added: [], modified: [], removed: [], cursor: cursor ?? "" };
      let hasMore = true;
      for (let next = cursor; hasMore; next = all.cursor) {
        const more = await page(access, next, at);
        all.added.push(...more.added);
        all.modified.push(...more.modified);
        all.removed.push(...more.removed);
        ({ cursor: all.cursor, hasMore } = more);
      }
      return all;
    },
    async readWindow(access, accountId, from) {
      if (windowed.feed.kind !== "window") throw new Error("It has no window");
      const pages = windowed.feed.transactions(access, accountId, from, new AbortController().signal);
      const all: TransactionData[] = [];
      for await (const some of pages) all.push(...some);
      return all;
    },
    fail: (access, fault, times = 1, milliseconds = null) =>
      atBank(access, (target) => setBankFault(target, fault, { times, milliseconds, retryAfterSeconds: 7 })),
    pay: (access, account, amount, pending = false) =>
      atBank(access, (target) =>
        addBankTransaction(platform, target, [account.externalId], {
          amount,
          type: "DEBIT",
          description: "Lunch",
          category: null,
          status: pending ? "PENDING" : "POSTED",
          date: undefined,
        }),
      ),
    close: () => purser.close(),
  };
}

/** The `BankError` kind with which a call fails. */
export async function failure(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (reason: BankError) => reason,
  );
  return error?.kind ?? (error === null ? "it succeeded" : String(error));
}
