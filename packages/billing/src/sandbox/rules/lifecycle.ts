import { type Interval, addDays, periodEnd } from "./calendar.ts";

/**
 * The life of a subscription, modelled on Stripe's: what happens to it as time goes by and its card is charged. What is
 * left out: invoices are charged at once instead of after an hour as a draft, and there is no proration.
 */

export type RawStatus = "incomplete" | "trialing" | "active" | "past_due" | "unpaid" | "canceled";

/** What happens, as Stripe would call it. */
export type EventType =
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
export interface Terms extends Interval {
  price: number;
  currency: string;
  behavior: CardBehavior;
  /** What becomes of a subscription when collecting is given up. */
  afterDunning: "canceled" | "unpaid";
}

export interface Invoice {
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
  status: RawStatus;
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
  invoice: Invoice | null;
}

/** Something that happens to a subscription: how it is afterwards, and what there is to tell. */
export interface Step {
  life: SandboxState;
  events: EventType[];
}

/** Several steps in a row, with every invoice that they made or changed, as it is afterwards. */
export interface Transition extends Step {
  invoices: Invoice[];
}

/** The days from each failed attempt to the next one, as in Stripe's own schedules. */
const retryDays: readonly number[] = [3, 5, 7];

/** How long the first payment can be confirmed, as at Stripe. */
const confirmMilliseconds = 23 * 60 * 60 * 1000;

/** What a checkout brings. */
export function startSubscription(terms: Terms, trialDays: number, at: Date): Transition {
  const anchor = addDays(at, trialDays);
  const isTrial = trialDays > 0;
  const mustConfirm = terms.behavior === "authenticates";
  const currentPeriodEnd = isTrial ? anchor : periodEnd(anchor, at, terms);
  const life: SandboxState = {
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
  const events: EventType[] = ["checkout.completed", "subscription.created"];
  if (isTrial) return { life, invoices: [], events };
  const owed = newInvoice(life, terms, at);
  const invoice = mustConfirm ? owed : paid(owed, at);
  return {
    life: { ...life, invoice },
    invoices: [invoice],
    events: mustConfirm ? events : [...events, "invoice.paid"],
  };
}

/** What happens by itself up to and including an instant. To go there in several steps comes to the same. */
export function advance(life: SandboxState, terms: Terms, to: Date): Transition {
  let course: Transition = { life, invoices: [], events: [] };
  for (let due = dueAt(life); due !== null && due <= to; due = dueAt(course.life)) {
    course = followedBy(course, happen(course.life, terms, due));
  }
  const presentAt = to > life.presentAt ? to : life.presentAt;
  return { ...course, life: { ...course.life, presentAt } };
}

/** A course that goes on with another step. */
export function followedBy(course: Transition, { life, events }: Step): Transition {
  const { invoice } = life;
  const others = course.invoices.filter(({ number }) => number !== invoice?.number);
  const isTouched = invoice !== null && invoice !== course.life.invoice;
  return {
    life,
    events: [...course.events, ...events],
    invoices: isTouched ? [...others, invoice] : course.invoices,
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
export function cancel(life: SandboxState): Step {
  if (life.cancelAtPeriodEnd) return { life, events: [] };
  const canceledAt = life.presentAt;
  return { life: { ...life, cancelAtPeriodEnd: true, canceledAt }, events: ["subscription.updated"] };
}

/** Takes that back. */
export function resume(life: SandboxState): Step {
  if (!life.cancelAtPeriodEnd) return { life, events: [] };
  return {
    life: { ...life, cancelAtPeriodEnd: false, canceledAt: null },
    events: ["subscription.updated"],
  };
}

/** The holder of the card confirms the first payment. */
export function confirm(life: SandboxState): Step {
  if (life.status !== "incomplete") return { life, events: [] };
  if (life.invoice !== null) return settled(life, life.invoice, life.presentAt);
  return { life: { ...life, status: "trialing" }, events: ["subscription.updated"] };
}

/** Another card takes the place of the one before: what is owed is paid with it at once, if it pays. */
export function replaceCard(life: SandboxState, behavior: CardBehavior): Step {
  if (behavior === "succeeds" && life.status === "incomplete") return confirm(life);
  if (behavior === "succeeds" && life.invoice?.status === "open")
    return settled(life, life.invoice, life.presentAt);
  return { life, events: ["subscription.updated"] };
}

/** What is due at this instant. */
function happen(life: SandboxState, terms: Terms, at: Date): Step {
  if (life.status === "incomplete") return end(life, at);
  if (at < life.currentPeriodEnd) return charge(life, terms, at);
  return life.cancelAtPeriodEnd ? end(life, at) : renew(life, terms, at);
}

/** A period follows the one before, paid or not: whoever is late with a payment is so within the new one. */
function renew(life: SandboxState, terms: Terms, at: Date): Step {
  const next = {
    ...life,
    currentPeriodStart: at,
    currentPeriodEnd: periodEnd(life.anchor, at, terms),
  };
  // No more is asked for while nobody pays what is owed.
  if (life.status === "unpaid") return { life: next, events: ["subscription.updated"] };
  return charge({ ...next, invoice: newInvoice(next, terms, at) }, terms, at);
}

/** Charges the card with the open invoice. */
function charge(life: SandboxState, { behavior, afterDunning }: Terms, at: Date): Step {
  const owed = life.invoice;
  if (owed === null) throw new Error("Nothing is owed");
  if (behavior === "succeeds") return settled(life, owed, at);
  const pause = retryDays[owed.attempts];
  const nextAttemptAt = pause === undefined ? null : addDays(at, pause);
  const failed = { ...life, invoice: { ...owed, attempts: owed.attempts + 1, nextAttemptAt } };
  if (nextAttemptAt !== null) {
    const events: EventType[] = life.status === "past_due" ? [] : ["subscription.updated"];
    return { life: { ...failed, status: "past_due" }, events: ["invoice.payment_failed", ...events] };
  }
  if (afterDunning === "unpaid")
    return {
      life: { ...failed, status: "unpaid" },
      events: ["invoice.payment_failed", "subscription.updated"],
    };
  const ended = end(failed, at);
  return { life: ended.life, events: ["invoice.payment_failed", ...ended.events] };
}

function settled(life: SandboxState, owed: Invoice, at: Date): Step {
  return {
    life: { ...life, status: "active", invoice: paid(owed, at) },
    events: ["invoice.paid", "subscription.updated"],
  };
}

/** It is over; nothing is collected any more. */
function end(life: SandboxState, at: Date): Step {
  const { invoice } = life;
  const isOpen = invoice?.status === "open";
  return {
    life: {
      ...life,
      status: "canceled",
      cancelAtPeriodEnd: false,
      endedAt: at,
      invoice: isOpen ? { ...invoice, status: "uncollectible", nextAttemptAt: null } : invoice,
    },
    events: ["subscription.ended"],
  };
}

function newInvoice(life: SandboxState, { price, currency }: Terms, at: Date): Invoice {
  return {
    number: (life.invoice?.number ?? 0) + 1,
    status: "open",
    amount: price,
    currency,
    periodStart: life.currentPeriodStart,
    periodEnd: life.currentPeriodEnd,
    attempts: 0,
    nextAttemptAt: null,
    createdAt: at,
    paidAt: null,
  };
}

function paid(owed: Invoice, at: Date): Invoice {
  return { ...owed, status: "paid", attempts: owed.attempts + 1, nextAttemptAt: null, paidAt: at };
}
