import { describe, expect, it } from "vitest";
import type { PaymentProviderName, SubscriptionStatus } from "../ports.ts";
import {
  cancellationTime,
  currentSubscription,
  isLive,
  subscriptionPermissions,
  subscriptionAt,
  subscriptionChanges,
  subscriptionEventTypes,
} from "./rules.ts";

const as = (
  status: SubscriptionStatus,
  { cancelAtPeriodEnd = false, rawStatus = status.toLowerCase() } = {},
) => ({
  status,
  rawStatus,
  cancelAtPeriodEnd,
});
const ending = (status: SubscriptionStatus) => as(status, { cancelAtPeriodEnd: true });
const paused = as("UNPAID", { rawStatus: "paused" });

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
    ...fields,
  });
  const ended = { status: "CANCELED", canceledAt: at(20) } as const;
  const renewed = { currentPeriodStart: at(31), currentPeriodEnd: at(60) };

  it.each([
    ["a first state, whatever it is", undefined, { status: "INCOMPLETE" }, ["created"]],
    ["nothing", {}, {}, []],
    ["nothing that callers see", {}, { rawStatus: "trialing" }, []],
    ["a first payment", { status: "INCOMPLETE" }, {}, ["updated"]],
    ["a failed payment", {}, { status: "PAST_DUE" }, ["past_due"]],
    ["the end of retries", { status: "PAST_DUE" }, { status: "UNPAID" }, ["updated"]],
    ["a payment after a failed one", { status: "PAST_DUE" }, {}, ["renewed"]],
    ["a payment after the end of retries", { status: "UNPAID" }, {}, ["renewed"]],
    ["a pause", {}, paused, ["updated"]],
    ["a pause that moves the start", {}, { ...paused, currentPeriodStart: at(5) }, ["updated"]],
    ["the end of a pause, which pays for nothing", paused, {}, ["updated"]],
    ["the end of a pause that begins a period", paused, renewed, ["renewed"]],
    ["another plan", {}, { planId: "business" }, ["updated"]],
    ["another customer", {}, { customerId: "other" }, ["updated"]],
    ["a cancellation", {}, { cancelAtPeriodEnd: true }, ["updated"]],
    ["a withdrawn cancellation", { cancelAtPeriodEnd: true }, {}, ["updated"]],
    ["a longer period", {}, { currentPeriodEnd: at(40) }, ["updated"]],
    ["a renewal", {}, renewed, ["renewed"]],
    ["a renewal with another plan", {}, { ...renewed, planId: "business" }, ["renewed", "updated"]],
    ["a renewal whose payment fails", {}, { ...renewed, status: "PAST_DUE" }, ["past_due"]],
    ["a renewal after a failed payment", { status: "PAST_DUE" }, renewed, ["renewed"]],
    ["another unpaid period", { status: "UNPAID" }, { ...renewed, status: "UNPAID" }, ["updated"]],
    ["an end", {}, { status: "CANCELED" }, ["canceled"]],
    ["an end that begins a period", {}, { ...renewed, status: "CANCELED" }, ["canceled"]],
    ["an end, and since when it is canceled", {}, ended, ["canceled", "updated"]],
    ["nothing after the end", ended, ended, []],
  ] as const)("reports %s", (_what, before, after, types) => {
    expect(subscriptionEventTypes(before && shown(before), shown(after))).toEqual(
      types.map((type) => `subscription.${type}`),
    );
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
  it("returns null if there never was one", () => {
    expect(currentSubscription([], at(1))).toBeNull();
  });

  it.each([
    ["a live one over a later ended one", "ACTIVE", "CANCELED", "sub-1"],
    ["a live one over a later incomplete one", "UNPAID", "INCOMPLETE", "sub-1"],
    ["the later of two live ones", "ACTIVE", "PAST_DUE", "sub-2"],
    ["the later of two ended ones", "CANCELED", "CANCELED", "sub-2"],
    ["the later incomplete one over an ended one", "CANCELED", "INCOMPLETE", "sub-2"],
  ] as const)("shows %s", (_what, earlier, later, shown) => {
    const rows = [
      subscription({ id: "sub-1", status: earlier, currentPeriodStart: at(1) }),
      subscription({ id: "sub-2", status: later, currentPeriodStart: at(2) }),
    ];
    expect(currentSubscription(rows, at(5))?.id).toBe(shown);
    expect(currentSubscription(rows.toReversed(), at(5))?.id).toBe(shown);
  });

  it("reads a canceled manual one as CANCELED from the instant its period ends", () => {
    const manual = subscription({ provider: null, cancelAtPeriodEnd: true });
    expect(subscriptionAt(manual, new Date(at(31).getTime() - 1)).status).toBe("ACTIVE");
    expect(subscriptionAt(manual, at(31)).status).toBe("CANCELED");
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
      "an unpaid first one",
      as("INCOMPLETE"),
      circumstances,
      { ...later, isLive: false, canCancel: true, canOpenPortal: true },
    ],
    [
      "one that is trialing",
      as("ACTIVE", { rawStatus: "trialing" }),
      circumstances,
      { ...later, isTrial: true, canCancel: true, canOpenPortal: true },
    ],
    [
      "one that is on_trial",
      as("ACTIVE", { rawStatus: "on_trial" }),
      circumstances,
      { ...later, isTrial: true, canCancel: true, canOpenPortal: true },
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
      "a paused one, which owes nothing",
      paused,
      circumstances,
      { ...later, canCancel: true, canOpenPortal: true },
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
