import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type HoldChange,
  type HoldRefusal,
  type SettlementState,
  clearHold,
  refundable,
  reverseHold,
} from "./holds.ts";

const now = new Date("2026-03-02T09:00:00.000Z");
const expiresAt = new Date("2026-03-09T09:00:00.000Z");

/** A hold, possibly partly cleared. */
function pending(held: number, cleared = 0): SettlementState {
  return {
    status: "PENDING",
    amount: held + cleared,
    held,
    cleared,
    refunded: 0,
    declineReason: null,
    settledAt: null,
    expiresAt,
  };
}

const completed: SettlementState = {
  status: "COMPLETED",
  amount: 100,
  held: 0,
  cleared: 100,
  refunded: 0,
  declineReason: null,
  settledAt: now,
  expiresAt: null,
};
const declined: SettlementState = {
  status: "DECLINED",
  amount: 100,
  held: 0,
  cleared: 0,
  refunded: 0,
  declineReason: "daily_limit_exceeded",
  settledAt: null,
  expiresAt: null,
};

/** The part of an effect that the tables compare. */
function shown(effect: HoldChange | HoldRefusal) {
  if ("refused" in effect) return effect.refused;
  const { status, amount, held, cleared } = effect.after;
  return { status, amount, held, cleared, counted: effect.counted };
}

const result = (status: string, amount: number, held: number, cleared: number, counted: number) => ({
  status,
  amount,
  held,
  cleared,
  counted,
});

describe("reverseHold", () => {
  it.each([
    ["a part of a hold", pending(100), 30, result("PENDING", 70, 70, 0, -30)],
    ["all of a hold by its amount", pending(100), 100, result("DECLINED", 100, 0, 0, -100)],
    ["all of a hold", pending(100), null, result("DECLINED", 100, 0, 0, -100)],
    ["the rest after a partial reversal", pending(70), null, result("DECLINED", 70, 0, 0, -70)],
    ["a part of the hold beside a clearing", pending(60, 40), 10, result("PENDING", 90, 50, 40, -10)],
    ["all of the hold beside a clearing", pending(60, 40), null, result("COMPLETED", 40, 0, 40, -60)],
    ["nothing, if all was cleared", pending(0, 40), null, result("COMPLETED", 40, 0, 40, 0)],
    ["more than is held", pending(100), 101, "AMOUNT_EXCEEDS_HOLD"],
    ["more than is held beside a clearing", pending(60, 40), 61, "AMOUNT_EXCEEDS_HOLD"],
    ["a completed purchase", completed, null, "TRANSACTION_FINAL"],
    ["a declined purchase", declined, 10, "TRANSACTION_FINAL"],
  ])("%s", (_what, before, amount, expected) => {
    expect(shown(reverseHold(before, amount, now))).toEqual(expected);
  });

  it.each(["authorization_reversed", "authorization_expired", "decision_timed_out"] as const)(
    "declines an uncleared purchase with %s, and removes its expiry",
    (reason) => {
      const effect = reverseHold(pending(100), null, now, reason) as HoldChange;
      expect(effect.amount).toBe(100);
      expect(effect.after).toMatchObject({ declineReason: reason, settledAt: null, expiresAt: null });
    },
  );

  it("completes a partly cleared purchase, without a decline reason", () => {
    const effect = reverseHold(pending(60, 40), null, now, "authorization_expired") as HoldChange;
    expect(effect.after).toMatchObject({ declineReason: null, settledAt: now, expiresAt: null });
  });

  it("keeps the expiry of a remaining hold", () => {
    expect((reverseHold(pending(100), 30, now) as HoldChange).after).toMatchObject({
      expiresAt,
      settledAt: null,
    });
  });
});

