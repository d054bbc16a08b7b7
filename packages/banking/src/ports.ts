import type { bankProviderNames } from "@purser/core";

/**
 * What Purser asks of a bank aggregator. Every adapter in `providers/` implements {@link BankProvider}; the
 * synchronisation, the connections and the ledger know nothing of any of them.
 */

/** The providers there are. A name here is what callers give as `provider`. */
export type ProviderName = (typeof bankProviderNames)[number];

/** A bank as a provider lists it. */
export interface Institution {
  /** The provider's id of it: what callers give as `providerId`. */
  id: string;
  name: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
  logoUrl: string | null;
}

/** What names a consent: enough to find it again at its provider, for this team and no other. */
export interface ConsentReference {
  organizationId: string;
  institutionId: string;
  /** What the caller gave, or a link brought back. For Plaid a public token at first, the item id ever after. */
  consentId: string;
}

/** What a bank has granted. */
export interface Grant {
  /** The lasting id of the consent, as it is shown to callers. */
  consentId: string;
  /** What opens the bank's data; null where the provider's own credentials do. It is sealed before it is stored. */
  token: string | null;
  institution: Institution;
  scopes: string[];
  /** When the consent ends at the bank: the earlier of its end and its next confirmation. Null where it has no end. */
  expiresAt: Date | null;
  /**
   * Whether scopes and expiry are the most that the bank allows. Where false, the team may set more of both without
   * asking the bank again, as it may at the sandbox.
   */
  isLimit: boolean;
}

/** A consent whose token is known: what reading needs. */
export interface Access extends ConsentReference {
  token: string | null;
}

/** How a consent stands at the bank now. */
export type ConsentStatus =
  | { status: "authorized"; expiresAt: Date | null }
  /** Ended there: it cannot be used again. */
  | { status: "revoked" }
  /** The person has to confirm or sign in again; then it goes on. */
  | { status: "reauthorization_required" };

export type AccountType = "CHECKING" | "SAVINGS" | "CREDIT" | "INVESTMENT";

/** An account as the bank has it now. Amounts are whole minor units, from the view of its owner: debt is negative. */
export interface AccountData {
  /** The provider's id of the account under this consent. Another consent may name the same account differently. */
  externalId: string;
  name: string;
  /** The full number, or null: never a mask. */
  accountNumber: string | null;
  sortCode: string | null;
  /** ISO 4217, upper case. */
  currency: string;
  type: AccountType;
  balance: number;
  availableBalance: number | null;
  /**
   * Everything that names this account at its bank whatever the consent: number with sort code or routing number,
   * IBAN, the provider's lasting id. Each as `scheme:value`. Empty where the bank tells nothing of the kind.
   */
  identifiers: string[];
}

/** A transaction as the bank has it now. */
export interface TransactionData {
  /** The account's {@link AccountData.externalId}. */
  accountId: string;
  /** The provider's id, or null or blank where it gives none. */
  externalId: string | null;
  /** The external id under which the bank had this transaction while it was pending, where it tells. */
  pendingExternalId: string | null;
  status: "PENDING" | "POSTED";
  /** Minor units, 0 or more; `type` gives the direction. */
  amount: number;
  /** The amount as the provider wrote it, before it was rounded. */
  rawAmount: string;
  currency: string;
  /** DEBIT: money out. */
  type: "CREDIT" | "DEBIT";
  description: string;
  /** The bank's calendar day, `YYYY-MM-DD`, never shifted. */
  date: string;
  category: string | null;
}

/** A page of what changed. `removed` are external ids. */
export interface ChangePage {
  added: TransactionData[];
  modified: TransactionData[];
  removed: { accountId: string | null; externalId: string }[];
  /** Where the next page, or after the last one the next synchronisation, begins. */
  cursor: string;
  hasMore: boolean;
}

/** A provider that keeps a feed of changes. */
export interface CursorFeed {
  kind: "cursor";
  /** Whether reading from the beginning gives all there ever was: then what is missing is gone from the bank. */
  readonly isComplete: boolean;
  /**
   * One page of what changed since the cursor; null is the beginning. Throws {@link BankError} `mutated` where the
   * bank's data changed between two pages (all pages are then read again from the first one's cursor), `not_ready`
   * where the history is not complete yet, and `cursor_lost` where the cursor is not known any more.
   */
  changes(access: Access, cursor: string | null, signal: AbortSignal): Promise<ChangePage>;
}

