import { z } from "zod";
import { text } from "./fields.ts";
import { type IdPrefix, isId } from "./id.ts";

const maximumLimit = 1000;

/**
 * The paging fields of every list: at most `limit` items (1–1000) that follow the item `after`. Lists run newest first,
 * and an identifier contains its age, so `after` need only be well-formed.
 */
export const page = (prefix: IdPrefix) => ({
  limit: z.int().min(1).max(maximumLimit).default(maximumLimit),
  after: text(255)
    .refine((id) => isId(prefix, id), { error: "Must be the id of an item of this list" })
    .optional(),
});
