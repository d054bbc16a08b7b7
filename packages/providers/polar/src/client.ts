import { type PolarCore, type RequestOptions, createPolarCore } from "@polar-sh/sdk/2026-10";
import { z } from "zod";
import { polarError, readable } from "./errors.ts";
import type { PolarConfig } from "./settings.ts";

type Config = Omit<PolarConfig, "webhookSecrets">;

type Request<Arguments extends unknown[]> = (
  client: PolarCore,
  ...rest: [...Arguments, RequestOptions]
) => Promise<unknown>;

/** Makes a request and reads its answer. Throws a BillingError for every answer that is not what was asked for. */
export type PolarCall = <T>(name: string, answer: z.ZodType<T>, request: Request<[]>) => Promise<T>;

/** A client of Polar's. Each call of the port begins anew: its requests share the time that it has. */
export function polarClient(config: Config): () => PolarCall {
  const { timeoutMs = 7000 } = config;
  const client = clientOf(config);
  return () => {
    const until = performance.now() + timeoutMs;
    return async (name, answer, request) => {
      // The SDK's limit is in seconds, and is one for headers and body together.
      const timeout = Math.max(0, until - performance.now()) / 1000;
      const given = await request(client, { timeout }).catch((error: unknown) => {
        throw polarError(name, error);
      });
      return readable(name, answer, given);
    };
  };
}

function clientOf({ accessToken, environment, baseUrl }: Config): PolarCore {
  const client = createPolarCore({ accessToken, environment, ...(baseUrl !== undefined && { baseUrl }) });
  const build = client.buildRequest.bind(client);
  // The people's names and addresses in a request would go along to wherever a redirect leads.
  client.buildRequest = (...parts) => {
    const [url, request] = build(...parts);
    return [url, { ...request, redirect: "error" }];
  };
  return client;
}

/** As many as Polar gives at once. */
const limit = 100;

/**
 * Everything on a list, page by page, or its first `most`. What is made meanwhile pushes others on to the next page:
 * nothing is given twice.
 */
export async function listPolarPages<T extends { id: string }>(
  call: PolarCall,
  name: string,
  item: z.ZodType<T>,
  list: Request<[{ page: number; limit: number }]>,
  most = Number.POSITIVE_INFINITY,
): Promise<T[]> {
  const List = z.object({ items: z.array(item), pagination: z.object({ max_page: z.int() }) });
  const found = new Map<string, T>();
  for (let page = 1, last = 1; page <= last && found.size < most; page += 1) {
    const { items, pagination } = await call(name, List, (client, options) =>
      list(client, { page, limit }, options),
    );
    for (const one of items) found.set(one.id, one);
    last = pagination.max_page;
  }
  return [...found.values()].slice(0, most);
}
