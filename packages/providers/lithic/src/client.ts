import { hash } from "node:crypto";
import { Lithic } from "lithic";
import type { z } from "zod";
import { lithicError, parseLithicPayload } from "./errors.ts";
import type { LithicConfig } from "./settings.ts";

/** Makes one call and validates its response. Throws an `IssuerError` for any other response. */
export type CallLithic = <T>(
  name: string,
  response: z.ZodType<T>,
  call: (lithic: Lithic, options: { signal: AbortSignal }) => Promise<unknown>,
) => Promise<T>;

const baseUrls = { sandbox: "https://sandbox.lithic.com", production: "https://api.lithic.com" } as const;

export const lithicBaseUrl = ({ environment, baseUrl }: LithicConfig) => baseUrl ?? baseUrls[environment];

export function lithicClient(config: LithicConfig): CallLithic {
  const { apiKey, timeoutMs = 20_000, clock } = config;
  const client = new Lithic({
    apiKey,
    baseURL: lithicBaseUrl(config),
    // The caller decides when to retry.
    maxRetries: 0,
    // At its debug level the SDK logs whole responses.
    logLevel: "off",
    // A redirect would send the API key to another host.
    fetchOptions: { redirect: "error" },
  });
  return async (name, schema, call) => {
    // The SDK's own timeout ends when the headers arrive; this one covers the body too.
    const response = await call(client, { signal: AbortSignal.timeout(timeoutMs) }).catch(
      (error: unknown) => {
        throw lithicError(name, error, clock);
      },
    );
    return parseLithicPayload(name, schema, response);
  };
}

/** Lithic's idempotency keys are UUIDs, so this is a hash in the form of a UUID (version 8 of RFC 9562). */
export function idempotencyKey(name: string): string {
  const digest = hash("sha256", name, "hex");
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-8${digest.slice(13, 16)}-a${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
}
