import { addMs } from "@purser/core";
import type { sandboxCardBehaviors, sandboxInvoiceStatuses, sandboxSubscriptionStatuses } from "@purser/db";
import { type Interval, addDaysToInstant, periodEnd } from "./calendar.ts";

// The lifecycle of a subscription, modeled on Stripe: renewals, failed payments, retries and endings. Two details differ
// from Stripe: an invoice is charged at once instead of after an hour as a draft, and there is no proration.

export type SandboxStatus = (typeof sandboxSubscriptionStatuses)[number];

/** Event types, named like Stripe's. */
export type SandboxBillingEventType =
  | "checkout.completed"
  | "subscription.created"
  | "subscription.updated"
  | "subscription.ended"
  | "invoice.paid"
  | "invoice.payment_failed";

/**
 * How a test card behaves: every payment succeeds; every payment after the checkout fails; or the customer must confirm
 * the first payment, and later ones succeed.
 */
export type CardBehavior = (typeof sandboxCardBehaviors)[number];

/** The price, the interval, and the behavior of the card. */
export interface SandboxTerms extends Interval {
  price: number;
  currency: string;
  behavior: CardBehavior;
  /** The status after the last failed retry. */
  afterDunning: "canceled" | "unpaid";
}

export interface SandboxInvoice {
  /** Counts from 1 within a subscription. */
  number: number;
  status: (typeof sandboxInvoiceStatuses)[number];
  amount: number;
  currency: string;
  periodStart: Date;
  periodEnd: Date;
  attempts: number;
  nextAttemptAt: Date | null;
  createdAt: Date;
  paidAt: Date | null;
}

export interface SandboxState {
  status: SandboxStatus;
  /** All periods begin on this instant's day of the month: the checkout's, or the end of the trial. */
  anchor: Date;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  canceledAt: Date | null;
  cancelAtPeriodEnd: boolean;
  endedAt: Date | null;
  /** The subscription's own clock: every event up to here is applied. */
  presentAt: Date;
  /** The latest invoice. */
  invoice: SandboxInvoice | null;
}

/** One change of a subscription: the state after it, and its events. */
export interface SandboxStep {
  state: SandboxState;
  events: SandboxBillingEventType[];
}

/** A sequence of steps, with the final form of every invoice that they created or changed. */
export interface Transition extends SandboxStep {
  invoices: SandboxInvoice[];
}

/** Days from each failed attempt to the next one, as in Stripe's schedules. */
const retryDays: readonly number[] = [3, 5, 7];

/** How long the first payment can be confirmed, as at Stripe. */
const confirmWithinMs = 23 * 60 * 60 * 1000;

/** Starts the subscription that a checkout produces. */
export function startSubscription(terms: SandboxTerms, trialDays: number, at: Date): Transition {
  const anchor = addDaysToInstant(at, trialDays);
  const isTrial = trialDays > 0;
  const mustConfirm = terms.behavior === "authenticates";
  const currentPeriodEnd = isTrial ? anchor : periodEnd(anchor, at, terms);
  const state: SandboxState = {
    status: mustConfirm ? "incomplete" : isTrial ? "trialing" : "active",
    anchor,
    currentPeriodStart: at,
    currentPeriodEnd,
    canceledAt: null,
    cancelAtPeriodEnd: false,
    endedAt: null,
    presentAt: at,
    invoice: null,
  };
  const events: SandboxBillingEventType[] = ["checkout.completed", "subscription.created"];
  if (isTrial) return { state, invoices: [], events };
  const invoiceDue = newInvoice(state, terms, at);
  const invoice = mustConfirm ? invoiceDue : paid(invoiceDue, at);
  return {
    state: { ...state, invoice },
    invoices: [invoice],
    events: mustConfirm ? events : [...events, "invoice.paid"],
  };
}

/** Applies the events due up to and including an instant. Several smaller advances give the same result. */
export function advanceTo(state: SandboxState, terms: SandboxTerms, to: Date): Transition {
  let transition: Transition = { state, invoices: [], events: [] };
  for (let due = dueAt(state); due !== null && due <= to; due = dueAt(transition.state)) {
    transition = appendStep(transition, applyDue(transition.state, terms, due));
  }
  const presentAt = to > state.presentAt ? to : state.presentAt;
  return { ...transition, state: { ...transition.state, presentAt } };
}

/** Appends a step to a transition. */
export function appendStep(transition: Transition, { state, events }: SandboxStep): Transition {
  const { invoice } = state;
  const others = transition.invoices.filter(({ number }) => number !== invoice?.number);
  const isChanged = invoice !== null && invoice !== transition.state.invoice;
  return {
    state,
    events: [...transition.events, ...events],
    invoices: isChanged ? [...others, invoice] : transition.invoices,
  };
}

/** Returns when the next event is due; null once the subscription has ended. */
export function dueAt({ status, currentPeriodStart, currentPeriodEnd, invoice }: SandboxState): Date | null {
  if (status === "canceled") return null;
  if (status === "incomplete") return addMs(currentPeriodStart, confirmWithinMs);
  // All retries fit in fifteen days, and every period is longer.
  return invoice?.nextAttemptAt ?? currentPeriodEnd;
}

