import * as lemonsqueezy from "@lemonsqueezy/lemonsqueezy.js";
import { BillingError } from "@purser/billing/ports";
import { lemonSqueezyError, noResponseError, parseLemonSqueezyPayload } from "./errors.ts";
import type { LemonSqueezyConfig } from "./settings.ts";
import { z } from "zod";

type Config = Pick<LemonSqueezyConfig, "apiKey" | "baseUrl" | "timeoutMs" | "clock">;

type Sdk = typeof lemonsqueezy;

/** The SDK's functions resolve to this and never reject. */
interface Outcome {
  data: unknown;
  error: Error | null;
}

/** Makes one request and parses its response. Throws {@link BillingError} for any other response. */
export type LemonSqueezyCall = <T>(
  name: string,
  schema: z.ZodType<T>,
  call: (sdk: Sdk) => Promise<Outcome>,
) => Promise<T>;

interface PageNumber {
  number: number;
  size: number;
}

/** Reads a list page by page, until the caller stops. */
export async function* listLemonSqueezyPages<P extends LemonSqueezyPage>(
  call: LemonSqueezyCall,
  name: string,
  schema: z.ZodType<P>,
  list: (sdk: Sdk, page: PageNumber) => Promise<Outcome>,
): AsyncGenerator<P> {
  for (let number = 1, last = 1; number <= last; number += 1) {
    // 100 is the maximum page size.
    const page = await call(name, schema, (sdk) => list(sdk, { number, size: 100 }));
    last = page.meta.page.lastPage;
    yield page;
  }
}

/** Connects to Lemon Squeezy. Each call of the returned function starts a call of the port, whose requests share one timeout. */
export function lemonSqueezyClient(config: Config): () => LemonSqueezyCall {
  const { apiKey, baseUrl = "https://api.lemonsqueezy.com", timeoutMs = 7_000, clock } = config;
  return () => {
    const signal = AbortSignal.timeout(timeoutMs);
    return async (name, schema, call) => {
      const send: Send = async (fetch, request, init) => {
        const { pathname, search } = new URL(request);
        // A redirect would forward the API key to another host.
        const options: RequestInit = { ...init, signal, redirect: "error" };
        const response = await fetch(new URL(pathname + search, baseUrl), options);
        // The SDK exposes no headers, and quotes a response that is not JSON.
        if (!response.ok) throw await lemonSqueezyError(name, response, clock);
        return response;
      };
      const { data, error } = await withKeyAndFetch(apiKey, send, () => call(lemonsqueezy));
      if (error !== null) throw BillingError.is(error) ? error : noResponseError(name, error);
      return parseLemonSqueezyPayload(name, schema, data);
    };
  };
}

type Send = (fetch: typeof globalThis.fetch, request: string, init: RequestInit) => Promise<Response>;

/**
 * Calls the SDK with our key and our `fetch`. The SDK accepts neither per call: it stores one key in its module, and uses
 * the global `fetch` without a timeout. It reads both synchronously, before its first `await`. So they are replaced for
 * that synchronous step only, during which no other code runs, and are restored afterwards. Requests themselves go
 * through the original `fetch`.
 */
function withKeyAndFetch<T>(apiKey: string, send: Send, call: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis;
  lemonsqueezy.lemonSqueezySetup({ apiKey });
  globalThis.fetch = (request, init) => send(fetch, request as string, init ?? {});
  try {
    return call();
  } finally {
    globalThis.fetch = fetch;
    // Without a key the SDK sends nothing. If a later version awaited before it sends, the call would fail visibly.
    lemonsqueezy.lemonSqueezySetup({});
  }
}

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

/** Related resources that a request included. */
export const IncludedResources = z.array(
  z.object({ type: z.string(), id: LemonSqueezyId, attributes: z.unknown() }),
);