/** A provider that can only be asked for the transactions of some days. */
export interface WindowFeed {
  kind: "window";
  /** How many days back a first synchronisation reads. */
  historyDays: number;
  /**
   * All transactions of an account from this day on (`YYYY-MM-DD`), in pages of any size and any order. An account
   * that is gone gives an empty list only where the bank says so; an error is thrown, never swallowed.
   */
  transactions(
    access: Access,
    accountId: string,
    from: string,
    signal: AbortSignal,
  ): AsyncIterable<TransactionData[]>;
}

/** A page at the provider where a person gives or renews a consent. */
export interface HostedLink {
  url: string;
  expiresAt: Date;
  /** What the adapter needs to complete the link. It is sealed before it is stored. */
  state: string;
}

export interface LinkRequest {
  /** Our id of the link (`lnk_…`), unique for ever: what the provider's session can be named after. */
  linkId: string;
  organizationId: string;
  userId: string;
  institutionId: string;
  /** Where the provider sends the person's browser afterwards; it may append query parameters. */
  returnUrl: string;
  /** The consent to renew; null for a new one. */
  renews: Access | null;
}

export interface InstitutionSearch {
  /** Part of the name. */
  query?: string | undefined;
  /** ISO 3166-1 alpha-2, upper case. */
  country?: string | undefined;
}

/** Something that a provider's webhook told about a consent. */
export interface BankEvent {
  consentId: string;
  /** Null where the provider's consent ids are unique among all teams. */
  organizationId: string | null;
  kind: "transactions_changed" | "consent_revoked" | "reauthorization_required" | "consent_changed";
}

export interface BankWebhooks {
  /** See `WebhookReceiver.verify`: on the raw bytes, within five minutes on both sides, and never throwing. */
  verify(body: Buffer, headers: Headers, now: Date): Promise<BankWebhookCheck> | BankWebhookCheck;
  /** What a verified event says, or null where it concerns nobody here. */
  read(event: { type: string; body: string }): BankEvent | null;
}

export type BankWebhookCheck =
  | { outcome: "verified"; eventId: string; type: string }
  | { outcome: "refused"; reason: "signature" | "time" | "malformed" };

export interface BankProvider {
  readonly name: ProviderName;
  readonly feed: CursorFeed | WindowFeed;
  /** How often a day an account may be read while nobody is present (PSD2: 4); null for no limit. */
  readonly unattendedReadsPerDay: number | null;
  /** Institutions that match, best first, at most 100. */
  institutions(search: InstitutionSearch): Promise<Institution[]>;
  /** One institution. Throws `institution_not_found`. */
  institution(id: string): Promise<Institution>;
  /** Makes a hosted link. Throws `not_supported` where the provider has no such thing for this. */
  createLink(request: LinkRequest): Promise<HostedLink>;
  /** The consent that a finished link brought, from the query of the person's return. Throws `consent_not_found`. */
  completeLink(request: LinkRequest, state: string, query: URLSearchParams): Promise<string>;
  /**
   * Takes a consent up: checks with the provider that it is in force and was given for this team and institution.
   * Throws `consent_not_found` where it was given for another team or institution, or never was, `invalid_consent_id`
   * for one that cannot be, and `reauthorization_required` where it has ended.
   */
  openConsent(reference: ConsentReference): Promise<Grant>;
  /** How the consent stands at the bank. */
  standing(access: Access): Promise<ConsentStatus>;
  /** Every account under the consent. */
  accounts(access: Access): Promise<AccountData[]>;
  /** Ends the consent at the bank; one that has ended already is not an error. */
  revoke(access: Access): Promise<void>;
  /** Opens a revoked consent again without the person, where the provider can. */
  reopen?(reference: ConsentReference): Promise<Grant>;
  readonly webhooks?: BankWebhooks;
}

/** The banks within reach. */
export interface Banks {
  /** The adapter of a provider, loaded when it is first asked for. Throws PROVIDER_NOT_CONFIGURED. */
  at(provider: ProviderName): Promise<BankProvider>;
  /** The providers that are configured here. */
  readonly configured: readonly ProviderName[];
}

/** What can go wrong at a provider, whoever it is. */
export type BankErrorKind =
  /** The provider or the bank does not answer, or with a fault of its own. Trying again later may help. */
  | "outage"
  | "rate_limited"
  /** The person has to act: sign in again, or give a new consent. */
  | "reauthorization_required"
  | "consent_not_found"
  | "invalid_consent_id"
  | "institution_not_found"
  | "not_supported"
  /** Feeds only, see {@link CursorFeed}. */
  | "mutated"
  | "not_ready"
  | "cursor_lost";

/** A provider's refusal or failure. The message is for operators; callers see the problem that its kind stands for. */
export class BankError extends Error {
  override readonly name = "BankError";
  readonly kind: BankErrorKind;
  /** When to try again, where the provider says. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: BankErrorKind,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
