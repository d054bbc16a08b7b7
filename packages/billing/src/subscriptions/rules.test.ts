import { describe, expect, it } from "vitest";
import type { SubscriptionStatus } from "../ports.ts";
import { changesOf, isLive } from "./rules.ts";

const standing = (status: SubscriptionStatus, cancelAtPeriodEnd = false) => ({ status, cancelAtPeriodEnd });
const ending = (status: SubscriptionStatus) => standing(status, true);

describe("what has changed for a team", () => {
  it.each([
    ["nothing yet, where it is not paid for", undefined, standing("INCOMPLETE"), []],
    ["it has started", undefined, standing("ACTIVE"), ["started"]],
    ["it has started, once it is paid for", standing("INCOMPLETE"), standing("ACTIVE"), ["started"]],
    ["it has started and will end", undefined, ending("ACTIVE"), ["started", "ending"]],
    ["it has started, and is owed for", undefined, standing("PAST_DUE"), ["started", "payment_failed"]],
    ["nothing, where it was seen only after its end", undefined, standing("CANCELED"), []],
    ["nothing, where it is as it was", standing("ACTIVE"), standing("ACTIVE"), []],
    ["nothing, where it will still end", ending("ACTIVE"), ending("ACTIVE"), []],
    ["a payment has failed", standing("ACTIVE"), standing("PAST_DUE"), ["payment_failed"]],
    ["nobody collects any more", standing("PAST_DUE"), standing("UNPAID"), ["unpaid"]],
    ["a debt is collected again", standing("UNPAID"), standing("PAST_DUE"), ["payment_failed"]],
    ["a debt is paid", standing("PAST_DUE"), standing("ACTIVE"), ["recovered"]],
    ["what was given up is paid", standing("UNPAID"), standing("ACTIVE"), ["recovered"]],
    ["it will end", standing("ACTIVE"), ending("ACTIVE"), ["ending"]],
    ["it goes on after all", ending("ACTIVE"), standing("ACTIVE"), ["resumed"]],
    ["it will end, and is owed for", standing("ACTIVE"), ending("PAST_DUE"), ["payment_failed", "ending"]],
    ["it has ended as announced", ending("ACTIVE"), standing("CANCELED"), ["ended"]],
    ["it has ended unpaid", standing("UNPAID"), standing("CANCELED"), ["ended"]],
    ["it was never paid for", standing("INCOMPLETE"), standing("CANCELED"), ["ended"]],
    ["nothing, where it had ended", standing("CANCELED"), ending("CANCELED"), []],
    ["it has come back to life", standing("CANCELED"), standing("ACTIVE"), ["started"]],
  ] as const)("%s", (_what, before, after, changes) => {
    expect(changesOf(before, after)).toEqual(changes);
  });

  it("counts a subscription as live while the team has it, paid or not", () => {
    const live = (["ACTIVE", "PAST_DUE", "UNPAID", "INCOMPLETE", "CANCELED"] as const).filter(isLive);
    expect(live).toEqual(["ACTIVE", "PAST_DUE", "UNPAID"]);
  });
});
