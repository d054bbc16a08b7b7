import { createHash, randomBytes } from "node:crypto";
import { findOrganization } from "@purser/organizations";
import { BillingError, type Variant } from "../ports.ts";
import { requireSandboxOffer } from "./catalog.ts";
import { type SandboxCard, type CardForm, type CardRefusal, readCard } from "./rules/cards.ts";
import type { SandboxInvoice, SandboxState } from "./rules/lifecycle.ts";
import { type SandboxPortalRow, findSandboxPortal, insertSandboxPortal } from "./store/portals.ts";
import { findSandboxSubscription, listSandboxInvoices } from "./store/subscriptions.ts";
import {
  type SandboxPaymentsDependencies,
  advanceSandboxSubscription,
  cancelSandboxSubscription,
  confirmSandboxPayment,
  readSandboxSubscription,
  putSandboxCard,
  resumeSandboxSubscription,
} from "./subscriptions.ts";

const portalMilliseconds = 60 * 60 * 1000;

/** See `PaymentProvider.createPortal`: whoever has the address gets in, for an hour. */
export async function createSandboxPortal(
  { db, clock, settings }: SandboxPaymentsDependencies,
  { id, returnUrl }: { id: string; returnUrl: string },
): Promise<string> {
  const subscription = await findSandboxSubscription(db, id);
  if (subscription === undefined) throw new BillingError("not_found", "There is no such subscription");
  const token = randomBytes(32).toString("base64url");
  await insertSandboxPortal(db, {
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
  card: Omit<SandboxCard, "behavior">;
  /** The newest ones, up to twelve. */
  invoices: SandboxInvoice[];
  returnUrl: string;
  /** Whether the subscription's clock can be moved here. */
  canAdvance: boolean;
}

const invoicesShown = 12;

/** The customer portal, or null where there is none, or its hour is over. */
export async function openPortalPage(
  dependencies: SandboxPaymentsDependencies,
  token: string,
): Promise<PortalPage | null> {
  const found = await enter(dependencies, token);
  const subscription = found && (await readSandboxSubscription(dependencies, found.portal.subscriptionId));
  if (!found || !subscription) return null;
  const { id, state, card, invoices } = subscription;
  const { plan, variant } = requireSandboxOffer(subscription);
  const { invoice, anchor: _anchor, ...facts } = state;
  const { behavior: _behavior, ...shown } = card;
  const nextAttemptAt = invoice?.nextAttemptAt ?? null;
  return {
    organizationName: found.organizationName,
    subscription: { ...facts, id, planName: plan.name, variant, nextAttemptAt },
    card: shown,
    invoices: newest(invoices, await listSandboxInvoices(dependencies.db, subscription, invoicesShown)),
    returnUrl: found.portal.returnUrl,
    canAdvance: dependencies.settings.sandbox,
  };
}

/** Those that are written down, and over them those that time has brought since. */
function newest(brought: readonly SandboxInvoice[], stored: readonly SandboxInvoice[]): SandboxInvoice[] {
  const all = new Map([...stored, ...brought].map((invoice) => [invoice.number, invoice]));
  return [...all.values()].toSorted((one, other) => other.number - one.number).slice(0, invoicesShown);
}

/** What became of something that was done in the portal; the message is a sentence for the person. */
export type PortalAnswer = { outcome: "done" } | { outcome: "refused"; message: string };

/** Lets the subscription end with its period. As below, null where there is no such portal. */
export function portalCancel(
  dependencies: SandboxPaymentsDependencies,
  token: string,
): Promise<PortalAnswer | null> {
  return act(dependencies, token, (id) => cancelSandboxSubscription(dependencies, id));
}

/** Takes the cancellation back. */
export function portalResume(
  dependencies: SandboxPaymentsDependencies,
  token: string,
): Promise<PortalAnswer | null> {
  return act(dependencies, token, (id) => resumeSandboxSubscription(dependencies, id));
}

/** Confirms the first payment, as the bank of some cards asks for. */
export function portalConfirm(
  dependencies: SandboxPaymentsDependencies,
  token: string,
): Promise<PortalAnswer | null> {
  return act(dependencies, token, (id) => confirmSandboxPayment(dependencies, id));
}

/** Pays with another card from now on, also what is owed. */
export async function portalReplaceCard(
  dependencies: SandboxPaymentsDependencies,
  token: string,
  form: CardForm,
): Promise<PortalAnswer | CardRefusal | null> {
  if ((await enter(dependencies, token)) === null) return null;
  const reading = readCard(form, dependencies.clock.now());
  if (reading.outcome !== "accepted") return reading;
  return act(dependencies, token, (id) => putSandboxCard(dependencies, id, reading.card));
}

const refusals = {
  too_early: "Choose an instant after the present one: time does not go back.",
  too_late: "Choose an instant within the next five years.",
};

/** Moves the subscription's clock, where there is a sandbox. */
export async function portalAdvance(
  dependencies: SandboxPaymentsDependencies,
  token: string,
  to: Date,
): Promise<PortalAnswer | null> {
  const found = await enter(dependencies, token);
  if (found === null) return null;
  if (!dependencies.settings.sandbox)
    return { outcome: "refused", message: "Time can be moved in a sandbox only." };
  const result = await advanceSandboxSubscription(dependencies, found.portal.subscriptionId, to);
  if (result === null || result === "advanced") return result && { outcome: "done" };
  return { outcome: "refused", message: refusals[result] };
}

async function act(
  dependencies: SandboxPaymentsDependencies,
  token: string,
  change: (subscriptionId: string) => Promise<void>,
): Promise<PortalAnswer | null> {
  const found = await enter(dependencies, token);
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
): Promise<{ portal: SandboxPortalRow; organizationName: string } | null> {
  const portal = await findSandboxPortal(db, hashOf(token), clock.now());
  const organization = portal && (await findOrganization(db, portal.organizationId));
  return organization ? { portal, organizationName: organization.name } : null;
}

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");
