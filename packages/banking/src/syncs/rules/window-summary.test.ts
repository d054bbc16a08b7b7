import { describe, expect, it } from "vitest";
import { WindowSummary } from "./window-summary.ts";

describe("WindowSummary", () => {
  const of = (...listed: [account: string, id: string | null, date: string][]) => {
    const summary = new WindowSummary();
    for (const one of listed) summary.note(...one);
    return summary;
  };

  it("finds ids that are repeated in one of our accounts, also if two of the bank's are one", () => {
    const summary = of(
      ["a", "twice", "2026-03-01"],
      ["a", "twice", "2026-03-01"],
      ["b", "twice", "2026-03-01"],
    );
    summary.note("a", "once", "2026-03-01");
    summary.note("b", "both", "2026-03-01");
    summary.note("a", "both", "2026-03-01");
    const apart = new Map([
      ["a", "bac_1"],
      ["b", "bac_2"],
    ]);
    const repeated = (account: string, accountOf: Map<string, string>) =>
      ["twice", "once", "both"].filter((id) => summary.isRepeated(account, id, accountOf));
    expect(repeated("bac_1", apart)).toEqual(["twice"]);
    expect(repeated("bac_2", apart)).toEqual([]);
    expect(repeated("bac_1", apart.set("b", "bac_1"))).toEqual(["twice", "both"]);
  });

  it("has the first day of each account, also of transactions without an id", () => {
    const summary = of(["a", "1", "2026-03-02"], ["a", null, "2026-03-01"], ["b", "1", "2026-03-03"]);
    expect(["a", "b", "c"].map((account) => summary.firstDay(account))).toEqual([
      "2026-03-01",
      "2026-03-03",
      undefined,
    ]);
  });
});
