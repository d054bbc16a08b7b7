import { hash, randomBytes } from "node:crypto";
import { addMs } from "@purser/core";
import { findOrganization } from "@purser/organizations";
import { BillingError, type Variant } from "../ports.ts";
import { requireSandboxOffer } from "./catalog.ts";
import { type CardForm, type CardRefusal, type SandboxCard, readCard } from "./rules/cards.ts";
import type { SandboxInvoice, SandboxState } from "./rules/lifecycle.ts";
import { type SandboxPortalRow, findSandboxPortal, insertSandboxPortal } from "./store/pages.ts";
import { findSandboxSubscription, listSandboxInvoices } from "./store/subscriptions.ts";
import {
  type SandboxPaymentsDependencies,
  advanceSandboxSubscription,
  cancelSandboxSubscription,
  confirmSandboxPayment,
  putSandboxCard,
  readSandboxSubscription,
  resumeSandboxSubscription,
} from "./subscriptions.ts";

const portalLifetimeMs = 60 * 60 * 1000;

/** See `PaymentProvider.createPortal`. The URL alone grants access, for one hour. */
export async function createSandboxPortal(
  { db, clock, settings }: SandboxPaymentsDependencies,
  { id, returnUrl }: { id: string; returnUrl: string },
): Promise<string> {
  const subscription = await findSandboxSubscription(db, id);
  if (subscription === undefined) throw new BillingError("not_found", "There is no such subscription");
  const token = randomBytes(32).toString("base64url");
  await insertSandboxPortal(db, {
    organizationId: subscription.organizationId,
    tokenHash: hashToken(token),
    subscriptionId: id,
    returnUrl,
    expiresAt: addMs(clock.now(), portalLifetimeMs),
  });
  return `${settings.baseUrl}/local/portal/${token}`;
}

/** The data of the customer portal. */
export interface PortalPage {
  organizationName: string;
  subscription: Omit<SandboxState, "invoice" | "anchor"> & {
    id: string;
    planName: string;
    variant: Variant;
    /** When the card is charged again for the open invoice; null when it is not. */
    nextAttemptAt: Date | null;
  };
  card: Omit<SandboxCard, "behavior">;
  /** The newest first, up to twelve. */
  invoices: SandboxInvoice[];
  returnUrl: string;
  /** Whether this page can move the subscription's clock. */
  canAdvance: boolean;
}

const invoicesShown = 12;

/** Returns the customer portal, or null when the token is unknown or has expired. */
export async function openPortalPage(
  dependencies: SandboxPaymentsDependencies,
  token: string,
): Promise<PortalPage | null> {
  const found = await findSession(dependencies, token);
  const subscription = found && (await readSandboxSubscription(dependencies, found.portal.subscriptionId));
  if (!found || !subscription) return null;
  const { id, state, card, invoices } = subscription;
  const { plan, variant } = requireSandboxOffer(subscription);
  const { invoice, anchor: _anchor, ...fields } = state;
  const { behavior: _behavior, ...shown } = card;
  const nextAttemptAt = invoice?.nextAttemptAt ?? null;
  return {
    organizationName: found.organizationName,
    subscription: { ...fields, id, planName: plan.name, variant, nextAttemptAt },
    card: shown,
    invoices: mergeInvoices(
      invoices,
      await listSandboxInvoices(dependencies.db, subscription, invoicesShown),
    ),
    returnUrl: found.portal.returnUrl,
    canAdvance: dependencies.settings.sandbox,
  };
}

/** Merges stored invoices with newer ones that are not stored yet. */
function mergeInvoices(
  pending: readonly SandboxInvoice[],
  stored: readonly SandboxInvoice[],
): SandboxInvoice[] {
  const all = new Map([...stored, ...pending].map((invoice) => [invoice.number, invoice]));
  return [...all.values()].toSorted((one, other) => other.number - one.number).slice(0, invoicesShown);
}

/** The result of an action in the portal. The message is shown to the customer. */
export type PortalResult = { outcome: "done" } | { outcome: "refused"; message: string };

/** Cancels at the end of the period. Like every action here, it returns null for an unknown or expired token. */
export function portalCancel(
  dependencies: SandboxPaymentsDependencies,
  token: string,
): Promise<PortalResult | null> {
  return act(dependencies, token, (id) => cancelSandboxSubscription(dependencies, id));
}

/** Withdraws the cancellation. */
export function portalResume(
  dependencies: SandboxPaymentsDependencies,
  token: string,
): Promise<PortalResult | null> {
  return act(dependencies, token, (id) => resumeSandboxSubscription(dependencies, id));
}

/** Confirms the first payment, as some banks require. */
export function portalConfirm(
  dependencies: SandboxPaymentsDependencies,
  token: string,
): Promise<PortalResult | null> {
  return act(dependencies, token, (id) => confirmSandboxPayment(dependencies, id));
}

/** Replaces the card, and pays the open invoice with it. */
export async function portalReplaceCard(
  dependencies: SandboxPaymentsDependencies,
  token: string,
  form: CardForm,
): Promise<PortalResult | CardRefusal | null> {
  if ((await findSession(dependencies, token)) === null) return null;
  const result = readCard(form, dependencies.clock.now());
  if (result.outcome !== "accepted") return result;
  return act(dependencies, token, (id) => putSandboxCard(dependencies, id, result.card));
}

const refusals = {
  too_early: "Choose a later time: the clock does not go back.",
  too_late: "Choose a time within the next five years.",
};

/** Moves the subscription's clock. Allowed in a sandbox only. */
export async function portalAdvance(
  dependencies: SandboxPaymentsDependencies,
  token: string,
  to: Date,
): Promise<PortalResult | null> {
  const found = await findSession(dependencies, token);
  if (found === null) return null;
  if (!dependencies.settings.sandbox)
    return { outcome: "refused", message: "The clock can be moved in a sandbox only." };
  const result = await advanceSandboxSubscription(dependencies, found.portal.subscriptionId, to);
  if (result === null || result === "advanced") return result && { outcome: "done" };
  return { outcome: "refused", message: refusals[result] };
}

async function act(
  dependencies: SandboxPaymentsDependencies,
  token: string,
  change: (subscriptionId: string) => Promise<void>,
): Promise<PortalResult | null> {
  const found = await findSession(dependencies, token);
  if (found === null) return null;
  try {
    await change(found.portal.subscriptionId);
    return { outcome: "done" };
  } catch (error) {
    if (!BillingError.is(error, "ended")) throw error;
    return { outcome: "refused", message: "This subscription has ended." };
  }
}

async function findSession(
  { db, clock }: SandboxPaymentsDependencies,
  token: string,
): Promise<{ portal: SandboxPortalRow; organizationName: string } | null> {
  const portal = await findSandboxPortal(db, hashToken(token), clock.now());
  const organization = portal && (await findOrganization(db, portal.organizationId));
  return organization ? { portal, organizationName: organization.name } : null;
}

const hashToken = (token: string) => hash("sha256", token, "hex");
