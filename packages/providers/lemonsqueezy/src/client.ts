import * as lemonsqueezy from "@lemonsqueezy/lemonsqueezy.js";
import type { z } from "zod";
import { BillingError } from "@purser/billing/ports";
import { noAnswer, readable, lemonSqueezyError } from "./errors.ts";
import type { LemonSqueezyPage } from "./mapping.ts";
import type { LemonSqueezyConfig } from "./settings.ts";

type Config = Pick<LemonSqueezyConfig, "apiKey" | "baseUrl" | "timeoutMs" | "clock">;

type Sdk = typeof lemonsqueezy;

/** What the SDK's functions resolve to: they never reject. */
interface Outcome {
  data: unknown;
  error: Error | null;
}

/** Asks one thing and reads its answer. Throws {@link BillingError} for every answer that is not what was asked for. */
export type LemonSqueezyCall = <T>(
  name: string,
  answer: z.ZodType<T>,
  call: (sdk: Sdk) => Promise<Outcome>,
) => Promise<T>;

interface PageNumber {
  number: number;
  size: number;
}

/** A list, page by page, for as long as the next one is wanted. */
export async function* listLemonSqueezyPages<P extends LemonSqueezyPage>(
  call: LemonSqueezyCall,
  name: string,
  answer: z.ZodType<P>,
  list: (sdk: Sdk, page: PageNumber) => Promise<Outcome>,
): AsyncGenerator<P> {
  for (let number = 1, last = 1; number <= last; number += 1) {
    // Lemon Squeezy gives no more at once than a hundred.
    const page = await call(name, answer, (sdk) => list(sdk, { number, size: 100 }));
    last = page.meta.page.lastPage;
    yield page;
  }
}

/** Gives each call of the port its own way to ask, in which all of its requests share one time limit. */
export function lemonSqueezyClient(config: Config): () => LemonSqueezyCall {
  const { apiKey, baseUrl = "https://api.lemonsqueezy.com", timeoutMs = 7_000, clock } = config;
  return () => {
    const signal = AbortSignal.timeout(timeoutMs);
    return async (name, answer, call) => {
      const send: Send = async (fetch, request, init) => {
        const { pathname, search } = new URL(request);
        // The key would go along to wherever a redirect leads.
        const options: RequestInit = { ...init, signal, redirect: "error" };
        const response = await fetch(new URL(pathname + search, baseUrl), options);
        // The SDK tells no headers, and quotes an error that is no JSON.
        if (!response.ok) throw await lemonSqueezyError(name, response, clock);
        return response;
      };
      const { data, error } = await handing(apiKey, send, () => call(lemonsqueezy));
      if (error !== null) throw error instanceof BillingError ? error : noAnswer(name, error);
      return readable(name, answer, data);
    };
  };
}

type Send = (fetch: typeof globalThis.fetch, request: string, init: RequestInit) => Promise<Response>;

/**
 * Makes a call of the SDK with a key and a `fetch` of ours. The SDK takes neither: it keeps one key in its module, and
 * asks Lemon Squeezy's address by the global `fetch`, without a time limit. But it reads both before it waits for
 * anything, so they are in their places for no longer than its first step, during which nothing else runs. What is
 * sent, and whatever else the process fetches meanwhile, goes by the `fetch` that was there before.
 */
function handing<T>(apiKey: string, send: Send, call: () => Promise<T>): Promise<T> {
  const { fetch } = globalThis;
  lemonsqueezy.lemonSqueezySetup({ apiKey });
  globalThis.fetch = (request, init) => send(fetch, request as string, init ?? {});
  try {
    return call();
  } finally {
    globalThis.fetch = fetch;
    // Without a key the SDK asks nothing: should it once wait before it asks, that fails in place of going past us.
    lemonsqueezy.lemonSqueezySetup({});
  }
}
