import { BankError, type BankErrorKind } from "@purser/banking/ports";
import { redact } from "@purser/core";
import { z } from "zod";

/** A failed request. */
export class PlaidError extends BankError {
  /** Plaid's `error_code`; null if there was no error response. */
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

/** Codes of an item that Plaid has deleted. */
const deletedCodes = new Set(["ITEM_CONCURRENTLY_DELETED", "ITEM_NOT_FOUND"]);

/**
 * Codes after which Plaid does not read the bank with this token. The token may work again: after an update mode that restores
 * what the person revoked, or once the service has the credentials of the account that linked the item.
 */
const endCodes = new Set([...deletedCodes, "INVALID_ACCESS_TOKEN", "USER_PERMISSION_REVOKED"]);

const kinds: Readonly<Record<string, BankErrorKind>> = {
  ...kindFor("reauthorization_required", [
    ...endCodes,
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
    "USER_INPUT_TIMEOUT",
    "USER_SETUP_REQUIRED",
  ]),
  ...kindFor("consent_not_found", ["INVALID_LINK_TOKEN", "INVALID_PUBLIC_TOKEN"]),
  ...kindFor("institution_not_found", ["INSTITUTION_NOT_FOUND", "INVALID_INSTITUTION"]),
  ...kindFor("not_supported", [
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
  ...kindFor("mutated", ["TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION"]),
  ...kindFor("not_ready", ["PRODUCT_NOT_READY"]),
};

/** Whether this code means that Plaid does not read the bank with this token. */
export function endsConsent(code: string | null): boolean {
  return code !== null && endCodes.has(code);
}

/** Whether this code means that the item is gone for good, so that its token is of no use. */
export function isItemDeleted(code: string | null): boolean {
  return code !== null && deletedCodes.has(code);
}

/** Whether this error means that Plaid does not name an institution: not any more, or not in `PLAID_COUNTRIES`. */
export const isUnnamedInstitution = (error: unknown): boolean =>
  BankError.is(error, "institution_not_found") ||
  (error instanceof PlaidError && error.code === "INSTITUTION_NO_LONGER_SUPPORTED");

/** Maps an error code. Unknown codes, and those that only an operator can fix, are outages. */
export function plaidErrorKind(code: string): BankErrorKind {
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
 * Translates a failed request. Throws every other error unchanged, because it is a bug of ours. The SDK's error is not
 * the cause of the new one: it carries the request, with our secret and the item's token.
 */
export function plaidError(operation: string, error: unknown): PlaidError {
  const failure = Failure.safeParse(error);
  if (!failure.success) throw error;
  const refusal = Refusal.safeParse(error).data?.response;
  if (refusal === undefined) {
    return new PlaidError("outage", `${operation} has no response: ${failure.data.code ?? "unknown"}`);
  }
  const retryAfterSeconds = refusal.headers["retry-after"];
  const options = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  const body = Body.safeParse(error).data?.response.data;
  if (body === undefined) {
    const kind = refusal.status === 429 ? "rate_limited" : "outage";
    return new PlaidError(kind, `${operation} returned ${refusal.status}`, options);
  }
  const { error_type: type, error_code: code, error_message: message, request_id: request } = body;
  const details = `${type} ${code}, ${redact(message ?? "")} (request ${request ?? "unknown"})`;
  const kind = responseKind(type, code, message ?? "");
  return new PlaidError(kind, `${operation}: ${details}`, { ...options, code });
}

function responseKind(type: string, code: string, message: string): BankErrorKind {
  if (type === "RATE_LIMIT_EXCEEDED") return "rate_limited";
  // Plaid has no own code for a cursor that is unknown or belongs to another item.
  if (code === "INVALID_FIELD" && /\bcursor\b/.test(message)) return "cursor_lost";
  return plaidErrorKind(code);
}

function kindFor(kind: BankErrorKind, list: string[]): Record<string, BankErrorKind> {
  return Object.fromEntries(list.map((code) => [code, kind]));
}
