import type { Answer, Ask } from "./client.ts";

export interface Person {
  userId: string;
  email: string;
  token: string;
}

/** What one tenant has done, as far as it was acknowledged. */
export interface Tenant {
  /** Stands in everything that it writes. */
  name: string;
  owner: Person;
  /** Somebody whom the owner takes in and sends away again. */
  colleague: Person;
  organizationId: string;
  organizationName: string;
  standing: "stranger" | "invited" | "MEMBER" | "OWNER";
  /** Every organization of the owner's, by its name; of some nobody knows whether they came about. */
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

/** A transaction that was made at the bank. */
export interface BankItem {
  /** As the bank names it; null where nobody knows whether it is there. */
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
  /** The network's name of it. */
  reference: string;
}

export interface Purchase {
  card: HeldCard;
  /** The network's name of the authorization. */
  name: string;
  status: "PENDING" | "COMPLETED" | "DECLINED";
  reason: string | null;
  held: number;
  cleared: number;
  refunded: number;
  /** How many servers had died by the time that the network was refused for lateness; null where it never was. */
  lateAt: number | null;
}

/** An organization that buys a subscription. */
export interface Team {
  organizationId: string;
  checkoutPath: string;
  isPaid: boolean;
}

/** What was acknowledged, to whomever: kept outside of the service, and compared with it afterwards. */
export class Ledger {
  readonly tenants: Tenant[] = [];
  /** How many have signed up. */
  people = 0;
  /** Webhook events that were answered with 2xx: area, provider and id. */
  readonly events: [area: string, provider: string, id: string][] = [];
  /** Mutations that were acknowledged under a key, and network messages: asked again, each is answered the same. */
  readonly answered: { ask: Ask; answer: Answer }[] = [];
  readonly #acts = new Map<string, { certain: number; possible: number }>();
  #names = 0;

  /** A text that nothing else is called by. */
  nameFor(tenant: Tenant, what: string): string {
    this.#names += 1;
    return `${tenant.name}-${what}-${this.#names}`;
  }

  /** Somebody did this in an organization, and the audit trail has to tell so once; or they may have. */
  acted(organizationId: string, action: string, { isCertain = true } = {}): void {
    const key = `${organizationId} ${action}`;
    const { certain, possible } = this.#acts.get(key) ?? { certain: 0, possible: 0 };
    this.#acts.set(key, { certain: certain + (isCertain ? 1 : 0), possible: possible + 1 });
  }

  /** How many writes were acknowledged: mutations, messages of the card network, events and people who signed up. */
  get acknowledged(): number {
    return this.answered.length + this.events.length + this.people;
  }

  /** How often each action was done at least and at most, by organization and action. */
  get acts(): ReadonlyMap<string, { certain: number; possible: number }> {
    return this.#acts;
  }
}
