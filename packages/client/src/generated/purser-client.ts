// Generated from the router's contracts by `pnpm generate`; edit those.

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
  amountDeclined: number;
  reasons: Array<{
    reason: string;
    count: number;
    amount: number;
  }>;
  samples: CardTransaction[];
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
  outcome: "approved" | "declined";
  reason: string | null;
  limit: number | null;
  used: number | null;
  remaining: number | null;
  resetsAt: Date | null;
  interval: "PER_TRANSACTION" | "DAILY" | "WEEKLY" | "MONTHLY" | null;
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
}

export type SandboxCardsAuthorizeOutput = CardTransaction;

export interface SandboxCardsIncrementInput {
  organizationId?: string | undefined;
  transactionId: string;
  amount: number;
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
 * A method rejects with a `PurserError`. Beside the codes that it names itself, any may have `VALIDATION_FAILED`, `UNAUTHENTICATED`, `RATE_LIMITED`, `INTERNAL`, `UNAVAILABLE` and those of the client, and mutations `IDEMPOTENCY_KEY_REUSED` and `IDEMPOTENCY_IN_PROGRESS`.
 */
export interface PurserClient {
  cards: {
    /**
     * Lists the cards of an organization, newest first; members see those assigned to them.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     */
    list: (input: CardsListInput, options?: CallOptions) => Promise<CardsListOutput>;
    /**
     * Issues a card to a member. It is funded from a bank account, whose currency and country it has, and follows a policy.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
     * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
     * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
     * - `CONNECTION_DISCONNECTED`: This bank connection is disconnected.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
     */
    create: (input: CardsCreateInput, options?: MutationOptions) => Promise<CardsCreateOutput>;
    /**
     * Reads a card.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `CARD_NOT_FOUND`: There is no such card.
     */
    get: (input: CardsGetInput, options?: CallOptions) => Promise<CardsGetOutput>;
    /**
     * Changes the nickname, the policy or the holder of a card. An absent field stays as it is; a null nickname clears it.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `CARD_NOT_FOUND`: There is no such card.
     * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
     * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
     * - `CARD_CLOSED`: This card is closed; that is final.
     */
    update: (input: CardsUpdateInput, options?: MutationOptions) => Promise<CardsUpdateOutput>;
    /**
     * Changes the status of a card, for the very next purchase. Owners set any; cardholders pause, resume and close their own. CLOSED is final.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `CARD_NOT_FOUND`: There is no such card.
     * - `CARD_CLOSED`: This card is closed; that is final.
     * - `ASSIGNEE_NOT_MEMBER`: The person whom this card is assigned to is not a member any more.
     */
    updateStatus: (input: CardsUpdateStatusInput, options?: MutationOptions) => Promise<CardsUpdateStatusOutput>;
    policies: {
      /**
       * Lists the card policies of an organization, newest first, each with the number of cards that follow it and are not closed.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      list: (input: CardsPoliciesListInput, options?: CallOptions) => Promise<CardsPoliciesListOutput>;
      /**
       * Creates a card policy. What it does not restrict is allowed.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      create: (input: CardsPoliciesCreateInput, options?: MutationOptions) => Promise<CardsPoliciesCreateOutput>;
      /**
       * Changes a card policy, for the very next purchase with any card that follows it. An absent field stays as it is; null clears a field that may be null.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
       */
      update: (input: CardsPoliciesUpdateInput, options?: MutationOptions) => Promise<CardsPoliciesUpdateOutput>;
      /**
       * Tells whether a purchase would pass now or at another time, and why not: on a card, under a draft of a policy, or on a card as if it followed the draft.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CARD_NOT_FOUND`: There is no such card.
       */
      check: (input: CardsPoliciesCheckInput, options?: CallOptions) => Promise<CardsPoliciesCheckOutput>;
      /**
       * Tells what a policy or a draft of one would have declined among past purchases that were approved. Limits count from the beginning of the range.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CARD_POLICY_NOT_FOUND`: There is no such card policy.
       * - `CARD_NOT_FOUND`: There is no such card.
       */
      backtest: (input: CardsPoliciesBacktestInput, options?: CallOptions) => Promise<CardsPoliciesBacktestOutput>;
    };
    transactions: {
      /**
       * Lists the card transactions of an organization, newest first; members see those of the cards assigned to them.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CARD_NOT_FOUND`: There is no such card.
       */
      list: (input: CardsTransactionsListInput, options?: CallOptions) => Promise<CardsTransactionsListOutput>;
      /**
       * Tells what the decision on a card transaction was based on: why it was declined, and what was left of the limit. To its organization's owners and the card's holder.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       */
      explain: (input: CardsTransactionsExplainInput, options?: CallOptions) => Promise<CardsTransactionsExplainOutput>;
    };
  };
  banking: {
    institutions: {
      /**
       * Searches the banks that a provider reaches, best match first.
       *
       * Refuses with
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
       */
      list: (input: BankingInstitutionsListInput, options?: CallOptions) => Promise<BankingInstitutionsListOutput>;
    };
    link: {
      /**
       * Makes a link to a page at the provider where a person gives or renews a consent for this team. They come back to redirectUrl with teamId, provider, providerId and consentId, which is what connecting takes, or with an error.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `INSTITUTION_NOT_FOUND`: There is no such institution at this provider.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
       */
      create: (input: BankingLinkCreateInput, options?: MutationOptions) => Promise<BankingLinkCreateOutput>;
    };
    connections: {
      /**
       * Lists the bank connections of a team with their consents, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      list: (input: BankingConnectionsListInput, options?: CallOptions) => Promise<BankingConnectionsListOutput>;
      /**
       * Links a team to a bank by a consent that a person gave there. It answers when the accounts are stored; transactions follow in the background.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `INSTITUTION_NOT_FOUND`: There is no such institution at this provider.
       * - `CONSENT_NOT_FOUND`: There is no such consent for this team and institution.
       * - `REAUTHORIZATION_REQUIRED`: The bank asks the person to give their consent again.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
       */
      connect: (input: BankingConnectionsConnectInput, options?: MutationOptions) => Promise<BankingConnectionsConnectOutput>;
      /**
       * Ends a bank connection: its consents are revoked, also at the provider, and its tokens erased. What was read stays.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       */
      disconnect: (input: BankingConnectionsDisconnectInput, options?: MutationOptions) => Promise<BankingConnectionsDisconnectOutput>;
      /**
       * Sets scopes and expiry of a connection's newest consent, within what the bank has granted. A disconnected connection is connected again where the provider can do so.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `REAUTHORIZATION_REQUIRED`: The bank asks the person to give their consent again.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
       */
      updateConsent: (input: BankingConnectionsUpdateConsentInput, options?: MutationOptions) => Promise<BankingConnectionsUpdateConsentOutput>;
      /**
       * Brings accounts and transactions to what the bank has now. It waits up to 25 seconds; updatedAt is the end of the last synchronisation that succeeded.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `CONNECTION_DISCONNECTED`: This bank connection is disconnected.
       * - `CONSENT_EXPIRED`: The consent for this bank connection has expired; renew it at the bank.
       * - `REAUTHORIZATION_REQUIRED`: The bank asks the person to give their consent again.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
       */
      sync: (input: BankingConnectionsSyncInput, options?: MutationOptions) => Promise<BankingConnectionsSyncOutput>;
    };
    accounts: {
      /**
       * Lists the bank accounts of a team with their balances, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       */
      list: (input: BankingAccountsListInput, options?: CallOptions) => Promise<BankingAccountsListOutput>;
      /**
       * Reads a bank account with its newest ten transactions and the number of all.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       */
      get: (input: BankingAccountsGetInput, options?: CallOptions) => Promise<BankingAccountsGetOutput>;
    };
    transactions: {
      /**
       * Lists the transactions of a team's bank accounts, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       */
      list: (input: BankingTransactionsListInput, options?: CallOptions) => Promise<BankingTransactionsListOutput>;
    };
    syncs: {
      /**
       * Lists the synchronisations of a team's bank connections with their outcomes, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       */
      list: (input: BankingSyncsListInput, options?: CallOptions) => Promise<BankingSyncsListOutput>;
    };
  };
  billing: {
    /**
     * Begins a checkout, and gives the address of the provider's page on which the team pays. Begun again for the same, it is the same page.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `PLAN_NOT_FOUND`: There is no such plan, or not with this variant.
     * - `ALREADY_SUBSCRIBED`: This team has a subscription already.
     * - `CHECKOUT_SUPERSEDED`: Another checkout was begun for this team meanwhile.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
     */
    checkout: (input: BillingCheckoutInput, options?: MutationOptions) => Promise<BillingCheckoutOutput>;
    /**
     * Gives the address of the provider's page on which the customer sees to a subscription.
     *
     * Refuses with
     * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
     */
    portal: (input: BillingPortalInput, options?: MutationOptions) => Promise<BillingPortalOutput>;
    /**
     * Lets a subscription end with its period; until then it stays as it is.
     *
     * Refuses with
     * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `SUBSCRIPTION_ENDED`: This subscription has ended; that is final.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
     */
    cancel: (input: BillingCancelInput, options?: MutationOptions) => Promise<BillingCancelOutput>;
    /**
     * Takes a cancellation back that has not come into force yet.
     *
     * Refuses with
     * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `SUBSCRIPTION_ENDED`: This subscription has ended; that is final.
     * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
     * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
     * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
     */
    resume: (input: BillingResumeInput, options?: MutationOptions) => Promise<BillingResumeOutput>;
    /**
     * Stores a subscription as an administrator gives it. What its provider says next wins; one that no provider knows is manual.
     *
     * Refuses with
     * - `FORBIDDEN`: Your role does not allow this.
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `SUBSCRIPTION_OF_ANOTHER_TEAM`: A subscription of another team has this id.
     * - `PROVIDER_ERROR`: The provider did not answer as it should; nothing was changed. Repeat later.
     */
    sync: (input: BillingSyncInput, options?: MutationOptions) => Promise<BillingSyncOutput>;
    plans: {
      /** Lists the plans of all payment providers, as these have them on sale. */
      list: (input?: BillingPlansListInput, options?: CallOptions) => Promise<BillingPlansListOutput>;
    };
    events: {
      /**
       * Lists the webhook events of payment providers, newest first, and what became of them.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       */
      list: (input?: BillingEventsListInput, options?: CallOptions) => Promise<BillingEventsListOutput>;
      /**
       * Applies a webhook event again, whatever became of it.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `WEBHOOK_EVENT_NOT_FOUND`: There is no such webhook event.
       */
      replay: (input: BillingEventsReplayInput, options?: MutationOptions) => Promise<BillingEventsReplayOutput>;
    };
  };
  organizations: {
    /**
     * Lists the organizations that a user belongs to, newest first, each with its members. Administrators may name any user.
     *
     * Refuses with
     * - `FORBIDDEN`: Your role does not allow this.
     */
    list: (input: OrganizationsListInput, options?: CallOptions) => Promise<OrganizationsListOutput>;
    /**
     * Reads an organization.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     */
    get: (input: OrganizationsGetInput, options?: CallOptions) => Promise<OrganizationsGetOutput>;
    /** Creates an organization; the caller becomes its creator and first owner. */
    create: (input: OrganizationsCreateInput, options?: MutationOptions) => Promise<OrganizationsCreateOutput>;
    /**
     * Changes the name or the avatar of an organization. An absent field stays as it is; a null avatarUrl clears it.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     */
    update: (input: OrganizationsUpdateInput, options?: MutationOptions) => Promise<OrganizationsUpdateOutput>;
    /**
     * Deletes an organization for everybody in it. Its ledgers and audit trail stay on record.
     *
     * Refuses with
     * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
     * - `FORBIDDEN`: Your role does not allow this.
     * - `ORGANIZATION_IN_USE`: The organization still has cards, bank connections or a subscription.
     */
    delete: (input: OrganizationsDeleteInput, options?: MutationOptions) => Promise<OrganizationsDeleteOutput>;
    members: {
      /**
       * Lists the members of an organization, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      list: (input: OrganizationsMembersListInput, options?: CallOptions) => Promise<OrganizationsMembersListOutput>;
      /**
       * Removes a member. An owner removes others; anybody else only themselves, which is to leave.
       *
       * Refuses with
       * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `OWNER_CANNOT_LEAVE`: An owner cannot remove themselves.
       * - `CREATOR_PROTECTED`: The creator of an organization can be neither removed nor demoted.
       */
      remove: (input: OrganizationsMembersRemoveInput, options?: MutationOptions) => Promise<OrganizationsMembersRemoveOutput>;
      /**
       * Makes a member an owner, or an owner a member.
       *
       * Refuses with
       * - `MEMBERSHIP_NOT_FOUND`: There is no such membership.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CREATOR_PROTECTED`: The creator of an organization can be neither removed nor demoted.
       * - `LAST_OWNER`: An organization always has an owner; name another one first.
       */
      updateRole: (input: OrganizationsMembersUpdateRoleInput, options?: MutationOptions) => Promise<OrganizationsMembersUpdateRoleOutput>;
    };
    invitations: {
      /**
       * Lists the invitations of an organization that are neither accepted nor revoked, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      list: (input: OrganizationsInvitationsListInput, options?: CallOptions) => Promise<OrganizationsInvitationsListOutput>;
      /** Reads an invitation, as the invited person or as an owner. To anybody else it is null. */
      get: (input: OrganizationsInvitationsGetInput, options?: CallOptions) => Promise<OrganizationsInvitationsGetOutput>;
      /**
       * Invites a person by e-mail, for 7 days. It replaces an earlier invitation of the same address.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `ALREADY_MEMBER`: This person is a member already.
       */
      create: (input: OrganizationsInvitationsCreateInput, options?: MutationOptions) => Promise<OrganizationsInvitationsCreateOutput>;
      /**
       * Accepts an invitation: the caller becomes a member with the role that it names.
       *
       * Refuses with
       * - `INVITATION_NOT_FOUND`: There is no such invitation.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `EMAIL_NOT_VERIFIED`: Verify your e-mail address first.
       * - `INVITATION_EXPIRED`: This invitation has expired; ask for a new one.
       * - `ALREADY_MEMBER`: This person is a member already.
       */
      accept: (input: OrganizationsInvitationsAcceptInput, options?: MutationOptions) => Promise<OrganizationsInvitationsAcceptOutput>;
      /**
       * Takes an invitation back.
       *
       * Refuses with
       * - `INVITATION_NOT_FOUND`: There is no such invitation.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      revoke: (input: OrganizationsInvitationsRevokeInput, options?: MutationOptions) => Promise<OrganizationsInvitationsRevokeOutput>;
    };
    subscription: {
      /**
       * Reads the subscription of an organization: the live one, otherwise the latest, otherwise null.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      get: (input: OrganizationsSubscriptionGetInput, options?: CallOptions) => Promise<OrganizationsSubscriptionGetOutput>;
    };
    settings: {
      /**
       * Reads the settings of an organization.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       */
      get: (input: OrganizationsSettingsGetInput, options?: CallOptions) => Promise<OrganizationsSettingsGetOutput>;
      /**
       * Changes the settings of an organization. The time zone decides where its days, weeks and months begin.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      update: (input: OrganizationsSettingsUpdateInput, options?: MutationOptions) => Promise<OrganizationsSettingsUpdateOutput>;
    };
    audit: {
      /**
       * Lists what happened in an organization and who did it, newest first.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       */
      list: (input: OrganizationsAuditListInput, options?: CallOptions) => Promise<OrganizationsAuditListOutput>;
    };
  };
  sandbox: {
    banking: {
      /**
       * Lets a transaction appear at the bank, posted or pending. It answers with the id under which the bank has it.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_ACCOUNT_NOT_FOUND`: There is no such bank account.
       */
      addTransaction: (input: SandboxBankingAddTransactionInput, options?: MutationOptions) => Promise<SandboxBankingAddTransactionOutput>;
      /**
       * Posts a pending transaction, which then has a new id at the bank.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       */
      postTransaction: (input: SandboxBankingPostTransactionInput, options?: MutationOptions) => Promise<SandboxBankingPostTransactionOutput>;
      /**
       * Changes what the bank has of a transaction. An absent field stays as it is.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       */
      changeTransaction: (input: SandboxBankingChangeTransactionInput, options?: MutationOptions) => Promise<SandboxBankingChangeTransactionOutput>;
      /**
       * Takes a transaction away from the bank.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `BANK_TRANSACTION_NOT_FOUND`: There is no such bank transaction.
       */
      removeTransaction: (input: SandboxBankingRemoveTransactionInput, options?: MutationOptions) => Promise<SandboxBankingRemoveTransactionOutput>;
      /**
       * Revokes the newest consent at the bank, as its customer may at any time.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      revokeConsent: (input: SandboxBankingRevokeConsentInput, options?: MutationOptions) => Promise<SandboxBankingRevokeConsentOutput>;
      /**
       * Lets the newest consent expire at the bank now.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      expireConsent: (input: SandboxBankingExpireConsentInput, options?: MutationOptions) => Promise<SandboxBankingExpireConsentOutput>;
      /**
       * Lets the bank ask for the newest consent to be confirmed before it goes on.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      requireReauthorization: (input: SandboxBankingRequireReauthorizationInput, options?: MutationOptions) => Promise<SandboxBankingRequireReauthorizationOutput>;
      /**
       * Confirms the newest consent at the bank, so that it goes on. One that has ended stays so.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      repairConsent: (input: SandboxBankingRepairConsentInput, options?: MutationOptions) => Promise<SandboxBankingRepairConsentOutput>;
      /**
       * Lets something go wrong at the bank, so many times or until it is cleared.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      setFault: (input: SandboxBankingSetFaultInput, options?: MutationOptions) => Promise<SandboxBankingSetFaultOutput>;
      /**
       * Lets everything go well again at the bank.
       *
       * Refuses with
       * - `ORGANIZATION_NOT_FOUND`: There is no such organization.
       * - `FORBIDDEN`: Your role does not allow this.
       * - `CONNECTION_NOT_FOUND`: There is no such bank connection.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      clearFaults: (input: SandboxBankingClearFaultsInput, options?: MutationOptions) => Promise<SandboxBankingClearFaultsOutput>;
    };
    cards: {
      /**
       * Lets a merchant ask for a purchase on a card. It is decided on like any other, and a declined one is answered like an approved one.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_NOT_FOUND`: There is no such card.
       */
      authorize: (input: SandboxCardsAuthorizeInput, options?: MutationOptions) => Promise<SandboxCardsAuthorizeOutput>;
      /**
       * Lets a merchant ask for more on top of what is held. Where it is declined, the reason is the code of the error.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined; it does not change any more.
       * - `CARD_CLOSED`: This card is closed; that is final.
       * - `CARD_FROZEN`: This card is frozen.
       * - `CARD_PAUSED`: This card is paused.
       * - `CARD_EXPIRED`: This card has expired.
       * - `CURRENCY_NOT_SUPPORTED`: This card is not good for this currency.
       * - `POLICY_NOT_STARTED`: The card's policy has not started yet.
       * - `POLICY_EXPIRED`: The card's policy has ended.
       * - `DAY_NOT_ALLOWED`: The card's policy does not allow this day of the week.
       * - `ATM_NOT_ALLOWED`: The card's policy does not allow cash machines.
       * - `ONLINE_NOT_ALLOWED`: The card's policy does not allow purchases online.
       * - `INTERNATIONAL_NOT_ALLOWED`: The card's policy does not allow purchases abroad.
       * - `MERCHANT_CATEGORY_NOT_ALLOWED`: The card's policy does not allow this category of merchants.
       * - `MERCHANT_BLOCKED`: The card's policy blocks this merchant.
       * - `TRANSACTION_LIMIT_EXCEEDED`: This is more than the card's policy allows for a purchase.
       * - `DAILY_LIMIT_EXCEEDED`: This is more than is left of the card's limit today.
       * - `WEEKLY_LIMIT_EXCEEDED`: This is more than is left of the card's limit this week.
       * - `MONTHLY_LIMIT_EXCEEDED`: This is more than is left of the card's limit this month.
       */
      increment: (input: SandboxCardsIncrementInput, options?: MutationOptions) => Promise<SandboxCardsIncrementOutput>;
      /**
       * Lets a merchant give back some of the hold, or all of it: then the purchase does not come about.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined; it does not change any more.
       * - `AMOUNT_EXCEEDS_HOLD`: This is more than is held.
       */
      reverse: (input: SandboxCardsReverseInput, options?: MutationOptions) => Promise<SandboxCardsReverseOutput>;
      /**
       * Lets a hold expire now, as it does by itself where nobody clears it.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined; it does not change any more.
       */
      expire: (input: SandboxCardsExpireInput, options?: MutationOptions) => Promise<SandboxCardsExpireOutput>;
      /**
       * Lets a merchant take the money of a purchase; or of a card, without having asked before.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `CARD_NOT_FOUND`: There is no such card.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined; it does not change any more.
       */
      clear: (input: SandboxCardsClearInput, options?: MutationOptions) => Promise<SandboxCardsClearOutput>;
      /**
       * Lets a merchant give money back: of a purchase, or just to a card. It is a transaction of its own.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `CARD_TRANSACTION_NOT_FOUND`: There is no such card transaction.
       * - `CARD_NOT_FOUND`: There is no such card.
       * - `TRANSACTION_FINAL`: This card transaction is completed or declined; it does not change any more.
       * - `TRANSACTION_NOT_SETTLED`: This card transaction is not settled yet; reverse it instead.
       * - `AMOUNT_EXCEEDS_CLEARED`: This is more than was cleared and not refunded yet.
       */
      refund: (input: SandboxCardsRefundInput, options?: MutationOptions) => Promise<SandboxCardsRefundOutput>;
    };
    billing: {
      /**
       * Moves the clock of one subscription: trials end, periods are renewed, payments fail and are tried again. It answers with the subscription as it is then.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       */
      advance: (input: SandboxBillingAdvanceInput, options?: MutationOptions) => Promise<SandboxBillingAdvanceOutput>;
      /**
       * Pays with another test card from now on. One that succeeds pays at once what is owed; one that fails does so at every renewal.
       *
       * Refuses with
       * - `FORBIDDEN`: Your role does not allow this.
       * - `SUBSCRIPTION_NOT_FOUND`: There is no such subscription.
       * - `PROVIDER_NOT_CONFIGURED`: This provider is not configured here.
       * - `NOT_SUPPORTED_BY_PROVIDER`: This provider cannot do that.
       * - `SUBSCRIPTION_ENDED`: This subscription has ended; that is final.
       */
      replaceCard: (input: SandboxBillingReplaceCardInput, options?: MutationOptions) => Promise<SandboxBillingReplaceCardOutput>;
    };
  };
}
