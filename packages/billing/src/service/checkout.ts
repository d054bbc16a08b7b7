import { Problem, newId } from "@purser/core";
import type { Transaction } from "@purser/db";
import type { z } from "zod";
import { lockForOwner } from "@purser/organizations";
import { audit } from "@purser/platform";
import { trustedRedirect } from "@purser/platform";
import { transactAfterProviderCall } from "@purser/platform";
import type { BillingContext } from "../context.ts";
import {
  type CheckoutRow,
  answerCheckout,
  findCheckout,
  findOpenCheckout,
  insertCheckout,
} from "../checkouts/store.ts";
import type { StartCheckout } from "../contract.ts";
import { billingJobs } from "../job-definitions.ts";
import { type Offer, findOffer } from "../plans/service.ts";
import { BillingError, type Checkout, type Customer, type PaymentProvider } from "../ports.ts";
import { type SubscriptionRow, acquireSubscriptionLock, findCustomer, insertCustomer } from "../store.ts";
import { isLive } from "../subscriptions/rules.ts";
import { subscriptionsOf } from "../subscriptions/service.ts";
import { closeOpenCheckout } from "./close-checkout.ts";
import { callPaymentProvider } from "../providers.ts";

type Input = z.output<typeof StartCheckout>;

/** Where a person ends when the front end names no place: a small page of ours. */
const donePage = "/billing/done";

/**
 * Begins a checkout, and gives the address of the page on which the person pays. A team has one open at a time: asked
 * again for the same, it gets the same page, in another tab as well; asked for something else, the earlier one ends.
 */
export function checkout(ctx: BillingContext, input: Input): Promise<string> {
  const redirectUrl = trustedRedirect(ctx, input.redirectUrl, donePage);
  return transactAfterProviderCall(
    ctx,
    input,
    async () => {
      const offer = await findOffer(ctx, input);
      const intent = await ctx.db.transaction((transaction) =>
        intend(ctx, transaction, { offer, redirectUrl }),
      );
      return intent.url ?? answered(ctx, intent);
    },
    async (transaction, url) => {
      await lockForOwner(transaction, ctx.organization.id, ctx.caller.userId);
      return url;
    },
  );
}

interface CheckoutInput {
  offer: Offer;
  redirectUrl: string;
}

/** Puts on record what is about to be asked for, or finds it there; whatever else was open, ends. */
async function intend(
  ctx: BillingContext,
  transaction: Transaction,
  wish: CheckoutInput,
): Promise<CheckoutRow> {
  const organizationId = ctx.organization.id;
  const now = ctx.clock.now();
  await lockForOwner(transaction, organizationId, ctx.caller.userId);
  const subscriptions = await subscriptionsOf(transaction, organizationId, now);
  if (subscriptions.some(({ status }) => isLive(status))) throw new Problem("ALREADY_SUBSCRIBED");
  const open = await findOpenCheckout(transaction, organizationId);
  if (open !== undefined) {
    const isUsed = subscriptions.some((subscription) => cameOf(open, subscription));
    if (!isUsed && isSame(open, wish, now)) return open;
    await closeOpenCheckout(ctx, transaction, open);
  }
  const { offer, redirectUrl } = wish;
  const row: CheckoutRow = {
    organizationId,
    id: newId("chk", now),
    ...offer,
    userId: ctx.caller.userId,
    redirectUrl,
    status: "OPEN",
    reference: null,
    url: null,
    expiresAt: null,
    createdAt: now,
  };
  await insertCheckout(transaction, row);
  return row;
}

/** Nobody can pay once more at a page whose payment waits to be confirmed, or was not. */
function cameOf(open: CheckoutRow, { provider, currentPeriodStart }: SubscriptionRow): boolean {
  return provider === open.provider && currentPeriodStart >= open.createdAt;
}

/** A page that is about to end is of no use to somebody who is about to pay. */
const leastMilliseconds = 5 * 60 * 1000;
/** Providers forget idempotency keys after a day. */
const keptMilliseconds = 12 * 60 * 60 * 1000;

function isSame(open: CheckoutRow, { offer, redirectUrl }: CheckoutInput, now: Date): boolean {
  const isWished =
    open.provider === offer.provider &&
    open.planId === offer.planId &&
    open.variantId === offer.variantId &&
    open.redirectUrl === redirectUrl;
  const until = open.expiresAt?.getTime() ?? open.createdAt.getTime() + keptMilliseconds;
  return isWished && until - now.getTime() > leastMilliseconds;
}

/**
 * The address of the provider's page. A team asks for one at a time, whatever the number of tabs: the second one finds
 * the first one's answer, and is known to the provider as the same customer.
 */
async function answered(ctx: BillingContext, { id, organizationId }: CheckoutRow): Promise<string> {
  const url = await ctx.lockDb.transaction(async (transaction) => {
    await acquireSubscriptionLock(transaction, `checkouts of ${organizationId}`);
    const intent = await findCheckout(transaction, id);
    if (intent?.status !== "OPEN") return null;
    if (intent.url !== null) return intent.url;
    const { provider, planId, variantId } = intent;
    const made = await make(ctx, transaction, intent);
    if (await answerCheckout(transaction, intent, made)) {
      await audit(ctx, transaction, {
        organizationId,
        subject: id,
        details: { provider, planId, variantId },
      });
      return made.url;
    }
    // Another one has taken its place meanwhile: nobody shall pay at this one.
    await ctx.outbox.enqueue(transaction, billingJobs.expire, { provider, reference: made.reference });
    return null;
  });
  if (url === null) throw new Problem("CHECKOUT_SUPERSEDED");
  return url;
}

function make(ctx: BillingContext, transaction: Transaction, intent: CheckoutRow): Promise<Checkout> {
  const { organizationId, id: checkoutId, provider: name, planId, variantId } = intent;
  const customer = { organizationId, name: ctx.organization.name, email: ctx.caller.email };
  return callPaymentProvider(ctx, name, async (provider) => {
    const customerId = await customerAt(ctx, transaction, provider, customer);
    const returnUrl = `${ctx.settings.baseUrl}/billing/checkouts/${checkoutId}/return`;
    try {
      return await provider.createCheckout({
        ...customer,
        checkoutId,
        customerId,
        planId,
        variantId,
        returnUrl,
      });
    } catch (error) {
      if (error instanceof BillingError && error.kind === "not_found")
        throw new Problem("PLAN_NOT_FOUND", { cause: error });
      throw error;
    }
  });
}

async function customerAt(
  ctx: BillingContext,
  transaction: Transaction,
  provider: PaymentProvider,
  customer: Customer,
): Promise<string | null> {
  const key = { organizationId: customer.organizationId, provider: provider.name };
  const known = await findCustomer(transaction, key);
  if (known !== undefined) return known;
  const customerId = await provider.createCustomer(customer);
  if (customerId === null) return null;
  // For good, whatever becomes of this checkout: the next one is to be the same customer's.
  await insertCustomer(ctx.db, { ...key, customerId, createdAt: ctx.clock.now() });
  return (await findCustomer(transaction, key)) ?? customerId;
}
