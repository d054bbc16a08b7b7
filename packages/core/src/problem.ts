import type { z } from "zod";
import { definedFields } from "./defined-fields.ts";
import { type Issue, issuesOf, summaryOf } from "./issue.ts";

const renewConsent =
  "A page of the bank renews it. Get its address with POST /api/banking/link and its connectionId.";

/**
 * Every error that a caller can receive: its HTTP status, its public sentence, and advice where there is some. Codes are
 * stable. Sentences are for people and may be reworded.
 */
export const problemCatalog = {
  VALIDATION_FAILED: [400, "The input is not valid. See the issues."],
  MALFORMED_JSON: [400, "The body is not valid JSON."],
  BATCH_TOO_LARGE: [
    400,
    "A batch holds at most 10 calls.",
    { help: "Set maxItems: 10 on httpBatchLink. The client of Purser splits by itself." },
  ],
  UNAUTHENTICATED: [
    401,
    "Sign in, or present a valid bearer token or API key.",
    {
      help: "The bearer token is the header set-auth-token of a sign-in (POST /api/auth/sign-in/email), not the token in its body. An API key goes in the header x-api-key; an owner creates one with POST /api/keys. Both can expire.",
    },
  ],
  FORBIDDEN: [403, "Your role does not allow this.", { help: "Ask an owner of the organization." }],
  UNTRUSTED_ORIGIN: [
    403,
    "A mutation with a session cookie must come from a trusted origin.",
    { help: "Add the front end's origin to TRUSTED_ORIGINS, or send a bearer token instead of the cookie." },
  ],
  EMAIL_NOT_VERIFIED: [
    403,
    "Verify your e-mail address first.",
    { help: "Open the link in the mail. POST /api/auth/send-verification-email sends another." },
  ],
  SIGN_UP_BY_INVITATION: [
    403,
    "Sign-up requires an invitation.",
    { help: "Open the link in the invitation's mail." },
  ],
  NOT_FOUND: [404, "There is nothing at this address.", { help: "The page /docs lists every operation." }],
  USER_NOT_FOUND: [404, "There is no such user."],
  ORGANIZATION_NOT_FOUND: [
    404,
    "There is no such organization.",
    {
      help: "GET /api/organizations lists the organizations that a user is a member of. A key belongs to one organization, which POST /api/keys named.",
    },
  ],
  MEMBERSHIP_NOT_FOUND: [
    404,
    "There is no such membership.",
    { help: "A membership's id is not the user's id. The list of members has both." },
  ],
  INVITATION_NOT_FOUND: [404, "There is no such invitation."],
  API_KEY_NOT_FOUND: [404, "There is no such API key."],
  WEBHOOK_ENDPOINT_NOT_FOUND: [404, "There is no such webhook endpoint."],
  WEBHOOK_DELIVERY_NOT_FOUND: [404, "There is no such delivery of a webhook."],
  EVENT_NOT_FOUND: [404, "There is no such event. It may be older than events are kept."],
  INSTITUTION_NOT_FOUND: [404, "There is no such institution at this provider."],
  CONSENT_NOT_FOUND: [404, "There is no such consent for this team and institution."],
  CONNECTION_NOT_FOUND: [404, "There is no such bank connection."],
  BANK_ACCOUNT_NOT_FOUND: [404, "There is no such bank account."],
  BANK_TRANSACTION_NOT_FOUND: [404, "There is no such bank transaction."],
  QUARANTINE_ENTRY_NOT_FOUND: [404, "There is no such entry in the quarantine, or it is resolved."],
  CARD_NOT_FOUND: [404, "There is no such card."],
  CARD_POLICY_NOT_FOUND: [404, "There is no such card policy."],
  CARD_TRANSACTION_NOT_FOUND: [404, "There is no such card transaction."],
  PLAN_NOT_FOUND: [
    404,
    "There is no such plan, or not with this variant.",
    { help: "GET /api/billing/plans lists the plans with their variants." },
  ],
  SUBSCRIPTION_NOT_FOUND: [404, "There is no such subscription."],
  CHECKOUT_NOT_FOUND: [404, "There is no such checkout, or it has ended."],
  WEBHOOK_EVENT_NOT_FOUND: [404, "There is no such webhook event."],
  LINK_NOT_FOUND: [404, "There is no such link, or it has expired."],
  METHOD_NOT_ALLOWED: [
    405,
    "This address does not support the method. The Allow header lists the supported methods.",
  ],
  REQUEST_TIMEOUT: [408, "The request took too long to arrive. Send it again.", { retryable: true }],
  LAST_OWNER: [409, "An organization needs an owner. Make another member an owner first."],
  OWNER_CANNOT_LEAVE: [409, "An owner cannot remove themselves."],
  CREATOR_PROTECTED: [409, "The creator of an organization can be neither removed nor demoted."],
  ALREADY_MEMBER: [409, "This person is already a member."],
  INVITATION_EXPIRED: [409, "This invitation has expired. Request a new one."],
  ORGANIZATION_IN_USE: [
    409,
    "The organization still has cards, bank connections or a subscription.",
    { help: "Close the cards and disconnect the banks. A canceled subscription must have ended." },
  ],
  SUM_TOO_LARGE: [
    409,
    "A sum in this report is beyond ±(2^53−1) minor units, the range of amounts.",
    { help: "Request fewer days or a shorter interval, or only one account." },
  ],
  TOO_MANY_KEYS: [409, "The organization has 100 API keys that are valid.", { help: "Revoke one first." }],
  TOO_MANY_ENDPOINTS: [
    409,
    "The organization has 20 webhook endpoints.",
    { help: "Delete one first, or let one endpoint receive more types of events." },
  ],
  WEBHOOK_ENDPOINT_DISABLED: [
    409,
    "The webhook endpoint is disabled, so nothing is sent to it.",
    { help: "Enable it with PATCH /api/webhook-endpoints/{id} and the status ENABLED." },
  ],
  ACCOUNTS_CANNOT_MERGE: [409, "These bank accounts cannot be the same account."],
  CONNECTION_DISCONNECTED: [409, "This bank connection is disconnected."],
  CONSENT_EXPIRED: [
    409,
    "The consent for this bank connection has expired. Renew it at the bank.",
    { help: renewConsent },
  ],
  REAUTHORIZATION_REQUIRED: [
    409,
    "The bank requires the account holder to renew the consent.",
    { help: renewConsent },
  ],
  ASSIGNEE_NOT_MEMBER: [409, "The cardholder is no longer a member of the organization."],
  CARDHOLDER_DETAILS_REQUIRED: [
    409,
    "The card issuer requires more details of the cardholder.",
    { help: "The holder enters them with PATCH /api/cards/cardholder." },
  ],
  TRANSACTION_FINAL: [409, "This card transaction is completed or declined and can no longer change."],
  TRANSACTION_NOT_SETTLED: [409, "This card transaction is not settled yet. Reverse it instead."],
  AMOUNT_EXCEEDS_HOLD: [409, "The amount exceeds the hold."],
  AMOUNT_EXCEEDS_CLEARED: [409, "The amount exceeds what was cleared and not refunded yet."],
  // An increment is refused for the same reasons for which a purchase is declined.
  CARD_CLOSED: [409, "This card is closed. Closing is final."],
  CARD_FROZEN: [409, "This card is frozen."],
  CARD_PAUSED: [409, "This card is paused."],
  CARD_EXPIRED: [409, "This card has expired."],
  CURRENCY_NOT_SUPPORTED: [409, "This card does not support this currency."],
  POLICY_NOT_STARTED: [409, "The card's policy has not started yet."],
  POLICY_EXPIRED: [409, "The card's policy has ended."],
  DAY_NOT_ALLOWED: [409, "The card's policy does not allow this day of the week."],
  ATM_NOT_ALLOWED: [409, "The card's policy does not allow ATM withdrawals."],
  ONLINE_NOT_ALLOWED: [409, "The card's policy does not allow purchases online."],
  INTERNATIONAL_NOT_ALLOWED: [409, "The card's policy does not allow international purchases."],
  MERCHANT_CATEGORY_NOT_ALLOWED: [409, "The card's policy does not allow this category of merchants."],
  MERCHANT_CATEGORY_BLOCKED: [409, "The card's policy blocks this merchant category."],
  MERCHANT_BLOCKED: [409, "The card's policy blocks this merchant."],
  MERCHANT_NOT_ALLOWED: [409, "The card's policy does not allow this merchant."],
  TRANSACTION_LIMIT_EXCEEDED: [409, "The amount exceeds the card policy's limit per purchase."],
  DAILY_LIMIT_EXCEEDED: [409, "The amount exceeds what is left of the card's daily limit."],
  WEEKLY_LIMIT_EXCEEDED: [409, "The amount exceeds what is left of the card's weekly limit."],
  MONTHLY_LIMIT_EXCEEDED: [409, "The amount exceeds what is left of the card's monthly limit."],
  YEARLY_LIMIT_EXCEEDED: [409, "The amount exceeds what is left of the card's yearly limit."],
  ALL_TIME_LIMIT_EXCEEDED: [409, "The amount exceeds what is left of the card's limit for all time."],
  ALREADY_SUBSCRIBED: [
    409,
    "This team already has a subscription.",
    {
      help: "GET /api/organizations/{id}/subscription shows it. The team can subscribe again once it has ended.",
    },
  ],
  SUBSCRIPTION_ENDED: [409, "This subscription has ended."],
  SUBSCRIPTION_OF_ANOTHER_TEAM: [409, "This id belongs to a subscription of another team."],
  CHECKOUT_SUPERSEDED: [409, "Another checkout for this team has replaced this one."],
  IDEMPOTENCY_KEY_REUSED: [
    409,
    "This idempotency key was already used with a different input.",
    { help: "Use a new key for each operation, and the same key only to repeat one." },
  ],
  IDEMPOTENCY_IN_PROGRESS: [
    409,
    "The first request with this idempotency key is still running. Try again later.",
    { retryable: true },
  ],
  CURSOR_EXPIRED: [
    410,
    "The cursor is older than the events that are kept.",
    { help: "Read your state again from the lists, and start a new feed without a cursor." },
  ],
  PAYLOAD_TOO_LARGE: [413, "The body is larger than 1 MiB."],
  UNSUPPORTED_MEDIA_TYPE: [415, "The body must be JSON (Content-Type: application/json)."],
  EXPECTATION_FAILED: [417, "The only supported Expect header is 100-continue."],
  RATE_LIMITED: [
    429,
    "Too many requests. The Retry-After header says how long to wait.",
    { retryable: true },
  ],
  HEADERS_TOO_LARGE: [431, "The request line and the headers are larger than 64 KiB."],
  INTERNAL: [500, "An internal error occurred. Quote the request id when you report it."],
  PROVIDER_NOT_CONFIGURED: [
    501,
    "This provider is not configured here.",
    { help: "The operator sets a provider up with its settings." },
  ],
  NOT_SUPPORTED_BY_PROVIDER: [501, "This provider cannot do that."],
  PROVIDER_ERROR: [502, "The provider did not respond as expected. Nothing was changed; try again later."],
  UNAVAILABLE: [503, "The service is temporarily unavailable. Try again in a moment.", { retryable: true }],
} as const satisfies Record<string, readonly [status: number, sentence: string, advice?: Advice]>;

