import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { addDaysToInstant } from "./calendar.ts";
import {
  type CardBehavior,
  type SandboxState,
  type SandboxTerms,
  type Transition,
  advanceTo,
  appendStep,
  changeCard,
  confirmFirstPayment,
  dueAt,
  scheduleCancellation,
  startSubscription,
  withdrawCancellation,
} from "./lifecycle.ts";

const start = new Date("2026-01-31T10:00:00.000Z");
/** The ends of the first periods of a monthly subscription without a trial. */
const [firstEnd, secondEnd, thirdEnd] = ["02-28", "03-31", "04-30"].map(
  (date) => new Date(`2026-${date}T10:00:00.000Z`),
) as [Date, Date, Date];

const terms = (change: Partial<SandboxTerms> = {}): SandboxTerms => ({
  price: 2900,
  currency: "GBP",
  interval: "month",
  interval_count: 1,
  behavior: "succeeds",
  afterDunning: "canceled",
  ...change,
});
const failing = terms({ behavior: "fails" });

const started = (behavior: CardBehavior = "succeeds", trialDays = 0) =>
  startSubscription(terms({ behavior }), trialDays, start).state;

/** A summary of a subscription. */
const glance = ({ status, currentPeriodStart, currentPeriodEnd, invoice }: SandboxState) => ({
  status,
  period: [currentPeriodStart, currentPeriodEnd],
  invoice: invoice && [invoice.number, invoice.status, invoice.attempts],
});

const before = (instant: Date) => new Date(instant.getTime() - 1);

describe("startSubscription", () => {
  const [made, isPaid] = [["checkout.completed", "subscription.created"], "invoice.paid"];
  const trialEnd = addDaysToInstant(start, 14);

  it.each([
    ["succeeds", 0, "active", firstEnd, [1, "paid", 1], [...made, isPaid]],
    ["fails", 0, "active", firstEnd, [1, "paid", 1], [...made, isPaid]],
    ["authenticates", 0, "incomplete", firstEnd, [1, "open", 0], made],
    ["succeeds", 14, "trialing", trialEnd, null, made],
    ["fails", 14, "trialing", trialEnd, null, made],
    ["authenticates", 14, "incomplete", trialEnd, null, made],
  ] as const)("with a card that %s and %i days of trial", (behavior, days, status, end, invoice, events) => {
    const transition = startSubscription(terms({ behavior }), days, start);
    expect(glance(transition.state)).toEqual({ status, period: [start, end], invoice });
    expect(transition.events).toEqual(events);
    expect(transition.invoices).toEqual(transition.state.invoice ? [transition.state.invoice] : []);
  });
});

