import { z } from "zod";

/** What many of Lemon Squeezy's resources share: ids, times, pages and included resources. */

/** An id is text of digits, or a number where one resource references another. */
export const LemonSqueezyId = z
  .union([z.string(), z.int()])
  .transform(String)
  .pipe(z.string().regex(/^[1-9]\d{0,14}$/));

export const isLemonSqueezyId = (text: string): boolean => LemonSqueezyId.safeParse(text).success;

export const LemonSqueezyTime = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** One page of a list. */
export const LemonSqueezyPage = z.object({ meta: z.object({ page: z.object({ lastPage: z.int() }) }) });
export type LemonSqueezyPage = z.infer<typeof LemonSqueezyPage>;

/** Related resources that a request asked to include. */
export const IncludedResources = z.array(
  z.object({ type: z.string(), id: LemonSqueezyId, attributes: z.unknown() }),
);
