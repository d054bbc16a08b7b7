import { usualConsentScopes } from "@purser/core";
import { bankAccounts, bankQuarantine, bankTransactions } from "@purser/db";
import { type Person, type TestPurser, createTestPurser, problemOf } from "@purser/testing";
import { and, asc, eq, ne } from "drizzle-orm";
import { completeLink } from "../link/service/hosted-links.ts";
import {
  type AccountData,
  BankError,
  type BankProvider,
  type ChangePage,
  type ConsentStatus,
  type CursorFeed,
  type ReportUnreadable,
  type TransactionData,
  type UnreadableItem,
  type WindowFeed,
} from "../ports.ts";

/** The responses of a bank. A test may replace any of them, also by a failure. */
export interface Script {
  consentStatus: () => Promise<ConsentStatus>;
  reconfirm: NonNullable<BankProvider["reconfirm"]>;
  /** Opens a consent again that ended. Undefined if the bank cannot. */
  reopen: BankProvider["reopen"];
  /** Makes the provider read the bank first. */
  refresh: NonNullable<BankProvider["refresh"]>;
  accounts: BankProvider["accounts"];
  /** How the bank returns transactions: as a change feed or by days. */
  feed: "cursor" | "window";
  isComplete: boolean;
  changes: CursorFeed["changes"];
  transactions: WindowFeed["transactions"];
  /** The scopes that it grants at most; null if it sets no limit. */
  granted: string[] | null;
}

const institution = { id: "a-bank", name: "A Bank", country: "GB", logoUrl: null };

/** Creates a bank that returns what its script says. */
function scriptedBank(script: Script): BankProvider {
  return {
    name: "sandbox",
    unattendedReadsPerDay: 4,
    get feed(): CursorFeed | WindowFeed {
      return script.feed === "cursor"
        ? {
            kind: "cursor",
            isComplete: script.isComplete,
            changes: (...requests) => script.changes(...requests),
          }
        : {
            kind: "window",
            historyDays: 730,
            transactions: (...requests) => script.transactions(...requests),
          };
    },
    institutions: async () => [institution],
    institution: async () => institution,
    createLink: async ({ linkId }) => ({
      url: `https://bank.example/${linkId}`,
      expiresAt: new Date("9999-01-01"),
      state: linkId,
    }),
    completeLink: async (_link, _state, query) => ({
      consentId: query.get("consent")!,
      institutionId: institution.id,
    }),
    openConsent: async ({ consentId }) => ({
      consentId,
      token: "a token",
      institution,
      expiresAt: null,
      scopes: script.granted ?? [...usualConsentScopes],
      isLimit: script.granted !== null,
    }),
    consentStatus: () => script.consentStatus(),
    reconfirm: (access, confirmedAt) => script.reconfirm(access, confirmedAt),
    ...(script.reopen && { reopen: script.reopen }),
    refresh: (access) => script.refresh(access),
    accounts: (access, report) => script.accounts(access, report),
    revoke: async () => {},
  };
}

/** A team that reads scripted banks. */
export interface ScriptedTeam {
  purser: TestPurser;
  owner: Person;
  /** The script of its bank. {@link begin} resets it to an empty one. */
  script: Script;
  teamId: string;
  connectionId: string;
  /** Continues with a new team that has connected its bank but has not synced yet. */
  begin(script?: Partial<Script>): Promise<void>;
  connect(consentId: string): Promise<string>;
  /** Gives a new consent for the existing connection. */
  renew(consentId: string): Promise<void>;
  /** Syncs as a user who is present. Returns "ok" or the error code. */
  sync(connectionId?: string): Promise<string>;
  /** The transactions that are not removed, oldest row first. */
  rows(): Promise<(typeof bankTransactions.$inferSelect)[]>;
  accounts(): Promise<(typeof bankAccounts.$inferSelect)[]>;
  quarantine(): Promise<(typeof bankQuarantine.$inferSelect)[]>;
}

