// Generated from the contracts of the router and of /api/auth by `pnpm generate`. Edit the contracts instead.

/** The code of a problem. A later server may send codes that are not listed here. */
export type ProblemCode =
  /** 400: The input is not valid. See the issues. */
  | "VALIDATION_FAILED"
  /** 400: The body is not valid JSON. */
  | "MALFORMED_JSON"
  /** 400: A batch holds at most 10 calls. */
  | "BATCH_TOO_LARGE"
  /** 401: Sign in, or present a valid bearer token or API key. */
  | "UNAUTHENTICATED"
  /** 403: Your role does not allow this. */
  | "FORBIDDEN"
  /** 403: A mutation with a session cookie must come from a trusted origin. */
  | "UNTRUSTED_ORIGIN"
  /** 403: Verify your e-mail address first. */
  | "EMAIL_NOT_VERIFIED"
  /** 403: Sign-up requires an invitation. */
  | "SIGN_UP_BY_INVITATION"
  /** 404: There is nothing at this address. */
  | "NOT_FOUND"
  /** 404: There is no such user. */
  | "USER_NOT_FOUND"
  /** 404: There is no such organization. */
  | "ORGANIZATION_NOT_FOUND"
  /** 404: There is no such membership. */
  | "MEMBERSHIP_NOT_FOUND"
  /** 404: There is no such invitation. */
  | "INVITATION_NOT_FOUND"
  /** 404: There is no such API key. */
  | "API_KEY_NOT_FOUND"
  /** 404: There is no such webhook endpoint. */
  | "WEBHOOK_ENDPOINT_NOT_FOUND"
  /** 404: There is no such delivery of a webhook. */
  | "WEBHOOK_DELIVERY_NOT_FOUND"
  /** 404: There is no such event. It may be older than events are kept. */
  | "EVENT_NOT_FOUND"
  /** 404: There is no such institution at this provider. */
  | "INSTITUTION_NOT_FOUND"
  /** 404: There is no such consent for this team and institution. */
  | "CONSENT_NOT_FOUND"
  /** 404: There is no such bank connection. */
  | "CONNECTION_NOT_FOUND"
  /** 404: There is no such bank account. */
  | "BANK_ACCOUNT_NOT_FOUND"
  /** 404: There is no such bank transaction. */
  | "BANK_TRANSACTION_NOT_FOUND"
  /** 404: There is no such entry in the quarantine, or it is resolved. */
  | "QUARANTINE_ENTRY_NOT_FOUND"
  /** 404: There is no such card. */
  | "CARD_NOT_FOUND"
  /** 404: There is no such card policy. */
  | "CARD_POLICY_NOT_FOUND"
  /** 404: There is no such card transaction. */
  | "CARD_TRANSACTION_NOT_FOUND"
  /** 404: There is no such plan, or not with this variant. */
  | "PLAN_NOT_FOUND"
  /** 404: There is no such subscription. */
  | "SUBSCRIPTION_NOT_FOUND"
  /** 404: There is no such checkout, or it has ended. */
  | "CHECKOUT_NOT_FOUND"
  /** 404: There is no such webhook event. */
  | "WEBHOOK_EVENT_NOT_FOUND"
  /** 404: There is no such link, or it has expired. */
  | "LINK_NOT_FOUND"
  /** 405: This address does not support the method. The Allow header lists the supported methods. */
  | "METHOD_NOT_ALLOWED"
  /** 408: The request took too long to arrive. Send it again. */
  | "REQUEST_TIMEOUT"
  /** 409: An organization needs an owner. Make another member an owner first. */
  | "LAST_OWNER"
  /** 409: An owner cannot remove themselves. */
  | "OWNER_CANNOT_LEAVE"
  /** 409: The creator of an organization can be neither removed nor demoted. */
  | "CREATOR_PROTECTED"
  /** 409: This person is already a member. */
  | "ALREADY_MEMBER"
  /** 409: This invitation has expired. Request a new one. */
  | "INVITATION_EXPIRED"
  /** 409: The organization still has cards, bank connections or a subscription. */
  | "ORGANIZATION_IN_USE"
  /** 409: A sum in this report is beyond ±(2^53−1) minor units, the range of amounts. */
  | "SUM_TOO_LARGE"
  /** 409: The organization has 100 API keys that are valid. */
  | "TOO_MANY_KEYS"
  /** 409: The organization has 20 webhook endpoints. */
  | "TOO_MANY_ENDPOINTS"
  /** 409: The webhook endpoint is disabled, so nothing is sent to it. */
  | "WEBHOOK_ENDPOINT_DISABLED"
  /** 409: These bank accounts cannot be the same account. */
  | "ACCOUNTS_CANNOT_MERGE"
  /** 409: This bank connection is disconnected. */
  | "CONNECTION_DISCONNECTED"
  /** 409: The consent for this bank connection has expired. Renew it at the bank. */
  | "CONSENT_EXPIRED"
  /** 409: The bank requires the account holder to renew the consent. */
  | "REAUTHORIZATION_REQUIRED"
  /** 409: The cardholder is no longer a member of the organization. */
  | "ASSIGNEE_NOT_MEMBER"
  /** 409: The card issuer requires more details of the cardholder. */
  | "CARDHOLDER_DETAILS_REQUIRED"
  /** 409: This card transaction is completed or declined and can no longer change. */
  | "TRANSACTION_FINAL"
  /** 409: This card transaction is not settled yet. Reverse it instead. */
  | "TRANSACTION_NOT_SETTLED"
  /** 409: The amount exceeds the hold. */
  | "AMOUNT_EXCEEDS_HOLD"
  /** 409: The amount exceeds what was cleared and not refunded yet. */
  | "AMOUNT_EXCEEDS_CLEARED"
  /** 409: This card is closed. Closing is final. */
  | "CARD_CLOSED"
  /** 409: This card is frozen. */
  | "CARD_FROZEN"
  /** 409: This card is paused. */
  | "CARD_PAUSED"
  /** 409: This card has expired. */
  | "CARD_EXPIRED"
  /** 409: This card does not support this currency. */
  | "CURRENCY_NOT_SUPPORTED"
  /** 409: The card's policy has not started yet. */
  | "POLICY_NOT_STARTED"
  /** 409: The card's policy has ended. */
  | "POLICY_EXPIRED"
  /** 409: The card's policy does not allow this day of the week. */
  | "DAY_NOT_ALLOWED"
  /** 409: The card's policy does not allow ATM withdrawals. */
  | "ATM_NOT_ALLOWED"
  /** 409: The card's policy does not allow purchases online. */
  | "ONLINE_NOT_ALLOWED"
  /** 409: The card's policy does not allow international purchases. */
  | "INTERNATIONAL_NOT_ALLOWED"
  /** 409: The card's policy does not allow this category of merchants. */
  | "MERCHANT_CATEGORY_NOT_ALLOWED"
  /** 409: The card's policy blocks this merchant category. */
  | "MERCHANT_CATEGORY_BLOCKED"
  /** 409: The card's policy blocks this merchant. */
  | "MERCHANT_BLOCKED"
  /** 409: The card's policy does not allow this merchant. */
  | "MERCHANT_NOT_ALLOWED"
  /** 409: The amount exceeds the card policy's limit per purchase. */
  | "TRANSACTION_LIMIT_EXCEEDED"
  /** 409: The amount exceeds what is left of the card's daily limit. */
  | "DAILY_LIMIT_EXCEEDED"
  /** 409: The amount exceeds what is left of the card's weekly limit. */
  | "WEEKLY_LIMIT_EXCEEDED"
  /** 409: The amount exceeds what is left of the card's monthly limit. */
  | "MONTHLY_LIMIT_EXCEEDED"
  /** 409: The amount exceeds what is left of the card's yearly limit. */
  | "YEARLY_LIMIT_EXCEEDED"
  /** 409: The amount exceeds what is left of the card's limit for all time. */
  | "ALL_TIME_LIMIT_EXCEEDED"
  /** 409: This team already has a subscription. */
  | "ALREADY_SUBSCRIBED"
  /** 409: This subscription has ended. */
  | "SUBSCRIPTION_ENDED"
  /** 409: This id belongs to a subscription of another team. */
  | "SUBSCRIPTION_OF_ANOTHER_TEAM"
  /** 409: Another checkout for this team has replaced this one. */
  | "CHECKOUT_SUPERSEDED"
  /** 409: This idempotency key was already used with a different input. */
  | "IDEMPOTENCY_KEY_REUSED"
  /** 409: The first request with this idempotency key is still running. Try again later. */
  | "IDEMPOTENCY_IN_PROGRESS"
  /** 410: The cursor is older than the events that are kept. */
  | "CURSOR_EXPIRED"
  /** 413: The body is larger than 1 MiB. */
  | "PAYLOAD_TOO_LARGE"
  /** 415: The body must be JSON (Content-Type: application/json). */
  | "UNSUPPORTED_MEDIA_TYPE"
  /** 417: The only supported Expect header is 100-continue. */
  | "EXPECTATION_FAILED"
  /** 429: Too many requests. The Retry-After header says how long to wait. */
  | "RATE_LIMITED"
  /** 431: The request line and the headers are larger than 64 KiB. */
  | "HEADERS_TOO_LARGE"
  /** 500: An internal error occurred. Quote the request id when you report it. */
  | "INTERNAL"
  /** 501: This provider is not configured here. */
  | "PROVIDER_NOT_CONFIGURED"
  /** 501: This provider cannot do that. */
  | "NOT_SUPPORTED_BY_PROVIDER"
  /** 502: The provider did not respond as expected. Nothing was changed; try again later. */
  | "PROVIDER_ERROR"
  /** 503: The service is temporarily unavailable. Try again in a moment. */
  | "UNAVAILABLE";

