import { describe, expect, it } from "vitest";
import { LastPages } from "./last-pages.ts";

describe("LastPages", () => {
  it("returns the last page of each id, even if ids share a bit", () => {
    const accountOf = new Map([["account-1", "bac_1"]]);
    const lastPages = new LastPages();
    const exact = new Map<string, number>();
    // 100,000 ids in 2^24 bits: hundreds of them collide with another one's bit. Every tenth id repeats.
    const idsOf = (page: number) =>
      Array.from({ length: 550 }, (_, index) => (index < 500 ? page * 500 : page * 450) + index);
    const pages = Array.from({ length: 200 }, (_, page) => idsOf(page));
    for (const [page, ids] of pages.entries()) {
      for (const id of ids) {
        lastPages.note("account-1", `transaction-${id}`, page);
        exact.set(`transaction-${id}`, page);
      }
    }
    const wrong = pages.flatMap((ids, page) =>
      ids
        .map((id) => `transaction-${id}`)
        .filter((externalId) => {
          const isLast = lastPages.isLast({ accountId: "bac_1", externalId }, page, accountOf);
          return isLast !== (exact.get(externalId) === page);
        }),
    );
    expect(wrong).toEqual([]);
    expect(exact.size).toBeLessThan(pages.flat().length);
  });

  it("keeps accounts of the bank apart, unless they are one account of ours", () => {
    const lastPages = new LastPages();
    for (const [page, account] of ["one", "other", "one", "alias"].entries())
      lastPages.note(account, "id", page);
    const isLast = (page: number, accountOf: Record<string, string>) =>
      lastPages.isLast({ accountId: "ours", externalId: "id" }, page, new Map(Object.entries(accountOf)));
    const apart = { one: "ours", other: "theirs" };
    expect([isLast(0, apart), isLast(2, apart), isLast(1, { other: "ours" })]).toEqual([false, true, true]);
    const joined = { one: "ours", alias: "ours" };
    expect([isLast(2, joined), isLast(3, joined)]).toEqual([false, true]);
  });
});
