import { z } from "zod";
import { exampleIds, explained } from "./explained.ts";
import { text } from "./fields.ts";
import { isId } from "./id.ts";

const maxLimit = 1000;

/**
 * The paging fields of every list: at most `limit` items (1–1000) that follow the item `after`. Lists run newest first,
 * and an identifier contains its age, so `after` need only be well-formed.
 *
 * @example
 * const ListCards = z.strictObject({ organizationId, ...page("card") });
 */
export const page = (prefix: keyof typeof exampleIds) => ({
  limit: pageLimit,
  after: text(255)
    .refine((id) => isId(prefix, id), { error: "Must be the id of an item of this list" })
    .meta(explained(afterLastItem, exampleIds[prefix]))
    .optional(),
});

/** The paging fields of lists whose items have ids of a provider, such as `example`. */
export const pageAfterProviderId = <After extends z.ZodType>(after: After, example: string) => ({
  limit: pageLimit,
  after: after.meta(explained(afterLastItem, example)).optional(),
});

const pageLimit = z
  .int()
  .min(1)
  .max(maxLimit)
  .default(maxLimit)
  .meta(explained("The maximum number of items in the response, from 1 to 1000.", 50));

const afterLastItem =
  "The id of the last item that you have received. The list continues after it, also if it no longer fits the filter. If absent, the list starts with its first item.";