/** Cancels at the end of the period, or at once before the first payment is confirmed. */
export function scheduleCancellation(state: SandboxState): SandboxStep {
  if (state.cancelAtPeriodEnd) return { state, events: [] };
  const canceledAt = state.presentAt;
  if (state.status === "incomplete") return end({ ...state, canceledAt }, canceledAt);
  return { state: { ...state, cancelAtPeriodEnd: true, canceledAt }, events: ["subscription.updated"] };
}

/** Withdraws the cancellation. */
export function withdrawCancellation(state: SandboxState): SandboxStep {
  if (!state.cancelAtPeriodEnd) return { state, events: [] };
  return {
    state: { ...state, cancelAtPeriodEnd: false, canceledAt: null },
    events: ["subscription.updated"],
  };
}

/** The customer confirms the first payment. */
export function confirmFirstPayment(state: SandboxState): SandboxStep {
  if (state.status !== "incomplete") return { state, events: [] };
  if (state.invoice !== null) return settle(state, state.invoice, state.presentAt);
  return { state: { ...state, status: "trialing" }, events: ["subscription.updated"] };
}

/** Replaces the card. An open invoice is paid at once if the new card's payments succeed. */
export function changeCard(state: SandboxState, behavior: CardBehavior): SandboxStep {
  if (behavior === "succeeds" && state.status === "incomplete") return confirmFirstPayment(state);
  if (behavior === "succeeds" && state.invoice?.status === "open")
    return settle(state, state.invoice, state.presentAt);
  return { state, events: ["subscription.updated"] };
}

/** Applies the event that is due at this instant. */
function applyDue(state: SandboxState, terms: SandboxTerms, at: Date): SandboxStep {
  if (state.status === "incomplete") return end(state, at);
  if (at < state.currentPeriodEnd) return charge(state, terms, at);
  return state.cancelAtPeriodEnd ? end(state, at) : renew(state, terms, at);
}

/** Starts the next period, even while an invoice is unpaid. */
function renew(state: SandboxState, terms: SandboxTerms, at: Date): SandboxStep {
  const next = {
    ...state,
    currentPeriodStart: at,
    currentPeriodEnd: periodEnd(state.anchor, at, terms),
  };
  // No new invoices while the last one stays unpaid.
  if (state.status === "unpaid") return { state: next, events: ["subscription.updated"] };
  return charge({ ...next, invoice: newInvoice(next, terms, at) }, terms, at);
}

/** Charges the card for the open invoice. */
function charge(state: SandboxState, { behavior, afterDunning }: SandboxTerms, at: Date): SandboxStep {
  const invoiceDue = state.invoice;
  if (invoiceDue === null) throw new Error("There is no open invoice");
  if (behavior === "succeeds") return settle(state, invoiceDue, at);
  const pause = retryDays[invoiceDue.attempts];
  const nextAttemptAt = pause === undefined ? null : addDaysToInstant(at, pause);
  const failed = { ...state, invoice: { ...invoiceDue, attempts: invoiceDue.attempts + 1, nextAttemptAt } };
  if (nextAttemptAt !== null) {
    const events: SandboxBillingEventType[] = state.status === "past_due" ? [] : ["subscription.updated"];
    return { state: { ...failed, status: "past_due" }, events: ["invoice.payment_failed", ...events] };
  }
  if (afterDunning === "unpaid")
    return {
      state: { ...failed, status: "unpaid" },
      events: ["invoice.payment_failed", "subscription.updated"],
    };
  const ended = end(failed, at);
  return { state: ended.state, events: ["invoice.payment_failed", ...ended.events] };
}

function settle(state: SandboxState, invoiceDue: SandboxInvoice, at: Date): SandboxStep {
  return {
    state: { ...state, status: "active", invoice: paid(invoiceDue, at) },
    events: ["invoice.paid", "subscription.updated"],
  };
}

/** Ends the subscription and gives up its open invoice. */
function end(state: SandboxState, at: Date): SandboxStep {
  const { invoice } = state;
  const isOpen = invoice?.status === "open";
  return {
    state: {
      ...state,
      status: "canceled",
      cancelAtPeriodEnd: false,
      endedAt: at,
      invoice: isOpen ? { ...invoice, status: "uncollectible", nextAttemptAt: null } : invoice,
    },
    events: ["subscription.ended"],
  };
}

function newInvoice(state: SandboxState, { price, currency }: SandboxTerms, at: Date): SandboxInvoice {
  return {
    number: (state.invoice?.number ?? 0) + 1,
    status: "open",
    amount: price,
    currency,
    periodStart: state.currentPeriodStart,
    periodEnd: state.currentPeriodEnd,
    attempts: 0,
    nextAttemptAt: null,
    createdAt: at,
    paidAt: null,
  };
}

function paid(invoiceDue: SandboxInvoice, at: Date): SandboxInvoice {
  return {
    ...invoiceDue,
    status: "paid",
    attempts: invoiceDue.attempts + 1,
    nextAttemptAt: null,
    paidAt: at,
  };
}
