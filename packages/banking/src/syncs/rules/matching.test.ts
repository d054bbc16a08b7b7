import { describe, expect, it } from "vitest";
import {
  type LedgerRow,
  type Reported,
  conflictsWithRow,
  contentOf,
  formerId,
  idPrefix,
  isSyntheticId,
  isUnchanged,
  matchByAmountAndDay,
  matchByContent,
  matchMerged,
  matchPosted,
  matchReplaced,
  isRemoved,
  removalKey,
} from "./matching.ts";

const row = (overrides: Partial<LedgerRow> = {}): LedgerRow => ({
  id: "btx_1",
  accountId: "bac_1",
  connectionId: "bcn_1",
  externalId: "t1",
  idEpoch: 0,
  status: "POSTED",
  amount: 500,
  rawAmount: "5.00",
  currency: "GBP",
  type: "DEBIT",
  description: "COFFEE",
  merchantName: null,
  transactionDate: "2026-03-01",
  category: null,
  ...overrides,
});

const reported = (overrides: Partial<Reported> = {}): Reported => ({
  accountId: "bac_1",
  externalId: "t1",
  pendingExternalId: null,
  status: "POSTED",
  amount: 500,
  rawAmount: "5.00",
  currency: "GBP",
  type: "DEBIT",
  description: "COFFEE",
  merchantName: null,
  date: "2026-03-01",
  category: null,
  ...overrides,
});

describe("conflictsWithRow", () => {
  it.each([
    ["the same", {}, {}, false, false],
    ["another currency of a posted one", {}, { currency: "EUR" }, false, true],
    ["another direction of a posted one", {}, { type: "CREDIT" }, false, true],
    ["another currency of a pending one", { status: "PENDING" }, { currency: "EUR" }, false, false],
    ["another direction of a pending one", { status: "PENDING" }, { type: "CREDIT" }, false, false],
    ["another amount of a posted one", {}, { amount: 501 }, false, true],
    [
      "another amount of a pending one",
      { status: "PENDING" },
      { status: "PENDING", amount: 501 },
      false,
      false,
    ],
    ["another amount in one page", { status: "PENDING" }, { status: "PENDING", amount: 501 }, true, true],
    ["a tip when it is posted", { status: "PENDING" }, { amount: 600 }, true, false],
    ["another amount of a removed one", { status: "REMOVED" }, { amount: 501 }, false, false],
    [
      "another day, text and category",
      {},
      { date: "2026-03-05", description: "x", category: "y" },
      false,
      false,
    ],
  ] as const)("decides about %s", (_what, known, report, isRepeated, expected) => {
    expect(conflictsWithRow(row(known), reported(report), isRepeated)).toBe(expected);
  });
});

describe("isUnchanged", () => {
  it("holds only if no field that the bank owns differs", () => {
    expect(isUnchanged(row(), "bcn_1", 0, reported())).toBe(true);
    expect(isUnchanged(row(), "bcn_2", 0, reported())).toBe(false);
    expect(isUnchanged(row(), "bcn_1", 1, reported())).toBe(false);
    const changes: Partial<Reported>[] = [
      { externalId: "t2" },
      { status: "PENDING" },
      { amount: 1 },
      { rawAmount: "5" },
      { currency: "EUR" },
      { type: "CREDIT" },
      { description: "" },
      { date: "2026-03-02" },
      { category: "FOOD" },
    ];
    for (const change of changes) expect(isUnchanged(row(), "bcn_1", 0, reported(change))).toBe(false);
  });
});

describe("matchReplaced", () => {
  it("finds the first row with the same content and status", () => {
    const first = row({ id: "a" });
    const others = [
      row({ id: "b", status: "PENDING" }),
      row({ id: "c", amount: 501 }),
      row({ id: "d", transactionDate: "2026-03-02" }),
      row({ id: "e", description: "TEA" }),
    ];
    expect(matchReplaced([...others, first, row({ id: "f" })], reported({ externalId: "t9" }))).toBe(first);
    expect(matchReplaced(others, reported({ externalId: "t9" }))).toBeNull();
  });
});

