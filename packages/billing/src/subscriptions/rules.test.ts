import { describe, expect, it } from "vitest";
import type { PaymentProviderName, SubscriptionStatus } from "../ports.ts";
import {
  cancellationTime,
  currentPeriod,
  isLive,
  lastPaidPeriodStart,
  subscriptionPermissions,
  shownSubscriptions,
  subscriptionAt,
  subscriptionChanges,
  subscriptionEventTypes,
} from "./rules.ts";

const as = (
  status: SubscriptionStatus,
  { cancelAtPeriodEnd = false, rawStatus = status.toLowerCase(), isTrial = false } = {},
) => ({
  status,
  rawStatus,
  cancelAtPeriodEnd,
  isTrial,
});
const ending = (status: SubscriptionStatus) => as(status, { cancelAtPeriodEnd: true });
const paused = as("UNPAID", { rawStatus: "paused" });
const pausedByFailure = as("UNPAID", { rawStatus: "paused: first_payment_failure" });

describe("subscriptionChanges", () => {
  it.each([
    ["reports nothing for an unpaid start", undefined, as("INCOMPLETE"), []],
    ["reports a start", undefined, as("ACTIVE"), ["started"]],
    ["reports a start with the first payment", as("INCOMPLETE"), as("ACTIVE"), ["started"]],
    ["reports a start that is already canceled", undefined, ending("ACTIVE"), ["started", "ending"]],
    ["reports a start with a failed payment", undefined, as("PAST_DUE"), ["started", "payment_failed"]],
    ["reports nothing for one first seen after its end", undefined, as("CANCELED"), []],
    ["reports nothing without a change", as("ACTIVE"), as("ACTIVE"), []],
    ["reports nothing while a cancellation stays", ending("ACTIVE"), ending("ACTIVE"), []],
    ["reports a failed payment", as("ACTIVE"), as("PAST_DUE"), ["payment_failed"]],
    ["reports that retries stopped", as("PAST_DUE"), as("UNPAID"), ["unpaid"]],
    ["reports that retries continue", as("UNPAID"), as("PAST_DUE"), ["payment_failed"]],
    ["reports a recovered payment", as("PAST_DUE"), as("ACTIVE"), ["recovered"]],
    ["reports a payment after retries stopped", as("UNPAID"), as("ACTIVE"), ["recovered"]],
    ["reports a cancellation", as("ACTIVE"), ending("ACTIVE"), ["ending"]],
    ["reports a withdrawn cancellation", ending("ACTIVE"), as("ACTIVE"), ["resumed"]],
    ["reports two changes at once", as("ACTIVE"), ending("PAST_DUE"), ["payment_failed", "ending"]],
    ["reports the end after a cancellation", ending("ACTIVE"), as("CANCELED"), ["ended"]],
    ["reports the end of an unpaid one", as("UNPAID"), as("CANCELED"), ["ended"]],
    ["reports no end for one that was never in force", as("INCOMPLETE"), as("CANCELED"), ["expired"]],
    ["reports a pause, which is no failed payment", as("ACTIVE"), paused, ["paused"]],
    ["reports a pause after a failed payment as unpaid", as("ACTIVE"), pausedByFailure, ["unpaid"]],
    ["reports the payment that ends such a pause", pausedByFailure, as("ACTIVE"), ["recovered"]],
    ["reports the end of a pause", paused, as("ACTIVE"), ["unpaused"]],
    ["reports nothing while a pause lasts", paused, paused, []],
    ["reports a start that is paused", undefined, paused, ["started", "paused"]],
    ["reports that retries stopped after a pause", paused, as("UNPAID"), ["unpaid"]],
    ["reports a failed payment after a pause", paused, as("PAST_DUE"), ["payment_failed"]],
    ["reports the end of a paused one", paused, as("CANCELED"), ["ended"]],
    ["reports nothing after the end", as("CANCELED"), ending("CANCELED"), []],
    ["reports a new start after the end", as("CANCELED"), as("ACTIVE"), ["started"]],
  ] as const)("%s", (_what, before, after, changes) => {
    expect(subscriptionChanges(before, after)).toEqual(changes);
  });

  it("counts a subscription as live while the team has it, paid or not", () => {
    const live = (["ACTIVE", "PAST_DUE", "UNPAID", "INCOMPLETE", "CANCELED"] as const).filter(isLive);
    expect(live).toEqual(["ACTIVE", "PAST_DUE", "UNPAID"]);
  });
});

