import { extendedHoldEndsAt, merchantOf } from "@purser/cards";
import type { Channel, IssuerWebhooks, RequestMessage, UnreadableRequest } from "@purser/cards/ports";
import { describeIssues, parseWebhookBody } from "@purser/platform/providers";
import { Stripe } from "stripe";
import { z } from "zod";
import { Reference, StripeId, Timestamp } from "../client.ts";
import { verifyStripeSignature } from "../webhooks.ts";

/** Stripe waits for our decision in the response to this event. */
const requestType = "issuing_authorization.request";

/** Verifies Stripe's webhooks, and reads and answers real-time authorization requests. */
export function stripeAuthorizationRequests(
  secrets: readonly string[],
): Omit<IssuerWebhooks, "read" | "readStatus"> {
  return {
    verify: (body, headers, now) => verifyStripeSignature(secrets, body, headers, now),
    isRequest: (type) => type === requestType,
    readRequest: ({ body }) => readStripeRequest(parseWebhookBody(body)),
    formatResponse: (_event, { approved, reason, partialAmount }) => ({
      status: 200,
      headers: { "content-type": "application/json", "Stripe-Version": Stripe.API_VERSION },
      // Stripe stores the metadata on the authorization, so the dashboard shows our reason.
      body: JSON.stringify({
        approved,
        // "If the authorization's pending_request.is_amount_controllable property is true, you can provide this value to
        // control how much to hold" (https://docs.stripe.com/issuing/controls/real-time-authorizations).
        ...(partialAmount !== undefined && { amount: partialAmount }),
        ...(!approved && reason !== null && { metadata: { decline_reason: reason } }),
      }),
    }),
  };
}

export const MerchantData = z
  .object({
    name: z.string().nullish(),
    network_id: z.string().nullish(),
    category_code: z.string().nullish(),
    country: z.string().nullish(),
  })
  .transform(({ name, network_id: id, category_code: category, country }) =>
    merchantOf({ name, id, category, country }),
  );

/** The amount of a pending or decided request. */
const RequestedAmount = z.object({
  // In the currency of the card, not of the merchant. Negative for a credit to the card.
  amount: z.int(),
  currency: z.string().regex(/^[a-z]{3}$/i),
  amount_details: z.object({ atm_fee: z.int().nullish(), cashback_amount: z.int().nullish() }).nullish(),
});

const DecidedRequest = RequestedAmount.extend({
  approved: z.boolean(),
  created: Timestamp,
  reason: z.string(),
});
type DecidedRequest = z.infer<typeof DecidedRequest>;

/**
 * Stripe documents no order, and its times are whole seconds. Requests of one second are in the order of the list, which
 * has the newest first unless it begins with an older one than it ends with.
 */
function oldestFirst(history: DecidedRequest[]): DecidedRequest[] {
  const isAscending = history.length > 0 && history[0]!.created < history.at(-1)!.created;
  const listed = isAscending ? history : history.toReversed();
  return listed.toSorted((one, other) => one.created.getTime() - other.created.getTime());
}

/** The fields that every event about an authorization has. */
export const Authorization = z.object({
  id: StripeId,
  amount: z.int(),
  approved: z.boolean(),
  authorization_method: z.string().nullish(),
  card: Reference,
  card_presence: z.string().nullish(),
  created: Timestamp,
  merchant_data: MerchantData,
  request_history: z.array(DecidedRequest).transform(oldestFirst),
  status: z.string(),
});
export type Authorization = z.infer<typeof Authorization>;

const RequestEvent = z.object({
  created: Timestamp,
  data: z.object({
    object: Authorization.extend({
      pending_request: RequestedAmount.extend({ is_amount_controllable: z.boolean().nullish() }),
    }),
  }),
});

/** Reads the pending request of an authorization. Returns null for a credit to the card. */
export function readStripeRequest(event: unknown): RequestMessage | UnreadableRequest | null {
  const { data: request, error } = RequestEvent.safeParse(event);
  if (request === undefined) return { kind: "unreadable", issues: describeIssues(error) };
  if (request.data.object.pending_request.amount < 0) return null;
  const { pending_request: pending, request_history: earlier } = request.data.object;
  const message = requestMessage(request.data.object, { ...pending, at: request.created, earlier });
  // For an increment, Stripe does not say whether the amount of the response is the addition or the new total.
  if (message.kind === "increment" || pending.is_amount_controllable !== true) return message;
  return { ...message, acceptsPartialApproval: true };
}

interface AuthorizationRequest extends z.infer<typeof RequestedAmount> {
  at: Date;
  /** The requests of the same authorization before this one. */
  earlier: readonly Pick<DecidedRequest, "approved" | "amount">[];
}

/**
 * Maps one request of an authorization. A request has no id at Stripe. Its `networkId` is its position among the
 * requests of its authorization: the pending request and its later entry in `request_history` share nothing else.
 */
export function requestMessage(object: Authorization, request: AuthorizationRequest): RequestMessage {
  const { id: authorization, card, merchant_data: merchant, created } = object;
  const { amount, earlier } = request;
  const common = { networkId: `${authorization}:${earlier.length}`, card, authorization, amount };
  // An incremental authorization. The amount is the addition, not the new total.
  if (earlier.some((one) => one.approved && one.amount > 0)) {
    return { ...common, kind: "increment", at: request.at };
  }
  // After declined requests and verifications of the card, this one is a purchase of its own.
  const at = earlier.length > 0 ? request.at : created;
  return {
    ...common,
    kind: "authorization",
    at,
    currency: request.currency.toUpperCase(),
    merchant,
    channel: channelOf(object, request),
    description: null,
    expiresAt: extendedHoldEndsAt(merchant, at),
  };
}

/** The merchant category of automated cash disbursements. */
const atmCategory = "6011";

function channelOf(
  object: Authorization,
  { amount, amount_details: details }: AuthorizationRequest,
): Channel {
  const { authorization_method: method, card_presence: presence, merchant_data: merchant } = object;
  const fee = details?.atm_fee ?? 0;
  const cash = details?.cashback_amount ?? 0;
  // If only a part is cash, a shop gives cash back.
  if (merchant.category === atmCategory || fee > 0 || (cash > 0 && cash >= amount)) return "atm";
  const isCardRead = method === "chip" || method === "contactless" || method === "swipe";
  return isCardRead && presence !== "not_present" ? "in_store" : "online";
}