describe("matchPosted", () => {
  const pending = (overrides: Partial<LedgerRow> = {}) => row({ status: "PENDING", ...overrides });

  it("finds the only pending row of the same account, amount, currency and direction within eight days", () => {
    const one = pending();
    const others = [
      pending({ id: "a", accountId: "bac_2" }),
      pending({ id: "b", amount: 501 }),
      pending({ id: "c", currency: "EUR" }),
      pending({ id: "d", type: "CREDIT" }),
      pending({ id: "e", transactionDate: "2026-02-28" }),
      row({ id: "f" }),
    ];
    expect(matchPosted([...others, one], reported({ date: "2026-03-09" }))).toBe(one);
    expect(matchPosted(others, reported({ date: "2026-03-09" }))).toBeNull();
    expect(matchPosted([one], reported({ date: "2026-03-10" }))).toBeNull();
    expect(matchPosted([one], reported({ date: "2026-02-21" }))).toBe(one);
  });

  it("finds none if the match is ambiguous", () => {
    expect(matchPosted([pending(), pending({ id: "btx_2" })], reported())).toBeNull();
  });
});

describe("matchByContent", () => {
  it("finds rows with the same content, preferring the same status, and duplicates in their order", () => {
    const duplicates = [row({ id: "a", status: "PENDING" }), row({ id: "b" }), row({ id: "c" })];
    expect(matchByContent(duplicates, reported())?.id).toBe("b");
    expect(matchByContent(duplicates, reported({ status: "PENDING" }))?.id).toBe("a");
    expect(matchByContent(duplicates.slice(0, 1), reported())?.id).toBe("a");
  });

  it("finds no row with different content", () => {
    const changes: Partial<Reported>[] = [
      { accountId: "bac_2" },
      { amount: 1 },
      { currency: "EUR" },
      { type: "CREDIT" },
      { date: "2026-03-02" },
      { description: "TEA" },
    ];
    for (const change of changes) expect(matchByContent([row()], reported(change))).toBeNull();
  });
});

describe("matchByAmountAndDay", () => {
  const tea = reported({ description: "TEA" });
  const [pending, posted] = [row({ id: "btx_2", status: "PENDING" }), row()];

  it("finds the only row of the same day and amount, whatever its description", () => {
    expect(matchByAmountAndDay([row()], tea, false)).toEqual(row());
    expect(matchByAmountAndDay([pending, posted], tea, false)).toBeNull();
    expect(matchByAmountAndDay([row()], reported({ date: "2026-03-02" }), false)).toBeNull();
  });

  it("finds any of several rows before the bank has listed everything, preferably with the same status", () => {
    expect(matchByAmountAndDay([pending, posted], tea, true)).toEqual(posted);
    expect(matchByAmountAndDay([pending], tea, true)).toEqual(pending);
    expect(matchByAmountAndDay([], tea, true)).toBeNull();
  });
});

describe("matchMerged", () => {
  const posted = [row({ description: "TEA" }), row({ id: "btx_2" })];

  it("finds a posted row for a posted payment only, preferably with the same description", () => {
    expect(matchMerged(posted, reported())?.id).toBe("btx_2");
    expect(matchMerged(posted, reported({ description: "CAKE" }))?.id).toBe("btx_1");
    expect(matchMerged(posted, reported({ status: "PENDING" }))).toBeNull();
  });
});

describe("isRemoved", () => {
  it.each([
    ["a", "t1", true],
    ["a", " t1\0", true],
    [null, "t1", true],
    ["b", "t1", false],
    ["a", "t2", false],
    ["a", " ", false],
    ["a", null, false],
  ])("says of the account %j and the id %j: %j", (accountId, externalId, expected) => {
    const removed = new Set([removalKey(accountId === null ? null : "a", "t1 "), removalKey("a", "\0 ")]);
    expect(isRemoved({ removed }, { accountId: accountId ?? "a", externalId })).toBe(expected);
  });
});

describe("ids of our own", () => {
  it("are distinguishable from a bank's", () => {
    expect(isSyntheticId(idPrefix("abc"))).toBe(true);
    expect(isSyntheticId(formerId(row()))).toBe(true);
    expect(isSyntheticId("t1")).toBe(false);
  });

  it("derive from the content only, without the fields that may change", () => {
    const content = contentOf(reported());
    expect(contentOf(reported({ status: "PENDING", category: "FOOD", rawAmount: "5" }))).toBe(content);
    expect(contentOf(reported({ description: "TEA" }))).not.toBe(content);
    expect(contentOf(reported({ accountId: "bac_2" }))).not.toBe(content);
  });
});
