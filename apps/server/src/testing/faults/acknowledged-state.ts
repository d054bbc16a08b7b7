import type {
  bankTransactionStatuses,
  bankTransactionTypes,
  cardTransactionStatuses,
  spendingLimitIntervals,
} from "@purser/core";
import type { ApiResponse, ApiRequest } from "./api-request.ts";

export interface SignedUpUser {
  userId: string;
  email: string;
  token: string;
}

/** The acknowledged state of one tenant. */
export interface Tenant {
  /** Part of every name that it writes. */
  name: string;
  owner: SignedUpUser;
  /** A user whom the owner repeatedly invites and removes. Its state is `membership`. */
  colleague: SignedUpUser;
  organizationId: string;
  organizationName: string;
  membership: "none" | "invited" | "MEMBER" | "OWNER";
  /** The owner's organizations by name. "uncertain" is one whose creation was not acknowledged. */
  organizations: Map<string, "created" | "uncertain">;
  bank: Bank;
  cards: TenantCard[];
  purchases: CardPurchase[];
  teams: Team[];
}

export interface Bank {
  connectionId: string;
  consentId: string;
  accountId: string;
  items: BankItem[];
}

/** A transaction at the bank. */
export interface BankItem {
  /** The bank's id; null if its creation was not acknowledged. */
  id: string | null;
  description: string;
  amount: number;
  type: (typeof bankTransactionTypes)[number];
  status: (typeof bankTransactionStatuses)[number] | "REMOVED";
}

export interface LoadPolicy {
  id: string;
  limit: number;
  interval: (typeof spendingLimitIntervals)[number];
}

export interface TenantCard {
  id: string;
  policy: LoadPolicy;
  /** The network's id of the card. */
  reference: string;
}

export interface CardPurchase {
  card: TenantCard;
  /** The network's id of the authorization. */
  name: string;
  status: (typeof cardTransactionStatuses)[number];
  reason: string | null;
  held: number;
  cleared: number;
  refunded: number;
  /** The number of server kills when the network got a late refusal; null if it never did. */
  lateAt: number | null;
}

/** An organization that buys a subscription. */
export interface Team {
  organizationId: string;
  checkoutPath: string;
  isPaid: boolean;
}

/** Everything that the service acknowledged, recorded outside of it and compared with it afterwards. */
export class AcknowledgedState {
  readonly tenants: Tenant[] = [];
  /** The number of users who signed up. */
  signUps = 0;
  /** Webhook events that were acknowledged with 2xx, as area, provider and id. */
  readonly events: [area: string, provider: string, id: string][] = [];
  /** Acknowledged mutations with a key, and network messages. Repeating one must return the same response. */
  readonly requests: { request: ApiRequest; response: ApiResponse }[] = [];
  readonly #actions = new Map<string, { certain: number; possible: number }>();
  #lastNumber = 0;

  /** Returns a unique name. */
  uniqueName(tenant: Tenant, what: string): string {
    this.#lastNumber += 1;
    return `${tenant.name}-${what}-${this.#lastNumber}`;
  }

  /** Records an action that must, or without `isCertain` may, have one audit entry. */
  recordAction(organizationId: string, action: string, { isCertain = true } = {}): void {
    const key = `${organizationId} ${action}`;
    const { certain, possible } = this.#actions.get(key) ?? { certain: 0, possible: 0 };
    this.#actions.set(key, { certain: certain + (isCertain ? 1 : 0), possible: possible + 1 });
  }

  /** The number of acknowledged writes: mutations, card network messages, webhook events and sign-ups. */
  get acknowledged(): number {
    return this.requests.length + this.events.length + this.signUps;
  }

  /** The minimum and maximum number of each action, by organization and action. */
  get actions(): ReadonlyMap<string, { certain: number; possible: number }> {
    return this.#actions;
  }
}
