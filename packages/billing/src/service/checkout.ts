import { Problem, newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import { lockForOwner } from "@purser/organizations";
import {
  audit,
  changeOrganization,
  confirmLock,
  consumeAttempt,
  transactAfterProviderCall,
  trustedRedirect,
  userOf,
} from "@purser/platform";
import type { z } from "zod";
import {
  type CheckoutRow,
  closeCheckout,
  findCheckout,
  findOpenCheckout,
  insertCheckout,
  setCheckoutPage,
} from "../checkouts/store.ts";
import type { BillingContext } from "../context.ts";
import type { StartCheckout } from "../contract.ts";
import { billingJobs } from "../job-definitions.ts";
import { type Offer, findOffer } from "./catalogs.ts";
import { BillingError, type Checkout, type CustomerRequest, type PaymentProvider } from "../ports.ts";
import { callPaymentProvider } from "../providers.ts";
import {
  type SubscriptionRow,
  findBillingCustomer,
  insertBillingCustomer,
  listSubscriptionRows,
} from "../store.ts";
import { hasBegun, isLive, subscriptionAt } from "../subscriptions/rules.ts";
import { closeOpenCheckout } from "./close-checkout.ts";
import { resolveBeforeClosing } from "./resolve-checkout.ts";

type Input = z.output<typeof StartCheckout>;

/** The page for callers that name no redirect. */
const donePage = "/billing/done";

/**
 * Starts a checkout and returns the URL of the payment page. A team has one open checkout at a time. The same request
 * from another tab returns the same page. A request for another plan, or of another buyer where the customer is an e-mail
 * address, supersedes the open checkout.
 */
export function checkout(ctx: BillingContext, input: Input): Promise<string> {
  const redirectUrl = trustedRedirect(ctx, input.redirectUrl, donePage);
  return transactAfterProviderCall(
    ctx,
    ctx.organization.id,
    input,
    async () => {
      const offer = await findOffer(ctx, input);
      const { hasCustomerPerAddress } = await ctx.payments.at(offer.provider);
      const buyerId = hasCustomerPerAddress ? userOf(ctx.caller).userId : null;
      const request = { offer, redirectUrl, buyerId };
      const isCounted = await prepareForNewPage(ctx, request);
      const open = await changeOrganization(ctx, ctx.organization.id, (transaction) =>
        findOrInsertCheckout(ctx, transaction, request),
      );
      return open.url ?? createPage(ctx, open, isCounted);
    },
    async (transaction, url) => {
      await lockForOwner(ctx, transaction, ctx.organization.id);
      return url;
    },
  );
}

interface CheckoutInput {
  offer: Offer;
  redirectUrl: string;
  /** Set if the page has the buyer as customer, so that another owner would pay as that customer. */
  buyerId: string | null;
}

/** Each page is several requests to the provider, which limits those of all organizations together. */
const checkoutLimit = { limit: 10, windowSeconds: 60 };

/** Counts a page of the user, who may own any number of organizations. Throws RATE_LIMITED. */
const countPage = (ctx: BillingContext) =>
  consumeAttempt(ctx, `checkout:${userOf(ctx.caller).userId}`, checkoutLimit);

/**
 * Resolves the open checkout that this request would supersede. Returns whether it counted the new page for that. Throws
 * ALREADY_SUBSCRIBED and RATE_LIMITED.
 */
async function prepareForNewPage(ctx: BillingContext, input: CheckoutInput): Promise<boolean> {
  const organizationId = ctx.organization.id;
  const now = ctx.clock.now();
  const open = await findOpenCheckout(ctx.db, organizationId);
  const subscriptions = await listSubscriptionRows(ctx.db, organizationId);
  refuseSubscribed(subscriptions, now);
  if (open === undefined || isReusable(open, subscriptions, input, now)) return false;
  await countPage(ctx);
  await resolveBeforeClosing(ctx, open);
  return true;
}

function refuseSubscribed(subscriptions: readonly SubscriptionRow[], now: Date): void {
  if (subscriptions.some((row) => isLive(subscriptionAt(row, now).status)))
    throw new Problem("ALREADY_SUBSCRIBED");
}

/** Stores the intent before the provider is called, or finds the open checkout for the same request. */
async function findOrInsertCheckout(
  ctx: BillingContext,
  transaction: Transaction,
  input: CheckoutInput,
): Promise<CheckoutRow> {
  const organizationId = ctx.organization.id;
  const now = ctx.clock.now();
  await lockForOwner(ctx, transaction, organizationId);
  const subscriptions = await listSubscriptionRows(transaction, organizationId);
  refuseSubscribed(subscriptions, now);
  const open = await findOpenCheckout(transaction, organizationId);
  if (open !== undefined) {
    if (isReusable(open, subscriptions, input, now)) return open;
    await closeOpenCheckout(ctx, transaction, open);
  }
  const { offer, redirectUrl } = input;
  const row: CheckoutRow = {
    organizationId,
    id: newId("chk", now),
    ...offer,
    userId: userOf(ctx.caller).userId,
    redirectUrl,
    status: "OPEN",
    reference: null,
    url: null,
    expiresAt: null,
    createdAt: now,
    checkedAt: null,
  };
  await insertCheckout(transaction, row);
  return row;
}

/** A page whose payment failed or awaits confirmation cannot be paid again. */
function isFromCheckout(open: CheckoutRow, subscription: SubscriptionRow, now: Date): boolean {
  const { provider, currentPeriodStart } = subscription;
  // A period in the future is one whose clock was moved, in the sandbox.
  return provider === open.provider && currentPeriodStart >= open.createdAt && currentPeriodStart <= now;
}

/** A page that expires sooner than this is not worth returning. */
const minimumLifetimeMs = 5 * 60 * 1000;
/** Providers forget idempotency keys after a day. This stays well below. */
const idempotencyMs = 12 * 60 * 60 * 1000;

function isReusable(
  open: CheckoutRow,
  subscriptions: readonly SubscriptionRow[],
  { offer, redirectUrl, buyerId }: CheckoutInput,
  now: Date,
): boolean {
  if (subscriptions.some((subscription) => isFromCheckout(open, subscription, now))) return false;
  const isSameRequest =
    open.provider === offer.provider &&
    open.planId === offer.planId &&
    open.variantId === offer.variantId &&
    open.redirectUrl === redirectUrl &&
    (buyerId === null || open.userId === buyerId);
  const until = open.expiresAt?.getTime() ?? open.createdAt.getTime() + idempotencyMs;
  return isSameRequest && until - now.getTime() > minimumLifetimeMs;
}

/**
 * Creates the provider's page and returns its URL. A lock serializes the team's tabs: the second tab finds the page of
 * the first, and the provider sees one customer.
 */
async function createPage(ctx: BillingContext, row: CheckoutRow, isCounted: boolean): Promise<string> {
  const { id, organizationId, provider } = row;
  const lock = { name: `checkouts of ${organizationId}`, provider };
  const url = await ctx.locks.run(lock, async (transaction) => {
    const open = await findCheckout(transaction, id);
    if (open?.status !== "OPEN") return null;
    if (open.url !== null) return open.url;
    if (!isCounted) await countPage(ctx);
    const { planId, variantId } = open;
    const page = await createAtProvider(ctx, transaction, open).catch(async (error: unknown) => {
      // The provider would repeat the same error for this checkout's idempotency key. Outside the transaction, which the
      // error rolls back.
      if (isStoredError(error)) await closeCheckout(ctx.db, open, "EXPIRED");
      throw error;
    });
    if (await setCheckoutPage(transaction, open, page)) {
      const details = { provider, planId, variantId };
      audit(ctx, transaction, { organizationId, subject: id, details });
      return page.url;
    }
    // Another checkout replaced this one in the meantime, so its page must not accept a payment.
    await ctx.outbox.enqueue(transaction, billingJobs.expire, { provider, reference: page.reference });
    return null;
  });
  if (url === null) throw new Problem("CHECKOUT_SUPERSEDED");
  return url;
}

function isStoredError(error: unknown): boolean {
  const cause = error instanceof Problem ? error.cause : error;
  return BillingError.is(cause) && cause.isStoredAtProvider;
}

function createAtProvider(
  ctx: BillingContext,
  transaction: Transaction,
  { organizationId, id: checkoutId, provider: name, planId, variantId }: CheckoutRow,
): Promise<Checkout> {
  const { email } = userOf(ctx.caller);
  const customer = { organizationId, checkoutId, name: ctx.organization.name, email };
  return callPaymentProvider(ctx, name, async (provider) => {
    const customerId = await findOrCreateCustomer(ctx, transaction, provider, customer);
    const subscriptions = await listSubscriptionRows(transaction, organizationId);
    const isTrialUsed = subscriptions.some(hasBegun);
    const returnUrl = `${ctx.settings.baseUrl}/billing/checkouts/${checkoutId}/return`;
    const request = { ...customer, customerId, planId, variantId, isTrialUsed, returnUrl };
    try {
      return await provider.createCheckout(request);
    } catch (error) {
      if (BillingError.is(error, "not_found")) throw new Problem("PLAN_NOT_FOUND", { cause: error });
      throw error;
    }
  });
}

async function findOrCreateCustomer(
  ctx: BillingContext,
  transaction: Transaction,
  provider: PaymentProvider,
  customer: CustomerRequest,
): Promise<string | null> {
  // Another buyer is another customer, and one that was stored could be archived by now.
  if (provider.hasCustomerPerAddress) {
    const buyer = await provider.createCustomer(customer);
    await confirmLock(transaction);
    return buyer;
  }
  const key = { organizationId: customer.organizationId, provider: provider.name };
  const known = await findBillingCustomer(transaction, key);
  if (known !== undefined) return known;
  const customerId = await provider.createCustomer(customer);
  if (customerId === null) return null;
  // Outside the transaction: the customer exists at the provider even if this checkout fails, and the next one reuses it.
  await insertBillingCustomer(ctx.db, { ...key, customerId, createdAt: ctx.clock.now() });
  return (await findBillingCustomer(transaction, key)) ?? customerId;
}
