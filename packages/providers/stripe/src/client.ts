import { Stripe } from "stripe";
import { z } from "zod";
import type { StripeErrors } from "./errors.ts";
import type { StripeConnection, StripeSettings } from "./settings.ts";

export const StripeId = z.string().min(1).max(255);
export const WithStripeId = z.object({ id: StripeId });

/** An object that Stripe names by its id, or includes when it is expanded. Reads as the id. */
export const Reference = z.union([StripeId, z.object({ id: StripeId }).transform(({ id }) => id)]);

/** Stripe's times are whole seconds since 1970. */
export const Timestamp = z.int().transform((seconds) => new Date(seconds * 1000));

/** A page that a browser is sent to. */
export const StripePageUrl = z.url({ protocol: /^https$/ });

/**
 * Makes one request and validates the response. `name` is the SDK's name of the call, for error messages. Throws the
 * area's error for every failure.
 */
export type StripeCall = <T>(
  name: string,
  response: z.ZodType<T>,
  send: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<unknown>,
) => Promise<T>;

export interface StripeClient {
  /** Makes one request within `timeoutMs`. */
  call: StripeCall;
  /** Returns a call whose requests together take at most `timeoutMs`. */
  withDeadline: () => StripeCall;
}

type Access = StripeSettings & StripeConnection & { timeoutMs: number };

/** Connects to Stripe. Nothing is retried here: each area decides when to call again. */
export function createStripeClient(
  access: Access,
  { parsePayload, stripeError }: StripeErrors,
): StripeClient {
  const { timeoutMs, clock } = access;
  const stripe = stripeSdk(access);
  const withDeadline = (): StripeCall => {
    const deadline = performance.now() + timeoutMs;
    return async (name, schema, send) => {
      // The SDK rejects a timeout of zero.
      const timeout = Math.max(1, Math.floor(deadline - performance.now()));
      const response = await send(stripe, { timeout }).catch((error: unknown) => {
        throw stripeError(name, error, clock);
      });
      return parsePayload(name, schema, response);
    };
  };
  return { call: (name, schema, send) => withDeadline()(name, schema, send), withDeadline };
}

function stripeSdk({ apiKey, baseUrl = "https://api.stripe.com", timeoutMs }: Access): Stripe {
  const { protocol, hostname, port } = new URL(baseUrl);
  return new Stripe(apiKey, {
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    ...(port && { port }),
    timeout: timeoutMs,
    // The SDK's default HTTP client retries once after a broken connection even with zero retries, and its timeout
    // does not stop a response that trickles in. A redirect would send the API key to another host.
    httpClient: Stripe.createFetchHttpClient((url, init) => fetch(url, { ...init, redirect: "error" })),
    maxNetworkRetries: 0,
    telemetry: false,
  });
}

interface PageOptions {
  limit: number;
  starting_after?: string;
}

/** Reads a list page by page, in Stripe's order, to its end or up to `maximum` items. */
export async function listAllPages<T extends { id: string }>(
  call: StripeCall,
  name: string,
  item: z.ZodType<T>,
  list: (stripe: Stripe, page: PageOptions, options: Stripe.RequestOptions) => Promise<unknown>,
  maximum = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const response = z.object({ data: z.array(item), has_more: z.boolean() });
  const items: T[] = [];
  for (;;) {
    const after = items.at(-1)?.id;
    const page = { limit: Math.min(100, maximum - items.length), ...(after && { starting_after: after }) };
    const { data, has_more: hasMore } = await call(name, response, (stripe, options) =>
      list(stripe, page, options),
    );
    items.push(...data);
    if (!hasMore || data.length === 0 || items.length >= maximum) return items;
  }
}
