import { type PolarCore, type RequestOptions, createPolarCore } from "@polar-sh/sdk/2026-10";
import { z } from "zod";
import { polarError, parsePolarPayload } from "./errors.ts";
import type { PolarConfig } from "./settings.ts";
import type { CheckoutRequest } from "@purser/billing/ports";

type Config = Omit<PolarConfig, "webhookSecrets">;

type Request<Arguments extends unknown[]> = (
  client: PolarCore,
  ...rest: [...Arguments, RequestOptions]
) => Promise<unknown>;

/** Makes one request and parses its response. Throws `BillingError` for any other response. */
export type PolarCall = <T>(name: string, schema: z.ZodType<T>, request: Request<[]>) => Promise<T>;

/** Connects to Polar. Each call of the returned function starts a call of the port, whose requests share one timeout. */
export function polarClient(config: Config): () => PolarCall {
  const { timeoutMs = 7000 } = config;
  const client = clientOf(config);
  return () => {
    const until = performance.now() + timeoutMs;
    return async (name, schema, request) => {
      // In seconds, for headers and body together.
      const timeout = Math.max(0, until - performance.now()) / 1000;
      const response = await request(client, { timeout }).catch((error: unknown) => {
        throw polarError(name, error);
      });
      return parsePolarPayload(name, schema, response);
    };
  };
}

function clientOf({ accessToken, environment, baseUrl }: Config): PolarCore {
  const client = createPolarCore({ accessToken, environment, ...(baseUrl !== undefined && { baseUrl }) });
  const build = client.buildRequest.bind(client);
  // A redirect would forward the names and addresses in the request to another host.
  client.buildRequest = (...parts) => {
    const [url, request] = build(...parts);
    return [url, { ...request, redirect: "error" }];
  };
  return client;
}

/** Polar's maximum page size. */
const limit = 100;

/**
 * Reads a list page by page, up to `maximum` items. A resource that is created in the meantime shifts others to the next
 * page, so items are deduplicated by id.
 */
export async function listPolarPages<T extends { id: string }>(
  call: PolarCall,
  name: string,
  item: z.ZodType<T>,
  list: Request<[{ page: number; limit: number }]>,
  maximum = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const List = z.object({ items: z.array(item), pagination: z.object({ max_page: z.int() }) });
  const found = new Map<string, T>();
  for (let page = 1, last = 1; page <= last && found.size < maximum; page += 1) {
    const { items, pagination } = await call(name, List, (client, options) =>
      list(client, { page, limit }, options),
    );
    for (const one of items) found.set(one.id, one);
    last = pagination.max_page;
  }
  return [...found.values()].slice(0, maximum);
}

/** What many of Polar's resources share: ids, times, and the metadata that names the organization. */

/**
 * Whether an id has the form of Polar's ids, which are UUIDs in lower case. Polar may find a resource by upper case, too, but
 * always returns the same id.
 */
export const isPolarId = (id: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(id);

export const WithPolarId = z.object({ id: z.string().refine(isPolarId) });
export const PolarId = WithPolarId.shape.id;
export const PolarTime = z.iso.datetime({ offset: true }).transform((text) => new Date(text));

/** The metadata of a checkout. The subscription inherits it. */
export function polarMetadata({ organizationId, checkoutId }: CheckoutRequest) {
  return { purser_organization: organizationId, purser_checkout: checkoutId };
}

const Name = z.string().min(1).max(255).nullish().catch(null);

/** The organization is in the metadata, which come from the checkout, and is the customer's external id. */
export const PolarOwner = z.object({
  metadata: z.object({ purser_organization: Name }).nullish().catch(null),
  customer: z.object({ external_id: Name }).nullish().catch(null),
});

/** Returns the organization that a resource belongs to; null when it names none. */
export function polarOrganizationId({ metadata, customer }: z.infer<typeof PolarOwner>): string | null {
  return metadata?.purser_organization ?? customer?.external_id ?? null;
}
