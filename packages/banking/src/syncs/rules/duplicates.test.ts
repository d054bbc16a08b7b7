import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { LedgerRow } from "./matching.ts";
import { combineDuplicates, pairDuplicates } from "./duplicates.ts";

const row = (id: string, overrides: Partial<LedgerRow> = {}): LedgerRow => ({
  id,
  accountId: id.startsWith("s") ? "source" : "continuing",
  connectionId: "connection",
  externalId: `external ${id}`,
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

const pairs = (rows: LedgerRow[], continuing: LedgerRow[]) =>
  Object.fromEntries([...pairDuplicates(rows, continuing)].map(([one, other]) => [one.id, other.id]));

describe("pairDuplicates", () => {
  it.each<[string, Partial<LedgerRow>, boolean]>([
    ["the same content", {}, true],
    ["another description", { description: "CAFE" }, true],
    ["another category and id", { category: "FOOD", externalId: "x" }, true],
    ["another day", { transactionDate: "2026-03-02" }, false],
    ["another amount", { amount: 501 }, false],
    ["another direction", { type: "CREDIT" }, false],
    ["another currency", { currency: "EUR" }, false],
  ])("pairs rows with %s: %o", (_title, other, isPair) => {
    expect(pairs([row("s1")], [row("c1", other)])).toEqual(isPair ? { s1: "c1" } : {});
  });

  it("prefers the same description, then the same status", () => {
    const rows = [row("s1", { description: "CAFE" }), row("s2")];
    expect(pairs(rows, [row("c1"), row("c2", { description: "TAXI" })])).toEqual({ s1: "c2", s2: "c1" });
    const pending = row("c1", { status: "PENDING" });
    expect(pairs([row("s1")], [pending, row("c2")])).toEqual({ s1: "c2" });
  });

  it("pairs no posted row with a pending one, which its bank may withdraw", () => {
    const pending = { status: "PENDING" } as const;
    expect(pairs([row("s1")], [row("c1", pending)])).toEqual({});
    expect(pairs([row("s1", pending)], [row("c1")])).toEqual({ s1: "c1" });
    expect(pairs([row("s1")], [row("c1", pending), row("c2", { status: "REMOVED" })])).toEqual({ s1: "c2" });
  });

  it("pairs posted rows before pending and missing ones", () => {
    const rows = [row("s1", { status: "REMOVED" }), row("s2", { status: "PENDING" }), row("s3")];
    expect(pairs(rows, [row("c1")])).toEqual({ s3: "c1" });
  });

  it("leaves each amount as often as the account has it that has it more often", () => {
    const content = fc.record({
      amount: fc.constantFrom(100, 200),
      description: fc.constantFrom("A", "B", "C"),
      transactionDate: fc.constantFrom("2026-03-01", "2026-03-02"),
      type: fc.constantFrom("DEBIT" as const, "CREDIT" as const),
    });
    const all = fc.array(content, { maxLength: 12 });
    const counts = (rows: LedgerRow[]) =>
      Map.groupBy(rows, ({ amount, transactionDate, type }) => `${amount} ${transactionDate} ${type}`);
    fc.assert(
      fc.property(all, all, (own, others) => {
        const rows = own.map((one, index) => row(`s${index}`, one));
        const continuing = others.map((one, index) => row(`c${index}`, one));
        const duplicates = pairDuplicates(rows, continuing);
        expect(new Set(duplicates.values()).size).toBe(duplicates.size);
        const merged = counts([...continuing, ...rows.filter((one) => !duplicates.has(one))]);
        const [before, after] = [counts(rows), counts(continuing)];
        for (const key of new Set([...before.keys(), ...after.keys()])) {
          const most = Math.max(before.get(key)?.length ?? 0, after.get(key)?.length ?? 0);
          expect(merged.get(key)).toHaveLength(most);
        }
      }),
    );
  });
});

describe("combineDuplicates", () => {
  const at = (status: LedgerRow["status"]) => ({ status });

  it("keeps a row that both banks have", () => {
    expect(combineDuplicates(row("s1"), row("c1", { description: "CAFE" }))).toBeNull();
    expect(combineDuplicates(row("s1", at("PENDING")), row("c1"))).toBeNull();
    expect(combineDuplicates(row("s1", at("REMOVED")), row("c1", at("REMOVED")))).toBeNull();
  });

  it("restores a row that only its own bank omits, as one of the other bank", () => {
    const match = row("c1", { status: "REMOVED", description: "CAFE" });
    const combined = { ...match, status: "POSTED", connectionId: "other", externalId: "external s1" };
    expect(combineDuplicates(row("s1", { connectionId: "other" }), match)).toEqual(combined);
  });
});
