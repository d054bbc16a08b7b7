import { randomBytes } from "node:crypto";
import { newId } from "@purser/core";
import type { Executor, Transaction } from "@purser/db";
import { findOrganization } from "@purser/organizations";
import {
  BillingError,
  type Checkout,
  type CheckoutRequest,
  type CheckoutResult,
  type Plan,
  type Variant,
} from "../ports.ts";
import { listSubscriptionRows } from "../store.ts";
import { hasBegun } from "../subscriptions/rules.ts";
import { findSandboxOffer, requireSandboxOffer } from "./catalog.ts";
import { sandboxTerms } from "./mapping.ts";
import { addDaysToInstant } from "./rules/calendar.ts";
import { type CardForm, type CardRefusal, type SandboxCard, readCard } from "./rules/cards.ts";
import { dueAt, startSubscription } from "./rules/lifecycle.ts";
import {
  type SandboxCheckoutRow,
  completeSandboxCheckout,
  expireSandboxCheckoutRow,
  findSandboxCheckout,
  insertSandboxCheckout,
  lockSandboxCheckout,
} from "./store/pages.ts";
import { insertSandboxSubscription, putSandboxInvoices } from "./store/subscriptions.ts";
import type { SandboxPaymentsDependencies } from "./subscriptions.ts";
import { enqueueSandboxBillingEvents } from "./webhooks.ts";

/** See `PaymentProvider.createCheckout`. The page is part of this service and stays open for a day. */
export async function createSandboxCheckout(
  { db, clock, settings }: SandboxPaymentsDependencies,
  { checkoutId, organizationId, email, planId, variantId, returnUrl }: CheckoutRequest,
): Promise<Checkout> {
  if (findSandboxOffer(planId, variantId) === null)
    throw new BillingError("not_found", "This is not on sale");
  if (!/^https?:$/.test(new URL(returnUrl).protocol))
    throw new Error("A checkout returns to an http or https address");
  const { reference, expiresAt } = await insertSandboxCheckout(db, {
    organizationId,
    id: checkoutId,
    reference: `cs_local_${randomBytes(24).toString("hex")}`,
    email,
    planId,
    variantId,
    returnUrl,
    subscriptionId: null,
    expiresAt: addDaysToInstant(clock.now(), 1),
  });
  return { reference, url: `${settings.baseUrl}/local/checkout/${reference}`, expiresAt };
}

/** See `PaymentProvider.expireCheckout`. */
export async function expireSandboxCheckout(
  { db, clock }: SandboxPaymentsDependencies,
  reference: string,
): Promise<void> {
  await expireSandboxCheckoutRow(db, await requireCheckout(db, reference), clock.now());
}

/** See `PaymentProvider.checkoutResult`. */
export async function sandboxCheckoutResult(
  { db }: SandboxPaymentsDependencies,
  reference: string,
): Promise<CheckoutResult> {
  const { subscriptionId } = await requireCheckout(db, reference);
  return subscriptionId === null ? { status: "unpaid" } : { status: "paid", subscriptionId };
}

async function requireCheckout(
  db: SandboxPaymentsDependencies["db"],
  reference: string,
): Promise<SandboxCheckoutRow> {
  const found = await findCheckoutWithOrganization(db, reference);
  if (found === undefined) throw new BillingError("not_found", "There is no such checkout");
  return found.checkout;
}

/** The data of a checkout's page. */
export interface CheckoutPage {
  plan: Plan;
  variant: Variant;
  /** Days before the first payment; 0 for none. */
  trialDays: number;
  organizationName: string;
  email: string;
  expiresAt: Date;
  status: "open" | "completed" | "expired";
  returnUrl: string;
}

