import { type Clock, Problem, type ProviderError, type ProviderErrorOptions } from "@purser/core";
import type { z } from "zod";

/** An area's error class for failures of its providers, such as `BillingError`. It has at least these kinds. */
export type AreaErrorClass<E extends ProviderError<string>, Kind extends string> = new (
  kind: Kind,
  message: string,
  options?: ProviderErrorOptions,
) => E;

/** Creates the errors that every adapter has in common. `vendor` starts the message, which is for operators. */
export function adapterErrors<E extends ProviderError<string>>(
  vendor: string,
  Failure: AreaErrorClass<E, "outage">,
) {
  return {
    /**
     * The error of a request without a complete JSON response. The message has only the name of the cause, because its
     * text may quote the response.
     */
    noResponseError: (call: string, error: unknown): E =>
      new Failure("outage", `${vendor}: no response to ${call} (${nameOf(error)})`),

    /**
     * Parses a response or an event of the vendor. If it does not match, throws with the paths and codes of the issues,
     * never with the values.
     */
    parsePayload: <T>(what: string, schema: z.ZodType<T>, payload: unknown): T => {
      const parsed = schema.safeParse(payload);
      if (parsed.success) return parsed.data;
      const message = `${vendor}: cannot parse ${what} (${describeIssues(parsed.error)})`;
      throw new Failure("outage", message, { isStoredAtProvider: true });
    },
  };
}

/** The problem that a caller sees when a provider failed. `retryable` says whether a later retry may succeed. */
export function providerFailure(
  cause: ProviderError<string>,
  { retryable }: { retryable: boolean },
): Problem {
  const { retryAfterSeconds } = cause;
  return new Problem("PROVIDER_ERROR", {
    cause,
    retryable,
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** Lists the paths and codes of the issues, never the values. */
export function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, code }) => `${path.join(".")} ${code}`).join(", ");
}

function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  // Few error classes set a name. A DOMException does: its name is its kind.
  return error.name === "Error" ? error.constructor.name : error.name;
}

/** Reads the header `Retry-After`, seconds or a date. The result has no wait if there is none, or it is neither. */
export function retryAfter(header: string | null | undefined, clock: Clock): { retryAfterSeconds?: number } {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return { retryAfterSeconds: Number(text) };
  // Only the forms of HTTP, of which one is "Monday, 02-Mar-26 …". `Date.parse` also accepts "5 GMT", and dates in local time.
  const isDate = /^[A-Z][a-z]+, \d\d?([ -])[A-Z][a-z]{2}\1(?:\d\d){1,2} \d{2}:\d{2}:\d{2} GMT$/.test(text);
  // The form of C's `asctime`, "Mon Mar  2 …", is in GMT and does not say so.
  const isUnzoned = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/.test(text);
  const until = isDate || isUnzoned ? Date.parse(isDate ? text : `${text} GMT`) : Number.NaN;
  if (Number.isNaN(until)) return {};
  return { retryAfterSeconds: Math.max(0, Math.ceil((until - clock.now().getTime()) / 1000)) };
}
