import type { Clock } from "@purser/core";
import { Stripe } from "stripe";
import { errorText } from "../../../platform/secrets/redact.ts";
import { BillingError, type BillingErrorKind } from "../../ports.ts";

/**
 * The error that a failed call of the SDK stands for. The SDK's own is not kept as the cause: it carries the request,
 * and may carry whatever Stripe has answered.
 */
export function stripeError(call: string, error: unknown, clock: Clock): BillingError {
  if (!(error instanceof Stripe.errors.StripeError)) {
    // An answer that the SDK stumbles over. What it says of it may quote it: only the name of the error is told.
    const why = error instanceof Error ? error.constructor.name : typeof error;
    return new BillingError("outage", `Stripe, ${call}: no answer (${why})`);
  }
  const message = `Stripe, ${call}: ${described(error)}`;
  const seconds = retryAfter(error.headers?.["retry-after"], clock);
  return new BillingError(
    kindOf(error),
    message,
    seconds === undefined ? {} : { retryAfterSeconds: seconds },
  );
}

/** An answer that does not hold what it must. `places` are paths and codes, never what was found there. */
export function unreadable(
  what: string,
  issues: readonly { path: PropertyKey[]; code: string }[],
): BillingError {
  const places = issues.map(({ path, code }) => `${path.join(".")} ${code}`).join(", ");
  return new BillingError("outage", `Stripe, ${what}: it cannot be read (${places})`);
}

function kindOf(error: InstanceType<typeof Stripe.errors.StripeError>): BillingErrorKind {
  if (error instanceof Stripe.errors.StripeRateLimitError) return "rate_limited";
  if (error.statusCode === 404 || error.code === "resource_missing") return "not_found";
  // What nobody here can mend, such as wrong API keys, is an outage, as is a repeat of a call that still runs (409).
  const isFinal =
    error instanceof Stripe.errors.StripeInvalidRequestError ||
    error instanceof Stripe.errors.StripeIdempotencyError ||
    error instanceof Stripe.errors.StripeCardError;
  return isFinal ? "refused" : "outage";
}

/** Stripe's words, as far as they have the form they should. */
function described(error: InstanceType<typeof Stripe.errors.StripeError>): string {
  const word = /^[a-z_[\].]{1,80}$/;
  const { statusCode, rawType, code, param, requestId } = error;
  return [
    statusCode === undefined ? error.type : String(statusCode),
    word.test(rawType ?? "") ? ` ${rawType}` : "",
    word.test(code ?? "") ? ` ${code}` : "",
    word.test(param ?? "") ? ` (${param})` : "",
    /^req_[A-Za-z0-9]{1,40}$/.test(requestId ?? "") ? `, request ${requestId}` : "",
    // Whatever it quotes: without digits there is no card number in it.
    error.message ? `: ${errorText(error.message).replaceAll(/\d/g, "#")}` : "",
  ].join("");
}

/** The header's seconds, whether it gives them or an instant. */
function retryAfter(header: string | undefined, clock: Clock): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text);
  // Of other texts the parser makes dates too.
  const until = text.endsWith("GMT") ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? undefined : Math.max(0, Math.ceil((until - clock.now().getTime()) / 1000));
}
