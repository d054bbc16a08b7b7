// Generated from the router's contracts by `pnpm generate`; edit those.

/** What went wrong, by the name it has in the catalogue of Purser. A later server may know more of them. */
export type ProblemCode =
  /** 400: The input is not valid; the issues say where. */
  | "VALIDATION_FAILED"
  /** 400: The body is not valid JSON. */
  | "MALFORMED_JSON"
  /** 401: Sign in, or present a valid bearer token or API key. */
  | "UNAUTHENTICATED"
  /** 403: Your role does not allow this. */
  | "FORBIDDEN"
  /** 403: A request signed in by cookie may change something only from a trusted origin. */
  | "UNTRUSTED_ORIGIN"
  /** 403: Verify your e-mail address first. */
  | "EMAIL_NOT_VERIFIED"
  /** 403: Signing up needs an invitation. */
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
  /** 404: There is no such checkout, or it is over. */
  | "CHECKOUT_NOT_FOUND"
  /** 404: There is no such webhook event. */
  | "WEBHOOK_EVENT_NOT_FOUND"
  /** 404: There is no such link, or it has expired. */
  | "LINK_NOT_FOUND"
  /** 405: This address does not take that method; the Allow header lists those it takes. */
  | "METHOD_NOT_ALLOWED"
  /** 409: An organization always has an owner; name another one first. */
  | "LAST_OWNER"
  /** 409: An owner cannot remove themselves. */
  | "OWNER_CANNOT_LEAVE"
  /** 409: The creator of an organization can be neither removed nor demoted. */
  | "CREATOR_PROTECTED"
  /** 409: This person is a member already. */
  | "ALREADY_MEMBER"
  /** 409: This invitation has expired; ask for a new one. */
  | "INVITATION_EXPIRED"
  /** 409: The organization still has cards, bank connections or a subscription. */
  | "ORGANIZATION_IN_USE"
  /** 409: This bank connection is disconnected. */
  | "CONNECTION_DISCONNECTED"
  /** 409: The consent for this bank connection has expired; renew it at the bank. */
  | "CONSENT_EXPIRED"
  /** 409: The bank asks the person to give their consent again. */
  | "REAUTHORIZATION_REQUIRED"
  /** 409: The person whom this card is assigned to is not a member any more. */
  | "ASSIGNEE_NOT_MEMBER"
  /** 409: This card transaction is completed or declined; it does not change any more. */
  | "TRANSACTION_FINAL"
  /** 409: This card transaction is not settled yet; reverse it instead. */
  | "TRANSACTION_NOT_SETTLED"
  /** 409: This is more than is held. */
  | "AMOUNT_EXCEEDS_HOLD"
  /** 409: This is more than was cleared and not refunded yet. */
  | "AMOUNT_EXCEEDS_CLEARED"
  /** 409: This card is closed; that is final. */
  | "CARD_CLOSED"
  /** 409: This card is frozen. */
  | "CARD_FROZEN"
  /** 409: This card is paused. */
  | "CARD_PAUSED"
  /** 409: This card has expired. */
  | "CARD_EXPIRED"
  /** 409: This card is not good for this currency. */
  | "CURRENCY_NOT_SUPPORTED"
  /** 409: The card's policy has not started yet. */
  | "POLICY_NOT_STARTED"
  /** 409: The card's policy has ended. */
  | "POLICY_EXPIRED"
  /** 409: The card's policy does not allow this day of the week. */
  | "DAY_NOT_ALLOWED"
  /** 409: The card's policy does not allow cash machines. */
  | "ATM_NOT_ALLOWED"
  /** 409: The card's policy does not allow purchases online. */
  | "ONLINE_NOT_ALLOWED"
  /** 409: The card's policy does not allow purchases abroad. */
  | "INTERNATIONAL_NOT_ALLOWED"
  /** 409: The card's policy does not allow this category of merchants. */
  | "MERCHANT_CATEGORY_NOT_ALLOWED"
  /** 409: The card's policy blocks this merchant. */
  | "MERCHANT_BLOCKED"
  /** 409: This is more than the card's policy allows for a purchase. */
  | "TRANSACTION_LIMIT_EXCEEDED"
  /** 409: This is more than is left of the card's limit today. */
  | "DAILY_LIMIT_EXCEEDED"
  /** 409: This is more than is left of the card's limit this week. */
  | "WEEKLY_LIMIT_EXCEEDED"
  /** 409: This is more than is left of the card's limit this month. */
  | "MONTHLY_LIMIT_EXCEEDED"
  /** 409: This team has a subscription already. */
  | "ALREADY_SUBSCRIBED"
  /** 409: This subscription has ended; that is final. */
  | "SUBSCRIPTION_ENDED"
  /** 409: A subscription of another team has this id. */
  | "SUBSCRIPTION_OF_ANOTHER_TEAM"
  /** 409: Another checkout was begun for this team meanwhile. */
  | "CHECKOUT_SUPERSEDED"
  /** 409: This idempotency key was used with another input. */
  | "IDEMPOTENCY_KEY_REUSED"
  /** 409: The first request with this idempotency key is still running; repeat later. */
  | "IDEMPOTENCY_IN_PROGRESS"
  /** 413: The body is larger than 1 MiB. */
  | "PAYLOAD_TOO_LARGE"
  /** 415: The body must be JSON (Content-Type: application/json). */
  | "UNSUPPORTED_MEDIA_TYPE"
  /** 429: Too many requests; the Retry-After header says when to go on. */
  | "RATE_LIMITED"
  /** 500: Something went wrong on our side. The request id helps us find it. */
  | "INTERNAL"
  /** 501: This provider is not configured here. */
  | "PROVIDER_NOT_CONFIGURED"
  /** 501: This provider cannot do that. */
  | "NOT_SUPPORTED_BY_PROVIDER"
  /** 502: The provider did not answer as it should; nothing was changed. Repeat later. */
  | "PROVIDER_ERROR"
  /** 503: The service cannot answer right now; repeat in a moment. */
  | "UNAVAILABLE";
