import type { BankTransaction } from "@purser/client";
import { describe, expect, it } from "vitest";
import { type Change, rollBack, withoutChange } from "./-rollback.ts";

/** The service, with a transaction to which the bank gives the category "travel". */
function serviceWith(own: Change) {
  let stored = { category: null as string | null, note: null as string | null, ...own };
  return {
    stored: () => stored,
    update: (change: Change) => {
      stored = { ...stored, ...change };
      return Promise.resolve({ ...stored, category: stored.category ?? "travel" } as BankTransaction);
    },
  };
}

describe("taking a change of a transaction back", () => {
  it.each([
    { had: "the bank’s category", before: { category: "travel", note: null }, own: null },
    { had: "a category of its own", before: { category: "meals", note: null }, own: "meals" },
  ])("gives it what it had: $had", async ({ before, own }) => {
    const { stored, update } = serviceWith({ category: "office" });
    expect(await rollBack(before, { category: "office" }, update)).toMatchObject(before);
    expect(stored()).toEqual({ category: own, note: null });
  });

  it("gives back the note, and leaves the category alone", async () => {
    const { stored, update } = serviceWith({ note: "Written over" });
    await rollBack({ category: "travel", note: "Before" }, { note: "Written over" }, update);
    expect(stored()).toEqual({ category: null, note: "Before" });
  });
});

describe("a change that was shown and not saved", () => {
  const before = { category: "travel", note: "Before" };
  const shown = (own: Change) => ({ ...before, ...own }) as BankTransaction;

  it.each<Change>([{ note: "Written" }, { category: "office" }, { category: null }])("goes: %j", (change) => {
    expect(withoutChange(shown(change), before, change)).toEqual(before);
  });

  it("takes nothing else with it", () => {
    const now = { ...shown({ note: "Written" }), category: "office" };
    expect(withoutChange(now, before, { note: "Written" })).toEqual({ category: "office", note: "Before" });
  });

  it("leaves what somebody else has written over it", () => {
    const now = shown({ note: "Elsewhere" });
    expect(withoutChange(now, before, { note: "Written" })).toBe(now);
  });
});