interface Advice {
  /** The same request may succeed later, unchanged. */
  retryable?: true;
  /** What the caller can do about it. */
  help?: string;
}

/** Stable: clients compare it. A new code is a line of the catalog. */
export type ProblemCode = keyof typeof problemCatalog;

interface ProblemOptions {
  /** A public sentence that replaces the catalog's, if the case can say more. */
  detail?: string;
  issues?: Issue[];
  retryAfterSeconds?: number;
  /** Whether the same request may succeed later. Default: what the catalog says. */
  retryable?: boolean;
  /** What the caller can do about it. Default: what the catalog says. */
  help?: string;
  /** Where a person can fix it, for example a bank's page. */
  link?: string;
  /** Never shown to a caller; logged for INTERNAL and UNAVAILABLE. */
  cause?: unknown;
}

/**
 * A foreseen failure, thrown by its name in the catalog. The transport decides its form.
 *
 * @example
 * throw new Problem("CARD_NOT_FOUND");
 */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly issues: Issue[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly retryable: boolean;
  readonly help: string | undefined;
  readonly link: string | undefined;

  constructor(code: ProblemCode, options: ProblemOptions = {}) {
    super(options.detail ?? problemCatalog[code][1], { cause: options.cause });
    this.name = "Problem";
    this.code = code;
    this.issues = options.issues;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.retryable = options.retryable ?? problemAdvice(code).retryable ?? false;
    this.help = options.help ?? problemAdvice(code).help;
    this.link = options.link;
  }

  get status(): number {
    return problemCatalog[this.code][0];
  }
}

