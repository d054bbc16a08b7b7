import type { SubscriptionStatus } from "@purser/billing/ports";
import { describe, expect, it } from "vitest";
import { isPaddleId } from "./client.ts";
import { PaddleSubscription, paddleSubscriptionState } from "./subscriptions.ts";

const at = (day: number) => `2026-03-${String(day).padStart(2, "0")}T09:00:00.000Z`;
const date = (day: number) => new Date(at(day));

const item = {
  createdAt: at(1),
  previouslyBilledAt: at(1) as string | null,
  price: { id: "pri_1", productId: "pro_1" },
};
const subscription = {
  id: "sub_1",
  status: "active",
  customerId: "ctm_1",
  createdAt: at(1),
  updatedAt: at(5),
  startedAt: at(1) as string | null,
  pausedAt: null as string | null,
  canceledAt: null as string | null,
  currentBillingPeriod: { startsAt: at(1), endsAt: at(31) } as { startsAt: string; endsAt: string } | null,
  scheduledChange: null as { action: string; effectiveAt: string } | null,
  items: [item],
  customData: { purser_organization: "org_1", purser_checkout: "chk_1" } as unknown,
};
const state = (fields: Partial<typeof subscription> = {}) =>
  paddleSubscriptionState(PaddleSubscription.parse({ ...subscription, ...fields }));

describe("paddleSubscriptionState", () => {
  it("has every field of the port, from those of Paddle", () => {
    expect(state()).toEqual({
      id: "sub_1",
      customerId: "ctm_1",
      organizationId: "org_1",
      checkoutId: "chk_1",
      status: "ACTIVE",
      rawStatus: "active",
      planId: "pro_1",
      variantId: "pri_1",
      currentPeriodStart: date(1),
      currentPeriodEnd: date(31),
      isTrial: false,
      canceledAt: null,
      isCanceledAtEstimated: true,
      cancelAtPeriodEnd: false,
      cancelAt: null,
    });
  });

  it.each<[string, SubscriptionStatus | null]>([
    ["active", "ACTIVE"],
    ["trialing", "ACTIVE"],
    ["past_due", "PAST_DUE"],
    ["paused", "UNPAID"],
    ["canceled", "CANCELED"],
    ["future_status", null],
    ["constructor", null],
  ])("maps %s to %s", (rawStatus, status) => {
    expect(state({ status: rawStatus })).toMatchObject({ status, rawStatus });
  });

  it("truncates a status to 255 characters", () => {
    expect(state({ status: "x".repeat(300) }).rawStatus).toBe("x".repeat(255));
  });

  const notCanceled = { cancelAtPeriodEnd: false, canceledAt: null, cancelAt: null };
  it.each([
    ["cancel", { cancelAtPeriodEnd: true, canceledAt: date(5), cancelAt: date(31) }],
    ["pause", { ...notCanceled, replaceableChange: { action: "pause", at: date(31) } }],
    ["resume", { ...notCanceled, replaceableChange: { action: "resume", at: date(31) } }],
  ])("maps the scheduled change %s", (action, expected) => {
    expect(state({ scheduledChange: { action, effectiveAt: at(31) } })).toMatchObject(expected);
  });

  const over = { currentBillingPeriod: null };
  it.each<[string, Partial<typeof subscription>, object]>([
    [
      "ended",
      { ...over, status: "canceled", canceledAt: at(20) },
      {
        currentPeriodStart: date(1),
        currentPeriodEnd: date(20),
        canceledAt: date(20),
        cancelAtPeriodEnd: false,
      },
    ],
    [
      "ended while paused",
      { ...over, status: "canceled", pausedAt: at(10), canceledAt: at(20) },
      { currentPeriodEnd: date(20) },
    ],
    [
      "is paused",
      { ...over, status: "paused", pausedAt: at(10) },
      { currentPeriodEnd: date(10), canceledAt: null },
    ],
    ["has an unknown status", { ...over, status: "dormant" }, { currentPeriodEnd: date(5) }],
    [
      "ended before the first payment",
      { ...over, canceledAt: at(9), startedAt: at(2), items: [{ ...item, previouslyBilledAt: null }] },
      { currentPeriodStart: date(2) },
    ],
    [
      "never started",
      { ...over, startedAt: null, items: [{ ...item, previouslyBilledAt: null }] },
      { currentPeriodStart: date(1) },
    ],
    [
      "has items billed at different times",
      {
        ...over,
        items: [item, { ...item, previouslyBilledAt: at(4) }, { ...item, previouslyBilledAt: at(3) }],
      },
      { currentPeriodStart: date(4) },
    ],
  ])("reconstructs the last period of a subscription that %s", (_what, fields, expected) => {
    expect(state(fields)).toMatchObject(expected);
  });

  it("takes the plan from the first item", () => {
    const addition = { ...item, createdAt: at(2), price: { id: "pri_2", productId: "pro_2" } };
    expect(state({ items: [addition, item] })).toMatchObject({ planId: "pro_1", variantId: "pri_1" });
  });

  it.each([
    [null, null],
    [{}, null],
    ["org_1", null],
    [{ purser_organization: "org_1" }, null],
    [{ purser_checkout: "chk_1", purser_organization: "" }, null],
    [{ purser_checkout: "chk_1", purser_organization: 7 }, null],
    [{ purser_checkout: "chk_1", purser_organization: "x".repeat(256) }, null],
    [{ purser_checkout: "chk_1", purser_organization: "org_1", theirs: [] }, "org_1"],
  ])("reads %j as the organization %s", (customData, organizationId) => {
    expect(state({ customData })).toMatchObject({ organizationId });
  });

  it("reads times with nanoseconds", () => {
    const period = { startsAt: "2026-03-01T09:00:00.123456789Z", endsAt: "2026-03-31T11:00:00.5+02:00" };
    expect(state({ currentBillingPeriod: period })).toMatchObject({
      currentPeriodStart: new Date("2026-03-01T09:00:00.123Z"),
      currentPeriodEnd: new Date("2026-03-31T09:00:00.500Z"),
    });
  });
});

describe("isPaddleId", () => {
  const tail = "01hv8x29kz0t586xy6zn1a62ny";
  it.each([
    [`sub_${tail}`, true],
    [`txn_${tail}`, false],
    [`sub_${tail}a`, false],
    [`sub_${tail.toUpperCase()}`, false],
    [`sub_${tail.slice(1)}/`, false],
    [`sub_${tail}\n`, false],
    ["", false],
  ])("for %j is %s", (id, answer) => {
    expect(isPaddleId("sub", id)).toBe(answer);
  });
});
