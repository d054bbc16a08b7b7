import type { CurrentSubscription } from "@purser/client";
import { describe, expect, it } from "vitest";
import {
  cancellationConsequence,
  paymentTrouble,
  planChangeAdvice,
  subscriptionTerm,
} from "./-subscription-texts.ts";

const as = (fields: Partial<CurrentSubscription>) =>
  ({
    status: "ACTIVE",
    isTrial: false,
    isOverdue: false,
    cancelAtPeriodEnd: false,
    canResumeLater: true,
    ...fields,
  }) as CurrentSubscription;
const overdue = { isOverdue: true } as const;
const canceled = { cancelAtPeriodEnd: true } as const;
const paused = { status: "UNPAID", canResumeLater: false } as const;

describe("the texts about a subscription", () => {
  it.each([
    [{}, "Paid until 1 May. The next payment is due then."],
    [canceled, "Canceled. It is paid until 1 May, and ends then."],
    [{ isTrial: true }, "Free trial until 1 May. The first payment is due then."],
    [{ isTrial: true, ...canceled }, "Canceled. The trial lasts until 1 May, and nothing is charged."],
    [{ status: "PAST_DUE", ...overdue }, "The period that is to be paid ends on 1 May."],
    [{ status: "PAST_DUE", ...overdue, ...canceled }, "Canceled. It ends on 1 May."],
    [{ status: "UNPAID", ...overdue, ...canceled }, "Canceled. It ends on 1 May."],
    [{ status: "INCOMPLETE", ...canceled }, "Canceled. It ends on 1 May."],
    [paused, "Nothing is charged during the pause."],
    [{ status: "CANCELED" }, "It has ended. Choose a plan to start again."],
  ] as const)("call only an active one paid: %j", (fields, text) => {
    const [before, after] = subscriptionTerm(as(fields));
    expect(after === undefined ? before : `${before}1 May${after}`).toBe(text);
  });

  it.each([
    [{}, "It is paid until 1 May, and it stays active until then. You can resume it before that day."],
    [
      { isTrial: true },
      "Its trial lasts until 1 May, and it stays active until then. You can resume it before that day.",
    ],
    [{ status: "PAST_DUE", ...overdue }, "It lasts until 1 May. You can resume it before that day."],
    [{ canResumeLater: false }, "It is paid until 1 May, and it stays active until then."],
    [paused, "It may end at once, and cannot be resumed then."],
    [{ ...paused, ...overdue }, "It may end at once, and cannot be resumed then."],
    [{ status: "INCOMPLETE", canResumeLater: false }, "It may end at once, and cannot be resumed then."],
  ] as const)("say what a cancellation does: %j", (fields, text) => {
    expect(cancellationConsequence(as(fields), "1 May")).toBe(text);
  });

  it.each([
    [{ canCancel: true }, true, /^To change the plan or how often you pay, cancel this one\./],
    [{ canCancel: false, ...canceled }, true, /^This subscription ends\./],
    [{ canCancel: false }, true, /^The operator/],
    [{ canCancel: false }, false, /^An owner/],
  ] as const)(
    "say how to get another plan, and that it ends only if it does: %j, owner: %s",
    (fields, mayCancel, text) => {
      expect(planChangeAdvice(as(fields), mayCancel)).toMatch(text);
    },
  );

  it("tell a pause, which owes nothing, from an unpaid invoice", () => {
    const titleOf = (fields: Partial<CurrentSubscription>) => paymentTrouble(as(fields))?.title;
    const titles = [titleOf({}), titleOf(paused), titleOf({ status: "UNPAID", ...overdue })];
    expect(titles).toEqual([undefined, "The subscription is paused", "The subscription is not paid"]);
  });
});
