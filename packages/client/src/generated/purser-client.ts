// Generated from the router's contracts by `pnpm generate`. Edit the contracts instead.

import type { CallOptions, MutationOptions } from "../options.ts";

export type CardStatus = "ACTIVE" | "PAUSED" | "FROZEN" | "CLOSED";

export interface CardListItem {
  id: string;
  organizationId: string;
  assignedTo: {
    id: string;
    name: string | null;
    email: string;
    avatarUrl: string | null;
  };
  policy: {
    id: string;
    name: string;
    description: string | null;
  };
}

export type CardPurpose = "PERSONAL" | "BUSINESS" | "ONLINE" | "SUBSCRIPTION";

export interface Card {
  id: string;
  organizationId: string;
  assignedToId: string;
  createdById: string;
  fundingAccountId: string;
  policyId: string;
  nickname: string | null;
  purpose: CardPurpose;
  status: CardStatus;
  lastFour: string;
  expiryMonth: number;
  expiryYear: number;
  closedAt: Date | null;
}

export interface UpdatedCardStatus {
  id: string;
  status: CardStatus;
  closedAt: Date | null;
}

export interface CardholderState {
  organizationId: string;
  userId: string;
  /** The details that are on record. */
  provided: CardholderDetail[];
  /** The details that a card issuer still requires. */
  missing: CardholderDetail[];
}

export type CardholderDetail = "name" | "dateOfBirth" | "phoneNumber" | "address" | "termsAcceptance" | "governmentId";

export interface CardPolicyListItem {
  id: string;
  organizationId: string;
  name: string;
  description: string | null;
  spendingLimit: number | null;
  limitInterval: LimitInterval | null;
  allowAtm: boolean;
  allowOnline: boolean;
  allowInternational: boolean;
  merchantCategories: string[];
  blockedMerchants: string[];
  activeFrom: Date | null;
  activeTo: Date | null;
  daysOfWeek: number[];
  cardCount: number;
}

export type LimitInterval = "PER_TRANSACTION" | "DAILY" | "WEEKLY" | "MONTHLY";

export interface CardPolicy {
  id: string;
  organizationId: string;
  name: string;
  description: string | null;
  spendingLimit: number | null;
  limitInterval: LimitInterval | null;
  allowAtm: boolean;
  allowOnline: boolean;
  allowInternational: boolean;
  merchantCategories: string[];
  blockedMerchants: string[];
  activeFrom: Date | null;
  activeTo: Date | null;
  daysOfWeek: number[];
}

export interface CardPolicyDraft {
  name?: string | undefined;
  description?: string | null | undefined;
  spendingLimit?: number | null | undefined;
  limitInterval?: LimitInterval | null | undefined;
  allowAtm?: boolean | undefined;
  allowOnline?: boolean | undefined;
  allowInternational?: boolean | undefined;
  merchantCategories?: string[] | undefined;
  blockedMerchants?: string[] | undefined;
  activeFrom?: Date | null | undefined;
  activeTo?: Date | null | undefined;
  daysOfWeek?: number[] | undefined;
}

export type CardChannel = "in_store" | "online" | "atm";

export interface CardDecision {
  outcome: "approved" | "declined";
  reason: string | null;
  /** What the merchant requested; null if nothing was requested. */
  requestedAmount: number | null;
  /** 0 for a decline. Less than requestedAmount for a partial approval: what was left of the limit. */
  approvedAmount: number | null;
  limit: number | null;
  used: number | null;
  remaining: number | null;
  resetsAt: Date | null;
  interval: "PER_TRANSACTION" | "DAILY" | "WEEKLY" | "MONTHLY" | null;
}

export interface CardPolicyBacktest {
  evaluated: number;
  approved: number;
  declined: number;
  /** How many of the approved purchases would have been approved for less than was approved then, where the merchant accepted that and the organization's settings allow it. */
  partiallyApproved: number;
  /** The sum of all declined amounts. With cards in several currencies, read amountsDeclined. */
  amountDeclined: number;
  amountsDeclined: CurrencyAmount[];
  reasons: Array<{
    reason: string;
    count: number;
    /** The sum of all amounts, like amountDeclined. */
    amount: number;
    amounts: CurrencyAmount[];
  }>;
  samples: CardTransaction[];
}

/** An amount in minor units of a currency. */
export interface CurrencyAmount {
  currency: string;
  amount: number;
}

export interface CardTransaction {
  id: string;
  cardId: string;
  amount: number;
  currency: string;
  merchantName: string;
  merchantId: string | null;
  merchantCategory: string | null;
  description: string | null;
  status: CardTransactionStatus;
  declineReason: string | null;
  createdAt: Date;
  settledAt: Date | null;
}

export type CardTransactionStatus = "PENDING" | "COMPLETED" | "DECLINED";

export interface RecordedCardDecision {
  /** An approval that was withdrawn is declined. A force post, a refund and a dispute need no approval: not_requested. */
  outcome: "approved" | "declined" | "not_requested";
  reason: string | null;
  /** What the merchant requested; null if nothing was requested. */
  requestedAmount: number | null;
  /** 0 for a decline. Less than requestedAmount for a partial approval: what was left of the limit. */
  approvedAmount: number | null;
  limit: number | null;
  used: number | null;
  remaining: number | null;
  resetsAt: Date | null;
  interval: "PER_TRANSACTION" | "DAILY" | "WEEKLY" | "MONTHLY" | null;
  decidedAt: Date;
  /** What created the transaction. Only an authorization is decided; a force post is a clearing without one. A dispute gives money back (the amount is negative) or takes it again. */
  origin: "authorization" | "force_post" | "refund" | "dispute";
  /** The decisions on requests to hold more, the oldest first. */
  increments: CardIncrement[];
  /** What the merchant cleared beyond the approved amount, or without an approval; otherwise 0. */
  amountBeyondApproval: number;
}

export interface CardIncrement {
  outcome: "approved" | "declined";
  reason: string | null;
  /** What the merchant requested; null if nothing was requested. */
  requestedAmount: number | null;
  /** 0 for a decline. Less than requestedAmount for a partial approval: what was left of the limit. */
  approvedAmount: number | null;
  limit: number | null;
  used: number | null;
  remaining: number | null;
  resetsAt: Date | null;
  interval: "PER_TRANSACTION" | "DAILY" | "WEEKLY" | "MONTHLY" | null;
  /** The additional amount, in minor units of the card's currency. */
  amount: number;
  decidedAt: Date;
}

export type BankProviderName = "sandbox" | "plaid" | "yapily";

export interface Institution {
  id: string;
  provider: string;
  name: string;
  country: string;
  logoUrl: string | null;
}

export interface BankLink {
  url: string;
  expiresAt: Date;
}

export interface BankConnection {
  id: string;
  teamId: string;
  provider: string;
  providerId: string;
  status: BankConnectionStatus;
  consents: BankConsent[];
}

