import { abortedError } from "./failures.ts";
import type { ListPage } from "./methods.ts";
import type { CallOptions } from "./options.ts";

interface PageInput {
  limit?: number | undefined;
  after?: string | undefined;
}

/** The input of a list without its page size, which `paginate` sets. */
type ListInput<Input> = Omit<NonNullable<Input>, "limit">;

/** Options of {@link paginate}, for each of its requests. */
export interface PaginateOptions extends CallOptions {
  /** The page size, 1–1000. Default: 100. */
  limit?: number | undefined;
}

/**
 * Iterates over all items of a list, in the order of the list. A page is requested when it is needed, so leaving the loop
 * requests no more. Rejects with the error of the list.
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
export async function* paginate<Input extends PageInput | undefined, Item>(
  list: { page: (input: Input, options?: CallOptions) => Promise<ListPage<Item>> },
  input: NoInfer<ListInput<Input>>,
  { limit = 100, ...options }: PaginateOptions = {},
): AsyncGenerator<Item, void, undefined> {
  let next: string | null = null;
  do {
    const page: object = next === null ? { ...input, limit } : { ...input, limit, after: next };
    const { items, nextAfter } = await list.page(page as NonNullable<Input>, options);
    for (const item of items) {
      if (options.signal?.aborted) throw abortedError(options.signal);
      yield item;
    }
    next = nextAfter;
  } while (next !== null);
}
