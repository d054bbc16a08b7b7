import { type Clock, errorText } from "@purser/core";
import { Stripe } from "stripe";
import { type AreaErrorClass, adapterErrors, retryAfter } from "@purser/platform/providers";

type SdkError = InstanceType<typeof Stripe.errors.StripeError>;
type Kind<NotFound extends string> = "outage" | "rate_limited" | "refused" | NotFound;

/** Stripe's errors as an area's own; `notFound` is the area's word for what Stripe has none of. */
export function stripeErrors<E extends Error, NotFound extends string>(
  Failure: AreaErrorClass<E, Kind<NotFound>>,
  notFound: NotFound,
) {
  const { noAnswer, readable } = adapterErrors("Stripe", Failure);
  return {
    readable,
    /**
     * The error that a failed call of the SDK stands for. The SDK's own is not kept as the cause: it carries the
     * request, and may carry whatever Stripe has answered.
     */
    stripeError: (call: string, error: unknown, clock: Clock): E => {
      // An answer that the SDK stumbles over.
      if (!(error instanceof Stripe.errors.StripeError)) return noAnswer(call, error);
      const message = `Stripe, ${call}: ${described(error)}`;
      return new Failure(kindOf(error, notFound), message, retryAfter(error.headers?.["retry-after"], clock));
    },
  };
}

function kindOf<NotFound extends string>(error: SdkError, notFound: NotFound): Kind<NotFound> {
  if (error instanceof Stripe.errors.StripeRateLimitError) return "rate_limited";
  if (error.statusCode === 404 || error.code === "resource_missing") return notFound;
  // What nobody here can mend, such as wrong API keys, is an outage, as is a repeat of a call that still runs (409).
  const isFinal =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeIdempotencyError ||
    error instanceof Stripe.errors.StripeCardError;
  return isFinal ? "refused" : "outage";
}

/** Stripe's words, as far as they have the form they should. */
function described({ type, statusCode, rawType, code, param, requestId, message }: SdkError): string {
  const word = /^[a-z_[\].]{1,80}$/;
  return [
    statusCode === undefined ? type : String(statusCode),
    word.test(rawType ?? "") ? ` ${rawType}` : "",
    word.test(code ?? "") ? ` ${code}` : "",
    word.test(param ?? "") ? ` (${param})` : "",
    /^req_[A-Za-z0-9]{1,40}$/.test(requestId ?? "") ? `, request ${requestId}` : "",
    // Whatever it quotes: without digits there is neither a card number nor a CVV in it.
    message ? `: ${errorText(message).replaceAll(/\d/g, "#")}` : "",
  ].join("");
}
