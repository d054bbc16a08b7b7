import { type PolarCore, type RequestOptions, createPolarCore } from "@polar-sh/sdk/2026-10";
import { z } from "zod";
import { polarError, readable } from "./errors.ts";
import type { PolarConfig } from "./settings.ts";

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
      return readable(name, schema, response);
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