describe("advanceTo", () => {
  it("does nothing before the period ends, and then renews it and charges the card", () => {
    const waiting = advanceTo(started(), terms(), before(firstEnd));
    expect(waiting).toEqual({
      state: { ...started(), presentAt: before(firstEnd) },
      invoices: [],
      events: [],
    });
    const renewed = advanceTo(started(), terms(), firstEnd);
    expect(glance(renewed.state)).toEqual({
      status: "active",
      period: [firstEnd, secondEnd],
      invoice: [2, "paid", 1],
    });
    expect(renewed.events).toEqual(["invoice.paid", "subscription.updated"]);
    expect(renewed.invoices).toMatchObject([{ amount: 2900, currency: "GBP", paidAt: firstEnd }]);
  });

  it("ends a trial with the first payment, which anchors all periods", () => {
    const trialEnd = addDaysToInstant(start, 14);
    const monthLater = new Date("2026-03-14T10:00:00.000Z");
    const trial = started("succeeds", 14);
    expect(advanceTo(trial, terms(), before(trialEnd)).state.status).toBe("trialing");
    for (const [behavior, status, invoice] of [
      ["succeeds", "active", [1, "paid", 1]],
      ["fails", "past_due", [1, "open", 1]],
    ] as const) {
      const { state } = advanceTo(trial, terms({ behavior }), trialEnd);
      expect(glance(state)).toEqual({ status, period: [trialEnd, monthLater], invoice });
    }
  });

  it.each([
    [0, "past_due", [2, "open", 1], 3],
    [3, "past_due", [2, "open", 2], 8],
    [8, "past_due", [2, "open", 3], 15],
    [15, "canceled", [2, "uncollectible", 4], null],
  ] as const)("has tried again %i days after a failed renewal: %s", (days, status, invoice, nextDays) => {
    const { state } = advanceTo(started(), failing, addDaysToInstant(firstEnd, days));
    expect(glance(state)).toEqual({ status, period: [firstEnd, secondEnd], invoice });
    expect(dueAt(state)).toEqual(nextDays === null ? null : addDaysToInstant(firstEnd, nextDays));
    expect(state.endedAt).toEqual(status === "canceled" ? state.presentAt : null);
    expect([state.canceledAt, state.cancelAtPeriodEnd]).toEqual([null, false]);
  });

  it("emits an event for every failed attempt, and for the end", () => {
    const failed = "invoice.payment_failed";
    const tries = [failed, "subscription.updated", failed, failed, failed];
    expect(advanceTo(started(), failing, thirdEnd).events).toEqual([...tries, "subscription.ended"]);
    const kept = advanceTo(started(), { ...failing, afterDunning: "unpaid" }, before(secondEnd));
    expect(kept.events).toEqual([...tries, "subscription.updated"]);
  });

  it("keeps an unpaid subscription if the plan says so, without new invoices until it is paid", () => {
    const { state } = advanceTo(started(), { ...failing, afterDunning: "unpaid" }, thirdEnd);
    expect(glance(state)).toMatchObject({ status: "unpaid", invoice: [2, "open", 4] });
    expect(state.currentPeriodStart).toEqual(thirdEnd);
    const recovered = changeCard(state, "succeeds");
    expect(glance(recovered.state)).toMatchObject({ status: "active", invoice: [2, "paid", 5] });
    expect(recovered.events).toEqual(["invoice.paid", "subscription.updated"]);
  });

  it("ends a subscription that is not confirmed within 23 hours", () => {
    const end = new Date(start.getTime() + 23 * 60 * 60 * 1000);
    for (const trialDays of [0, 14]) {
      const state = started("authenticates", trialDays);
      expect(advanceTo(state, terms(), before(end)).state.status).toBe("incomplete");
      const over = advanceTo(state, terms(), end);
      expect([over.state.status, over.state.endedAt, over.events]).toEqual([
        "canceled",
        end,
        ["subscription.ended"],
      ]);
      expect(over.state.invoice?.status).toBe(trialDays === 0 ? "uncollectible" : undefined);
    }
  });

  it("changes nothing after the end, and never goes back", () => {
    const { state } = advanceTo(started(), failing, thirdEnd);
    expect(advanceTo(state, terms(), addDaysToInstant(thirdEnd, 400))).toMatchObject({
      invoices: [],
      events: [],
    });
    expect(advanceTo(state, terms(), start).state.presentAt).toEqual(thirdEnd);
  });
});

describe("advancing in several steps", () => {
  it("has the same result as one advance, with any changes in between", () => {
    const behavior = fc.constantFrom<CardBehavior>("succeeds", "fails", "authenticates");
    const interval = fc.constantFrom<SandboxTerms["interval"]>("month", "year");
    const afterDunning = fc.constantFrom<SandboxTerms["afterDunning"]>("canceled", "unpaid");
    const act = fc.constantFrom("none", "cancel", "resume", "confirm", "succeeds", "fails");
    const days = fc.array(fc.integer({ min: 0, max: 90 }), { minLength: 1, maxLength: 8 });
    const property = fc.property(
      fc.record({ behavior, interval, afterDunning }),
      fc.constantFrom(0, 14),
      act,
      days,
      (change, trialDays, done, steps) => {
        const agreed = terms(change);
        const first = startSubscription(agreed, trialDays, start);
        const acted = appendStep(first, perform(first.state, done));
        const later = {
          ...agreed,
          behavior: done === "fails" || done === "succeeds" ? done : agreed.behavior,
        };
        let walked: Transition = { ...acted, events: [] };
        let to = start;
        for (const some of steps) {
          to = addDaysToInstant(to, some);
          const leg = advanceTo(walked.state, later, to);
          const numbers = new Set(leg.invoices.map(({ number }) => number));
          const others = walked.invoices.filter(({ number }) => !numbers.has(number));
          walked = {
            ...leg,
            events: [...walked.events, ...leg.events],
            invoices: [...others, ...leg.invoices],
          };
        }
        const jumped = advanceTo(acted.state, later, to);
        const [newest, ...earlier] = walked.invoices.toReversed();
        expect({ ...walked, invoices: [] }).toEqual({ ...jumped, invoices: [] });
        expect(newest ?? null).toEqual(jumped.state.invoice);
        // Every earlier invoice is closed before a new one opens.
        expect(earlier.filter(({ status }) => status !== "paid")).toEqual([]);
      },
    );
    fc.assert(property, { numRuns: 200 });
  });
});

