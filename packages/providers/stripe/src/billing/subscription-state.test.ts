import { describe, expect, it } from "vitest";
import { fakePrice, fakeProduct, fakeSubscription } from "../fake/billing/objects.ts";
import { StripeSubscription, isStripeSubscriptionId, stripeSubscriptionState } from "./subscriptions.ts";

describe("isStripeSubscriptionId", () => {
  it.each([
    ["sub_1MowQVLkdIwHu7ixeRlqHVzs", true],
    ["sub_JgRjFjhKbtD2qz", true],
    ["sub_", false],
    ["sub_1/../../customers", false],
    ["cus_1MowQVLkdIwHu7ix", false],
    ["33", false],
    ["", false],
  ])("%j: %s", (id, isOne) => {
    expect(isStripeSubscriptionId(id)).toBe(isOne);
  });
});

const product = fakeProduct();
const price = (fields: Partial<Parameters<typeof fakePrice>[0]> = {}) =>
  fakePrice({ product: product.id, ...fields });
const start = Date.UTC(2026, 2, 2, 9) / 1000;
const bought = { customer: "cus_1", price: price(), metadata: { purser_organization: "org_1" } };
const subscription = fakeSubscription(bought, start);
const state = (fields: object = {}) =>
  stripeSubscriptionState(StripeSubscription.parse({ ...subscription, ...fields }));
const hour = 3600;

describe("stripeSubscriptionState", () => {
  it("has every field of the port, from those of Stripe", () => {
    expect(state()).toEqual({
      id: subscription.id,
      customerId: "cus_1",
      organizationId: "org_1",
      status: "ACTIVE",
      rawStatus: "active",
      planId: product.id,
      variantId: bought.price.id,
      currentPeriodStart: new Date("2026-03-02T09:00:00Z"),
      currentPeriodEnd: new Date("2026-04-02T09:00:00Z"),
      isTrial: false,
      isPeriodPaid: true,
      canceledAt: null,
      cancelAtPeriodEnd: false,
      cancelAt: null,
    });
  });

  it("uses the latest start and the earliest end of the items' periods, and the oldest item's plan", () => {
    const [first] = subscription.items.data;
    const added = {
      ...first!,
      created: start + hour,
      price: price({ product: "prod_added" }),
      current_period_start: start + hour,
      current_period_end: first!.current_period_end - hour,
    };
    const result = state({ items: { data: [added, first] } });
    expect(result).toMatchObject({ planId: product.id, variantId: bought.price.id });
    expect(result.currentPeriodStart).toEqual(new Date("2026-03-02T10:00:00Z"));
    expect(result.currentPeriodEnd).toEqual(new Date("2026-04-02T08:00:00Z"));
  });

  const end = subscription.items.data[0]!.current_period_end;
  const dateOf = (seconds: number) => new Date(seconds * 1000);
  it.each<[string, object, { cancelAtPeriodEnd: boolean; cancelAt: Date | null }]>([
    ["neither flag nor date", {}, { cancelAtPeriodEnd: false, cancelAt: null }],
    ["the flag", { cancel_at_period_end: true }, { cancelAtPeriodEnd: true, cancelAt: dateOf(end) }],
    [
      "the date, as the portal sets it",
      { cancel_at: end },
      { cancelAtPeriodEnd: true, cancelAt: dateOf(end) },
    ],
    [
      "both",
      { cancel_at_period_end: true, cancel_at: end },
      { cancelAtPeriodEnd: true, cancelAt: dateOf(end) },
    ],
    [
      "a date before the end of the period",
      { cancel_at: end - hour },
      { cancelAtPeriodEnd: true, cancelAt: dateOf(end - hour) },
    ],
    [
      "a date after the end of the period",
      { cancel_at: end + hour },
      { cancelAtPeriodEnd: false, cancelAt: dateOf(end + hour) },
    ],
    [
      "both, after the end",
      { cancel_at_period_end: true, cancel_at: end, ended_at: end },
      { cancelAtPeriodEnd: false, cancelAt: null },
    ],
  ])("maps %s", (_case, fields, expected) => {
    expect(state(fields)).toMatchObject(expected);
  });

  it.each([
    ["active", "ACTIVE"],
    ["trialing", "ACTIVE"],
    ["past_due", "PAST_DUE"],
    ["unpaid", "UNPAID"],
    ["paused", "UNPAID"],
    ["incomplete", "INCOMPLETE"],
    ["canceled", "CANCELED"],
    ["incomplete_expired", "CANCELED"],
    ["a_new_status", null],
    ["ACTIVE", null],
    ["constructor", null],
  ])("maps %s to %s", (theirs, ours) => {
    expect(state({ status: theirs })).toMatchObject({ status: ours, rawStatus: theirs });
  });

  it.each([
    ["first_payment_failure", "paused: first_payment_failure"],
    ["final_payment_failure", "paused: final_payment_failure"],
    ["pause_requested", "paused"],
    ["trial_end_without_payment_method", "paused"],
    ["a_new_reason", "paused"],
    [null, "paused"],
  ])("adds the reason of a pause if a payment is due: %s", (type, rawStatus) => {
    const paused = { subscription: { type }, transitioned_at: start, type: "subscription" };
    const status_details = { paused };
    expect(state({ status: "paused", status_details })).toMatchObject({ status: "UNPAID", rawStatus });
    expect(state({ status: "active", status_details }).rawStatus).toBe("active");
  });

  it("has a trial while Stripe calls it that", () => {
    expect([state({ status: "trialing" }).isTrial, state({ status: "past_due" }).isTrial]).toEqual([
      true,
      false,
    ]);
  });

  it.each([
    ["without an invoice", null, true],
    ["whose latest invoice is paid", "paid", true],
    ["whose latest invoice is a draft, before it is charged", "draft", false],
    ["whose latest invoice is open", "open", false],
    ["whose latest invoice is void", "void", false],
    ["whose latest invoice has no status", undefined, false],
  ])("says whether the period is paid of one %s", (_case, status, isPeriodPaid) => {
    const latest_invoice = status === null ? null : { id: "in_1", status: status ?? null };
    expect(state({ latest_invoice }).isPeriodPaid).toBe(isPeriodPaid);
  });

  it("has the time of the cancellation", () => {
    expect(state({ canceled_at: start }).canceledAt).toEqual(new Date("2026-03-02T09:00:00Z"));
  });

  it("keeps the raw status of an unknown one", () => {
    expect(state({ status: "dormant" })).toMatchObject({ status: null, rawStatus: "dormant" });
    expect(state({ status: "x".repeat(300) }).rawStatus).toHaveLength(255);
  });

  it.each([
    ["none", {}],
    ["an empty one", { purser_organization: "" }],
    ["one of 300 characters", { purser_organization: "x".repeat(300) }],
  ])("has no organization if the metadata holds %s", (_case, metadata) => {
    expect(state({ metadata }).organizationId).toBeNull();
  });

  it("reads expanded objects", () => {
    const [item] = subscription.items.data;
    const items = { data: [{ ...item, price: { ...item!.price, product } }] };
    expect(state({ customer: { id: "cus_1", deleted: true }, items })).toEqual(state());
  });
});
