import { ApiError } from "@paddle/paddle-node-sdk";
import { BillingError, type BillingErrorKind } from "@purser/billing/ports";
import { errorText } from "@purser/core";
import { adapterErrors } from "@purser/platform/providers";

const { noResponseError, parsePayload: parsePaddlePayload } = adapterErrors("Paddle", BillingError);
export { parsePaddlePayload };

/**
 * Maps an error of the SDK to a `BillingError`. The SDK's error does not become the cause, because it carries Paddle's
 * whole response.
 */
export function paddleError(call: string, error: unknown): BillingError {
  if (isUnreadable(error)) {
    const message = `Paddle: the SDK cannot parse ${call} (${error.name}${missingField(error)})`;
    return new BillingError("outage", message, { isStoredAtProvider: true });
  }
  if (!(error instanceof ApiError)) return noResponseError(call, error);
  const message = `Paddle, ${call}:${described(error)}`;
  // The SDK parses the header as a number, and returns NaN for a date.
  const seconds = Number.isSafeInteger(error.retryAfter) ? Number(error.retryAfter) : -1;
  return new BillingError(kindOf(error), message, seconds < 0 ? {} : { retryAfterSeconds: seconds });
}

/**
 * The SDK makes objects of its classes from a response, and throws a `TypeError` if the response lacks a list or an
 * object that they read. A failed `fetch` is a `TypeError`, too, but has a cause.
 */
function isUnreadable(error: unknown): error is TypeError {
  return error instanceof TypeError && error.cause === undefined;
}

/** The name in the message of V8, which quotes no values of the response. */
function missingField({ message }: TypeError): string {
  const [, field] = /\(reading '(\w{1,40})'\)$/.exec(message) ?? [];
  return field === undefined ? "" : `, reading ${field}`;
}

/** The codes that are more specific than a refusal. The SDK does not expose the HTTP status. */
const kinds: ReadonlyMap<string, BillingErrorKind> = new Map([
  ["too_many_requests", "rate_limited"],
  ["not_found", "not_found"],
  ["transaction_price_not_found", "not_found"],
  ["transaction_product_not_found", "not_found"],
  ["subscription_update_when_canceled", "ended"],
  ["subscription_is_canceled_action_invalid", "ended"],
  // Problems of the API key or the account's settings, which a caller cannot fix.
  ["authentication_missing", "outage"],
  ["authentication_malformed", "outage"],
  ["invalid_token", "outage"],
  ["forbidden", "outage"],
  ["paddle_billing_not_enabled", "outage"],
  ["transaction_checkout_not_enabled", "outage"],
  ["transaction_default_checkout_url_not_set", "outage"],
  ["transaction_checkout_url_domain_is_not_approved", "outage"],
  // Temporary locks, such as in the half hour before a renewal.
  ["conflict", "outage"],
  ["concurrent_modification", "outage"],
  ["subscription_locked_processing", "outage"],
  ["subscription_locked_renewal", "outage"],
  ["transaction_immutable_while_processing_payment", "outage"],
]);

function kindOf({ code, type }: ApiError): BillingErrorKind {
  return kinds.get(code) ?? (type === "request_error" ? "refused" : "outage");
}

/** Quotes Paddle's codes and detail. Digits are masked, so that no card number can appear. */
function described({ type, code, errors, detail }: ApiError): string {
  const fields = (Array.isArray(errors) ? errors : []).map((error) => error?.field).filter(isWord);
  return [
    isWord(type) ? ` ${type}` : "",
    isWord(code) ? ` ${code}` : "",
    fields.length > 0 ? ` (${fields.slice(0, 5).join(", ")})` : "",
    typeof detail === "string" ? `: ${errorText(detail)}` : "",
  ]
    .join("")
    .replaceAll(/\d/g, "#");
}

function isWord(text: unknown): text is string {
  return typeof text === "string" && /^[a-z_\d[\].]{1,80}$/.test(text);
}
