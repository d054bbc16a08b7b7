import { describe, expect, it } from "vitest";
import { subscriptionAt, currentSubscription } from "./status.ts";

const at = (day: number) => new Date(Date.UTC(2026, 0, day));

const subscription = (facts: Partial<Parameters<typeof subscriptionAt>[0]> = {}) => ({
  organizationId: "org_1",
  id: "sub-1",
  provider: "local" as Parameters<typeof subscriptionAt>[0]["provider"],
  customerId: "customer",
  rawStatus: null,
  checkedAt: null,
  status: "ACTIVE" as Parameters<typeof subscriptionAt>[0]["status"],
  planId: "plan",
  variantId: "variant",
  currentPeriodStart: at(1),
  currentPeriodEnd: at(31),
  canceledAt: null,
  cancelAtPeriodEnd: false,
  ...facts,
});

describe("organizations.subscription.get", () => {
  it("is null where there never was one", () => {
    expect(currentSubscription([], at(1))).toBeNull();
  });

  it.each([
    ["a live one over a later one that ended", "ACTIVE", "CANCELED", "sub-1"],
    ["a live one over a later incomplete one", "UNPAID", "INCOMPLETE", "sub-1"],
    ["of two live ones the later", "ACTIVE", "PAST_DUE", "sub-2"],
    ["of two ended ones the later", "CANCELED", "CANCELED", "sub-2"],
    ["the later incomplete one over an ended one", "CANCELED", "INCOMPLETE", "sub-2"],
  ] as const)("shows %s", (_what, earlier, later, shown) => {
    const rows = [
      subscription({ id: "sub-1", status: earlier, currentPeriodStart: at(1) }),
      subscription({ id: "sub-2", status: later, currentPeriodStart: at(2) }),
    ];
    expect(currentSubscription(rows, at(5))?.id).toBe(shown);
    expect(currentSubscription(rows.toReversed(), at(5))?.id).toBe(shown);
  });

  it("reads a cancelled manual one as CANCELED from the instant its period ends", () => {
    const manual = subscription({ provider: null, cancelAtPeriodEnd: true });
    expect(subscriptionAt(manual, new Date(at(31).getTime() - 1)).status).toBe("ACTIVE");
    expect(subscriptionAt(manual, at(31)).status).toBe("CANCELED");
  });

  it("leaves the end of a provider's one to the provider", () => {
    expect(subscriptionAt(subscription({ cancelAtPeriodEnd: true }), at(40)).status).toBe("ACTIVE");
  });
});