/** The HTTP status of each code. */
export interface ProblemStatus {
  VALIDATION_FAILED: 400;
  MALFORMED_JSON: 400;
  BATCH_TOO_LARGE: 400;
  UNAUTHENTICATED: 401;
  FORBIDDEN: 403;
  UNTRUSTED_ORIGIN: 403;
  EMAIL_NOT_VERIFIED: 403;
  SIGN_UP_BY_INVITATION: 403;
  NOT_FOUND: 404;
  USER_NOT_FOUND: 404;
  ORGANIZATION_NOT_FOUND: 404;
  MEMBERSHIP_NOT_FOUND: 404;
  INVITATION_NOT_FOUND: 404;
  API_KEY_NOT_FOUND: 404;
  WEBHOOK_ENDPOINT_NOT_FOUND: 404;
  WEBHOOK_DELIVERY_NOT_FOUND: 404;
  EVENT_NOT_FOUND: 404;
  INSTITUTION_NOT_FOUND: 404;
  CONSENT_NOT_FOUND: 404;
  CONNECTION_NOT_FOUND: 404;
  BANK_ACCOUNT_NOT_FOUND: 404;
  BANK_TRANSACTION_NOT_FOUND: 404;
  QUARANTINE_ENTRY_NOT_FOUND: 404;
  CARD_NOT_FOUND: 404;
  CARD_POLICY_NOT_FOUND: 404;
  CARD_TRANSACTION_NOT_FOUND: 404;
  PLAN_NOT_FOUND: 404;
  SUBSCRIPTION_NOT_FOUND: 404;
  CHECKOUT_NOT_FOUND: 404;
  WEBHOOK_EVENT_NOT_FOUND: 404;
  LINK_NOT_FOUND: 404;
  METHOD_NOT_ALLOWED: 405;
  REQUEST_TIMEOUT: 408;
  LAST_OWNER: 409;
  OWNER_CANNOT_LEAVE: 409;
  CREATOR_PROTECTED: 409;
  ALREADY_MEMBER: 409;
  INVITATION_EXPIRED: 409;
  ORGANIZATION_IN_USE: 409;
  SUM_TOO_LARGE: 409;
  TOO_MANY_KEYS: 409;
  TOO_MANY_ENDPOINTS: 409;
  WEBHOOK_ENDPOINT_DISABLED: 409;
  ACCOUNTS_CANNOT_MERGE: 409;
  CONNECTION_DISCONNECTED: 409;
  CONSENT_EXPIRED: 409;
  REAUTHORIZATION_REQUIRED: 409;
  ASSIGNEE_NOT_MEMBER: 409;
  CARDHOLDER_DETAILS_REQUIRED: 409;
  TRANSACTION_FINAL: 409;
  TRANSACTION_NOT_SETTLED: 409;
  AMOUNT_EXCEEDS_HOLD: 409;
  AMOUNT_EXCEEDS_CLEARED: 409;
  CARD_CLOSED: 409;
  CARD_FROZEN: 409;
  CARD_PAUSED: 409;
  CARD_EXPIRED: 409;
  CURRENCY_NOT_SUPPORTED: 409;
  POLICY_NOT_STARTED: 409;
  POLICY_EXPIRED: 409;
  DAY_NOT_ALLOWED: 409;
  ATM_NOT_ALLOWED: 409;
  ONLINE_NOT_ALLOWED: 409;
  INTERNATIONAL_NOT_ALLOWED: 409;
  MERCHANT_CATEGORY_NOT_ALLOWED: 409;
  MERCHANT_CATEGORY_BLOCKED: 409;
  MERCHANT_BLOCKED: 409;
  MERCHANT_NOT_ALLOWED: 409;
  TRANSACTION_LIMIT_EXCEEDED: 409;
  DAILY_LIMIT_EXCEEDED: 409;
  WEEKLY_LIMIT_EXCEEDED: 409;
  MONTHLY_LIMIT_EXCEEDED: 409;
  YEARLY_LIMIT_EXCEEDED: 409;
  ALL_TIME_LIMIT_EXCEEDED: 409;
  ALREADY_SUBSCRIBED: 409;
  SUBSCRIPTION_ENDED: 409;
  SUBSCRIPTION_OF_ANOTHER_TEAM: 409;
  CHECKOUT_SUPERSEDED: 409;
  IDEMPOTENCY_KEY_REUSED: 409;
  IDEMPOTENCY_IN_PROGRESS: 409;
  CURSOR_EXPIRED: 410;
  PAYLOAD_TOO_LARGE: 413;
  UNSUPPORTED_MEDIA_TYPE: 415;
  EXPECTATION_FAILED: 417;
  RATE_LIMITED: 429;
  HEADERS_TOO_LARGE: 431;
  INTERNAL: 500;
  PROVIDER_NOT_CONFIGURED: 501;
  NOT_SUPPORTED_BY_PROVIDER: 501;
  PROVIDER_ERROR: 502;
  UNAVAILABLE: 503;
}