const at = (day: number) => new Date(Date.UTC(2026, 0, day));

const subscription = (fields: Partial<Parameters<typeof subscriptionAt>[0] & { id: string }> = {}) => ({
  id: "sub-1",
  provider: "local" as PaymentProviderName | null,
  status: "ACTIVE" as SubscriptionStatus,
  rawStatus: null,
  currentPeriodStart: at(1),
  currentPeriodEnd: at(31),
  cancelAtPeriodEnd: false,
  ...fields,
});

describe("subscriptionEventTypes", () => {
  const shown = (fields: Partial<Parameters<typeof subscriptionEventTypes>[1]> = {}) => ({
    ...subscription(),
    customerId: "customer",
    planId: "team",
    variantId: "monthly",
    canceledAt: null,
    paidPeriodStart: at(1) as Date | null,
    ...fields,
  });
  const ended = { status: "CANCELED", canceledAt: at(20) } as const;
  const begun = { currentPeriodStart: at(31), currentPeriodEnd: at(60) };
  const renewed = { ...begun, paidPeriodStart: at(31) };
  const neverPaid = { paidPeriodStart: null };

  it.each([
    ["a first state, whatever it is", undefined, { status: "INCOMPLETE" }, ["created"]],
    ["nothing", {}, {}, []],
    ["nothing that callers see", {}, { rawStatus: "trialing" }, []],
    ["a first payment", { ...neverPaid, status: "INCOMPLETE" }, {}, ["updated"]],
    ["a first payment of one that was active before it", neverPaid, {}, []],
    ["a failed payment", {}, { status: "PAST_DUE" }, ["past_due"]],
    ["the end of retries", { status: "PAST_DUE" }, { status: "UNPAID" }, ["updated"]],
    ["a payment after a failed one", { ...begun, status: "PAST_DUE" }, renewed, ["renewed"]],
    ["a payment after the end of retries", { ...begun, status: "UNPAID" }, renewed, ["renewed"]],
    ["a payment after one that failed at first sight", { ...neverPaid, status: "PAST_DUE" }, {}, ["renewed"]],
    ["a late payment within a period that was paid", { status: "PAST_DUE" }, {}, ["updated"]],
    ["a late payment of an earlier period", { ...begun, status: "PAST_DUE" }, begun, ["updated"]],
    ["a pause", {}, paused, ["updated"]],
    ["a pause that moves the start", {}, { ...paused, currentPeriodStart: at(5) }, ["updated"]],
    ["the end of a pause, which pays for nothing", paused, {}, ["updated"]],
    ["the end of a pause of one that was never paid", { ...neverPaid, ...paused }, {}, ["updated"]],
    ["the end of a pause that begins a period", paused, renewed, ["renewed"]],
    ["another plan", {}, { planId: "business" }, ["updated"]],
    ["another customer", {}, { customerId: "other" }, ["updated"]],
    ["a cancellation", {}, { cancelAtPeriodEnd: true }, ["updated"]],
    ["a withdrawn cancellation", { cancelAtPeriodEnd: true }, {}, ["updated"]],
    ["a longer period", {}, { currentPeriodEnd: at(40) }, ["updated"]],
    ["a period that has only begun", {}, begun, ["updated"]],
    ["its payment", begun, renewed, ["renewed"]],
    ["a renewal", {}, renewed, ["renewed"]],
    ["a renewal with another plan", {}, { ...renewed, planId: "business" }, ["renewed", "updated"]],
    ["a renewal whose payment fails", {}, { ...begun, status: "PAST_DUE" }, ["past_due"]],
    ["a renewal after a failed payment", { status: "PAST_DUE" }, renewed, ["renewed"]],
    ["another unpaid period", { status: "UNPAID" }, { ...begun, status: "UNPAID" }, ["updated"]],
    ["an end", {}, { status: "CANCELED" }, ["canceled"]],
    ["an end that begins a period", {}, { ...begun, status: "CANCELED" }, ["canceled"]],
    ["an end, and since when it is canceled", {}, ended, ["canceled", "updated"]],
    ["the end of a cancellation", { ...ended, ...ending("ACTIVE") }, ended, ["canceled"]],
    ["nothing after the end", ended, ended, []],
    ["a correction after the end", ended, { ...ended, cancelAtPeriodEnd: true }, ["updated"]],
  ] as const)("reports %s", (_what, before, after, types) => {
    expect(subscriptionEventTypes(before && shown(before), shown(after))).toEqual(
      types.map((type) => `subscription.${type}`),
    );
  });
});

