import { type CallOptions, type ListPage, paginate } from "@purser/client";
import type { PurserQueryKey } from "@purser/client/tanstack";

/** The most that a page has. */
const limit = 1000;

interface PageInput {
  limit?: number | undefined;
  after?: string | undefined;
}

/** All items of a list, with as many requests as it has pages, as options for TanStack Query. */
export function wholeList<Input extends PageInput, Item>(
  list: { page: (input: Input, options?: CallOptions) => Promise<ListPage<Item>>; path: string },
  input: Parameters<typeof paginate<Input, Item>>[1],
) {
  // Apart from the query of the first page, and made stale with it.
  const queryKey: PurserQueryKey = ["purser", ...list.path.split("."), input, "whole"];
  return {
    queryKey,
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<Item[]> => {
      const items: Item[] = [];
      for await (const item of paginate(list, input, { limit, signal })) items.push(item);
      return items;
    },
  };
}
