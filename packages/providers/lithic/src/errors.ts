import { IssuerError, type IssuerErrorKind } from "@purser/cards/ports";
import { type Clock, errorText } from "@purser/core";
import { adapterErrors, retryAfter } from "@purser/platform/providers";
import { APIError } from "lithic";
import { z } from "zod";

const { noResponseError, parsePayload: parseLithicPayload } = adapterErrors("Lithic", IssuerError);
export { parseLithicPayload };

/**
 * Translates a failure of the SDK. The SDK's error is not the cause, because it carries Lithic's whole response, which
 * may contain a card number.
 */
export function lithicError(call: string, error: unknown, clock: Clock): IssuerError {
  if (!(error instanceof APIError) || error.status === undefined) return noResponseError(call, error);
  const message = `Lithic, ${call}: ${error.status}${describeBody(error.error)}`;
  const options = retryAfter(error.headers?.get("retry-after"), clock);
  return new IssuerError(kindOf(error.status), message, options);
}

function kindOf(status: number): IssuerErrorKind {
  if (status === 404) return "card_not_found";
  if (status === 429) return "rate_limited";
  // A wrong API key is an outage, because only the operator can fix it. 409: the first call with this key still runs.
  const isOutage = status >= 500 || [401, 403, 408, 409].includes(status);
  return isOutage ? "outage" : "refused";
}

const ErrorBody = z.object({
  message: z.string().optional().catch(undefined),
  debugging_request_id: z
    .string()
    .regex(/^[\da-f-]{36}$/)
    .optional()
    .catch(undefined),
});

function describeBody(body: unknown): string {
  const { message, debugging_request_id: request } = ErrorBody.safeParse(body).data ?? {};
  return [
    request ? `, request ${request}` : "",
    // The message may quote a card number or CVV, so mask all digits.
    message ? `: ${errorText(message).replaceAll(/\d/g, "#")}` : "",
  ].join("");
}
