import type { BankConnectionHealth, CurrentSubscription } from "@purser/client";
import { describe, expect, it } from "vitest";
import { alertsOfBank, alertsOfSubscription } from "./alert-sentences.ts";

const now = new Date("2026-03-02T09:00:00Z");
const health: BankConnectionHealth = {
  connectionId: "bcn_1",
  status: "ok",
  reason: null,
  lastSuccessAt: now,
  bankReadAt: now,
  nextSyncAt: null,
  quotaRemaining: null,
  consentExpiresAt: new Date("2026-03-12T09:00:00Z"),
  reconfirmBy: null,
  institutionName: "Sandbox Bank",
  canSync: true,
  deadline: new Date("2026-03-12T09:00:00Z"),
  deadlineKind: "CONSENT_ENDS",
  canReconfirm: true,
  isConsentEnding: true,
};

const sentences = (change: Partial<BankConnectionHealth>) =>
  alertsOfBank({ ...health, ...change }, now).map(({ sentence }) => sentence);

describe("what needs attention at a bank", () => {
  it("is a consent that ends soon, as the service says", () => {
    expect(sentences({})).toEqual(["The consent for Sandbox Bank ends in 10 days."]);
    expect(sentences({ isConsentEnding: false })).toEqual([]);
  });

  it("names each bank", () => {
    expect(sentences({ status: "needs_reauthorization", institutionName: "Sprout Bank" })).toEqual([
      "Sprout Bank asks someone to sign in again.",
    ]);
    expect(sentences({ status: "failing" })).toEqual([
      "Sandbox Bank could not be read. Purser tries again by itself.",
    ]);
  });

  it("is a confirmation that is due before the end, which ends nothing", () => {
    const reconfirmBy = new Date("2026-03-07T09:00:00Z");
    const due = { reconfirmBy, deadline: reconfirmBy, deadlineKind: "CONFIRMATION_DUE" } as const;
    expect(sentences(due)).toEqual(["Confirm the consent for Sandbox Bank again. It is due in 5 days."]);
  });
});

describe("what needs attention about the subscription", () => {
  const paid = { isOverdue: false, others: [] as unknown } as CurrentSubscription;

  it("is a payment that is past due, also of one beside the current one", () => {
    expect(alertsOfSubscription(null)).toEqual([]);
    expect(alertsOfSubscription(paid)).toEqual([]);
    expect(alertsOfSubscription({ ...paid, isOverdue: true })).toHaveLength(1);
    expect(alertsOfSubscription({ ...paid, others: [{ ...paid, isOverdue: true }] })).toHaveLength(1);
  });
});
