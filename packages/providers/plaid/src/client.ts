import { Configuration, type CountryCode, PlaidApi, PlaidEnvironments } from "plaid";
import type { z } from "zod";
import type { Access, Institution } from "@purser/banking/ports";
import { answers } from "./responses.ts";
import { PlaidError, plaidError } from "./errors.ts";
import type { PlaidConfig } from "./settings.ts";

type Operation = keyof typeof answers;

/** Calls Plaid. Throws {@link PlaidError} for every answer that is not the one that was asked for. */
export type ApiCall = <O extends Operation>(
  operation: O,
  request: Parameters<PlaidApi[O]>[0],
  signal?: AbortSignal,
) => Promise<z.infer<(typeof answers)[O]>>;

/** What the parts of the adapter share. */
export interface Plaid {
  ask: ApiCall;
  webhookUrl: string;
  clientName: string;
  countryCodes: CountryCode[];
  retryPauseMs: number;
  now(): Date;
  institution(id: string): Promise<Institution>;
  /** The token of an item. Throws if it was erased or belongs to another environment. */
  tokenOf(access: Access): string;
}

type Credentials = Pick<PlaidConfig, "clientId" | "secret" | "environment" | "basePath" | "timeoutMs">;

export function plaidClient(credentials: Credentials): ApiCall {
  const { clientId, secret, environment, timeoutMs = 20_000 } = credentials;
  const basePath = credentials.basePath ?? PlaidEnvironments[environment];
  if (basePath === undefined) throw new Error(`Plaid has no environment ${environment}`);
  const baseOptions = {
    headers: { "PLAID-CLIENT-ID": clientId, "PLAID-SECRET": secret },
    transformResponse: [exactJson],
    // The headers would go along to wherever a redirect leads.
    maxRedirects: 0,
  };
  const api = new PlaidApi(new Configuration({ basePath, baseOptions }));

  return async (operation, request, signal) => {
    const limit = AbortSignal.timeout(timeoutMs);
    const options = { signal: signal ? AbortSignal.any([signal, limit]) : limit };
    const call = api[operation] as (request: unknown, options: object) => Promise<{ data: unknown }>;
    const { data } = await call.call(api, request, options).catch((error: unknown) => {
      throw plaidError(operation, error);
    });
    const answer = answers[operation].safeParse(data);
    if (answer.success) return answer.data as z.infer<(typeof answers)[typeof operation]>;
    const places = answer.error.issues.map(({ path, code }) => `${path.join(".")} ${code}`);
    throw new PlaidError("outage", `${operation} was answered in a form unknown here: ${places.join(", ")}`);
  };
}

/** The fields that hold amounts of money. */
const amounts = new Set(["amount", "available", "current"]);

/**
 * Plaid writes amounts as JSON numbers, of which JavaScript keeps some 15 digits. These fields stay the text that
 * Plaid wrote. What is no JSON, such as a proxy's page about an error, is left to the check of the answer's form.
 */
export function exactJson(text: unknown): unknown {
  if (typeof text !== "string") return text;
  try {
    return JSON.parse(text, (key: string, value: unknown, context?: { source?: string }) =>
      typeof value === "number" && amounts.has(key) ? (context?.source ?? String(value)) : value,
    ) as unknown;
  } catch {
    return text;
  }
}