describe("lastPaidPeriodStart", () => {
  it.each([
    ["of a paid period", "ACTIVE", true, at(5)],
    ["of a period, where nobody tells whether it is paid", "ACTIVE", undefined, at(5)],
    ["of the period before one that has only begun", "ACTIVE", false, at(1)],
    ["of the period before one whose payment failed", "PAST_DUE", undefined, at(1)],
  ] as const)("is the start %s", (_what, status, isPeriodPaid, start) => {
    const after = { status, currentPeriodStart: at(5) };
    expect(lastPaidPeriodStart({ paidPeriodStart: at(1) }, after, isPeriodPaid)).toEqual(start);
    const isPaid = start > at(1);
    expect(lastPaidPeriodStart(undefined, after, isPeriodPaid)).toEqual(isPaid ? start : null);
  });
});

describe("currentPeriod", () => {
  const period = (day: number) => ({ currentPeriodStart: at(day), currentPeriodEnd: at(day + 30) });

  it("is the reported one, and a guess only at first sight", () => {
    expect(currentPeriod(period(1), period(31))).toEqual(period(31));
    const guess = { ...period(4), isPeriodEstimated: true };
    expect(currentPeriod(period(1), guess)).toEqual(period(1));
    expect(currentPeriod(undefined, guess)).toEqual(period(4));
  });

  it("keeps its start, where that is a guess, while its end stays", () => {
    const guess = { ...period(1), currentPeriodStart: at(20), isPeriodStartEstimated: true };
    expect(currentPeriod(period(1), guess)).toEqual(period(1));
    expect(currentPeriod(period(1), { ...guess, isPeriodStartEstimated: false })).toMatchObject({
      currentPeriodStart: at(20),
    });
    expect(currentPeriod(period(1), { ...period(31), isPeriodStartEstimated: true })).toEqual(period(31));
  });
});

describe("cancellationTime", () => {
  it.each([
    ["the reported time", null, { canceledAt: at(5) }, at(5)],
    ["the reported time of another cancellation", at(2), { canceledAt: at(5) }, at(5)],
    ["the first estimate", null, { canceledAt: at(5), isCanceledAtEstimated: true }, at(5)],
    ["the first estimate after later ones", at(2), { canceledAt: at(5), isCanceledAtEstimated: true }, at(2)],
    ["none once it is withdrawn", at(2), { canceledAt: null, isCanceledAtEstimated: true }, null],
  ] as const)("is %s", (_what, stored, fetched, time) => {
    expect(cancellationTime({ canceledAt: stored }, fetched)).toEqual(time);
    expect(cancellationTime(undefined, fetched)).toEqual(fetched.canceledAt);
  });
});

describe("organizations.subscription.get", () => {
  it("shows none if there never was one", () => {
    expect(shownSubscriptions([], at(1))).toEqual([]);
  });

  it.each([
    ["a live one over a later ended one", "ACTIVE", "CANCELED", ["sub-1"]],
    ["a live one over a later incomplete one", "UNPAID", "INCOMPLETE", ["sub-1"]],
    ["both of two live ones, the later first", "ACTIVE", "PAST_DUE", ["sub-2", "sub-1"]],
    ["the later of two ended ones", "CANCELED", "CANCELED", ["sub-2"]],
    ["the later incomplete one over an ended one", "CANCELED", "INCOMPLETE", ["sub-2"]],
  ] as const)("shows %s", (_what, earlier, later, shown) => {
    const rows = [
      subscription({ id: "sub-1", status: earlier, currentPeriodStart: at(1) }),
      subscription({ id: "sub-2", status: later, currentPeriodStart: at(2) }),
    ];
    for (const read of [rows, rows.toReversed()])
      expect(shownSubscriptions(read, at(5)).map(({ id }) => id)).toEqual(shown);
  });

  it("shows the one with the greater id first of two that started together, in whatever order they are read", () => {
    const rows = ["sub-1", "sub-2"].map((id) => subscription({ id }));
    for (const read of [rows, rows.toReversed()])
      expect(shownSubscriptions(read, at(5)).map(({ id }) => id)).toEqual(["sub-2", "sub-1"]);
  });

  it("reads a canceled manual one as CANCELED from the instant its period ends", () => {
    const manual = subscription({ provider: null, cancelAtPeriodEnd: true });
    expect(subscriptionAt(manual, new Date(at(31).getTime() - 1))).toEqual(manual);
    expect(subscriptionAt(manual, at(31))).toMatchObject({ status: "CANCELED", cancelAtPeriodEnd: false });
  });

  it("reads one that was entered as CANCELED as it was entered, before and after the end of its period", () => {
    for (const provider of [null, "local"] as const) {
      const entered = subscription({ status: "CANCELED", cancelAtPeriodEnd: true, provider });
      for (const now of [at(1), at(31)]) expect(subscriptionAt(entered, now)).toEqual(entered);
    }
  });

  it("leaves the end of a provider's subscription to the provider", () => {
    expect(subscriptionAt(subscription({ cancelAtPeriodEnd: true }), at(40)).status).toBe("ACTIVE");
  });
});

