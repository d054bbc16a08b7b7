import { type TestPurser, createTestPurser } from "@purser/testing";
import type {
  Access,
  AccountData,
  BankError,
  BankProvider,
  ChangePage,
  TransactionData,
} from "../../ports.ts";
import { addTransaction, type clearFaults, setFault } from "../controls/bank.ts";
import type { FaultName } from "../faults.ts";
import { sandboxBank } from "../bank.ts";

type Place = Parameters<typeof clearFaults>[0];
type Changes = Omit<ChangePage, "hasMore">;

/** The sandbox's banks in a database of their own, and what their tests do with them. */
export interface TestBank {
  purser: TestPurser;
  /** Gives a hundred changes in a page, and waits no time where it is slow. */
  bank: BankProvider;
  organizationId: string;
  otherId: string;
  /** How long it would have waited, in milliseconds. */
  waits: number[];
  open(consentId: string, institutionId?: string, team?: string): Promise<Access>;
  page(access: Access, cursor: string | null, bank?: BankProvider): Promise<ChangePage>;
  /** Everything that a feed tells from a cursor on. */
  readOn(access: Access, cursor?: string | null, bank?: BankProvider): Promise<Changes>;
  /** Everything that a bank without a log tells of an account from a day on. */
  readWindow(access: Access, accountId: string, from: string): Promise<TransactionData[]>;
  /** Does something at the bank, as the control procedures do. */
  atBank<Result>(access: Access, act: (place: Place) => Promise<Result>): Promise<Result>;
  fail(access: Access, fault: FaultName, times?: number | null, milliseconds?: number | null): Promise<void>;
  /** Pays from an account; gives the transaction's id. */
  pay(access: Access, account: AccountData, amount: number, pending?: boolean): Promise<string | null>;
  close(): Promise<void>;
}

/** One whose history is short, so that reading it takes little time. */
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
      atBank(access, (place) => setFault(place, fault, { times, milliseconds, retryAfterSeconds: 7 })),
    pay: (access, account, amount, pending = false) =>
      atBank(access, (place) =>
        addTransaction(platform, place, [account.externalId], {
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

/** How a call fails: the kind of the bank's error. */
export async function failure(call: Promise<unknown>): Promise<string> {
  const error = await call.then(
    () => null,
    (reason: BankError) => reason,
  );
  return error?.kind ?? (error === null ? "it succeeded" : String(error));
}
