import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { priceOf, usagePriceOf } from "./fake/catalog.ts";
import { isPolarId, polarOrganizationId } from "./client.ts";
import { PolarSubscription, polarSubscriptionState } from "./subscriptions.ts";

const fixed = priceOf(2900);
const subscription = {
  id: randomUUID(),
  status: "active",
  customer_id: randomUUID(),
  product_id: randomUUID(),
  prices: [usagePriceOf(), fixed],
  current_period_start: "2026-03-02T09:00:00.123456Z",
  current_period_end: "2026-04-02T09:00:00+00:00",
  cancel_at_period_end: false,
  canceled_at: null as string | null,
  ended_at: null as string | null,
  pause_at_period_end: false,
  metadata: { purser_organization: "org_1", purser_checkout: "chk_1" } as object | undefined,
  customer: { external_id: "org_1" } as object | undefined,
};
const state = (fields: Partial<typeof subscription> = {}) =>
  polarSubscriptionState(PolarSubscription.parse({ ...subscription, ...fields }));

describe("polarSubscriptionState", () => {
  it.each([
    ["active", "ACTIVE"],
    ["trialing", "ACTIVE"],
    ["past_due", "PAST_DUE"],
    ["unpaid", "UNPAID"],
    ["paused", "UNPAID"],
    ["incomplete", "INCOMPLETE"],
    ["canceled", "CANCELED"],
    ["incomplete_expired", "CANCELED"],
    ["future_status", null],
    ["constructor", null],
    ["", null],
  ])("maps %s to %s and stores the raw status", (rawStatus, status) => {
    const isTrial = rawStatus === "trialing";
    expect(state({ status: rawStatus })).toMatchObject({ status, rawStatus, isTrial });
  });

  it("has every field of the port, from those of Polar", () => {
    expect(state()).toEqual({
      id: subscription.id,
      customerId: subscription.customer_id,
      organizationId: "org_1",
      status: "ACTIVE",
      rawStatus: "active",
      planId: subscription.product_id,
      variantId: fixed.id,
      currentPeriodStart: new Date("2026-03-02T09:00:00.123Z"),
      currentPeriodEnd: new Date("2026-04-02T09:00:00Z"),
      isTrial: false,
      canceledAt: null,
      cancelAtPeriodEnd: false,
      cancelAt: null,
    });
  });

  it("has cancelAtPeriodEnd until it has ended", () => {
    const ending = { cancel_at_period_end: true, canceled_at: "2026-03-05T10:00:00Z" };
    const canceledAt = new Date("2026-03-05T10:00:00Z");
    const cancelAt = new Date("2026-04-02T09:00:00Z");
    expect(state(ending)).toMatchObject({ cancelAtPeriodEnd: true, canceledAt, cancelAt });
    // Polar does not reset the flag.
    const ended = { cancelAtPeriodEnd: false, canceledAt, cancelAt: null };
    expect(state({ ...ending, status: "canceled" })).toMatchObject(ended);
    expect(state({ ...ending, ended_at: "2026-04-02T09:00:00Z" })).toMatchObject(ended);
    expect(state({ status: "unpaid", ended_at: "2026-04-02T09:00:00Z" }).status).toBe("CANCELED");
  });

  it("has a scheduled pause until it has ended", () => {
    const at = new Date("2026-04-02T09:00:00Z");
    const scheduled = { pause_at_period_end: true };
    expect(state(scheduled)).toMatchObject({ replaceableChange: { action: "pause", at } });
    expect(state({ ...scheduled, status: "canceled" })).not.toHaveProperty("replaceableChange");
    expect(state()).not.toHaveProperty("replaceableChange");
  });

  it("falls back to any price, then to the product, as the variant", () => {
    const usage = usagePriceOf();
    expect(state({ prices: [usage] }).variantId).toBe(usage.id);
    expect(state({ prices: [] }).variantId).toBe(subscription.product_id);
  });

  it("truncates a status to 255 characters", () => {
    expect(state({ status: "x".repeat(300) }).rawStatus).toBe("x".repeat(255));
  });

  it.each([{ id: "1" }, { customer_id: "" }, { current_period_end: "soon" }, { cancel_at_period_end: "no" }])(
    "rejects %j",
    (fields) => {
      expect(PolarSubscription.safeParse({ ...subscription, ...fields }).success).toBe(false);
    },
  );
});

describe("polarOrganizationId", () => {
  const of = (metadata: unknown, customer: unknown) =>
    polarOrganizationId(PolarSubscription.parse({ ...subscription, metadata, customer }));

  it("reads the metadata, then the customer's external id", () => {
    expect(of({ purser_organization: "org_1" }, { external_id: "org_2" })).toBe("org_1");
    expect(of({ other: "org_1" }, { external_id: "org_2" })).toBe("org_2");
    expect(of({ purser_organization: 1 }, { external_id: "org_2" })).toBe("org_2");
  });

  it.each([
    [{}, {}],
    [undefined, undefined],
    [null, { external_id: null }],
    ["org_1", []],
    [{ purser_organization: "" }, { external_id: "x".repeat(256) }],
  ])("is null for %j and %j", (metadata, customer) => {
    expect(of(metadata, customer)).toBeNull();
  });
});

describe("isPolarId", () => {
  it.each([
    ["0199a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b", true],
    ["0199A1B2-C3D4-4E5F-8A9B-0C1D2E3F4A5B", false],
    ["sub_01h8", false],
    ["..", false],
    ["", false],
    ["0199a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b/../x", false],
    ["0199a1b2-c3d4-4e5f-8a9b-0c1d2e3f4a5b\n", false],
  ])("for %j is %s", (id, isOne) => {
    expect(isPolarId(id)).toBe(isOne);
  });
});
