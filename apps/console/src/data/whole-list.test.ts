import type { ListPage } from "@purser/client";
import { staleKeys } from "@purser/client/tanstack";
import { partialMatchKey } from "@tanstack/react-query";
import { describe, expect, it } from "vitest";
import { wholeList } from "./whole-list.ts";

interface Input {
  organizationId: string;
  limit?: number;
  after?: string;
}

/** A list of so many cards, the newest first. */
function cardsOf(count: number) {
  const asked: Input[] = [];
  const page = (input: Input): Promise<ListPage<{ id: string }>> => {
    asked.push(input);
    const { limit = 1000, after } = input;
    const start = after === undefined ? 0 : Number(after) + 1;
    const end = Math.min(count, start + limit);
    const items = Array.from({ length: end - start }, (_, index) => ({ id: String(start + index) }));
    return Promise.resolve({ items, nextAfter: end === count ? null : String(end - 1) });
  };
  return { asked, list: { page, path: "cards.list" } };
}

describe("wholeList", () => {
  const input = { organizationId: "org_1" };
  const { signal } = new AbortController();

  it("reads every item of a list that has more than a page", async () => {
    const { asked, list } = cardsOf(2500);
    const items = await wholeList(list, input).queryFn({ signal });
    expect(items.map(({ id }) => Number(id))).toEqual(Array.from({ length: 2500 }, (_, index) => index));
    expect(asked).toHaveLength(3);
  });

  it("asks once for a list that has one page", async () => {
    const { asked, list } = cardsOf(1000);
    expect(await wholeList(list, input).queryFn({ signal })).toHaveLength(1000);
    expect(asked).toEqual([{ ...input, limit: 1000 }]);
  });

  it("is made stale by the events that concern the list", () => {
    const { queryKey } = wholeList(cardsOf(0).list, input);
    expect(staleKeys("card.created").some((stale) => partialMatchKey(queryKey, stale))).toBe(true);
  });
});
