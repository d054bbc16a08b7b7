import { type Clock, type ProviderError, errorText } from "@purser/core";
import { type AreaErrorClass, adapterErrors, retryAfter } from "@purser/platform/providers";
import { Stripe } from "stripe";
import type { z } from "zod";

type SdkError = InstanceType<typeof Stripe.errors.StripeError>;
type Kind<NotFound extends string> = "outage" | "rate_limited" | "refused" | NotFound;

export interface StripeErrors {
  /** Validates what Stripe sent. Throws an `outage` that names the invalid fields and none of their values. */
  parsePayload: <T>(what: string, schema: z.ZodType<T>, received: unknown) => T;
  /** Translates what the SDK threw. */
  stripeError: (call: string, error: unknown, clock: Clock) => Error;
}

/** Translates Stripe's errors into an area's error class. `notFound` is the area's kind for a missing object. */
export function stripeErrors<E extends ProviderError<string>, NotFound extends string>(
  Failure: AreaErrorClass<E, Kind<NotFound>>,
  notFound: NotFound,
): StripeErrors {
  const { noResponseError, parsePayload } = adapterErrors("Stripe", Failure);
  return {
    parsePayload,
    // The SDK's error is not the cause of the new one: it carries the request, and possibly the response body.
    stripeError: (call, error, clock) => {
      // The SDK failed to parse a response.
      if (!(error instanceof Stripe.errors.StripeError)) return noResponseError(call, error);
      const message = `Stripe, ${call}: ${describeSdkError(error)}`;
      return new Failure(kindOf(error, notFound), message, {
        ...retryAfter(error.headers?.["retry-after"], clock),
        isStoredAtProvider: isStoredAtProvider(error),
      });
    },
  };
}

function kindOf<NotFound extends string>(error: SdkError, notFound: NotFound): Kind<NotFound> {
  if (error instanceof Stripe.errors.StripeRateLimitError) return "rate_limited";
  if (error.statusCode === 404 || error.code === "resource_missing") return notFound;
  // Everything else passes: an operator replaces a wrong API key, and the first of two concurrent requests with the
  // same idempotency key (409) ends.
  const isFinal =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeIdempotencyError ||
    error instanceof Stripe.errors.StripeCardError;
  return isFinal ? "refused" : "outage";
}

/**
 * Whether Stripe may repeat this response to the same idempotency key: it stores every response once it has begun to execute
 * a request, a 500 included. See https://docs.stripe.com/api/idempotent_requests. It has not begun where a concurrent
 * request holds the key (409), or there are too many requests (429).
 */
function isStoredAtProvider({ statusCode }: SdkError): boolean {
  return statusCode !== undefined && statusCode !== 409 && statusCode !== 429;
}

/** Quotes each field of the error only if it has the documented form. */
function describeSdkError({ type, statusCode, rawType, code, param, requestId, message }: SdkError): string {
  const identifier = /^[a-z_[\].]{1,80}$/;
  return [
    statusCode === undefined ? type : String(statusCode),
    identifier.test(rawType ?? "") ? ` ${rawType}` : "",
    identifier.test(code ?? "") ? ` ${code}` : "",
    identifier.test(param ?? "") ? ` (${param})` : "",
    /^req_[A-Za-z0-9]{1,40}$/.test(requestId ?? "") ? `, request ${requestId}` : "",
    // Without digits the message cannot quote a card number or a CVC.
    message ? `: ${errorText(message).replaceAll(/\d/g, "#")}` : "",
  ].join("");
}