export async function createScriptedTeam(
  settings: Partial<TestPurser["platform"]["settings"]> = {},
): Promise<ScriptedTeam> {
  const script = {} as Script;
  const purser = await createTestPurser({
    banks: { configured: ["sandbox"], at: async () => scriptedBank(script) },
    settings,
  });
  const owner = await purser.person();
  const { db } = purser;
  const banking = () => purser.as(owner).banking;
  const team: ScriptedTeam = {
    purser,
    owner,
    script,
    teamId: "",
    connectionId: "",
    async begin(changed = {}) {
      Object.assign(script, emptyBank(), changed);
      team.teamId = await purser.organization(owner);
      team.connectionId = await team.connect("first");
    },
    async connect(consentId) {
      const { teamId } = team;
      const named = {
        provider: "sandbox",
        providerId: institution.id,
        consentId,
      } as const;
      return (
        await banking().connections.connect({
          teamId,
          ...named,
        })
      ).id;
    },
    async renew(consentId) {
      const { teamId, connectionId } = team;
      const { url } = await banking().link.create({
        teamId,
        connectionId,
      });
      const query = new URLSearchParams({ consent: consentId });
      await completeLink(purser.platform, url.split("/").at(-1)!, query);
      if ((await team.connect(consentId)) !== connectionId) throw new Error("The link renewed no connection");
    },
    sync: (connectionId = team.connectionId) =>
      purser
        .as({ ...owner, credential: "bearer" }, { address: "192.0.2.1" })
        .banking.connections.sync({
          teamId: team.teamId,
          connectionId,
        })
        .then(
          () => "ok",
          (error: unknown) => problemOf(error).code,
        ),
    rows: () =>
      db
        .select()
        .from(bankTransactions)
        .where(and(eq(bankTransactions.organizationId, team.teamId), ne(bankTransactions.status, "REMOVED")))
        .orderBy(asc(bankTransactions.id)),
    accounts: () =>
      db
        .select()
        .from(bankAccounts)
        .where(eq(bankAccounts.organizationId, team.teamId))
        .orderBy(asc(bankAccounts.id)),
    quarantine: () => db.select().from(bankQuarantine).where(eq(bankQuarantine.organizationId, team.teamId)),
  };
  return team;
}

/** A bank with one account and no transactions. */
function emptyBank(): Script {
  return {
    consentStatus: async () => ({ status: "authorized", expiresAt: null }),
    reconfirm: async () => ({ status: "authorized", expiresAt: null }),
    reopen: undefined,
    refresh: async () => {},
    accounts: async () => [bankAccount()],
    feed: "cursor",
    isComplete: true,
    changes: log([{}]).changes,
    async *transactions() {},
    granted: null,
  };
}

export function bankAccount(overrides: Partial<AccountData> = {}): AccountData {
  return {
    externalId: "current",
    name: "Current",
    accountNumber: "12345678",
    sortCode: "010203",
    currency: "GBP",
    type: "CHECKING",
    balance: 1000,
    availableBalance: null,
    identifiers: ["bacs:010203/12345678"],
    ...overrides,
  };
}

/** A posted payment of 500 on March 1. */
export function payment(overrides: Partial<TransactionData> = {}): TransactionData {
  return {
    accountId: "current",
    externalId: "t1",
    pendingExternalId: null,
    status: "POSTED",
    amount: 500,
    rawAmount: "5.00",
    currency: "GBP",
    type: "DEBIT",
    description: "COFFEE",
    merchantName: null,
    date: "2026-03-01",
    category: null,
    ...overrides,
  };
}

type Page = Partial<ChangePage> | Error;

/** Pages of a change feed, returned in order whatever the requested cursor. An error is thrown instead of its page. */
export function log(pages: Page[]): { changes: CursorFeed["changes"]; requests: (string | null)[] } {
  const requests: (string | null)[] = [];
  return {
    requests,
    async changes(_access, cursor) {
      const page = pages[requests.length] ?? {};
      requests.push(cursor);
      if (page instanceof Error) throw page;
      return { added: [], modified: [], removed: [], cursor: `c${requests.length}`, hasMore: false, ...page };
    },
  };
}

/** Returns fixed lists of transactions by day, and records the first requested day of each account. */
export function list(transactions: TransactionData[]): {
  transactions: WindowFeed["transactions"];
  requests: [account: string, from: string][];
} {
  const requests: [string, string][] = [];
  return {
    requests,
    async *transactions(_access, accountId, from) {
      requests.push([accountId, from]);
      const matching = transactions.filter((one) => one.accountId === accountId && one.date >= from);
      if (matching.length > 0) yield matching;
    },
  };
}

/** Leaves out items as an adapter does: it reports them, or fails if nothing receives the reports. */
export function leaveOut(items: readonly UnreadableItem[], report: ReportUnreadable | undefined): void {
  for (const item of items) {
    if (report === undefined) throw new BankError("outage", item.problem);
    report(item);
  }
}

/** Blocks its callers until it is released. */
export function gate(): { arrived: Promise<void>; pass: () => Promise<void>; open: () => void } {
  const arrived = Promise.withResolvers<void>();
  const go = Promise.withResolvers<void>();
  return {
    arrived: arrived.promise,
    pass: () => {
      arrived.resolve();
      return go.promise;
    },
    open: () => go.resolve(),
  };
}

/** Blocks a read after its first page. Returns how to continue it. */
export function holdAfterPage(script: Script, page: Partial<ChangePage>, end: Partial<ChangePage> = {}) {
  const { arrived, pass, open } = gate();
  const feed = log([{ ...page, hasMore: true, cursor: "held" }, end]);
  script.changes = async (access, cursor, signal) => {
    if (cursor === "held") await pass();
    return feed.changes(access, cursor, signal);
  };
  return { arrived, open };
}
