import {
  ProviderError,
  type bankAccountTypes,
  type bankProviderNames,
  type bankTransactionStatuses,
  type bankTransactionTypes,
} from "@purser/core";
import type { WebhookReceiver } from "@purser/platform/inbox";

import type {
  Access,
  AuthorizedConsent,
  ConsentReference,
  ConsentStatus,
  ExchangedConsent,
  Grant,
  Institution,
} from "./connections/ports.ts";
import type { HostedLink, LinkRequest, LinkResult } from "./link/ports.ts";

export type * from "./connections/ports.ts";
export type * from "./link/ports.ts";

/** The port to bank aggregators. Each provider's adapter implements {@link BankProvider}; banking knows no vendor. */

/** A provider's name: the callers' `provider`. */
export type ProviderName = (typeof bankProviderNames)[number];

export type AccountType = (typeof bankAccountTypes)[number];

/** DEBIT: money out. */
export type TransactionType = (typeof bankTransactionTypes)[number];

export type TransactionStatus = (typeof bankTransactionStatuses)[number];

/** An account at the bank. Amounts are in minor units from the owner's view: debt is negative. */
export interface AccountData {
  /** The provider's id of the account under this consent. Another consent may use another id for it. */
  externalId: string;
  name: string;
  /** The full number, or null: never a mask. */
  accountNumber: string | null;
  sortCode: string | null;
  /** ISO 4217, upper case. */
  currency: string;
  type: AccountType;
  /** Null if it was not read: the known one stays. */
  balance: number | null;
  /** What the owner can spend now, without a credit line. Null on a CREDIT account, which has nothing else to spend. */
  availableBalance: number | null;
  /** False if the provider lists no transactions of such an account, so that its earlier balances are not known. */
  listsTransactions?: boolean;
  /**
   * Everything that identifies this account at its bank under any consent: number with sort code or routing number,
   * IBAN, the provider's permanent id. Each as `scheme:value`, e.g. `bacs:010203/12345678`. May be empty. The schemes `ach`,
   * `bacs`, `eft` and `iban` tell the account's country.
   */
  identifiers: string[];
}

/** The balances of an account whose balance is not read, because the team withholds the scope `balances`. */
export const noBalances: Pick<AccountData, "balance" | "availableBalance"> = {
  balance: null,
  availableBalance: null,
};

/** A transaction at the bank. */
export interface TransactionData {
  /** The account's {@link AccountData.externalId}. */
  accountId: string;
  /** The provider's id; null or blank if it has none. */
  externalId: string | null;
  /** The external id of this transaction while it was pending, if the bank links the two. */
  pendingExternalId: string | null;
  status: TransactionStatus;
  /** Minor units, 0 or more. `type` is the direction. */
  amount: number;
  /** The amount as the provider wrote it, before rounding. */
  rawAmount: string;
  currency: string;
  type: TransactionType;
  description: string;
  /** The merchant's name, if the bank reports it separately from the description. */
  merchantName: string | null;
  /** The bank's calendar day, `YYYY-MM-DD`, in no time zone. */
  date: string;
  category: string | null;
}

/** An account or a transaction of which the bank sends no usable amount, currency or day. */
export interface UnreadableItem {
  kind: "account" | "transaction";
  /** The provider's id of the account. */
  accountId: string | null;
  /** The provider's id of the transaction. */
  externalId: string | null;
  /** What is wrong, without the bank's data. */
  problem: string;
}

/** Receives the items that an adapter leaves out. Without it, such an item fails the whole call. */
export type ReportUnreadable = (item: UnreadableItem) => void;

/** Maps items. Those for which `map` throws an outage are reported and left out, as are those it maps to null. */
export function mapReadable<Item, Data>(
  items: readonly Item[],
  map: (item: Item) => Data | null,
  keyOfItem: (item: Item) => Omit<UnreadableItem, "problem">,
  report: ReportUnreadable | undefined,
): Data[] {
  return items.flatMap((item) => {
    try {
      return map(item) ?? [];
    } catch (error) {
      if (report === undefined || !BankError.is(error, "outage")) throw error;
      report({ ...keyOfItem(item), problem: error.message });
      return [];
    }
  });
}

/** A page of changes. */
export interface ChangePage {
  added: TransactionData[];
  modified: TransactionData[];
  removed: { accountId: string | null; externalId: string }[];
  /** Where the next page begins; after the last page, where the next sync begins. */
  cursor: string;
  hasMore: boolean;
  /** False while the bank is still adding earlier days to the feed. */
  isHistoryComplete?: boolean;
}

