import { createHash, randomBytes } from "node:crypto";
import { findOrganization } from "@purser/organizations";
import { BillingError, type Variant } from "../ports.ts";
import { soldOffer } from "./catalog.ts";
import { type Card, type CardForm, type CardRefusal, readCard } from "./rules/cards.ts";
import type { Invoice, SandboxState } from "./rules/lifecycle.ts";
import { type PortalRow, findPortal, insertPortal } from "./store/portals.ts";
import { findSubscription, listInvoices } from "./store/subscriptions.ts";
import {
  type SandboxPaymentsDependencies,
  advanceSubscription,
  cancelSubscription,
  confirmPayment,
  presentSubscription,
  putCard,
  resumeSubscription,
} from "./subscriptions.ts";

const portalMilliseconds = 60 * 60 * 1000;

/** See `PaymentProvider.createPortal`: whoever has the address gets in, for an hour. */
export async function createPortal(
  { db, clock, settings }: SandboxPaymentsDependencies,
  { id, returnUrl }: { id: string; returnUrl: string },
): Promise<string> {
  const subscription = await findSubscription(db, id);
  if (subscription === undefined) throw new BillingError("not_found", "There is no such subscription");
  const token = randomBytes(32).toString("base64url");
  await insertPortal(db, {
    organizationId: subscription.organizationId,
    tokenHash: hashOf(token),
    subscriptionId: id,
    returnUrl,
    expiresAt: new Date(clock.now().getTime() + portalMilliseconds),
  });
  return `${settings.baseUrl}/local/portal/${token}`;
}

/** What the customer portal shows. */
export interface PortalPage {
  organizationName: string;
  subscription: Omit<SandboxState, "invoice" | "anchor"> & {
    id: string;
    planName: string;
    variant: Variant;
    /** When the card is charged again for what is owed; null where it is not. */
    nextAttemptAt: Date | null;
  };
  card: Omit<Card, "behavior">;
  /** The newest ones, up to twelve. */
  invoices: Invoice[];
  returnUrl: string;
  /** Whether the subscription's clock can be moved here. */
  canAdvance: boolean;
}

const invoicesShown = 12;

/** The customer portal, or null where there is none, or its hour is over. */
export async function openPortalPage(
  parts: SandboxPaymentsDependencies,
  token: string,
): Promise<PortalPage | null> {
  const found = await enter(parts, token);
  const subscription = found && (await presentSubscription(parts, found.portal.subscriptionId));
  if (!found || !subscription) return null;
  const { id, life, card, invoices } = subscription;
  const { plan, variant } = soldOffer(subscription);
  const { invoice, anchor: _anchor, ...facts } = life;
  const { behavior: _behavior, ...shown } = card;
  const nextAttemptAt = invoice?.nextAttemptAt ?? null;
  return {
    organizationName: found.organizationName,
    subscription: { ...facts, id, planName: plan.name, variant, nextAttemptAt },
    card: shown,
    invoices: newest(invoices, await listInvoices(parts.db, subscription, invoicesShown)),
    returnUrl: found.portal.returnUrl,
    canAdvance: parts.settings.sandbox,
  };
}

/** Those that are written down, and over them those that time has brought since. */
function newest(brought: readonly Invoice[], stored: readonly Invoice[]): Invoice[] {
  const all = new Map([...stored, ...brought].map((invoice) => [invoice.number, invoice]));
  return [...all.values()].toSorted((one, other) => other.number - one.number).slice(0, invoicesShown);
}

/** What became of something that was done in the portal; the message is a sentence for the person. */
export type PortalAnswer = { outcome: "done" } | { outcome: "refused"; message: string };

/** Lets the subscription end with its period. As below, null where there is no such portal. */
export function portalCancel(
  parts: SandboxPaymentsDependencies,
  token: string,
): Promise<PortalAnswer | null> {
  return act(parts, token, (id) => cancelSubscription(parts, id));
}

/** Takes the cancellation back. */
export function portalResume(
  parts: SandboxPaymentsDependencies,
  token: string,
): Promise<PortalAnswer | null> {
  return act(parts, token, (id) => resumeSubscription(parts, id));
}

/** Confirms the first payment, as the bank of some cards asks for. */
export function portalConfirm(
  parts: SandboxPaymentsDependencies,
  token: string,
): Promise<PortalAnswer | null> {
  return act(parts, token, (id) => confirmPayment(parts, id));
}

/** Pays with another card from now on, also what is owed. */
export async function portalReplaceCard(
  parts: SandboxPaymentsDependencies,
  token: string,
  form: CardForm,
): Promise<PortalAnswer | CardRefusal | null> {
  if ((await enter(parts, token)) === null) return null;
  const reading = readCard(form, parts.clock.now());
  if (reading.outcome !== "accepted") return reading;
  return act(parts, token, (id) => putCard(parts, id, reading.card));
}

const refusals = {
  too_early: "Choose an instant after the present one: time does not go back.",
  too_late: "Choose an instant within the next five years.",
};

/** Moves the subscription's clock, where there is a sandbox. */
export async function portalAdvance(
  parts: SandboxPaymentsDependencies,
  token: string,
  to: Date,
): Promise<PortalAnswer | null> {
  const found = await enter(parts, token);
  if (found === null) return null;
  if (!parts.settings.sandbox) return { outcome: "refused", message: "Time can be moved in a sandbox only." };
  const result = await advanceSubscription(parts, found.portal.subscriptionId, to);
  if (result === null || result === "advanced") return result && { outcome: "done" };
  return { outcome: "refused", message: refusals[result] };
}

async function act(
  parts: SandboxPaymentsDependencies,
  token: string,
  change: (subscriptionId: string) => Promise<void>,
): Promise<PortalAnswer | null> {
  const found = await enter(parts, token);
  if (found === null) return null;
  try {
    await change(found.portal.subscriptionId);
    return { outcome: "done" };
  } catch (error) {
    if (!(error instanceof BillingError) || error.kind !== "ended") throw error;
    return { outcome: "refused", message: "This subscription has ended." };
  }
}

async function enter(
  { db, clock }: SandboxPaymentsDependencies,
  token: string,
): Promise<{ portal: PortalRow; organizationName: string } | null> {
  const portal = await findPortal(db, hashOf(token), clock.now());
  const organization = portal && (await findOrganization(db, portal.organizationId));
  return organization ? { portal, organizationName: organization.name } : null;
}

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
