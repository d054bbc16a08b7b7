import { type Interval, addDays, periodEnd } from "./calendar.ts";

/**
 * The life of a subscription, modelled on Stripe's: what happens to it as time goes by and its card is charged. What is
 * left out: invoices are charged at once instead of after an hour as a draft, and there is no proration.
 */

export type SandboxStatus = "incomplete" | "trialing" | "active" | "past_due" | "unpaid" | "canceled";

/** What happens, as Stripe would call it. */
export type SandboxEventType =
  | "checkout.completed"
  | "subscription.created"
  | "subscription.updated"
  | "subscription.ended"
  | "invoice.paid"
  | "invoice.payment_failed";

/**
 * How a test card behaves: it pays; it pays at the checkout and never again; or its holder has to confirm the first
 * payment, after which it pays.
 */
export type CardBehavior = "succeeds" | "fails" | "authenticates";

/** What is to be paid, how often, and with what. */
export interface SandboxTerms extends Interval {
  price: number;
  currency: string;
  behavior: CardBehavior;
  /** What becomes of a subscription when collecting is given up. */
  afterDunning: "canceled" | "unpaid";
}

export interface SandboxInvoice {
  /** Counts from 1 in each subscription. */
  number: number;
  status: "open" | "paid" | "uncollectible";
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
  /** The instant whose day of the month all periods begin on: the checkout's, or the end of the trial. */
  anchor: Date;
  currentPeriodStart: Date;
  currentPeriodEnd: Date;
  canceledAt: Date | null;
  cancelAtPeriodEnd: boolean;
  endedAt: Date | null;
  /** Its own clock: up to here everything has happened. */
  presentAt: Date;
  /** The latest one. */
  invoice: SandboxInvoice | null;
}

/** Something that happens to a subscription: how it is afterwards, and what there is to tell. */
export interface SandboxStep {
  state: SandboxState;
  events: SandboxEventType[];
}

/** Several steps in a row, with every invoice that they made or changed, as it is afterwards. */
export interface Transition extends SandboxStep {
  invoices: SandboxInvoice[];
}

/** The days from each failed attempt to the next one, as in Stripe's own schedules. */
const retryDays: readonly number[] = [3, 5, 7];

/** How long the first payment can be confirmed, as at Stripe. */
const confirmMilliseconds = 23 * 60 * 60 * 1000;

/** What a checkout brings. */
export function startSubscription(terms: SandboxTerms, trialDays: number, at: Date): Transition {
  const anchor = addDays(at, trialDays);
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
  const events: SandboxEventType[] = ["checkout.completed", "subscription.created"];
  if (isTrial) return { state, invoices: [], events };
  const owed = newInvoice(state, terms, at);
  const invoice = mustConfirm ? owed : paid(owed, at);
  return {
    state: { ...state, invoice },
    invoices: [invoice],
    events: mustConfirm ? events : [...events, "invoice.paid"],
  };
}

/** What happens by itself up to and including an instant. To go there in several steps comes to the same. */
export function advanceTo(state: SandboxState, terms: SandboxTerms, to: Date): Transition {
  let transition: Transition = { state, invoices: [], events: [] };
  for (let due = dueAt(state); due !== null && due <= to; due = dueAt(transition.state)) {
    transition = appendStep(transition, applyDue(transition.state, terms, due));
  }
  const presentAt = to > state.presentAt ? to : state.presentAt;
  return { ...transition, state: { ...transition.state, presentAt } };
}

/** A course that goes on with another step. */
export function appendStep(transition: Transition, { state, events }: SandboxStep): Transition {
  const { invoice } = state;
  const others = transition.invoices.filter(({ number }) => number !== invoice?.number);
  const isTouched = invoice !== null && invoice !== transition.state.invoice;
  return {
    state,
    events: [...transition.events, ...events],
    invoices: isTouched ? [...others, invoice] : transition.invoices,
  };
}