/** A change feed. */
export interface CursorFeed {
  kind: "cursor";
  /** Whether a reading from the beginning holds the whole history: then a missing row is gone from the bank. */
  readonly isComplete: boolean;
  /**
   * Reads one page of changes since the cursor; null is the beginning. Throws {@link BankError} `mutated` if the
   * bank's data changed between two pages (all pages are then read again from the first cursor), `not_ready` if the
   * history is not complete yet, and `cursor_lost` if the cursor is no longer valid.
   */
  changes(
    access: Access,
    cursor: string | null,
    signal: AbortSignal,
    report?: ReportUnreadable,
  ): Promise<ChangePage>;
}

/**
 * How many days back every bank lists transactions, at least: 90, less the day that has begun and the hours by which the
 * bank's days begin before those in UTC. Earlier ones may be readable for a few minutes after the person signed in at the
 * bank, or never.
 */
export const minHistoryDays = 88;

/** A feed that lists transactions by days. */
export interface WindowFeed {
  kind: "window";
  /** How many days back a first sync reads. */
  historyDays: number;
  /**
   * Reads all transactions of an account from this day on (`YYYY-MM-DD`), in pages of any size and order. Throws on
   * every error: an empty list means that the bank says there are none. Throws {@link BankError} `history_unavailable`
   * before the first page if the bank refuses days before the last {@link minHistoryDays}, and `account_refused` if it lists
   * the account and refuses its transactions: the permission may be of each account.
   */
  transactions(
    access: Access,
    accountId: string,
    from: string,
    signal: AbortSignal,
    report?: ReportUnreadable,
  ): AsyncIterable<TransactionData[]>;
}

/** A search for banks. Without `query` and `country`, it lists all. */
export interface InstitutionSearch {
  /** Part of the name. */
  query?: string | undefined;
  /** ISO 3166-1 alpha-2, upper case. */
  country?: string | undefined;
  /**
   * How many institutions the caller needs, best match first. An adapter that reads pages stops there, and may return more.
   * If absent, it reads one page.
   */
  atLeast?: number | undefined;
}

/** A provider's event. */
export type BankEvent = BankConsentEvent | BankLinkEvent;

/** An event about a hosted link: the person finished it, and may have closed the browser. */
export interface BankLinkEvent {
  kind: "link_finished";
  /** The link's {@link HostedLink.state}. */
  state: string;
}

/** An event about a consent. It only makes Purser read the bank or the status of the consent again. */
export type BankConsentEvent = {
  consentId: string;
  /** Null if the provider's consent ids are unique among all organizations. */
  organizationId: string | null;
} & (
  | { kind: "transactions_changed" | "consent_revoked" | "reauthorization_required" | "consent_changed" }
  /** The provider warns that it will disconnect the consent, unless the person renews it. */
  | { kind: "consent_ending"; endsAt: Date }
);

/** How a provider's webhooks are verified and read. */
export interface BankWebhooks {
  /** Checks the signature of the raw bytes and a time within five minutes. See `WebhookReceiver.verify`. */
  verify: WebhookReceiver["verify"];
  /** Reads a verified event; null if it concerns no consent. Pure: it runs inside a transaction. */
  read(event: { type: string; body: string }): BankEvent | null;
}

/**
 * An adapter to one bank aggregator. Amounts are in minor units, days are the bank's (`YYYY-MM-DD`).
 *
 * Every method that calls the provider may throw {@link BankError} `outage`, `rate_limited` and `reauthorization_required`, besides
 * the kinds that it names. It stops after a time limit of its own, and retries nothing: jobs and callers do. An answer that it
 * cannot read is an `outage`, unless the method reports unreadable items.
 *
 * @example
 * const bank = await platform.banks.at("plaid");
 * const grant = await bank.openConsent({ organizationId, institutionId: "ins_117650", consentId });
 * const accounts = await bank.accounts({ organizationId, institutionId: "ins_117650", ...grant });
 */
