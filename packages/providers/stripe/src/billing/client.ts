import type { Stripe } from "stripe";
import { z } from "zod";
import { stripeSdk } from "../client.ts";
import { readable, stripeError } from "./errors.ts";
import type { StripeConfig } from "./settings.ts";

/** Makes one request and reads its answer. Throws `BillingError` for every answer that is not what was asked for. */
export type ApiCall = <T>(
  name: string,
  answer: z.ZodType<T>,
  request: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<unknown>,
) => Promise<T>;

/** Connects to Stripe. Gives what begins a call of the port: all that is asked with one `Ask` shares its time. */
export function stripeClient(config: StripeConfig): () => ApiCall {
  const { timeoutMs = 7_000, clock } = config;
  const stripe = stripeSdk({ ...config, timeoutMs });
  return () => {
    const deadline = performance.now() + timeoutMs;
    return async (name, answer, request) => {
      // The SDK takes no zero for a limit.
      const timeout = Math.max(1, Math.floor(deadline - performance.now()));
      const given = await request(stripe, { timeout }).catch((error: unknown) => {
        throw stripeError(name, error, clock);
      });
      return readable(name, answer, given);
    };
  };
}

/** How a list is asked for one of its pages. */
export interface PageOptions {
  limit: number;
  starting_after?: string;
}

/** Reads a list page by page, in Stripe's order, until its end or until there are `most`. */
export async function listAll<T extends { id: string }>(
  ask: ApiCall,
  name: string,
  item: z.ZodType<T>,
  list: (stripe: Stripe, page: PageOptions, options: Stripe.RequestOptions) => Promise<unknown>,
  most = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const answer = z.object({ data: z.array(item), has_more: z.boolean() });
  const items: T[] = [];
  for (;;) {
    const after = items.at(-1)?.id;
    const page = { limit: Math.min(100, most - items.length), ...(after && { starting_after: after }) };
    const { data, has_more: hasMore } = await ask(name, answer, (stripe, options) =>
      list(stripe, page, options),
    );
    items.push(...data);
    if (!hasMore || data.length === 0 || items.length >= most) return items;
  }
}