describe("clearHold", () => {
  it.each([
    ["all of a hold", pending(100), null, true, result("COMPLETED", 100, 0, 100, 0)],
    ["less than is held, finally", pending(100), 80, true, result("COMPLETED", 80, 0, 80, -20)],
    ["more than is held, finally", pending(100), 130, true, result("COMPLETED", 130, 0, 130, 30)],
    ["a part of a hold", pending(100), 30, false, result("PENDING", 100, 70, 30, 0)],
    ["all of a hold, but not finally", pending(100), null, false, result("PENDING", 100, 0, 100, 0)],
    ["more than is held, but not finally", pending(100), 130, false, result("PENDING", 130, 0, 130, 30)],
    ["the rest", pending(70, 30), null, true, result("COMPLETED", 100, 0, 100, 0)],
    ["less than the rest", pending(70, 30), 20, true, result("COMPLETED", 50, 0, 50, -50)],
    ["more after all was cleared", pending(0, 100), 25, true, result("COMPLETED", 125, 0, 125, 25)],
    ["the end of the clearings", pending(70, 30), 0, true, result("COMPLETED", 30, 0, 30, -70)],
    ["a completed purchase", completed, 10, true, "TRANSACTION_FINAL"],
    ["a declined purchase", declined, null, true, "TRANSACTION_FINAL"],
  ])("%s", (_what, before, amount, final, expected) => {
    expect(shown(clearHold(before, amount, final, now))).toEqual(expected);
  });

  it.each([
    ["as much as was held before", pending(130), 100, true, result("PENDING", 130, 30, 100, 0)],
    ["less than was held before", pending(130), 80, true, result("PENDING", 110, 30, 80, -20)],
    ["more than was held before", pending(130), 120, true, result("PENDING", 150, 30, 120, 20)],
    ["a part", pending(130), 60, false, result("PENDING", 130, 70, 60, 0)],
  ])("keeps what was approved after it: %s", (_what, before, amount, final, expected) => {
    const effect = clearHold(before, amount, final, now, 30);
    expect(shown(effect)).toEqual(expected);
    expect((effect as HoldChange).after).toMatchObject({ settledAt: null, expiresAt });
  });

  it("returns the amount of this clearing", () => {
    expect(clearHold(pending(70, 30), null, true, now)).toMatchObject({ amount: 70 });
    expect(clearHold(pending(70, 30), 20, false, now)).toMatchObject({ amount: 20 });
  });

  it("completes with the final clearing only", () => {
    const final = clearHold(pending(100), null, true, now) as HoldChange;
    expect(final.after).toMatchObject({ settledAt: now, expiresAt: null });
    const partial = clearHold(pending(100), 30, false, now) as HoldChange;
    expect(partial.after).toMatchObject({ settledAt: null, expiresAt });
  });
});

describe("refundable", () => {
  const refunded = (amount: number): SettlementState => ({ ...completed, refunded: amount });

  it.each([
    ["all of a purchase", completed, null, 100],
    ["a part of it", completed, 30, 30],
    ["the whole rest", refunded(30), null, 70],
    ["exactly the rest", refunded(30), 70, 70],
    ["more than was cleared", completed, 101, { refused: "AMOUNT_EXCEEDS_CLEARED" }],
    ["more than the rest", refunded(30), 71, { refused: "AMOUNT_EXCEEDS_CLEARED" }],
    ["less than nothing, to take a part back", refunded(30), -20, -20],
    ["less than was refunded", refunded(30), -31, { refused: "AMOUNT_EXCEEDS_CLEARED" }],
    ["a refunded purchase", refunded(100), null, { refused: "AMOUNT_EXCEEDS_CLEARED" }],
    ["a purchase that is not settled yet", pending(60, 40), 10, { refused: "TRANSACTION_NOT_SETTLED" }],
    ["a declined purchase", declined, null, { refused: "TRANSACTION_FINAL" }],
  ])("%s", (_what, before, amount, expected) => {
    expect(refundable(before, amount)).toEqual(expected);
  });
});

describe("a card transaction under any messages", () => {
  const anAmount = fc.option(fc.integer({ min: 1, max: 150 }));
  const message = fc.oneof(
    fc.record({ kind: fc.constant("reverse" as const), amount: anAmount }),
    fc.record({ kind: fc.constant("clear" as const), amount: anAmount, final: fc.boolean() }),
  );

  it("counts what is held and cleared, stays consistent, and never changes once final", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 200 }), fc.array(message, { maxLength: 8 }), (held, messages) => {
        let row = pending(held);
        let counted = held;
        for (const one of messages) {
          const effect =
            one.kind === "clear"
              ? clearHold(row, one.amount, one.final, now)
              : reverseHold(row, one.amount, now);
          if ("refused" in effect) {
            expect(effect.refused).toBe(
              row.status === "PENDING" ? "AMOUNT_EXCEEDS_HOLD" : "TRANSACTION_FINAL",
            );
            continue;
          }
          expect(row.status).toBe("PENDING");
          row = effect.after;
          counted += effect.counted;
          expect(counted).toBe(row.held + row.cleared);
          expect(row.held >= 0 && row.cleared >= 0).toBe(true);
          expect(row.settledAt !== null).toBe(row.status === "COMPLETED");
          expect(row.declineReason !== null).toBe(row.status === "DECLINED");
          expect(row.expiresAt === null && row.held === 0).toBe(row.status !== "PENDING");
          if (row.status !== "DECLINED") expect(row.amount).toBe(counted);
        }
      }),
    );
  });
});
