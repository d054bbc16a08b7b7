import type { bankProviderNames } from "@purser/core";

/** The port to bank aggregators. Each provider's adapter implements {@link BankProvider}; banking knows no vendor. */

/** A provider's name: the callers' `provider`. */
export type ProviderName = (typeof bankProviderNames)[number];

/** A bank, as a provider lists it. */
export interface Institution {
  /** The provider's id of the bank: the callers' `providerId`. */
  id: string;
  name: string;
  /** ISO 3166-1 alpha-2, upper case. */
  country: string;
  logoUrl: string | null;
}

/** Identifies a consent at its provider, for one organization. */
export interface ConsentReference {
  organizationId: string;
  institutionId: string;
  /** The caller's value, or the result of a link. For Plaid a public token at first, the item id afterwards. */
  consentId: string;
}

/** A consent as the bank granted it. */
export interface Grant {
  /** The permanent id of the consent, which callers see. */
  consentId: string;
  /** The access token; null if the provider's own credentials suffice. It is sealed before it is stored. */
  token: string | null;
  institution: Institution;
  scopes: string[];
  /** When the consent ends at the bank: the earlier of its expiry and its next confirmation. Null for no end. */
  expiresAt: Date | null;
  /**
   * Whether scopes and expiry are the maximum that the bank allows. If false, the team may extend both without the
   * bank, as at the sandbox.
   */
  isLimit: boolean;
}

/** A consent with its token, for calls that read the bank. */
export interface Access extends ConsentReference {
  token: string | null;
}

/** The status of a consent at the bank. */
export type ConsentStatus =
  | { status: "authorized"; expiresAt: Date | null }
  /** The consent ended and cannot be used again. */
  | { status: "revoked" }
  /** The person has to confirm or sign in again; then the consent continues. */
  | { status: "reauthorization_required" };

export type AccountType = "CHECKING" | "SAVINGS" | "CREDIT" | "INVESTMENT";

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
  balance: number;
  availableBalance: number | null;
  /**
   * Everything that identifies this account at its bank under any consent: number with sort code or routing number,
   * IBAN, the provider's permanent id. Each as `scheme:value`, e.g. `bacs:010203/12345678`. May be empty.
   */
  identifiers: string[];
}

/** A transaction at the bank. */
export interface TransactionData {
  /** The account's {@link AccountData.externalId}. */
  accountId: string;
  /** The provider's id; null or blank if it has none. */
  externalId: string | null;
  /** The external id of this transaction while it was pending, if the bank links the two. */
  pendingExternalId: string | null;
  status: "PENDING" | "POSTED";
  /** Minor units, 0 or more. `type` is the direction. */
  amount: number;
  /** The amount as the provider wrote it, before rounding. */
  rawAmount: string;
  currency: string;
  /** DEBIT: money out. */
  type: "CREDIT" | "DEBIT";
  description: string;
  /** The bank's calendar day, `YYYY-MM-DD`, in no time zone. */
  date: string;
  category: string | null;
}

/** A page of changes. */
export interface ChangePage {
  added: TransactionData[];
  modified: TransactionData[];
  removed: { accountId: string | null; externalId: string }[];
  /** Where the next page begins; after the last page, where the next sync begins. */
  cursor: string;
  hasMore: boolean;
}

/** A feed of changes. */
export interface CursorFeed {
  kind: "cursor";
  /** Whether a reading from the beginning holds the whole history: then a missing row is gone from the bank. */
  readonly isComplete: boolean;
  /**
   * Reads one page of changes since the cursor; null is the beginning. Throws {@link BankError} `mutated` if the
   * bank's data changed between two pages (all pages are then read again from the first cursor), `not_ready` if the
   * history is not complete yet, and `cursor_lost` if the cursor is no longer valid.
   */
  changes(access: Access, cursor: string | null, signal: AbortSignal): Promise<ChangePage>;
}

/** A feed that lists transactions by days. */
export interface WindowFeed {
  kind: "window";
  /** How many days back a first sync reads. */
  historyDays: number;
  /**
   * Reads all transactions of an account from this day on (`YYYY-MM-DD`), in pages of any size and order. Throws on
   * every error: an empty list means that the bank says there are none.
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
  /** The data that the adapter needs to complete the link. It is sealed before it is stored. */
  state: string;
}

export interface LinkRequest {
  /** Our permanent id of the link (`lnk_…`), usable as the provider's session id. */
  linkId: string;
  organizationId: string;
  userId: string;
  institutionId: string;
  /** Where the provider redirects the person's browser afterwards. It may append query parameters. */
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

/** A provider's event about a consent. */
export interface BankEvent {
  consentId: string;
  /** Null if the provider's consent ids are unique among all organizations. */
  organizationId: string | null;
  kind: "transactions_changed" | "consent_revoked" | "reauthorization_required" | "consent_changed";
}

export interface BankWebhooks {
  /** Checks the signature of the raw bytes and a time within five minutes. See `WebhookReceiver.verify`. */
  verify(body: Buffer, headers: Headers, now: Date): Promise<BankWebhookCheck> | BankWebhookCheck;
  /** Reads a verified event; null if it concerns no consent. Pure: it runs inside a transaction. */
  read(event: { type: string; body: string }): BankEvent | null;
}

export type BankWebhookCheck =
  | { outcome: "verified"; eventId: string; type: string }
  | { outcome: "refused"; reason: "signature" | "time" | "malformed" };

export interface BankProvider {
  readonly name: ProviderName;
  readonly feed: CursorFeed | WindowFeed;
  /** How many times in 24 hours an account may be read without the person (PSD2: 4); null for no limit. */
  readonly unattendedReadsPerDay: number | null;
  /** Searches institutions: at most 100, best match first. */
  institutions(search: InstitutionSearch): Promise<Institution[]>;
  /** Reads one institution. Throws `institution_not_found`. */
  institution(id: string): Promise<Institution>;
  /** Creates a hosted link. Throws `not_supported` if the provider has none for this request. */
  createLink(request: LinkRequest): Promise<HostedLink>;
  /** Returns the consent id of a finished link. `query` is of the return address. Throws `consent_not_found`. */
  completeLink(request: LinkRequest, state: string, query: URLSearchParams): Promise<string>;
  /**
   * Activates a consent: checks with the provider that it is valid for this organization and institution. Throws
   * `consent_not_found` if it does not exist or was given for others, `invalid_consent_id` if the id is malformed, and
   * `reauthorization_required` if it has ended.
   */
  openConsent(reference: ConsentReference): Promise<Grant>;
  /** Reads the status of the consent at the bank. */
  standing(access: Access): Promise<ConsentStatus>;
  /** Reads all accounts of the consent. */
  accounts(access: Access): Promise<AccountData[]>;
  /** Revokes the consent at the bank. A consent that has already ended is no error. */
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
  | "invalid_consent_id"
  | "institution_not_found"
  | "not_supported"
  /** Thrown by feeds only: see {@link CursorFeed}. */
  | "mutated"
  | "not_ready"
  | "cursor_lost";

/** A provider's error. The message is for operators. Callers see the problem that the kind maps to. */
export class BankError extends Error {
  override readonly name = "BankError";
  readonly kind: BankErrorKind;
  /** The pause before a retry, if the provider names one. */
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