/** When something happens next by itself; null where nothing ever will. */
export function dueAt({ status, currentPeriodStart, currentPeriodEnd, invoice }: SandboxState): Date | null {
  if (status === "canceled") return null;
  if (status === "incomplete") return new Date(currentPeriodStart.getTime() + confirmMilliseconds);
  // Attempts follow each other within fifteen days, and no period is that short.
  return invoice?.nextAttemptAt ?? currentPeriodEnd;
}

/** Lets the subscription end with its period. */
export function scheduleCancellation(state: SandboxState): SandboxStep {
  if (state.cancelAtPeriodEnd) return { state, events: [] };
  const canceledAt = state.presentAt;
  return { state: { ...state, cancelAtPeriodEnd: true, canceledAt }, events: ["subscription.updated"] };
}

/** Takes that back. */
export function withdrawCancellation(state: SandboxState): SandboxStep {
  if (!state.cancelAtPeriodEnd) return { state, events: [] };
  return {
    state: { ...state, cancelAtPeriodEnd: false, canceledAt: null },
    events: ["subscription.updated"],
  };
}

/** The holder of the card confirms the first payment. */
export function confirmFirstPayment(state: SandboxState): SandboxStep {
  if (state.status !== "incomplete") return { state, events: [] };
  if (state.invoice !== null) return settled(state, state.invoice, state.presentAt);
  return { state: { ...state, status: "trialing" }, events: ["subscription.updated"] };
}

/** Another card takes the place of the one before: what is owed is paid with it at once, if it pays. */
export function changeCard(state: SandboxState, behavior: CardBehavior): SandboxStep {
  if (behavior === "succeeds" && state.status === "incomplete") return confirmFirstPayment(state);
  if (behavior === "succeeds" && state.invoice?.status === "open")
    return settled(state, state.invoice, state.presentAt);
  return { state, events: ["subscription.updated"] };
}

/** What is due at this instant. */
function applyDue(state: SandboxState, terms: SandboxTerms, at: Date): SandboxStep {
  if (state.status === "incomplete") return end(state, at);
  if (at < state.currentPeriodEnd) return charge(state, terms, at);
  return state.cancelAtPeriodEnd ? end(state, at) : renew(state, terms, at);
}

/** A period follows the one before, paid or not: whoever is late with a payment is so within the new one. */
function renew(state: SandboxState, terms: SandboxTerms, at: Date): SandboxStep {
  const next = {
    ...state,
    currentPeriodStart: at,
    currentPeriodEnd: periodEnd(state.anchor, at, terms),
  };
  // No more is asked for while nobody pays what is owed.
  if (state.status === "unpaid") return { state: next, events: ["subscription.updated"] };
  return charge({ ...next, invoice: newInvoice(next, terms, at) }, terms, at);
}

/** Charges the card with the open invoice. */
function charge(state: SandboxState, { behavior, afterDunning }: SandboxTerms, at: Date): SandboxStep {
  const owed = state.invoice;
  if (owed === null) throw new Error("Nothing is owed");
  if (behavior === "succeeds") return settled(state, owed, at);
  const pause = retryDays[owed.attempts];
  const nextAttemptAt = pause === undefined ? null : addDays(at, pause);
  const failed = { ...state, invoice: { ...owed, attempts: owed.attempts + 1, nextAttemptAt } };
  if (nextAttemptAt !== null) {
    const events: SandboxEventType[] = state.status === "past_due" ? [] : ["subscription.updated"];
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

function settled(state: SandboxState, owed: SandboxInvoice, at: Date): SandboxStep {
  return {
    state: { ...state, status: "active", invoice: paid(owed, at) },
    events: ["invoice.paid", "subscription.updated"],
  };
}

/** It is over; nothing is collected any more. */
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

function paid(owed: SandboxInvoice, at: Date): SandboxInvoice {
  return { ...owed, status: "paid", attempts: owed.attempts + 1, nextAttemptAt: null, paidAt: at };
}