function perform(state: SandboxState, done: string) {
  if (done === "cancel") return scheduleCancellation(state);
  if (done === "resume") return withdrawCancellation(state);
  if (done === "confirm") return confirmFirstPayment(state);
  return done === "none" ? { state, events: [] } : changeCard(state, done as CardBehavior);
}

describe("scheduleCancellation and withdrawCancellation", () => {
  it("end the subscription with its period, unless it is resumed before", () => {
    const { state, events } = scheduleCancellation(
      advanceTo(started(), terms(), addDaysToInstant(start, 5)).state,
    );
    expect(state).toMatchObject({
      status: "active",
      cancelAtPeriodEnd: true,
      canceledAt: addDaysToInstant(start, 5),
    });
    expect(events).toEqual(["subscription.updated"]);
    const over = advanceTo(state, terms(), firstEnd);
    expect(over.state).toMatchObject({
      status: "canceled",
      cancelAtPeriodEnd: false,
      canceledAt: addDaysToInstant(start, 5),
      endedAt: firstEnd,
      currentPeriodEnd: firstEnd,
    });
    expect([over.events, over.invoices]).toEqual([["subscription.ended"], []]);
    const resumed = withdrawCancellation(state).state;
    expect(resumed).toMatchObject({ cancelAtPeriodEnd: false, canceledAt: null });
    expect(advanceTo(resumed, terms(), firstEnd).state.status).toBe("active");
  });

  it("end a trial without a payment", () => {
    const { state } = advanceTo(scheduleCancellation(started("succeeds", 14)).state, terms(), firstEnd);
    expect([state.status, state.endedAt, state.invoice]).toEqual([
      "canceled",
      addDaysToInstant(start, 14),
      null,
    ]);
  });

  it("end a subscription at once whose first payment is not confirmed, which nothing confirms later", () => {
    for (const trialDays of [0, 14]) {
      const { state, events } = scheduleCancellation(started("authenticates", trialDays));
      expect(state).toMatchObject({ status: "canceled", cancelAtPeriodEnd: false, canceledAt: start });
      expect([state.endedAt, events]).toEqual([start, ["subscription.ended"]]);
      expect(state.invoice?.status).toBe(trialDays === 0 ? "uncollectible" : undefined);
      for (const confirm of [confirmFirstPayment, (ended: SandboxState) => changeCard(ended, "succeeds")])
        expect(confirm(state).state).toEqual(state);
    }
  });

  it("change nothing when they are repeated", () => {
    const canceled = scheduleCancellation(started()).state;
    const later = { ...canceled, presentAt: addDaysToInstant(start, 1) };
    expect(scheduleCancellation(later)).toEqual({ state: later, events: [] });
    expect(withdrawCancellation(started())).toEqual({ state: started(), events: [] });
  });
});

describe("changeCard and confirmFirstPayment", () => {
  const pastDue = advanceTo(started(), failing, addDaysToInstant(firstEnd, 4)).state;

  it.each([
    ["pays at once what is owed", pastDue, "succeeds", "active", [2, "paid", 3]],
    [
      "leaves the next attempt as it was with a card that fails",
      pastDue,
      "fails",
      "past_due",
      [2, "open", 2],
    ],
    ["pays the first invoice", started("authenticates"), "succeeds", "active", [1, "paid", 1]],
    ["starts the trial", started("authenticates", 14), "succeeds", "trialing", null],
    ["pays nothing without an open invoice", started(), "succeeds", "active", [1, "paid", 1]],
  ] as const)("%s", (_what, state, behavior, status, invoice) => {
    const step = changeCard(state, behavior);
    expect(glance(step.state)).toMatchObject({ status, invoice });
    expect(step.events).toContain("subscription.updated");
    expect(dueAt(step.state)).toEqual(
      status === "past_due" ? state.invoice!.nextAttemptAt : step.state.currentPeriodEnd,
    );
  });

  it("confirm the first payment only while it awaits confirmation", () => {
    expect(confirmFirstPayment(started("authenticates")).events).toEqual([
      "invoice.paid",
      "subscription.updated",
    ]);
    expect(confirmFirstPayment(started("authenticates", 14)).events).toEqual(["subscription.updated"]);
    for (const state of [pastDue, started()])
      expect(confirmFirstPayment(state)).toEqual({ state, events: [] });
  });

  it("keeps the anchor of the periods", () => {
    const { state } = changeCard(pastDue, "succeeds");
    expect(advanceTo(state, terms(), secondEnd).state.currentPeriodEnd).toEqual(thirdEnd);
  });
});
