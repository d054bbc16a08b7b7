import { describe, expect, it } from "vitest";
import { LastPages } from "./last-pages.ts";

describe("LastPages", () => {
  it("returns the last page of each id, even if ids share a bit", () => {
    const lastPages = new LastPages();
    const exact = new Map<string, number>();
    // 100,000 ids in 2^24 bits: hundreds of them collide with another one's bit. Every tenth id repeats.
    const idsOf = (page: number) =>
      Array.from({ length: 550 }, (_, index) => (index < 500 ? page * 500 : page * 450) + index);
    const pages = Array.from({ length: 200 }, (_, page) => idsOf(page));
    for (const [page, ids] of pages.entries()) {
      for (const id of ids) {
        lastPages.note(`bac_1 transaction-${id}`, page);
        exact.set(`bac_1 transaction-${id}`, page);
      }
    }
    const wrong = pages.flatMap((ids, page) =>
      ids
        .map((id) => `bac_1 transaction-${id}`)
        .filter((key) => lastPages.isLast(key, page) !== (exact.get(key) === page)),
    );
    expect(wrong).toEqual([]);
    expect(exact.size).toBeLessThan(pages.flat().length);
  });
});
