import { z } from "zod";
import { redact } from "@purser/core";
import { BankError, type BankErrorKind } from "@purser/banking/ports";

/** A failed call of Plaid's API, with Plaid's own code of it where there is one. */
export class PlaidError extends BankError {
  readonly code: string | null;

  constructor(
    kind: BankErrorKind,
    message: string,
    options: { code?: string; retryAfterSeconds?: number } = {},
  ) {
    super(kind, message, options);
    this.code = options.code ?? null;
  }
}

/** Codes after which the consent cannot be used again, whatever the person does with it. */
const ended = new Set([
  "INVALID_ACCESS_TOKEN",
  "ITEM_CONCURRENTLY_DELETED",
  "ITEM_NOT_FOUND",
  "USER_PERMISSION_REVOKED",
]);

const kinds: Readonly<Record<string, BankErrorKind>> = {
  ...codes("reauthorization_required", [
    ...ended,
    "ACCESS_NOT_GRANTED",
    "ADDITIONAL_CONSENT_REQUIRED",
    "INSUFFICIENT_CREDENTIALS",
    "INVALID_CREDENTIALS",
    "INVALID_MFA",
    "INVALID_UPDATED_USERNAME",
    "ITEM_LOCKED",
    "ITEM_LOGIN_REQUIRED",
    "NO_ACCOUNTS",
    "PASSWORD_RESET_REQUIRED",
    "PENDING_DISCONNECT",
    "PENDING_EXPIRATION",
    "USER_INPUT_TIMEOUT",
    "USER_SETUP_REQUIRED",
  ]),
  ...codes("consent_not_found", ["INVALID_LINK_TOKEN", "INVALID_PUBLIC_TOKEN"]),
  ...codes("institution_not_found", ["INSTITUTION_NOT_FOUND", "INVALID_INSTITUTION"]),
  ...codes("not_supported", [
    "INSTITUTION_NOT_ENABLED_IN_ENVIRONMENT",
    "INSTITUTION_NO_LONGER_SUPPORTED",
    "INVALID_PRODUCT",
    "ITEM_NOT_SUPPORTED",
    "MFA_NOT_SUPPORTED",
    "NO_AUTH_ACCOUNTS",
    "PRODUCTS_NOT_SUPPORTED",
    "PRODUCT_NOT_ENABLED",
    "PRODUCT_UNAVAILABLE",
    "UNAUTHORIZED_INSTITUTION",
    "UNAUTHORIZED_ROUTE_ACCESS",
  ]),
  ...codes("mutated", ["TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION"]),
  ...codes("not_ready", ["PRODUCT_NOT_READY"]),
};

/** Whether this code says that the consent has ended at the bank or at Plaid. */
export function isEnd(code: string | null): boolean {
  return code !== null && ended.has(code);
}

/** What Plaid's code of an error stands for. What nobody here can mend, such as wrong API keys, is an outage. */
export function kindOf(code: string): BankErrorKind {
  return kinds[code] ?? "outage";
}

const Failure = z.object({ isAxiosError: z.literal(true), code: z.string().optional() });
const Refusal = z.object({
  response: z.object({
    status: z.number(),
    headers: z.looseObject({ "retry-after": z.coerce.number().int().positive().optional().catch(undefined) }),
  }),
});
const Body = z.object({
  response: z.object({
    data: z.object({
      error_type: z.string(),
      error_code: z.string(),
      error_message: z.string().nullish(),
      request_id: z.string().nullish(),
    }),
  }),
});

/**
 * The error that a failed call stands for; anything that is no failed call is thrown as it is. The SDK's error is not
 * kept as the cause: it carries the whole request, and with it our secret and the item's token.
 */
export function plaidError(operation: string, error: unknown): PlaidError {
  const failure = Failure.safeParse(error);
  if (!failure.success) throw error;
  const refusal = Refusal.safeParse(error).data?.response;
  if (refusal === undefined) {
    return new PlaidError("outage", `${operation} had no answer: ${failure.data.code ?? "unknown"}`);
  }
  const retryAfterSeconds = refusal.headers["retry-after"];
  const options = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  const body = Body.safeParse(error).data?.response.data;
  if (body === undefined) {
    const kind = refusal.status === 429 ? "rate_limited" : "outage";
    return new PlaidError(kind, `${operation} was answered ${refusal.status}`, options);
  }
  const { error_type: type, error_code: code, error_message: message, request_id: request } = body;
  const about = `${type} ${code}, ${redact(message ?? "")} (request ${request ?? "unknown"})`;
  const kind = refusedKind(type, code, message ?? "");
  return new PlaidError(kind, `${operation}: ${about}`, { ...options, code });
}

function refusedKind(type: string, code: string, message: string): BankErrorKind {
  if (type === "RATE_LIMIT_EXCEEDED") return "rate_limited";
  // A cursor of another item, or one that Plaid has forgotten, has no code of its own.
  if (code === "INVALID_FIELD" && /\bcursor\b/.test(message)) return "cursor_lost";
  return kindOf(code);
}

function codes(kind: BankErrorKind, list: string[]): Record<string, BankErrorKind> {
  return Object.fromEntries(list.map((code) => [code, kind]));
}
