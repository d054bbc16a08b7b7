import { type PlaidError, PlaidErrorType } from "plaid";

/** The type, HTTP status and message of Plaid's error codes. */
const refusals: Readonly<Record<string, [type: `${PlaidErrorType}`, status: number, message: string]>> = {
  ACCESS_NOT_GRANTED: ["ITEM_ERROR", 400, "access to this product was not granted for the account"],
  ADDITIONAL_CONSENT_REQUIRED: ["INVALID_INPUT", 400, "client does not have user consent for this product"],
  INSTITUTION_DOWN: [
    "INSTITUTION_ERROR",
    400,
    "this institution is not currently responding to this request",
  ],
  INSTITUTION_NOT_AVAILABLE: ["INSTITUTION_ERROR", 400, "this institution is not currently available"],
  INSTITUTION_NOT_ENABLED_IN_ENVIRONMENT: [
    "INSTITUTION_ERROR",
    400,
    "this institution is not enabled in this environment",
  ],
  INSTITUTION_NOT_FOUND: ["INSTITUTION_ERROR", 400, "this institution was not found"],
  INSTITUTION_NOT_RESPONDING: ["INSTITUTION_ERROR", 400, "this institution is not currently responding"],
  INSTITUTION_NO_LONGER_SUPPORTED: ["INSTITUTION_ERROR", 400, "this institution is no longer supported"],
  INSUFFICIENT_CREDENTIALS: ["ITEM_ERROR", 400, "insufficient authorization was granted by the user"],
  INTERNAL_SERVER_ERROR: ["API_ERROR", 500, "an unexpected error occurred"],
  INVALID_ACCESS_TOKEN: ["INVALID_INPUT", 400, "could not find matching access token"],
  INVALID_API_KEYS: ["INVALID_INPUT", 400, "invalid client_id or secret provided"],
  INVALID_CREDENTIALS: ["ITEM_ERROR", 400, "the credentials were not correct"],
  INVALID_FIELD: ["INVALID_REQUEST", 400, "a field is invalid"],
  INVALID_INSTITUTION: ["INVALID_INPUT", 400, "invalid institution_id provided"],
  INVALID_LINK_TOKEN: ["INVALID_INPUT", 400, "link token not found"],
  INVALID_MFA: ["ITEM_ERROR", 400, "the responses were not correct"],
  INVALID_PRODUCT: ["INVALID_INPUT", 400, "client is not authorized to access the following products"],
  INVALID_PUBLIC_TOKEN: ["INVALID_INPUT", 400, "could not find matching public token"],
  INVALID_UPDATED_USERNAME: ["ITEM_ERROR", 400, "the username provided does not match the original"],
  INVALID_WEBHOOK_VERIFICATION_KEY_ID: ["INVALID_INPUT", 400, "invalid key_id provided"],
  ITEM_CONCURRENTLY_DELETED: ["ITEM_ERROR", 400, "the item was deleted during this operation"],
  ITEM_LOCKED: ["ITEM_ERROR", 400, "the account is locked"],
  ITEM_LOGIN_REQUIRED: ["ITEM_ERROR", 400, "the login details of this item have changed"],
  ITEM_NOT_FOUND: ["ITEM_ERROR", 400, "the item you requested cannot be found"],
  ITEM_NOT_SUPPORTED: ["ITEM_ERROR", 400, "this account is not supported"],
  MFA_NOT_SUPPORTED: ["ITEM_ERROR", 400, "this account requires a form of MFA that is not supported"],
  NO_ACCOUNTS: ["ITEM_ERROR", 400, "no valid accounts were found for this item"],
  NO_AUTH_ACCOUNTS: ["ITEM_ERROR", 400, "there are no valid accounts for this item"],
  PASSWORD_RESET_REQUIRED: ["ITEM_ERROR", 400, "a password reset is required"],
  PLANNED_MAINTENANCE: ["API_ERROR", 503, "the Plaid API is temporarily unavailable due to maintenance"],
  PRODUCTS_NOT_SUPPORTED: ["ITEM_ERROR", 400, "these products are not supported by this institution"],
  PRODUCT_NOT_ENABLED: ["ITEM_ERROR", 400, "the product has not been enabled for this item"],
  PRODUCT_NOT_READY: ["ITEM_ERROR", 400, "the requested product is not yet ready"],
  PRODUCT_UNAVAILABLE: ["ITEM_ERROR", 400, "the requested product is unavailable"],
  RATE_LIMIT: ["RATE_LIMIT_EXCEEDED", 429, "rate limit exceeded"],
  TRANSACTIONS_SYNC_LIMIT: ["RATE_LIMIT_EXCEEDED", 400, "rate limit exceeded for attempts to access this"],
  TRANSACTIONS_SYNC_MUTATION_DURING_PAGINATION: [
    "TRANSACTIONS_ERROR",
    400,
    "Underlying transaction data changed since last page was fetched. Please restart pagination from last update.",
  ],
  UNAUTHORIZED_INSTITUTION: ["INSTITUTION_ERROR", 400, "not authorized to access this institution"],
  UNAUTHORIZED_ROUTE_ACCESS: ["INVALID_INPUT", 400, "not authorized to access this route"],
  USER_INPUT_TIMEOUT: ["ITEM_ERROR", 400, "user input was not received in time"],
  USER_PERMISSION_REVOKED: ["ITEM_ERROR", 400, "the holder of this account has revoked their permission"],
  USER_SETUP_REQUIRED: ["ITEM_ERROR", 400, "the account has not been fully set up"],
};

/** A route throws this to return an error response. */
export class PlaidRefusal extends Error {
  readonly code: string;

  constructor(code: string, message?: string) {
    super(message ?? refusals[code]?.[2] ?? code);
    this.code = code;
  }
}

export function refusalBody(
  { code, message }: PlaidRefusal,
  requestId: string,
): { status: number; body: PlaidError } {
  const [type, status] = refusals[code] ?? ["API_ERROR", 500];
  const body: PlaidError = {
    display_message: null,
    documentation_url: "https://plaid.com/docs/?ref=error",
    error_code: code,
    error_message: message,
    error_type: Object.values(PlaidErrorType).find((known: string) => known === type)!,
    request_id: requestId,
    suggested_action: null,
  };
  return { status, body };
}
