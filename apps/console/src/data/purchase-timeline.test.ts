import type { Event } from "@purser/client";
import { describe, expect, it } from "vitest";
import { type TimedDecision, timelineOf } from "./purchase-timeline.ts";

const basis = { limit: null, used: null, remaining: null, resetsAt: null, interval: null } as const;

const decision: TimedDecision = {
  ...basis,
  outcome: "approved",
  reason: null,
  requestedAmount: 5000,
  approvedAmount: 5000,
  decidedAt: new Date("2026-03-01T10:00:00Z"),
  origin: "authorization",
  amountBeyondApproval: 0,
  channel: "in_store",
  merchantCountry: null,
  withdrawnApproval: null,
  canCheck: false,
  increments: [
    {
      ...basis,
      outcome: "declined",
      reason: "daily_limit_exceeded",
      requestedAmount: 9000,
      approvedAmount: 0,
      amount: 9000,
      decidedAt: new Date("2026-03-01T12:00:00Z"),
    },
  ],
};

const titles = (...input: Parameters<typeof timelineOf>) => timelineOf(...input).map(({ title }) => title);

describe("the timeline of a purchase", () => {
  it("has decisions and what came after them, the oldest first", () => {
    const settled = {
      type: "card_transaction.settled",
      createdAt: new Date("2026-03-02T10:00:00Z"),
      data: { status: "COMPLETED", amount: 5000 },
    } as Event;
    expect(titles(decision, [settled])).toEqual([
      "Approved, and held",
      "Raise declined: Over the day’s limit",
      "Cleared, in total",
    ]);
  });

  it.each([
    ["DECLINED", false, "Hold released"],
    ["PENDING", false, "A part of the hold released; held now"],
    ["PENDING", true, "A part of the hold released; held and cleared now"],
    ["COMPLETED", true, "Rest of the hold released; cleared, in total"],
  ])("says what is held after a release: %s, cleared in part: %j", (status, isCleared, title) => {
    const at = (minute: number) => new Date(Date.UTC(2026, 2, 2, 10, minute));
    const cleared = {
      type: "card_transaction.settled",
      createdAt: at(0),
      data: { status: "PENDING", amount: 5000 },
    } as Event;
    const released = {
      type: "card_transaction.reversed",
      createdAt: at(1),
      data: { status, amount: 3000 },
    } as Event;
    const steps = titles({ ...decision, increments: [] }, [released, ...(isCleared ? [cleared] : [])]);
    expect(steps).toEqual([
      "Approved, and held",
      // The amount of the event has what is still held, too.
      ...(isCleared ? ["Cleared in part; held and cleared now"] : []),
      title,
    ]);
  });

  it("begins with the refusal of a purchase that never was approved", () => {
    const declined: TimedDecision = { ...decision, outcome: "declined", increments: [] };
    expect(titles({ ...declined, reason: "card_paused" }, [])).toEqual(["Declined: The card is paused"]);
  });

  it("has an approval that the network did not carry out with its own time and amount, then its withdrawal", () => {
    const approvedAt = new Date("2026-03-01T09:59:00Z");
    const withdrawn: TimedDecision = {
      ...decision,
      outcome: "declined",
      reason: "decision_timed_out",
      approvedAmount: 0,
      withdrawnApproval: { approvedAt, approvedAmount: 3000 },
      increments: [],
    };
    const [first, second, ...others] = timelineOf(withdrawn, []);
    expect(first).toEqual({
      at: approvedAt,
      title: "Approved in part, and held",
      amount: 3000,
      tone: "good",
    });
    expect(second).toMatchObject({ at: decision.decidedAt, amount: null, tone: "bad" });
    expect(second?.title).toMatch(/^Approval withdrawn: /);
    expect(others).toEqual([]);
  });
});