/** Returns the catalog's advice on an error. */
export function problemAdvice(code: ProblemCode): Advice {
  const [, , advice = {}]: readonly [number, string, Advice?] = problemCatalog[code];
  return advice;
}

/** Returns the problem for an input that breaks its contract, capped in size: the caller controls how many issues there are. */
export function validationFailed(issues: Issue[]): Problem {
  const shown = issues.slice(0, maxIssues).map(shortened);
  return new Problem("VALIDATION_FAILED", { detail: summaryOf(shown), issues: shown });
}

/** Returns the problem of a field that breaks a rule which its contract cannot state. */
export function invalidField(field: string, message: string): Problem {
  return validationFailed([{ path: [field], code: "custom", message }]);
}

/** Returns the parsed value, or throws VALIDATION_FAILED. `under` is the path of the value in the input. */
export function parseInput<Output>(schema: z.ZodType<Output>, value: unknown, ...under: string[]): Output {
  const { data, error } = schema.safeParse(value);
  if (error) throw validationFailed(issuesOf(error, ...under));
  return data;
}

const maxIssues = 100;
const maxNameLength = 200;
const maxMessageLength = 1000;

/** The caller chooses the names of fields, so they may be as long as the request. */
function shortened({ path, code, message }: Issue): Issue {
  const name = (part: string | number) => (typeof part === "string" ? part.slice(0, maxNameLength) : part);
  return { path: path.map(name), code, message: message.slice(0, maxMessageLength) };
}

