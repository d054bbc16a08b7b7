import { ProviderError, type billingIntervals } from "@purser/core";
import type { RefusedWebhook, VerifiedWebhook } from "@purser/platform/inbox";
import type { PaymentProviderName } from "./contract.ts";
import type { SubscriptionStatus } from "./subscriptions/contract.ts";

// The port to a payment provider. Each adapter implements {@link PaymentProvider}. Plans, checkouts and subscriptions
// know no vendor.

export type { PaymentProviderName, SubscriptionStatus };

/** A time of any length. */
interface BillingInterval {
  interval: (typeof billingIntervals)[number];
  interval_count: number;
}

/** A price of a plan. */
export interface Variant extends BillingInterval {
  /** The provider's id. */
  id: string;
  /** Minor units per `interval_count` intervals. */
  price: number;
  /** ISO 4217, upper case. */
  currency: string;
  /** The free time before the first payment. Absent without one. */
  trial?: BillingInterval;
  /** What is due once, beside the price. Minor units. Absent without one. */
  setupFee?: number;
}

/** A product that can be subscribed to. */
export interface Plan {
  /** The provider's id. */
  id: string;
  name: string;
  description: string | null;
  /** The store at Lemon Squeezy; null for every other provider. */
  storeId: string | null;
  /** At least one. A price that is not a fixed amount per interval is left out. */
  variants: Variant[];
}

/** What a provider supports beyond the minimum. An unsupported operation is refused, never imitated. */
export interface Capabilities {
  /** Customers can manage their subscription on a page of the provider. */
  portal: boolean;
  /** A cancellation that is not yet in force can be withdrawn. */
  resume: boolean;
  /** An open checkout can be expired, so that its page no longer accepts a payment. */
  expiresCheckouts: boolean;
  /** The subscription that a checkout produced can be looked up. Otherwise only a webhook reports it. */
  resolvesCheckouts: boolean;
}

/** An organization as a customer of the provider. */
export interface BillingCustomer {
  organizationId: string;
  /** The organization's name. */
  name: string;
  /** The e-mail address of the owner who buys. */
  email: string;
}

/** A change of a customer's e-mail address. */
export interface AddressMove {
  from: string;
  to: string;
}

/** A request to create the customer for a checkout. */
export interface CustomerRequest extends BillingCustomer {
  /**
   * Our id of the checkout (`chk_…`). Use it as the idempotency key where the provider has one, so that two tabs, or a
   * retry after a crash, get the same customer and checkout. After an error with `isStoredAtProvider`, it is not used again.
   */
  checkoutId: string;
}

/** A request for a payment page for one variant of a plan. */
export interface CheckoutRequest extends CustomerRequest {
  /** The provider's customer id that `createCustomer` returned. */
  customerId: string | null;
  planId: string;
  variantId: string;
  /**
   * Set if the organization has had a subscription. Then the page must offer no trial, where the provider can leave it out:
   * otherwise one that is canceled in time and bought again is free for ever.
   */
  isTrialUsed?: boolean;
  /** Where the provider redirects the browser afterwards, paid or not. */
  returnUrl: string;
}

/** A request for the customer portal of a subscription. */
export interface PortalRequest {
  id: string;
  customerId: string;
  /** Where the page links back to. */
  returnUrl: string;
  /**
   * All subscriptions of the organization at the provider, this one included. The page must not let its visitor see
   * another one that the customer has.
   */
  organizationSubscriptionIds: readonly string[];
}

/** A payment page of the provider. */
export interface Checkout {
  /** The provider's id of the checkout. */
  reference: string;
  url: string;
  /** When the page stops working, or the latest time until which it is certain to work. */
  expiresAt: Date;
}

/** What has become of a checkout. */
export type CheckoutResult =
  | { status: "unpaid" }
  /** The buyer has paid or is paying, and the provider has made no subscription of it yet. Usually a matter of seconds. */
  | { status: "processing" }
  | { status: "paid"; subscriptionId: string };

/** Which organization a subscription belongs to, according to the data that a checkout wrote into it. */
export interface OrganizationClaim {
  /** The organization that the checkout was made for; null when unknown. */
  organizationId: string | null;
  /**
   * The checkout itself. Set it where customers can start a checkout themselves and write any organization into it:
   * then the claim counts only if we started that checkout for that organization.
   */
  checkoutId?: string;
}

/** The current state of a subscription at its provider. */
export interface SubscriptionState extends OrganizationClaim {
  id: string;
  customerId: string;
  /** Null for a status that this version does not know: the last known status stays. */
  status: SubscriptionStatus | null;
  /**
   * The provider's own status, up to 255 characters. It is `paused` in a pause in which nothing is due. One that began with a
   * failed payment has its reason too, such as `paused: final_payment_failure`.
   */
  rawStatus: string;
  planId: string;
  variantId: string;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  /**
   * Set it where the provider does not report the period for now, and the two times are a guess. The stored period stays.
   */
  isPeriodEstimated?: boolean;
  /**
   * Set it where the provider reports only the end of the period, and `currentPeriodStart` follows from the interval. While
   * the end stays, the stored start does too: another plan may have another interval.
   */
  isPeriodStartEstimated?: boolean;
  /**
   * Whether the current period is paid, where the provider tells: it may begin before. Without it, the period of an
   * ACTIVE subscription is.
   */
  isPeriodPaid?: boolean;
  /** Whether the current period is a trial, for which nothing is due. It stays one after a cancellation. */
  isTrial: boolean;
  /** When the cancellation was requested; null when there is none. */
  canceledAt: Date | null;
  /**
   * Set it where the provider does not report that time, and `canceledAt` is the latest possible one. Later changes may
   * move it, so the first one stays stored.
   */
  isCanceledAtEstimated?: boolean;
  /** Whether the subscription will end by the end of its current period. False once it has ended. */
  cancelAtPeriodEnd: boolean;
  /**
   * When the provider will end the subscription: at the end of the current period, or at another date. Null without a
   * scheduled end, and once it has ended.
   */
  cancelAt: Date | null;
  /**
   * Another scheduled change that a cancellation replaces, such as a pause. Not set without one. `at` is null where the
   * provider does not report it.
   */
  replaceableChange?: { action: string; at: Date | null };
}