export type BankConnectionStatus = "ACTIVE" | "DISCONNECTED";

export interface BankConsent {
  id: string;
  status: BankConsentStatus;
  scopes: string[];
  expiresAt: Date;
  revokedAt: Date | null;
}

export type BankConsentStatus = "AUTHORIZED" | "REVOKED";

export interface DisconnectedBankConnection {
  id: string;
  status: "DISCONNECTED";
  consents: Array<{
    id: string;
    status: "REVOKED";
    revokedAt: Date;
  }>;
}

export interface UpdatedBankConsent {
  id: string;
  status: "AUTHORIZED";
  scopes: string[];
  expiresAt: Date;
  revokedAt: null;
}

export interface BankConnectionHealth {
  connectionId: string;
  status: BankConnectionHealthStatus;
  reason: string | null;
  lastSuccessAt: Date | null;
  nextSyncAt: Date | null;
  quotaRemaining: number | null;
  consentExpiresAt: Date;
}

export type BankConnectionHealthStatus = "ok" | "syncing" | "needs_reauthorization" | "failing" | "disconnected";

export interface ReconfirmedBankConsent {
  id: string;
  status: "AUTHORIZED";
  scopes: string[];
  expiresAt: Date;
  revokedAt: null;
  reconfirmBy: Date | null;
}

export interface SyncedBankConnection {
  id: string;
  status: string;
  updatedAt: Date;
  consents: Array<{
    id: string;
    status: string;
    scopes: string[];
    expiresAt: Date;
  }>;
}

export interface BankAccount {
  id: string;
  connectionId: string;
  accountName: string;
  accountNumber: string | null;
  sortCode: string | null;
  currency: string;
  type: BankAccountType;
  balance: number;
  availableBalance: number | null;
  connection: {
    id: string;
    provider: string;
    status: string;
  };
}

export type BankAccountType = "CHECKING" | "SAVINGS" | "CREDIT" | "INVESTMENT";

export interface BankAccountDetails {
  id: string;
  connectionId: string;
  accountName: string;
  accountNumber: string | null;
  sortCode: string | null;
  currency: string;
  type: BankAccountType;
  balance: number;
  availableBalance: number | null;
  connection: {
    id: string;
    provider: string;
    status: string;
  };
  transactionCount: number;
  recentTransactions: RecentBankTransaction[];
}

export interface RecentBankTransaction {
  id: string;
  amount: number;
  currency: string;
  description: string;
  transactionDate: Date;
  type: BankTransactionType;
  category: string | null;
}

export type BankTransactionType = "CREDIT" | "DEBIT";

export interface BankTransaction {
  id: string;
  amount: number;
  currency: string;
  description: string;
  transactionDate: Date;
  type: BankTransactionType;
  category: string | null;
  accountId: string;
  account: {
    id: string;
    accountName: string;
    accountNumber: string | null;
    connection: {
      id: string;
      provider: string;
    };
  };
}

export interface BankSync {
  id: string;
  connectionId: string;
  trigger: "CONNECT" | "MANUAL" | "SCHEDULE" | "WEBHOOK";
  status: "QUEUED" | "RUNNING" | "SUCCEEDED" | "FAILED";
  startedAt: Date;
  finishedAt: Date | null;
  added: number;
  modified: number;
  removed: number;
  errorCode: string | null;
}

export interface QuarantinedBankData {
  id: string;
  connectionId: string;
  accountId: string | null;
  transactionId: string | null;
  externalId: string;
  reason: BankQuarantineReason;
  transaction: {
    amount: number;
    currency: string;
    type: "CREDIT" | "DEBIT";
    description: string;
    transactionDate: Date;
  } | null;
  problem: string | null;
  firstSeenAt: Date;
  lastSeenAt: Date;
}

export type BankQuarantineReason = "DIFFERENT_AMOUNT" | "MISSING_FROM_WINDOW" | "UNREADABLE" | "UNKNOWN_ACCOUNT";

export interface ResumedSubscription {
  status: SubscriptionStatus;
}

export type SubscriptionStatus = "ACTIVE" | "CANCELED" | "PAST_DUE" | "UNPAID" | "INCOMPLETE";

export interface BillingPlan {
  id: string;
  name: string;
  description: string | null;
  storeId: string | null;
  variants: BillingPlanVariant[];
}

export interface BillingPlanVariant {
  id: string;
  price: number;
  currency: string;
  interval: "day" | "week" | "month" | "year";
  interval_count: number;
}

export type PaymentProviderName = "local" | "stripe" | "paddle" | "polar" | "lemonsqueezy";

export type BillingEventStatus = "PENDING" | "APPLIED" | "IGNORED" | "DEAD";

export interface BillingEvent {
  id: string;
  provider: string;
  type: string;
  status: BillingEventStatus;
  attempts: number;
  lastError: string | null;
  receivedAt: Date;
  updatedAt: Date;
}

export interface OrganizationListItem {
  id: string;
  name: string;
  avatarUrl: string | null;
  members: Member[];
  memberCount: number;
}

export interface Member {
  id: string;
  userId: string;
  role: Role;
  isCreator: boolean;
  user?: MemberUser | undefined;
}

export type Role = "OWNER" | "MEMBER";

export interface MemberUser {
  id: string;
  name: string | null;
  email: string;
  avatarUrl: string | null;
}

export interface Organization {
  id: string;
  name: string;
  avatarUrl: string | null;
}

export interface CreatedOrganization {
  id: string;
  name: string;
  avatarUrl: string | null;
  memberships: Array<{
    id: string;
    role: Role;
    isCreator: boolean;
  }>;
}

export interface OrganizationMember {
  id: string;
  userId: string;
  role: Role;
  isCreator: boolean;
  user?: MemberUser | undefined;
  organizationId: string;
}

export interface Invitation {
  id: string;
  organizationId: string;
  email: string;
  role: Role;
  expiresAt: Date;
}

export interface InvitationWithOrganization {
  id: string;
  organizationId: string;
  email: string;
  role: Role;
  expiresAt: Date;
  organization?: {
    name: string;
  } | undefined;
}

export interface AcceptedInvitation {
  name: string;
}

export interface Subscription {
  id: string;
  organizationId: string;
  customerId: string;
  status: SubscriptionStatus;
  planId: string;
  variantId: string;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  canceledAt: Date | null;
  cancelAtPeriodEnd: boolean;
}

export interface OrganizationSettings {
  timeZone: string;
  /** Whether a purchase that exceeds what is left of a daily, weekly or monthly limit is approved for what is left, where the merchant accepts less than it requested. Off by default. */
  partialApprovals: boolean;
}

export interface AuditEntry {
  id: string;
  at: Date;
  actor: {
    id: string;
    name: string;
  } | null;
  action: string;
  subject: string;
  details: Record<string, unknown>;
}

