import { type Clock, errorText } from "@purser/core";
import { APIError } from "lithic";
import { z } from "zod";
import { adapterErrors, retryAfter } from "@purser/platform/providers";
import { IssuerError, type IssuerErrorKind } from "@purser/cards/ports";

const { noAnswer, readable } = adapterErrors("Lithic", IssuerError);
export { readable };

/**
 * The error that a failed call of the SDK stands for. The SDK's own is not kept as the cause: it carries Lithic's
 * whole answer, in which there may be a card number.
 */
export function lithicError(call: string, error: unknown, clock: Clock): IssuerError {
  if (!(error instanceof APIError) || error.status === undefined) return noAnswer(call, error);
  const message = `Lithic, ${call}: ${error.status}${described(error.error)}`;
  const options = retryAfter(error.headers?.get("retry-after"), clock);
  return new IssuerError(kindOf(error.status), message, options);
}

function kindOf(status: number): IssuerErrorKind {
  if (status === 404) return "card_not_found";
  if (status === 429) return "rate_limited";
  // What nobody here can mend, such as wrong API keys, is an outage, as is a repeat of a call that still runs (409).
  const isPassing = status >= 500 || [401, 403, 408, 409].includes(status);
  return isPassing ? "outage" : "refused";
}

const Body = z.object({
  message: z.string().optional().catch(undefined),
  debugging_request_id: z
    .string()
    .regex(/^[\da-f-]{36}$/)
    .optional()
    .catch(undefined),
});

function described(body: unknown): string {
  const { message, debugging_request_id: request } = Body.safeParse(body).data ?? {};
  return [
    request ? `, request ${request}` : "",
    // Whatever it quotes: without digits there is neither a card number nor a CVV in it.
    message ? `: ${errorText(message).replaceAll(/\d/g, "#")}` : "",
  ].join("");
}
