import type { CallOptions } from "./options.ts";

interface Page {
  limit?: number | undefined;
  after?: string | undefined;
}

/** What a list takes beside the size of its pages, which `paginate` decides. */
type ListInput<Input> = Omit<NonNullable<Input>, "limit">;

export interface PaginateOptions extends CallOptions {
  /** How many items to ask for at a time, 1–1000. Default: 100. */
  limit?: number | undefined;
}

/**
 * Goes through a list to its end, page by page, newest first. A page is asked for when it is needed, so breaking
 * out of the loop leaves the rest unread. Rejects as the list does.
 *
 * ```ts
 * for await (const member of paginate(client.organizations.members.list, { organizationId })) { … }
 * ```
 *
 * @param list A list method of the client.
 * @param input What the list takes; with `after`, it begins after the item with that id.
 */
export async function* paginate<Input extends Page | undefined, Item extends { id: string }>(
  list: (input: Input, options?: CallOptions) => Promise<Item[]>,
  input: NoInfer<ListInput<Input>>,
  { limit = 100, ...options }: PaginateOptions = {},
): AsyncGenerator<Item, void, undefined> {
  let page: Item[];
  let next: object = input;
  do {
    page = await list({ ...next, limit } as NonNullable<Input>, options);
    yield* page;
    next = { ...input, after: page.at(-1)?.id };
  } while (page.length >= limit);
}
