import type { CallOptions } from "./options.ts";

interface Page {
  limit?: number | undefined;
  after?: string | undefined;
}

/** The input of a list without its page size, which `paginate` sets. */
type ListInput<Input> = Omit<NonNullable<Input>, "limit">;

export interface PaginateOptions extends CallOptions {
  /** The page size, 1–1000. Default: 100. */
  limit?: number | undefined;
}

/**
 * Iterates over all items of a list, newest first. A page is requested when it is needed, so leaving the loop requests
 * no more. Rejects with the error of the list.
 *
 * ```ts
 * for await (const member of paginate(purser.organizations.members.list, { organizationId })) {
 *   console.log(member.userId);
 * }
 * ```
 *
 * @param list A list method of the client.
 * @param input The input of the list. With `after`, it starts after the item with that id.
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
