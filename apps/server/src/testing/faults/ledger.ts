import type { Answer, Ask } from "./client.ts";

export interface Person {
  userId: string;
  email: string;
  token: string;
}

/** The acknowledged state of one tenant. */
export interface Tenant {
  /** Part of every name that it writes. */
  name: string;
  owner: Person;
  /** A user whom the owner repeatedly invites and removes. */
  colleague: Person;
  organizationId: string;
  organizationName: string;
  standing: "stranger" | "invited" | "MEMBER" | "OWNER";
  /** The owner's organizations by name. "perhaps" is one whose creation was not acknowledged. */
  organizations: Map<string, "there" | "perhaps">;
  bank: Bank;
  cards: HeldCard[];
  purchases: Purchase[];
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
  type: "CREDIT" | "DEBIT";
  status: "PENDING" | "POSTED" | "REMOVED";
}

export interface Policy {
  id: string;
  limit: number;
  interval: "PER_TRANSACTION" | "DAILY" | "WEEKLY" | "MONTHLY";
}

export interface HeldCard {
  id: string;
  policy: Policy;
  /** The network's id of the card. */
  reference: string;
}

export interface Purchase {
  card: HeldCard;
  /** The network's id of the authorization. */
  name: string;
  status: "PENDING" | "COMPLETED" | "DECLINED";
  reason: string | null;
  held: number;
  cleared: number;
  refunded: number;
  /** The number of server deaths when the network got a late refusal; null if it never did. */
  lateAt: number | null;
}

/** An organization that buys a subscription. */
export interface Team {
  organizationId: string;
  checkoutPath: string;
  isPaid: boolean;
}

/** Everything that the service acknowledged, recorded outside of it and compared with it afterwards. */
export class Ledger {
  readonly tenants: Tenant[] = [];
  /** The number of users who signed up. */
  people = 0;
  /** Webhook events that were answered with 2xx, as area, provider and id. */
  readonly events: [area: string, provider: string, id: string][] = [];
  /** Acknowledged mutations with a key, and network messages. Repeating one must return the same answer. */
  readonly answered: { ask: Ask; answer: Answer }[] = [];
  readonly #acts = new Map<string, { certain: number; possible: number }>();
  #names = 0;

  /** Returns a unique name. */
  nameFor(tenant: Tenant, what: string): string {
    this.#names += 1;
    return `${tenant.name}-${what}-${this.#names}`;
  }

  /** Records an action that must, or without `isCertain` may, have one audit entry. */
  acted(organizationId: string, action: string, { isCertain = true } = {}): void {
    const key = `${organizationId} ${action}`;
    const { certain, possible } = this.#acts.get(key) ?? { certain: 0, possible: 0 };
    this.#acts.set(key, { certain: certain + (isCertain ? 1 : 0), possible: possible + 1 });
  }

  /** The number of acknowledged writes: mutations, card network messages, webhook events and sign-ups. */
  get acknowledged(): number {
    return this.answered.length + this.events.length + this.people;
  }

  /** The minimum and maximum number of each action, by organization and action. */
  get acts(): ReadonlyMap<string, { certain: number; possible: number }> {
    return this.#acts;
  }
}