export interface SandboxTransaction {
  bankTransactionId: string;
}

export type SandboxBankFault = "outage" | "rate_limited" | "slow" | "accounts_outage" | "not_ready" | "cursor_lost" | "mutation_during_pagination" | "blank_ids" | "repeated_ids" | "reused_ids";

export interface CardsListInput {
  organizationId: string;
  status?: CardStatus | undefined;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type CardsListOutput = CardListItem[];

export interface CardsCreateInput {
  organizationId: string;
  assignedToId: string;
  fundingAccountId: string;
  policyId: string;
  nickname?: string | null | undefined;
  purpose: CardPurpose;
}

export type CardsCreateOutput = Card;

export interface CardsGetInput {
  organizationId: string;
  cardId: string;
}

export type CardsGetOutput = Card;

export interface CardsUpdateInput {
  organizationId: string;
  cardId: string;
  nickname?: string | null | undefined;
  policyId?: string | undefined;
  assignedToId?: string | undefined;
}

export type CardsUpdateOutput = Card;

export interface CardsUpdateStatusInput {
  organizationId: string;
  cardId: string;
  status: CardStatus;
  reason?: string | undefined;
}

export type CardsUpdateStatusOutput = UpdatedCardStatus;

export interface CardsCardholderUpdateInput {
  organizationId: string;
  /** As on an identity document. */
  name?: {
    first: string;
    last: string;
  } | null | undefined;
  /** A day in the form YYYY-MM-DD. */
  dateOfBirth?: string | null | undefined;
  /** In E.164 form, such as +442071234567. */
  phoneNumber?: string | null | undefined;
  /** The postal address. */
  address?: {
    line1: string;
    line2?: string | undefined;
    city: string;
    /** The state or province. In the USA its code, such as NY. */
    state?: string | undefined;
    postalCode: string;
    /** ISO 3166-1 alpha-2, upper case. */
    country: string;
  } | null | undefined;
  /** That the caller accepts the issuer's terms for cardholders. Purser records the time and the caller's IP address. */
  acceptsTerms?: true | undefined;
  /** A US SSN or ITIN, for issuers that verify identities. */
  governmentId?: string | null | undefined;
}

export type CardsCardholderUpdateOutput = CardholderState;

export interface CardsPoliciesListInput {
  organizationId: string;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type CardsPoliciesListOutput = CardPolicyListItem[];

export interface CardsPoliciesCreateInput {
  organizationId: string;
  name: string;
  description?: string | null | undefined;
  spendingLimit?: number | null | undefined;
  limitInterval?: LimitInterval | null | undefined;
  allowAtm?: boolean | undefined;
  allowOnline?: boolean | undefined;
  allowInternational?: boolean | undefined;
  merchantCategories?: string[] | undefined;
  blockedMerchants?: string[] | undefined;
  activeFrom?: Date | null | undefined;
  activeTo?: Date | null | undefined;
  daysOfWeek?: number[] | undefined;
}

export type CardsPoliciesCreateOutput = CardPolicy;

export interface CardsPoliciesUpdateInput {
  organizationId: string;
  policyId: string;
  name?: string | undefined;
  description?: string | null | undefined;
  spendingLimit?: number | null | undefined;
  limitInterval?: LimitInterval | null | undefined;
  allowAtm?: boolean | undefined;
  allowOnline?: boolean | undefined;
  allowInternational?: boolean | undefined;
  merchantCategories?: string[] | undefined;
  blockedMerchants?: string[] | undefined;
  activeFrom?: Date | null | undefined;
  activeTo?: Date | null | undefined;
  daysOfWeek?: number[] | undefined;
}

export type CardsPoliciesUpdateOutput = CardPolicy;

export interface CardsPoliciesCheckInput {
  organizationId: string;
  cardId?: string | undefined;
  policy?: CardPolicyDraft | undefined;
  amount: number;
  merchant: {
    name: string;
    id?: string | undefined;
    category?: string | undefined;
    country?: string | undefined;
  };
  channel: CardChannel;
  /** Whether the merchant accepts an approval of less than the amount. It then depends on the organization's setting partialApprovals. False by default. */
  acceptsPartialApproval?: boolean | undefined;
  at?: Date | undefined;
}

export type CardsPoliciesCheckOutput = CardDecision;

export interface CardsPoliciesBacktestInput {
  organizationId: string;
  policyId?: string | undefined;
  policy?: CardPolicyDraft | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  cardId?: string | undefined;
}

export type CardsPoliciesBacktestOutput = CardPolicyBacktest;

export interface CardsTransactionsListInput {
  organizationId: string;
  cardId?: string | undefined;
  status?: CardTransactionStatus | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  merchantCategory?: string | undefined;
  minAmount?: number | undefined;
  maxAmount?: number | undefined;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type CardsTransactionsListOutput = CardTransaction[];

export interface CardsTransactionsExplainInput {
  organizationId: string;
  transactionId: string;
}

export type CardsTransactionsExplainOutput = RecordedCardDecision;

export interface BankingInstitutionsListInput {
  /** Default: "sandbox". */
  provider?: BankProviderName | undefined;
  query?: string | undefined;
  country?: string | undefined;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type BankingInstitutionsListOutput = Institution[];

export interface BankingLinkCreateInput {
  teamId: string;
  provider?: BankProviderName | undefined;
  providerId?: string | undefined;
  connectionId?: string | undefined;
  redirectUrl?: string | undefined;
}

export type BankingLinkCreateOutput = BankLink;

export interface BankingConnectionsListInput {
  teamId: string;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type BankingConnectionsListOutput = BankConnection[];

export interface BankingConnectionsConnectInput {
  teamId: string;
  provider: BankProviderName;
  providerId: string;
  consentId: string;
  metadata?: Record<string, unknown> | undefined;
}

export type BankingConnectionsConnectOutput = BankConnection;

export interface BankingConnectionsDisconnectInput {
  teamId: string;
  connectionId: string;
}

export type BankingConnectionsDisconnectOutput = DisconnectedBankConnection;

export interface BankingConnectionsUpdateConsentInput {
  teamId: string;
  connectionId: string;
  scopes: string[];
  expiresAt: Date;
}

export type BankingConnectionsUpdateConsentOutput = UpdatedBankConsent;

export interface BankingConnectionsHealthInput {
  teamId: string;
}

export type BankingConnectionsHealthOutput = BankConnectionHealth[];

export interface BankingConnectionsReconfirmInput {
  teamId: string;
  connectionId: string;
}

export type BankingConnectionsReconfirmOutput = ReconfirmedBankConsent;

export interface BankingConnectionsSyncInput {
  teamId: string;
  connectionId: string;
}

export type BankingConnectionsSyncOutput = SyncedBankConnection;

export interface BankingAccountsListInput {
  teamId: string;
  connectionId?: string | undefined;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type BankingAccountsListOutput = BankAccount[];

export interface BankingAccountsGetInput {
  teamId: string;
  accountId: string;
}

export type BankingAccountsGetOutput = BankAccountDetails;

export interface BankingAccountsMergeInput {
  teamId: string;
  accountId: string;
  intoAccountId: string;
}

export type BankingAccountsMergeOutput = BankAccountDetails;

export interface BankingTransactionsListInput {
  teamId: string;
  accountId?: string | undefined;
  connectionId?: string | undefined;
  from?: Date | undefined;
  to?: Date | undefined;
  type?: BankTransactionType | undefined;
  category?: string | undefined;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type BankingTransactionsListOutput = BankTransaction[];

export interface BankingSyncsListInput {
  teamId: string;
  connectionId?: string | undefined;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type BankingSyncsListOutput = BankSync[];

export interface BankingQuarantineListInput {
  teamId: string;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type BankingQuarantineListOutput = QuarantinedBankData[];

export interface BankingQuarantineResolveInput {
  teamId: string;
  id: string;
  action: "accept" | "reject";
}

export type BankingQuarantineResolveOutput = void;

export interface BillingCheckoutInput {
  planId: string;
  variantId: string;
  teamId: string;
  redirectUrl?: string | undefined;
}

export type BillingCheckoutOutput = string;

export interface BillingPortalInput {
  subscriptionId: string;
  redirectUrl?: string | undefined;
}

export type BillingPortalOutput = string;

export interface BillingCancelInput {
  id: string;
}

export type BillingCancelOutput = void;

export interface BillingResumeInput {
  id: string;
}

export type BillingResumeOutput = ResumedSubscription;

export interface BillingSyncInput {
  id: string;
  teamId: string;
  customerId: string;
  status: SubscriptionStatus;
  planId: string;
  variantId: string;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  canceledAt: Date | null;
  cancelAtPeriodEnd: boolean;
}

export type BillingSyncOutput = void;

export type BillingPlansListInput = {
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
} | undefined;

export type BillingPlansListOutput = BillingPlan[];

export type BillingEventsListInput = {
  provider?: PaymentProviderName | undefined;
  status?: BillingEventStatus | undefined;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
} | undefined;

export type BillingEventsListOutput = BillingEvent[];

export interface BillingEventsReplayInput {
  id: string;
}

export type BillingEventsReplayOutput = BillingEvent;

export interface OrganizationsListInput {
  userId: string;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type OrganizationsListOutput = OrganizationListItem[];

export interface OrganizationsGetInput {
  id: string;
}

export type OrganizationsGetOutput = Organization;

export interface OrganizationsCreateInput {
  name: string;
}

export type OrganizationsCreateOutput = CreatedOrganization;

export interface OrganizationsUpdateInput {
  id: string;
  name?: string | undefined;
  avatarUrl?: string | null | undefined;
}

export type OrganizationsUpdateOutput = Organization;

export interface OrganizationsDeleteInput {
  id: string;
}

export type OrganizationsDeleteOutput = void;

export interface OrganizationsMembersListInput {
  organizationId: string;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type OrganizationsMembersListOutput = OrganizationMember[];

export interface OrganizationsMembersRemoveInput {
  membershipId: string;
}

export type OrganizationsMembersRemoveOutput = void;

export interface OrganizationsMembersUpdateRoleInput {
  id: string;
  role: Role;
}

export type OrganizationsMembersUpdateRoleOutput = void;

export interface OrganizationsInvitationsListInput {
  organizationId: string;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type OrganizationsInvitationsListOutput = Invitation[];

export interface OrganizationsInvitationsGetInput {
  id: string;
}

export type OrganizationsInvitationsGetOutput = InvitationWithOrganization | null;

export interface OrganizationsInvitationsCreateInput {
  organizationId: string;
  email: string;
  role: Role;
}

export type OrganizationsInvitationsCreateOutput = void;

export interface OrganizationsInvitationsAcceptInput {
  id: string;
}

export type OrganizationsInvitationsAcceptOutput = AcceptedInvitation;

export interface OrganizationsInvitationsRevokeInput {
  invitationId: string;
}

export type OrganizationsInvitationsRevokeOutput = void;

export interface OrganizationsSubscriptionGetInput {
  organizationId: string;
}

export type OrganizationsSubscriptionGetOutput = Subscription | null;

export interface OrganizationsSettingsGetInput {
  id: string;
}

export type OrganizationsSettingsGetOutput = OrganizationSettings;

export interface OrganizationsSettingsUpdateInput {
  id: string;
  timeZone?: string | undefined;
  /** Whether a purchase that exceeds what is left of a daily, weekly or monthly limit is approved for what is left, where the merchant accepts less than it requested. Off by default. */
  partialApprovals?: boolean | undefined;
}

export type OrganizationsSettingsUpdateOutput = OrganizationSettings;

export interface OrganizationsAuditListInput {
  id: string;
  /** Default: 1000. */
  limit?: number | undefined;
  after?: string | undefined;
}

export type OrganizationsAuditListOutput = AuditEntry[];

export interface SandboxBankingAddTransactionInput {
  teamId: string;
  connectionId: string;
  accountId: string;
  amount: number;
  type: "CREDIT" | "DEBIT";
  /** Default: "SANDBOX TRANSACTION". */
  description?: string | undefined;
  /** Default: null. */
  category?: string | null | undefined;
  date?: Date | undefined;
  /** Default: false. */
  pending?: boolean | undefined;
  /** Default: true. */
  notify?: boolean | undefined;
}

export type SandboxBankingAddTransactionOutput = SandboxTransaction;

export interface SandboxBankingPostTransactionInput {
  teamId: string;
  connectionId: string;
  bankTransactionId: string;
  amount?: number | undefined;
  date?: Date | undefined;
  /** Default: true. */
  notify?: boolean | undefined;
}

export type SandboxBankingPostTransactionOutput = SandboxTransaction;

export interface SandboxBankingChangeTransactionInput {
  teamId: string;
  connectionId: string;
  bankTransactionId: string;
  description?: string | undefined;
  category?: string | null | undefined;
  date?: Date | undefined;
  amount?: number | undefined;
  /** Default: true. */
  notify?: boolean | undefined;
}

export type SandboxBankingChangeTransactionOutput = void;

export interface SandboxBankingRemoveTransactionInput {
  teamId: string;
  connectionId: string;
  bankTransactionId: string;
  /** Default: true. */
  notify?: boolean | undefined;
}

export type SandboxBankingRemoveTransactionOutput = void;

export interface SandboxBankingRevokeConsentInput {
  teamId: string;
  connectionId: string;
  /** Default: true. */
  notify?: boolean | undefined;
}

export type SandboxBankingRevokeConsentOutput = void;

export interface SandboxBankingExpireConsentInput {
  teamId: string;
  connectionId: string;
  /** Default: true. */
  notify?: boolean | undefined;
}

export type SandboxBankingExpireConsentOutput = void;

export interface SandboxBankingRequireReauthorizationInput {
  teamId: string;
  connectionId: string;
  /** Default: true. */
  notify?: boolean | undefined;
}

export type SandboxBankingRequireReauthorizationOutput = void;

export interface SandboxBankingRepairConsentInput {
  teamId: string;
  connectionId: string;
  /** Default: true. */
  notify?: boolean | undefined;
}

export type SandboxBankingRepairConsentOutput = void;

export interface SandboxBankingSetFaultInput {
  teamId: string;
  connectionId: string;
  fault: SandboxBankFault;
  times?: number | undefined;
  retryAfterSeconds?: number | undefined;
  milliseconds?: number | undefined;
}

export type SandboxBankingSetFaultOutput = void;

export interface SandboxBankingClearFaultsInput {
  teamId: string;
  connectionId: string;
}

export type SandboxBankingClearFaultsOutput = void;

export interface SandboxCardsAuthorizeInput {
  organizationId?: string | undefined;
  cardId: string;
  amount: number;
  currency?: string | undefined;
  merchant: {
    name: string;
    id?: string | undefined;
    category?: string | undefined;
    country?: string | undefined;
  };
  channel: CardChannel;
  at?: Date | undefined;
  networkId?: string | undefined;
  acceptsPartialApproval?: boolean | undefined;
}

export type SandboxCardsAuthorizeOutput = CardTransaction;

export interface SandboxCardsIncrementInput {
  organizationId?: string | undefined;
  transactionId: string;
  amount: number;
  acceptsPartialApproval?: boolean | undefined;
}

export type SandboxCardsIncrementOutput = CardTransaction;

export interface SandboxCardsReverseInput {
  organizationId?: string | undefined;
  transactionId: string;
  amount?: number | undefined;
}

export type SandboxCardsReverseOutput = CardTransaction;

export interface SandboxCardsExpireInput {
  organizationId?: string | undefined;
  transactionId: string;
}

export type SandboxCardsExpireOutput = CardTransaction;

export interface SandboxCardsClearInput {
  organizationId?: string | undefined;
  transactionId?: string | undefined;
  cardId?: string | undefined;
  amount?: number | undefined;
  merchant?: {
    name: string;
    id?: string | undefined;
    category?: string | undefined;
    country?: string | undefined;
  } | undefined;
  final?: boolean | undefined;
}

export type SandboxCardsClearOutput = CardTransaction;

export interface SandboxCardsRefundInput {
  organizationId?: string | undefined;
  transactionId?: string | undefined;
  cardId?: string | undefined;
  amount?: number | undefined;
  merchant?: {
    name: string;
    id?: string | undefined;
    category?: string | undefined;
    country?: string | undefined;
  } | undefined;
}

export type SandboxCardsRefundOutput = CardTransaction;

export interface SandboxBillingAdvanceInput {
  subscriptionId: string;
  to: Date;
}

export type SandboxBillingAdvanceOutput = Subscription;

export interface SandboxBillingReplaceCardInput {
  subscriptionId: string;
  card: "succeeds" | "fails";
}

export type SandboxBillingReplaceCardOutput = Subscription;

/**
 * Every procedure of Purser, as a method.
 *
 * Methods reject with a `PurserError`. Each method documents its own codes. Every method can also reject with `VALIDATION_FAILED`, `UNAUTHENTICATED`, `RATE_LIMITED`, `INTERNAL`, `UNAVAILABLE` and the client's own codes, and mutations with `IDEMPOTENCY_KEY_REUSED` and `IDEMPOTENCY_IN_PROGRESS`.
 */
export interface PurserClient {
  cards: {
    /**
     * Lists the cards of an organization, newest first. Members see the cards assigned to them.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     */
    list: (input: CardsListInput, options?: CallOptions) => Promise<CardsListOutput>;
    /**
     * Issues a card to a member. The card follows a policy, and has the currency and country of its funding account.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
     * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
     * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
     * - `CONNECTION_DISCONNECTED`: This bank connection is disconnected.
     * - `CARDHOLDER_DETAILS_REQUIRED`: The card issuer requires more details of the cardholder.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     */
    create: (input: CardsCreateInput, options?: MutationOptions) => Promise<CardsCreateOutput>;
    /**
     * Returns a card.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `CARD_NOT_FOUND`: There is no such card.
     */
    get: (input: CardsGetInput, options?: CallOptions) => Promise<CardsGetOutput>;
    /**
     * Updates the nickname, policy or holder of a card. Absent fields are unchanged; a null nickname clears it. A new holder does not see earlier purchases. Stripe binds a card to its first holder.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `CARD_NOT_FOUND`: There is no such card.
     * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
     * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
     * - `CARD_CLOSED`: This card is closed. Closing is final.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     */
    update: (input: CardsUpdateInput, options?: MutationOptions) => Promise<CardsUpdateOutput>;
    /**
     * Updates the status of a card. It applies to the next purchase. Owners set any status; cardholders pause, resume and close their own card. CLOSED is final.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `CARD_NOT_FOUND`: There is no such card.
     * - `CARD_CLOSED`: This card is closed. Closing is final.
     * - `ASSIGNEE_NOT_MEMBER`: The cardholder is no longer a member of the organization.
     */
    updateStatus: (input: CardsUpdateStatusInput, options?: MutationOptions) => Promise<CardsUpdateStatusOutput>;
    cardholder: {
      /**
       * Updates the caller's own details as a cardholder: sealed, sent to card issuers that require them, never returned. Absent fields are unchanged; null erases a field.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      update: (input: CardsCardholderUpdateInput, options?: MutationOptions) => Promise<CardsCardholderUpdateOutput>;
    };
    policies: {
      /**
       * Lists the card policies of an organization, newest first, each with its number of open cards.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      list: (input: CardsPoliciesListInput, options?: CallOptions) => Promise<CardsPoliciesListOutput>;
      /**
       * Creates a card policy. It allows everything that it does not restrict.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      create: (input: CardsPoliciesCreateInput, options?: MutationOptions) => Promise<CardsPoliciesCreateOutput>;
      /**
       * Updates a card policy. The change applies to the next purchase with any of its cards. Absent fields are unchanged; null clears a nullable field.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
       */
      update: (input: CardsPoliciesUpdateInput, options?: MutationOptions) => Promise<CardsPoliciesUpdateOutput>;
      /**
       * Decides on a hypothetical purchase, now or at another time: with a card, under a draft policy, or with a card as if it followed the draft. Returns the reason for a decline.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CARD_NOT_FOUND`: There is no such card.
       */
      check: (input: CardsPoliciesCheckInput, options?: CallOptions) => Promise<CardsPoliciesCheckOutput>;
      /**
       * Replays approved purchases under a policy or a draft, and reports which it would have declined. Limits count from the start of the range.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
       * - `CARD_NOT_FOUND`: There is no such card.
       */
      backtest: (input: CardsPoliciesBacktestInput, options?: CallOptions) => Promise<CardsPoliciesBacktestOutput>;
    };
    transactions: {
      /**
       * Lists the card transactions of an organization, newest first. Members see those of the cards assigned to them.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CARD_NOT_FOUND`: There is no such card.
       */
      list: (input: CardsTransactionsListInput, options?: CallOptions) => Promise<CardsTransactionsListOutput>;
      /**
       * Explains the decision on a card transaction: the reason for a decline, and the limit with its remaining amount. For owners and the cardholder.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       */
      explain: (input: CardsTransactionsExplainInput, options?: CallOptions) => Promise<CardsTransactionsExplainOutput>;
    };
  };
  banking: {
    institutions: {
      /**
       * Searches the banks of a provider, best match first.
       *
       * Errors:
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       */
      list: (input: BankingInstitutionsListInput, options?: CallOptions) => Promise<BankingInstitutionsListOutput>;
    };
    link: {
      /**
       * Creates a link to a page at the provider where a person gives or renews a consent for this team. The page redirects to `redirectUrl` with `teamId`, `provider`, `providerId` and `consentId`, the input of `connect`, or with `error`.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `INSTITUTION_NOT_FOUND`: There is no such institution at this provider.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       */
      create: (input: BankingLinkCreateInput, options?: MutationOptions) => Promise<BankingLinkCreateOutput>;
    };
    connections: {
      /**
       * Lists the bank connections of a team with their consents, newest first.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      list: (input: BankingConnectionsListInput, options?: CallOptions) => Promise<BankingConnectionsListOutput>;
      /**
       * Connects a team to a bank with a consent. Returns once the accounts are stored; transactions follow in the background.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `INSTITUTION_NOT_FOUND`: There is no such institution at this provider.
       * - `CONSENT_NOT_FOUND`: There is no such consent for this team and institution.
       * - `REAUTHORIZATION_REQUIRED`: The bank requires the account holder to renew the consent.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       */
      connect: (input: BankingConnectionsConnectInput, options?: MutationOptions) => Promise<BankingConnectionsConnectOutput>;
      /**
       * Disconnects a bank connection: revokes its consents, also at the provider, and erases its tokens. Accounts and transactions stay.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       */
      disconnect: (input: BankingConnectionsDisconnectInput, options?: MutationOptions) => Promise<BankingConnectionsDisconnectOutput>;
      /**
       * Sets scopes and expiry of a connection's newest consent, within the limits of the bank's grant. Reconnects a disconnected connection if the provider supports it.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `REAUTHORIZATION_REQUIRED`: The bank requires the account holder to renew the consent.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       */
      updateConsent: (input: BankingConnectionsUpdateConsentInput, options?: MutationOptions) => Promise<BankingConnectionsUpdateConsentOutput>;
      /**
       * Shows for each bank connection of a team whether it brings data, and if not, why and what to do about it.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      health: (input: BankingConnectionsHealthInput, options?: CallOptions) => Promise<BankingConnectionsHealthOutput>;
      /**
       * Confirms that the consent of a connection continues, where the provider accepts that without a visit to the bank.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `CONNECTION_DISCONNECTED`: This bank connection is disconnected.
       * - `CONSENT_EXPIRED`: The consent for this bank connection has expired. Renew it at the bank.
       * - `REAUTHORIZATION_REQUIRED`: The bank requires the account holder to renew the consent.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       */
      reconfirm: (input: BankingConnectionsReconfirmInput, options?: MutationOptions) => Promise<BankingConnectionsReconfirmOutput>;
      /**
       * Syncs accounts and transactions with the bank. Waits up to 25 seconds for the result; `updatedAt` is the end of the last successful sync.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `CONNECTION_DISCONNECTED`: This bank connection is disconnected.
       * - `CONSENT_EXPIRED`: The consent for this bank connection has expired. Renew it at the bank.
       * - `REAUTHORIZATION_REQUIRED`: The bank requires the account holder to renew the consent.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
       */
      sync: (input: BankingConnectionsSyncInput, options?: MutationOptions) => Promise<BankingConnectionsSyncOutput>;
    };
    accounts: {
      /**
       * Lists the bank accounts of a team with their balances, newest first.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       */
      list: (input: BankingAccountsListInput, options?: CallOptions) => Promise<BankingAccountsListOutput>;
      /**
       * Returns a bank account with its ten newest transactions and its transaction count.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       */
      get: (input: BankingAccountsGetInput, options?: CallOptions) => Promise<BankingAccountsGetOutput>;
      /**
       * Merges a bank account into another one that is the same account, for example after it was linked again without its number. `intoAccountId` continues with its own connection and balances. It gets the transactions of `accountId`, of which duplicates collapse, and the cards that it funds. `accountId` ends. Nobody can undo a merge.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       * - `ACCOUNTS_CANNOT_MERGE`: These bank accounts cannot be the same account.
       */
      merge: (input: BankingAccountsMergeInput, options?: MutationOptions) => Promise<BankingAccountsMergeOutput>;
    };
    transactions: {
      /**
       * Lists the transactions of a team's bank accounts, newest first.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       */
      list: (input: BankingTransactionsListInput, options?: CallOptions) => Promise<BankingTransactionsListOutput>;
    };
    syncs: {
      /**
       * Lists the syncs of a team's bank connections with their outcomes, newest first.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       */
      list: (input: BankingSyncsListInput, options?: CallOptions) => Promise<BankingSyncsListOutput>;
    };
    quarantine: {
      /**
       * Lists the bank data that needs a decision, newest first: transactions that contradict the ledger, booked transactions that the bank no longer lists, and data that cannot be read.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      list: (input: BankingQuarantineListInput, options?: CallOptions) => Promise<BankingQuarantineListOutput>;
      /**
       * Resolves an entry of the quarantine: `accept` takes its transaction into the list, `reject` leaves it out. The decision holds until the bank reports something else.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `QUARANTINE_ENTRY_NOT_FOUND`: There is no such entry in the quarantine, or it is resolved.
       */
      resolve: (input: BankingQuarantineResolveInput, options?: MutationOptions) => Promise<BankingQuarantineResolveOutput>;
    };
  };
  billing: {
    /**
     * Starts a checkout and returns the URL of the provider's payment page. The same request returns the same page while it is open.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `PLAN_NOT_FOUND`: There is no such plan, or not with this variant.
     * - `ALREADY_SUBSCRIBED`: This team already has a subscription.
     * - `CHECKOUT_SUPERSEDED`: Another checkout for this team has replaced this one.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     */
    checkout: (input: BillingCheckoutInput, options?: MutationOptions) => Promise<BillingCheckoutOutput>;
    /**
     * Returns the URL of the provider's customer portal for a subscription.
     *
     * Errors:
     * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     */
    portal: (input: BillingPortalInput, options?: MutationOptions) => Promise<BillingPortalOutput>;
    /**
     * Cancels a subscription at the end of its current period. It stays active until then.
     *
     * Errors:
     * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `SUBSCRIPTION_ENDED`: This subscription has ended and cannot be resumed.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     */
    cancel: (input: BillingCancelInput, options?: MutationOptions) => Promise<BillingCancelOutput>;
    /**
     * Withdraws a cancellation before the end of the period.
     *
     * Errors:
     * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `SUBSCRIPTION_ENDED`: This subscription has ended and cannot be resumed.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     */
    resume: (input: BillingResumeInput, options?: MutationOptions) => Promise<BillingResumeOutput>;
    /**
     * Stores a subscription that an administrator enters. If a payment provider knows the id, its state overrides the entry at the next synchronization; otherwise the subscription is manual.
     *
     * Errors:
     * - `FORBIDDEN`: Your role does not allow this.
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `SUBSCRIPTION_OF_ANOTHER_TEAM`: This id belongs to a subscription of another team.
     * - `PROVIDER_ERROR`: The provider did not respond as expected. Nothing was changed; try again later.
     */
    sync: (input: BillingSyncInput, options?: MutationOptions) => Promise<BillingSyncOutput>;
    plans: {
      /** Lists the plans that all payment providers have on sale. */
      list: (input?: BillingPlansListInput, options?: CallOptions) => Promise<BillingPlansListOutput>;
    };
    events: {
      /**
       * Lists the webhook events of payment providers with their processing status, newest first.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       */
      list: (input?: BillingEventsListInput, options?: CallOptions) => Promise<BillingEventsListOutput>;
      /**
       * Processes a webhook event again, in any status.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `WEBHOOK_EVENT_NOT_FOUND`: There is no such webhook event.
       */
      replay: (input: BillingEventsReplayInput, options?: MutationOptions) => Promise<BillingEventsReplayOutput>;
    };
  };
  organizations: {
    /**
     * Lists the organizations of a user with their members, newest first. Administrators can list those of any user.
     *
     * Errors:
     * - `FORBIDDEN`: Your role does not allow this.
     */
    list: (input: OrganizationsListInput, options?: CallOptions) => Promise<OrganizationsListOutput>;
    /**
     * Returns an organization.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     */
    get: (input: OrganizationsGetInput, options?: CallOptions) => Promise<OrganizationsGetOutput>;
    /** Creates an organization. The caller becomes its creator and first owner. */
    create: (input: OrganizationsCreateInput, options?: MutationOptions) => Promise<OrganizationsCreateOutput>;
    /**
     * Updates the name or the avatar of an organization. An absent field does not change; a null avatarUrl clears it.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     */
    update: (input: OrganizationsUpdateInput, options?: MutationOptions) => Promise<OrganizationsUpdateOutput>;
    /**
     * Deletes an organization for all its members. Its ledgers and audit trail are kept.
     *
     * Errors:
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `ORGANIZATION_IN_USE`: The organization still has cards, bank connections or a subscription.
     */
    delete: (input: OrganizationsDeleteInput, options?: MutationOptions) => Promise<OrganizationsDeleteOutput>;
    members: {
      /**
       * Lists the members of an organization, newest first.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      list: (input: OrganizationsMembersListInput, options?: CallOptions) => Promise<OrganizationsMembersListOutput>;
      /**
       * Removes a member. Owners can remove other members; a member can only leave.
       *
       * Errors:
       * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `OWNER_CANNOT_LEAVE`: An owner cannot remove themselves.
       * - `CREATOR_PROTECTED`: The creator of an organization can be neither removed nor demoted.
       */
      remove: (input: OrganizationsMembersRemoveInput, options?: MutationOptions) => Promise<OrganizationsMembersRemoveOutput>;
      /**
       * Changes the role of a member.
       *
       * Errors:
       * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CREATOR_PROTECTED`: The creator of an organization can be neither removed nor demoted.
       * - `LAST_OWNER`: An organization needs an owner. Make another member an owner first.
       */
      updateRole: (input: OrganizationsMembersUpdateRoleInput, options?: MutationOptions) => Promise<OrganizationsMembersUpdateRoleOutput>;
    };
    invitations: {
      /**
       * Lists the open and expired invitations of an organization, newest first.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      list: (input: OrganizationsInvitationsListInput, options?: CallOptions) => Promise<OrganizationsInvitationsListOutput>;
      /** Returns an invitation to the invited person and to owners. Other callers get null. */
      get: (input: OrganizationsInvitationsGetInput, options?: CallOptions) => Promise<OrganizationsInvitationsGetOutput>;
      /**
       * Sends an invitation that is valid for 7 days. It replaces an earlier invitation to the same address.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `EMAIL_NOT_VERIFIED`: Verify your e-mail address first.
       * - `ALREADY_MEMBER`: This person is already a member.
       */
      create: (input: OrganizationsInvitationsCreateInput, options?: MutationOptions) => Promise<OrganizationsInvitationsCreateOutput>;
      /**
       * Accepts an invitation. The caller becomes a member with the invited role.
       *
       * Errors:
       * - `INVITATION_NOT_FOUND`: There is no such invitation.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `EMAIL_NOT_VERIFIED`: Verify your e-mail address first.
       * - `INVITATION_EXPIRED`: This invitation has expired. Request a new one.
       * - `ALREADY_MEMBER`: This person is already a member.
       */
      accept: (input: OrganizationsInvitationsAcceptInput, options?: MutationOptions) => Promise<OrganizationsInvitationsAcceptOutput>;
      /**
       * Revokes an invitation.
       *
       * Errors:
       * - `INVITATION_NOT_FOUND`: There is no such invitation.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      revoke: (input: OrganizationsInvitationsRevokeInput, options?: MutationOptions) => Promise<OrganizationsInvitationsRevokeOutput>;
    };
    subscription: {
      /**
       * Returns the live subscription of an organization, otherwise the latest one, otherwise null.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      get: (input: OrganizationsSubscriptionGetInput, options?: CallOptions) => Promise<OrganizationsSubscriptionGetOutput>;
    };
    settings: {
      /**
       * Returns the settings of an organization.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      get: (input: OrganizationsSettingsGetInput, options?: CallOptions) => Promise<OrganizationsSettingsGetOutput>;
      /**
       * Updates the settings of an organization. The time zone determines when its days, weeks and months start. With partialApprovals, a purchase beyond a limit is approved for what is left of it.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      update: (input: OrganizationsSettingsUpdateInput, options?: MutationOptions) => Promise<OrganizationsSettingsUpdateOutput>;
    };
    audit: {
      /**
       * Lists the audit trail of an organization, newest first.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      list: (input: OrganizationsAuditListInput, options?: CallOptions) => Promise<OrganizationsAuditListOutput>;
    };
  };
  sandbox: {
    banking: {
      /**
       * Adds a posted or pending transaction at the bank. Returns the bank's id of the transaction.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       */
      addTransaction: (input: SandboxBankingAddTransactionInput, options?: MutationOptions) => Promise<SandboxBankingAddTransactionOutput>;
      /**
       * Posts a pending transaction under a new id. Returns the new id.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       */
      postTransaction: (input: SandboxBankingPostTransactionInput, options?: MutationOptions) => Promise<SandboxBankingPostTransactionOutput>;
      /**
       * Changes a transaction at the bank. Absent fields stay unchanged.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       */
      changeTransaction: (input: SandboxBankingChangeTransactionInput, options?: MutationOptions) => Promise<SandboxBankingChangeTransactionOutput>;
      /**
       * Removes a transaction at the bank.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       */
      removeTransaction: (input: SandboxBankingRemoveTransactionInput, options?: MutationOptions) => Promise<SandboxBankingRemoveTransactionOutput>;
      /**
       * Revokes the newest consent at the bank, as the customer can at any time.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      revokeConsent: (input: SandboxBankingRevokeConsentInput, options?: MutationOptions) => Promise<SandboxBankingRevokeConsentOutput>;
      /**
       * Expires the newest consent at the bank immediately.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      expireConsent: (input: SandboxBankingExpireConsentInput, options?: MutationOptions) => Promise<SandboxBankingExpireConsentOutput>;
      /**
       * Makes the bank require a confirmation of the newest consent.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      requireReauthorization: (input: SandboxBankingRequireReauthorizationInput, options?: MutationOptions) => Promise<SandboxBankingRequireReauthorizationOutput>;
      /**
       * Confirms the newest consent at the bank. A revoked or expired consent stays ended.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      repairConsent: (input: SandboxBankingRepairConsentInput, options?: MutationOptions) => Promise<SandboxBankingRepairConsentOutput>;
      /**
       * Sets a fault at the bank, for a number of times or until it is cleared.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      setFault: (input: SandboxBankingSetFaultInput, options?: MutationOptions) => Promise<SandboxBankingSetFaultOutput>;
      /**
       * Clears all faults at the bank.
       *
       * Errors:
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      clearFaults: (input: SandboxBankingClearFaultsInput, options?: MutationOptions) => Promise<SandboxBankingClearFaultsOutput>;
    };
    cards: {
      /**
       * Simulates an authorization request for a purchase with a card. Returns the transaction, whether it is approved or declined.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_NOT_FOUND`: There is no such card.
       */
      authorize: (input: SandboxCardsAuthorizeInput, options?: MutationOptions) => Promise<SandboxCardsAuthorizeOutput>;
      /**
       * Simulates a request to hold more for a purchase. If it is declined, the error code is the decline reason.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined and can no longer change.
       * - `CARD_CLOSED`: This card is closed. Closing is final.
       * - `CARD_FROZEN`: This card is frozen.
       * - `CARD_PAUSED`: This card is paused.
       * - `CARD_EXPIRED`: This card has expired.
       * - `CURRENCY_NOT_SUPPORTED`: This card does not support this currency.
       * - `POLICY_NOT_STARTED`: The card's policy has not started yet.
       * - `POLICY_EXPIRED`: The card's policy has ended.
       * - `DAY_NOT_ALLOWED`: The card's policy does not allow this day of the week.
       * - `ATM_NOT_ALLOWED`: The card's policy does not allow ATM withdrawals.
       * - `ONLINE_NOT_ALLOWED`: The card's policy does not allow purchases online.
       * - `INTERNATIONAL_NOT_ALLOWED`: The card's policy does not allow international purchases.
       * - `MERCHANT_CATEGORY_NOT_ALLOWED`: The card's policy does not allow this category of merchants.
       * - `MERCHANT_BLOCKED`: The card's policy blocks this merchant.
       * - `TRANSACTION_LIMIT_EXCEEDED`: The amount exceeds the card policy's limit per purchase.
       * - `DAILY_LIMIT_EXCEEDED`: The amount exceeds what is left of the card's daily limit.
       * - `WEEKLY_LIMIT_EXCEEDED`: The amount exceeds what is left of the card's weekly limit.
       * - `MONTHLY_LIMIT_EXCEEDED`: The amount exceeds what is left of the card's monthly limit.
       */
      increment: (input: SandboxCardsIncrementInput, options?: MutationOptions) => Promise<SandboxCardsIncrementOutput>;
      /**
       * Simulates a reversal, which releases a part of a hold or all of it. A fully reversed purchase is DECLINED.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined and can no longer change.
       * - `AMOUNT_EXCEEDS_HOLD`: The amount exceeds the hold.
       */
      reverse: (input: SandboxCardsReverseInput, options?: MutationOptions) => Promise<SandboxCardsReverseOutput>;
      /**
       * Expires a hold now instead of at its expiry date.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined and can no longer change.
       */
      expire: (input: SandboxCardsExpireInput, options?: MutationOptions) => Promise<SandboxCardsExpireOutput>;
      /**
       * Simulates a clearing: of a purchase, or with a card alone for a clearing without an authorization.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `CARD_NOT_FOUND`: There is no such card.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined and can no longer change.
       */
      clear: (input: SandboxCardsClearInput, options?: MutationOptions) => Promise<SandboxCardsClearOutput>;
      /**
       * Simulates a refund of a purchase, or with a card alone a refund without one. The refund is a separate transaction.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `CARD_NOT_FOUND`: There is no such card.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined and can no longer change.
       * - `TRANSACTION_NOT_SETTLED`: This card transaction is not settled yet. Reverse it instead.
       * - `AMOUNT_EXCEEDS_CLEARED`: The amount exceeds what was cleared and not refunded yet.
       */
      refund: (input: SandboxCardsRefundInput, options?: MutationOptions) => Promise<SandboxCardsRefundOutput>;
    };
    billing: {
      /**
       * Moves the clock of one subscription forward. Trials end, periods renew, and failed payments are retried. Returns the resulting subscription.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      advance: (input: SandboxBillingAdvanceInput, options?: MutationOptions) => Promise<SandboxBillingAdvanceOutput>;
      /**
       * Replaces the test card of a subscription. A card that succeeds pays an open invoice at once. A card that fails is declined at every renewal.
       *
       * Errors:
       * - `FORBIDDEN`: Your role does not allow this.
       * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `SUBSCRIPTION_ENDED`: This subscription has ended and cannot be resumed.
       */
      replaceCard: (input: SandboxBillingReplaceCardInput, options?: MutationOptions) => Promise<SandboxBillingReplaceCardOutput>;
    };
  };
}
