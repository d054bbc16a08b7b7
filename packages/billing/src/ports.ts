import type { paymentProviderNames } from "@purser/core";
import type { RefusedWebhook, VerifiedWebhook } from "@purser/platform/inbox";

/**
 * What Purser asks of a payment provider. Every adapter in `providers/` implements {@link PaymentProvider}; plans,
 * checkouts and subscriptions know nothing of any of them.
 */

/** The providers there are. */
export type PaymentProviderName = (typeof paymentProviderNames)[number];

export type SubscriptionStatus = "ACTIVE" | "CANCELED" | "PAST_DUE" | "UNPAID" | "INCOMPLETE";

/** A way to pay for a plan. */
export interface Variant {
  /** The provider's id of it. */
  id: string;
  /** Minor units, for one `interval_count` of intervals. */
  price: number;
  /** ISO 4217, upper case. */
  currency: string;
  interval: "day" | "week" | "month" | "year";
  interval_count: number;
}

/** Something that can be subscribed to. */
export interface Plan {
  /** The provider's id of it. */
  id: string;
  name: string;
  description: string | null;
  /** The store at Lemon Squeezy; null everywhere else. */
  storeId: string | null;
  /** At least one; what cannot be told as a fixed price for an interval is left out. */
  variants: Variant[];
}

/** What a provider can do beyond what every one can. What it cannot is refused, never imitated. */
export interface Capabilities {
  /** A page where customers see to their subscription themselves. */
  portal: boolean;
  /** A cancellation that has not come into force yet can be taken back. */
  resume: boolean;
  /** An open checkout can be ended, so that an address given out before is of no more use. */
  expiresCheckouts: boolean;
  /** What has come of a checkout can be asked for; otherwise only a webhook tells. */
  resolvesCheckouts: boolean;
}

/** The team as a customer. */
export interface Customer {
  organizationId: string;
  /** The name of the organization. */
  name: string;
  /** Of the owner who buys. */
  email: string;
}

export interface CheckoutRequest extends Customer {
  /**
   * Our id of the checkout (`chk_…`). Where the provider has idempotency keys this is one, so that two tabs and a
   * repeat after a crash get the same checkout.
   */
  checkoutId: string;
  /** The provider's id of the team as a customer, as `createCustomer` gave it. */
  customerId: string | null;
  planId: string;
  variantId: string;
  /** Where the provider sends the browser afterwards, paid or not. */
  returnUrl: string;
}

/** A page of the provider's on which a person pays. */
export interface Checkout {
  /** The provider's id of it. */
  reference: string;
  url: string;
  /** When the page stops to work, as the provider tells, or as long as it can be relied upon. */
  expiresAt: Date;
}

/** Whose something is, out of what a checkout has written into it. */
export interface TeamClaim {
  /** The team that the checkout was made for; null where nothing tells. */
  organizationId: string | null;
  /**
   * The checkout itself. Given where customers can begin one by themselves, and write a team into it: then the team
   * counts only if we have begun that checkout for it.
   */
  checkoutId?: string;
}

/** A subscription as its provider has it at this moment. */
export interface SubscriptionState extends TeamClaim {
  id: string;
  customerId: string;
  /** Null where the provider says something that this version does not know: then the last known status stays. */
  status: SubscriptionStatus | null;
  /** The provider's own word, up to 255 characters. */
  rawStatus: string;
  planId: string;
  variantId: string;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  /** When the cancellation was asked for; null where none was. */
  canceledAt: Date | null;
  /** Whether it will end with its period: false once it has ended. */
  cancelAtPeriodEnd: boolean;
}

/** Names a subscription, and the team where that is known otherwise than by asking for the subscription. */
export interface SubscriptionPointer extends TeamClaim {
  subscriptionId: string;
}

/** What a webhook is about; never what it says has become of it, which is asked for. */
export type BillingNotice = ({ kind: "subscription" } & SubscriptionPointer) | { kind: "catalogue" };

export interface BillingWebhooks {
  /**
   * See `WebhookReceiver.verify`: on the raw bytes, compared in constant time, with every configured secret, and
   * within five minutes on both sides where the provider signs a time.
   */
  verify(body: Buffer, headers: Headers, now: Date): VerifiedWebhook | RefusedWebhook;
  /** What a verified event is about, or null where it concerns nothing that is kept here. It never throws. */
  read(event: { type: string; body: string }): BillingNotice | null;
}

/** An adapter. Its calls take at most eight seconds in all, and throw {@link BillingError} where they fail. */
export interface PaymentProvider {
  readonly name: PaymentProviderName;
  readonly capabilities: Capabilities;
  /** Whether an id can be one of this provider's subscriptions, at a glance and without asking it. */
  recognizes(subscriptionId: string): boolean;
  /** Everything that is on sale for a recurring price, in the order in which it is to be shown. */
  plans(): Promise<Plan[]>;
  /** Makes the team a customer, or finds the one it is; null where customers only come about by buying. */
  createCustomer(customer: Customer): Promise<string | null>;
  /**
   * Makes a checkout for the team, which is written into it, so that the subscription will carry it. Throws
   * `not_found` where plan or variant are not on sale any more.
   */
  createCheckout(request: CheckoutRequest): Promise<Checkout>;
  /** Ends a checkout; one that has ended already is not an error. Called only where `expiresCheckouts` is true. */
  expireCheckout(reference: string): Promise<void>;
  /** The subscription that a checkout has brought; null so far. Called only where `tracesCheckouts` is true. */
  checkoutResult(reference: string): Promise<string | null>;
  /** A page where the customer sees to this subscription, from which `returnUrl` leads back. */
  createPortal(subscription: { id: string; customerId: string; returnUrl: string }): Promise<string>;
  /** Lets the subscription end with its period. Called only while it is not cancelled yet. Throws `ended`. */
  cancel(subscriptionId: string): Promise<void>;
  /** Takes that back. Called only while it is cancelled and has not ended yet. Throws `ended`. */
  resume(subscriptionId: string): Promise<void>;
  /** The subscription as it is now; null where the provider has none of this id. */
  subscription(id: string): Promise<SubscriptionState | null>;
  /** The subscriptions that were made since, for those that no webhook told of; at most 1,000, newest first. */
  subscriptionsSince(since: Date): Promise<SubscriptionPointer[]>;
  readonly webhooks: BillingWebhooks;
}

/** The payment providers within reach. */
export interface Payments {
  /** The adapter of a provider, loaded when it is first asked for. Throws PROVIDER_NOT_CONFIGURED. */
  at(provider: PaymentProviderName): Promise<PaymentProvider>;
  /** The providers that are configured here, in the order in which their plans are listed. */
  readonly configured: readonly PaymentProviderName[];
}

/** What can go wrong at a payment provider, whoever it is. */
export type BillingErrorKind =
  /** It does not answer, or with a fault of its own, or with what cannot be read. Asking again later may help. */
  | "outage"
  | "rate_limited"
  /** It refuses for good: the request itself cannot be met. */
  | "refused"
  /** It has no such plan, variant, checkout or subscription. */
  | "not_found"
  /** The subscription has ended: nothing about it can be changed. */
  | "ended";

/** A provider's refusal or failure. The message is for operators; callers see the problem that its kind stands for. */
export class BillingError extends Error {
  override readonly name = "BillingError";
  readonly kind: BillingErrorKind;
  readonly retryAfterSeconds: number | undefined;

  constructor(
    kind: BillingErrorKind,
    message: string,
    options: { cause?: unknown; retryAfterSeconds?: number } = {},
  ) {
    super(message, { cause: options.cause });
    this.kind = kind;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}