/** Returns the page of a checkout, or null when there is none. */
export async function openCheckoutPage(
  dependencies: SandboxPaymentsDependencies,
  reference: string,
): Promise<CheckoutPage | null> {
  const found = await findCheckoutWithOrganization(dependencies.db, reference);
  if (found === undefined) return null;
  const { checkout, organizationName } = found;
  const { plan, variant } = requireSandboxOffer(checkout);
  const { email, expiresAt, returnUrl } = checkout;
  const status = statusOf(checkout, dependencies.clock.now());
  const trialDays = await trialDaysOf(dependencies.db, checkout);
  return { plan, variant, trialDays, organizationName, email, expiresAt, status, returnUrl };
}

/**
 * The trial is for an organization's first subscription (see `CheckoutRequest.isTrialUsed`). An organization without a live one
 * starts a checkout, so nothing changes until it is paid.
 */
async function trialDaysOf(db: Executor, checkout: SandboxCheckoutRow): Promise<number> {
  const { plan } = requireSandboxOffer(checkout);
  const subscriptions = await listSubscriptionRows(db, checkout.organizationId);
  const others = subscriptions.filter(({ id }) => id !== checkout.subscriptionId);
  return others.some(hasBegun) ? 0 : plan.trialDays;
}

/** The checkout has its subscription. Its first payment may still await confirmation. */
export interface Paid {
  outcome: "paid";
  /** Where the browser continues. */
  location: string;
}

/**
 * Pays for a checkout. Idempotent: a form that is sent again produces no second subscription. Returns null when there
 * is no such checkout, or it has expired.
 */
export async function payCheckout(
  dependencies: SandboxPaymentsDependencies,
  reference: string,
  form: CardForm,
): Promise<Paid | CardRefusal | null> {
  const found = await findCheckoutWithOrganization(dependencies.db, reference);
  const now = dependencies.clock.now();
  if (found === undefined || statusOf(found.checkout, now) === "expired") return null;
  const paid: Paid = { outcome: "paid", location: found.checkout.returnUrl };
  if (statusOf(found.checkout, now) === "completed") return paid;
  const result = readCard(form, now);
  if (result.outcome !== "accepted") return result;
  return dependencies.db.transaction(async (transaction) => {
    const checkout = await lockSandboxCheckout(transaction, found.checkout);
    if (checkout === undefined || statusOf(checkout, now) === "expired") return null;
    if (statusOf(checkout, now) === "open") await subscribe(dependencies, transaction, checkout, result.card);
    return paid;
  });
}

/** Returns where the browser continues without paying, or null when there is no such checkout. */
export async function leaveCheckout(
  { db }: SandboxPaymentsDependencies,
  reference: string,
): Promise<string | null> {
  return (await findCheckoutWithOrganization(db, reference))?.checkout.returnUrl ?? null;
}

/** Finds a checkout with the name of its organization, unless the organization is deleted. */
async function findCheckoutWithOrganization(db: Executor, reference: string) {
  const checkout = await findSandboxCheckout(db, reference);
  const organization = checkout && (await findOrganization(db, checkout.organizationId));
  return organization && { checkout, organizationName: organization.name };
}

function statusOf({ subscriptionId, expiresAt }: SandboxCheckoutRow, now: Date): CheckoutPage["status"] {
  if (subscriptionId !== null) return "completed";
  return expiresAt > now ? "open" : "expired";
}

async function subscribe(
  dependencies: SandboxPaymentsDependencies,
  transaction: Transaction,
  checkout: SandboxCheckoutRow,
  card: SandboxCard,
): Promise<void> {
  const now = dependencies.clock.now();
  const { organizationId, planId, variantId } = checkout;
  const sold = { organizationId, id: newId("sub", now), planId, variantId, card };
  const trialDays = await trialDaysOf(transaction, checkout);
  const { state, invoices, events } = startSubscription(sandboxTerms(sold), trialDays, now);
  await insertSandboxSubscription(transaction, { ...sold, state }, dueAt(state));
  await putSandboxInvoices(transaction, sold, invoices);
  await completeSandboxCheckout(transaction, checkout, sold.id);
  await enqueueSandboxBillingEvents(dependencies, transaction, events, sold);
}