export interface BankProvider {
  readonly name: ProviderName;
  readonly feed: CursorFeed | WindowFeed;
  /** How many times in 24 hours an account may be read without the person (PSD2: 4); null for no limit. */
  readonly unattendedReadsPerDay: number | null;
  /**
   * Searches institutions, best match first. Returns fewer than {@link InstitutionSearch.atLeast} only if there are no more,
   * or if the provider limits its search by name.
   */
  institutions(search: InstitutionSearch): Promise<Institution[]>;
  /** Reads one institution. Throws `institution_not_found`. */
  institution(id: string): Promise<Institution>;
  /** Creates a hosted link. Throws `not_supported` if the provider has none for this request. */
  createLink(request: LinkRequest): Promise<HostedLink>;
  /**
   * Returns the consent of a finished link. `query` is of the return address; it is empty if the browser did not return.
   * Throws `consent_not_found` also if the person refused, `authorization_pending` if the person has shown that the consent is
   * theirs, and `authorization_failed`.
   */
  completeLink(request: LinkRequest, state: string, query: URLSearchParams): Promise<LinkResult>;
  /**
   * Returns the id of the consent that a link was created for, from {@link HostedLink.state}, at a provider that creates it with
   * the link. It is in force once the person agrees, whether the browser returns or not.
   */
  consentOfLink?(state: string): string;
  /**
   * Exchanges a single-use secret for a consent, at a provider that has such secrets. The caller stores the result at
   * once, because the secret works only once, and passes it to {@link openConsent}. Throws `consent_not_found`, also for a
   * secret that was used before, and `invalid_consent_id`.
   */
  exchangeConsent?(reference: ConsentReference): Promise<ExchangedConsent>;
  /**
   * Activates a consent: checks with the provider that it is valid for this organization and institution. The token
   * is the one of {@link exchangeConsent}. Throws `consent_not_found` if the consent does not exist or belongs to
   * others, `invalid_consent_id` if the id is malformed, `authorization_pending` if it may come into force, and
   * `reauthorization_required` if it has ended.
   */
  openConsent(reference: ConsentReference, token?: string): Promise<Grant>;
  /** Reads the status of the consent at the bank. */
  consentStatus(access: Access): Promise<ConsentStatus>;
  /**
   * Reports to the provider that the person confirmed the consent at this time, without visiting the bank. Absent if the
   * provider has no such confirmation. Throws `not_supported` for a consent that cannot be confirmed.
   */
  reconfirm?(access: Access, confirmedAt: Date): Promise<AuthorizedConsent>;
  /** Whether {@link reconfirm} also confirms a consent that has no date for it. */
  readonly confirmsWithoutDate?: boolean;
  /**
   * Makes the provider read the bank now, so that the next reading has what the bank has at this moment. Absent if each
   * reading asks the bank, and where the provider offers no such request. A provider that refuses returns.
   */
  refresh?(access: Access): Promise<void>;
  /** Reads all accounts of the consent. */
  accounts(access: Access, report?: ReportUnreadable): Promise<AccountData[]>;
  /**
   * Revokes the consent at the bank. A consent that has already ended is no error. Throws `consent_not_found` if the provider
   * does not find it, which may also mean that the service has the credentials of another application.
   */
  revoke(access: Access): Promise<void>;
  /** Reopens a revoked consent without the person, if the provider can. */
  reopen?(reference: ConsentReference): Promise<Grant>;
  readonly webhooks?: BankWebhooks;
}

/** The configured bank providers. */
export interface Banks {
  /** The adapter of a provider, loaded on first use. Throws PROVIDER_NOT_CONFIGURED. */
  at(provider: ProviderName): Promise<BankProvider>;
  /** The names of the configured providers. */
  readonly configured: readonly ProviderName[];
}

/** The kinds of errors of all providers. */
export type BankErrorKind =
  /** The provider or the bank does not respond, or fails. A later retry may succeed. */
  | "outage"
  | "rate_limited"
  /** The person has to act: sign in again, or give a new consent. */
  | "reauthorization_required"
  | "consent_not_found"
  /** The consent is not in force yet: another owner of the account has to agree, or the bank has to confirm it. */
  | "authorization_pending"
  /** The bank failed while the person was there, and gave no consent. */
  | "authorization_failed"
  | "invalid_consent_id"
  | "institution_not_found"
  | "not_supported"
  /** Thrown by feeds only: see {@link CursorFeed} and {@link WindowFeed}. */
  | "mutated"
  | "history_unavailable"
  | "account_refused"
  | "not_ready"
  | "cursor_lost";

/** A provider's error. The message is for operators. Callers see the problem that the kind maps to. */
export class BankError extends ProviderError<BankErrorKind> {
  override readonly name = "BankError";
}