describe("subscriptionPermissions", () => {
  const all = { resume: true, portal: true };
  const none = {
    isLive: true,
    isTrial: false,
    isOverdue: false,
    canCancel: false,
    canResume: false,
    canOpenPortal: false,
  };
  const later = { canResumeLater: true };
  const circumstances = { isOwner: true, capabilities: all, isManual: false };

  it.each([
    ["an active one", as("ACTIVE"), circumstances, { ...later, canCancel: true, canOpenPortal: true }],
    ["one that ends", ending("ACTIVE"), circumstances, { ...later, canResume: true, canOpenPortal: true }],
    [
      "one that ends, at a provider that cannot resume",
      ending("ACTIVE"),
      { ...circumstances, capabilities: { resume: false, portal: true } },
      { canOpenPortal: true },
    ],
    ["a canceled one", as("CANCELED"), circumstances, { isLive: false, canOpenPortal: true }],
    [
      "an unpaid first one, which may end at once",
      as("INCOMPLETE"),
      circumstances,
      { isLive: false, canCancel: true, canOpenPortal: true },
    ],
    [
      "one in its trial",
      as("ACTIVE", { isTrial: true }),
      circumstances,
      { ...later, isTrial: true, canCancel: true, canOpenPortal: true },
    ],
    [
      "one that ends with its trial",
      as("ACTIVE", { isTrial: true, cancelAtPeriodEnd: true }),
      circumstances,
      { ...later, isTrial: true, canResume: true, canOpenPortal: true },
    ],
    [
      "one whose trial was not paid for",
      as("UNPAID", { isTrial: true }),
      circumstances,
      { ...later, isOverdue: true, canCancel: true, canOpenPortal: true },
    ],
    [
      "an overdue one",
      as("PAST_DUE"),
      circumstances,
      { ...later, isOverdue: true, canCancel: true, canOpenPortal: true },
    ],
    [
      "one whose retries stopped",
      as("UNPAID"),
      circumstances,
      { ...later, isOverdue: true, canCancel: true, canOpenPortal: true },
    ],
    [
      "a paused one, which owes nothing and may end at once",
      paused,
      circumstances,
      { canCancel: true, canOpenPortal: true },
    ],
    [
      "one that is paused after a failed payment, which is overdue and may end at once",
      pausedByFailure,
      circumstances,
      { isOverdue: true, canCancel: true, canOpenPortal: true },
    ],
    [
      "a manual one that is incomplete",
      as("INCOMPLETE"),
      { ...circumstances, capabilities: null, isManual: true },
      { ...later, isLive: false, canCancel: true },
    ],
    [
      "a manual one",
      as("ACTIVE"),
      { ...circumstances, capabilities: null, isManual: true },
      { ...later, canCancel: true },
    ],
    [
      "a manual one that ends",
      ending("ACTIVE"),
      { ...circumstances, capabilities: null, isManual: true },
      { ...later, canResume: true },
    ],
    ["one without its provider's configuration", as("ACTIVE"), { ...circumstances, capabilities: null }, {}],
    ["an active one, for a member", as("ACTIVE"), { ...circumstances, isOwner: false }, {}],
  ])("tells what may be done about %s", (_what, state, given, expected) => {
    expect(subscriptionPermissions(state, given)).toEqual({ ...none, canResumeLater: false, ...expected });
  });
});
