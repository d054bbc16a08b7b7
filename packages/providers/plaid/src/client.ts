import type { Access, Institution } from "@purser/banking/ports";
import { Configuration, type CountryCode, PlaidApi, PlaidEnvironments } from "plaid";
import type { z } from "zod";
import { PlaidError, plaidError } from "./errors.ts";
import { responseSchemas } from "./responses.ts";
import type { PlaidConfig } from "./settings.ts";

type Operation = keyof typeof responseSchemas;

/** Makes one request and validates the response. Throws {@link PlaidError} for every failure. */
export type PlaidCall = <O extends Operation>(
  operation: O,
  request: Parameters<PlaidApi[O]>[0],
  signal?: AbortSignal,
) => Promise<z.infer<(typeof responseSchemas)[O]>>;

/** What all operations of the adapter need. */
export interface PlaidContext {
  call: PlaidCall;
  webhookUrl: string;
  clientName: string;
  language: string;
  daysRequested: number;
  countryCodes: CountryCode[];
  now(): Date;
  institution(id: string): Promise<Institution>;
  /** Returns the token of an item. Throws `BankError` if it was erased or belongs to another environment. */
  tokenOf(access: Access): string;
}

type Credentials = Pick<PlaidConfig, "clientId" | "secret" | "environment" | "basePath" | "timeoutMs">;

export function createPlaidClient(credentials: Credentials): PlaidCall {
  const { clientId, secret, environment, timeoutMs = 20_000 } = credentials;
  const basePath = credentials.basePath ?? PlaidEnvironments[environment];
  if (basePath === undefined) throw new Error(`Plaid has no environment ${environment}`);
  const baseOptions = {
    headers: { "PLAID-CLIENT-ID": clientId, "PLAID-SECRET": secret },
    transformResponse: [parseExactJson],
    // A redirect would send the credentials to another host.
    maxRedirects: 0,
  };
  const api = new PlaidApi(new Configuration({ basePath, baseOptions }));

  return async (operation, request, signal) => {
    const timeout = AbortSignal.timeout(timeoutMs);
    const options = { signal: signal ? AbortSignal.any([signal, timeout]) : timeout };
    const send = api[operation] as (request: unknown, options: object) => Promise<{ data: unknown }>;
    const { data } = await send.call(api, request, options).catch((error: unknown) => {
      throw plaidError(operation, error);
    });
    const response = responseSchemas[operation].safeParse(data);
    if (response.success) return response.data as z.infer<(typeof responseSchemas)[typeof operation]>;
    const invalid = response.error.issues.map(({ path, code }) => `${path.join(".")} ${code}`);
    throw new PlaidError("outage", `${operation} returned an invalid response: ${invalid.join(", ")}`);
  };
}

/** The fields that hold money. */
const amountFields = new Set(["amount", "available", "current"]);

/**
 * Parses JSON and keeps amounts as text. Plaid writes them as JSON numbers, and a JavaScript number is exact to about 15
 * digits only. Text that is not JSON, such as a proxy's error page, is returned unchanged and fails the validation.
 */
export function parseExactJson(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text, (key: string, value: unknown, context?: { source?: string }) =>
      typeof value === "number" && amountFields.has(key) ? (context?.source ?? String(value)) : value,
    ) as unknown;
  } catch {
    return text;
  }
}