/** Names a subscription, and its organization when that is known without fetching the subscription. */
export interface SubscriptionPointer extends OrganizationClaim {
  subscriptionId: string;
}

/** What a webhook event is about. It never carries state: the state is fetched from the provider. */
export type BillingNotice =
  | ({ kind: "subscription" } & SubscriptionPointer)
  /** A checkout, by the provider's id, that can be expired only from now on. */
  | { kind: "checkout"; reference: string }
  | { kind: "catalog" };

/** How a provider's webhooks are verified and read. */
export interface BillingWebhooks {
  /**
   * See `WebhookReceiver.verify`. Checks the raw bytes in constant time against every configured secret. Where the
   * provider signs a time, it must be within five minutes of `now`, before or after.
   */
  verify(body: Buffer, headers: Headers, now: Date): VerifiedWebhook | RefusedWebhook;
  /** Returns what a verified event is about, or null when it concerns nothing that we store. Never throws. */
  read(event: { type: string; body: string }): BillingNotice | null;
}

/**
 * An adapter to one payment provider. A call takes at most eight seconds in total, and throws {@link BillingError} on
 * failure.
 *
 * @example
 * const provider = paddlePayments({ ...settings, checkoutUrl, clock });
 * const { url } = await provider.createCheckout(request);
 */
export interface PaymentProvider {
  readonly name: PaymentProviderName;
  readonly capabilities: Capabilities;
  /**
   * Whether a customer belongs to an e-mail address, and not to an organization: then it is the buyer's, and another buyer
   * of the organization is another customer.
   */
  readonly hasCustomerPerAddress: boolean;
  /** Whether an id has the form of this provider's subscription ids. Makes no request. */
  recognizes(subscriptionId: string): boolean;
  /** Lists everything on sale at a recurring price, in display order. Here the limit of eight seconds is per page. */
  plans(): Promise<Plan[]>;
  /** Creates or finds the customer. Returns null where a customer comes into existence only with a purchase. */
  createCustomer(request: CustomerRequest): Promise<string | null>;
  /**
   * Changes the address of a customer that `createCustomer` returned, if it is still `from`. Absent where a customer belongs to
   * its address, or has none.
   */
  moveCustomer?(customerId: string, addresses: AddressMove): Promise<void>;
  /**
   * Creates a checkout, and writes the organization into it so that the subscription carries it. Throws `not_found`
   * when the plan or variant is no longer on sale.
   */
  createCheckout(request: CheckoutRequest): Promise<Checkout>;
  /** Expires a checkout. Idempotent. Called only if `expiresCheckouts` is true. */
  expireCheckout(reference: string): Promise<void>;
  /**
   * Returns what has become of a checkout. Throws `not_found` for one that the provider does not know. Called only if
   * `resolvesCheckouts` is true.
   */
  checkoutResult(reference: string): Promise<CheckoutResult>;
  /** Returns the URL of a page where the customer manages this subscription. Throws `shared_customer`. */
  createPortal(request: PortalRequest): Promise<string>;
  /**
   * Cancels at the end of the period, or at once if none is running: during a pause, or before the first payment. Called only
   * while the subscription is not canceled. Throws `ended`.
   */
  cancel(subscriptionId: string): Promise<void>;
  /** Withdraws the cancellation. Called only while the subscription is canceled but has not ended. Throws `ended`. */
  resume(subscriptionId: string): Promise<void>;
  /** Fetches the current state; null when the provider has no such subscription. */
  subscription(id: string): Promise<SubscriptionState | null>;
  /**
   * Lists subscriptions created since an instant, newest first, at most 1,000. Finds those that no webhook announced. The
   * limit of eight seconds is per page here too.
   */
  subscriptionsSince(since: Date): Promise<SubscriptionPointer[]>;
  readonly webhooks: BillingWebhooks;
}

/** The configured payment providers. */
export interface Payments {
  /** Returns an adapter, loaded on first use. Throws PROVIDER_NOT_CONFIGURED. */
  at(provider: PaymentProviderName): Promise<PaymentProvider>;
  /** The configured providers, in the order in which their plans are listed. */
  readonly configured: readonly PaymentProviderName[];
}

/** The kinds of failure, the same for every provider. */
export type BillingErrorKind =
  /** No answer, a fault of the provider, or an unreadable answer. A retry may help. */
  | "outage"
  | "rate_limited"
  /** The provider refuses permanently: it cannot fulfill the request. */
  | "refused"
  /** The provider has no such plan, variant, checkout or subscription. */
  | "not_found"
  /** The subscription has ended and cannot be changed. */
  | "ended"
  /** The page would also show subscriptions that are not the organization's. */
  | "shared_customer";

/** A provider's refusal or failure. The message is for operators; callers see the problem that the kind maps to. */
export class BillingError extends ProviderError<BillingErrorKind> {
  override readonly name = "BillingError";
  /** Set it if the request has, or may have, removed another scheduled change of the subscription before it failed: it is recorded. */
  hasRemovedChange = false;
}

/** Returns the result of a request, or null when the provider answers `not_found`. */
export async function nullIfNotFound<Result>(request: Promise<Result>): Promise<Result | null> {
  try {
    return await request;
  } catch (error) {
    if (BillingError.is(error, "not_found")) return null;
    throw error;
  }
}