/** A problem as callers receive it (RFC 9457): the body of a REST error, and `error.data.problem` over tRPC. */
export interface ProblemDocument {
  type: string;
  title: string;
  status: number;
  detail: string;
  code: ProblemCode;
  requestId: string;
  /** Whether the same request may succeed later, unchanged. */
  retryable: boolean;
  /** What the caller can do about it. */
  help?: string;
  issues?: Issue[];
  /** Where a person can fix it, for example a bank's page. */
  link?: string;
}

/**
 * Returns the body of an error response (RFC 9457). It shows nothing of `cause`.
 *
 * @example
 * problemDocument(new Problem("LAST_OWNER"), "req_…").type; // "/docs/problems#LAST_OWNER"
 */
export function problemDocument(problem: Problem, requestId: string): ProblemDocument {
  const { help, issues, link } = problem;
  const words = problem.code
    .toLowerCase()
    .replaceAll("_", " ")
    .replaceAll(/\b(?:api|atm|json)\b/g, (acronym) => acronym.toUpperCase());
  return {
    type: `/docs/problems#${problem.code}`,
    title: words.charAt(0).toUpperCase() + words.slice(1),
    status: problem.status,
    detail: problem.message,
    code: problem.code,
    requestId,
    retryable: problem.retryable,
    ...definedFields({ help, issues, link }),
  };
}
