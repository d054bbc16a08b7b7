import {
  type CardIssuer,
  type CardRequest,
  type CardStatus,
  type IssuedCard,
  IssuerError,
  type IssuerWebhooks,
} from "@purser/cards/ports";
import { type StripeCall, createStripeClient } from "../client.ts";
import type { BillingAddress, StripeIssuingConfig } from "../settings.ts";
import { ensureCardholder, hasStripeDetail, updateStripeCardholder } from "./cardholder.ts";
import { stripeCardDisplay } from "./display.ts";
import { isDisputeEvent, stripeDisputeReader } from "./disputes.ts";
import { isStoredFailure, issuingErrors } from "./errors.ts";
import {
  StripeCard,
  StripeCards,
  issuedCard,
  readBlockedStripeCardholder,
  readStripeCardStatus,
  stripeStatus,
} from "./mapping.ts";
import { stripeAuthorizationRequests } from "./requests.ts";
import { readEarlierStripeRequests, readStripeEvent } from "./transactions.ts";

/** Issues virtual cards through Stripe Issuing. `timeoutMs` limits each request; default: 20 seconds. */
export function stripeIssuer(config: StripeIssuingConfig): CardIssuer {
  const { currencies = ["EUR", "GBP", "USD"], timeoutMs = 20_000, billingAddress, webhookSecrets } = config;
  const { requiredDetails = [], publishableKey } = config;
  const { call } = createStripeClient({ ...config, timeoutMs }, issuingErrors);
  return {
    name: "stripe",
    display: publishableKey === undefined ? null : stripeCardDisplay(call, publishableKey),
    supports: (currency) => currencies.includes(currency),
    missingDetails: (details) => requiredDetails.filter((name) => !hasStripeDetail(details, name)),
    updateCardholder: (reference, holder) => updateStripeCardholder(call, reference, holder),
    createCard: (request) => createCard(call, billingAddress, request),
    setStatus: (reference, status) => setStatus(call, reference, status),
    // An update of a card takes no cardholder (SDK, `Issuing.CardUpdateParams`).
    setCardholder: null,
    webhooks: stripeIssuingWebhooks(webhookSecrets, call),
  };
}

/**
 * Requests that wait for a decision are read by {@link stripeAuthorizationRequests}, all other events by
 * {@link readStripeEvent}.
 */
export function stripeIssuingWebhooks(secrets: readonly string[], call: StripeCall): IssuerWebhooks {
  const readDispute = stripeDisputeReader(call);
  return {
    ...stripeAuthorizationRequests(secrets),
    readEarlier: readEarlierStripeRequests,
    read: (event) => (isDisputeEvent(event.type) ? readDispute(event) : readStripeEvent(event)),
    readStatus: readStripeCardStatus,
    readBlockedCardholder: readBlockedStripeCardholder,
  };
}

/**
 * A card without a limit of its own gets Stripe's default of 500 USD a day, which declines before we are asked, whatever
 * the policy says. This one never binds: Stripe declines more than 10,000 USD in any case.
 */
const spendingControls = { spending_limits: [{ amount: 1_000_000, interval: "per_authorization" }] };

async function createCard(
  call: StripeCall,
  billingAddress: BillingAddress,
  request: CardRequest,
): Promise<IssuedCard> {
  const { cardId, organizationId, currency, memo, isAbandoned = false } = request;
  // The person may have removed what Stripe requires, or be known to Stripe by another email address.
  const abandoned = isAbandoned ? await findNewCard(call, { cardId }) : undefined;
  if (abandoned !== undefined) return issuedCard(abandoned);
  const cardholder = await ensureCardholder(call, billingAddress, request);
  const fields = {
    cardholder,
    currency: currency.toLowerCase(),
    type: "virtual",
    status: "active",
    spending_controls: spendingControls,
    metadata: { purser_card: cardId, purser_organization: organizationId, memo: memo.slice(0, 500) },
  };
  // Stripe stores keys for at least 24 hours, longer than the area retries the creation of a card.
  const idempotencyKey = `purser:card:${cardId}`;
  try {
    // Without `expand` the response holds neither number nor CVC.
    const card = await call("cards.create", StripeCard, (stripe, options) =>
      stripe.issuing.cards.create(fields, { ...options, idempotencyKey }),
    );
    return issuedCard(card);
  } catch (error) {
    // Stripe refuses a key that another version of the service has used with other parameters. Then the card is there.
    const mayBeMade = isStoredFailure(error) || IssuerError.is(error, "refused");
    const made = mayBeMade ? await findNewCard(call, { cardholder, cardId }) : undefined;
    if (made === undefined) throw error;
    return issuedCard(made);
  }
}

/** Finds a card among the newest ones of its cardholder, or of the account. */
async function findNewCard(
  call: StripeCall,
  { cardId, ...cardholder }: { cardId: string; cardholder?: string },
) {
  const { data } = await call("cards.list", StripeCards, (stripe, options) =>
    stripe.issuing.cards.list({ ...cardholder, limit: 100 }, options),
  );
  return data.find(({ metadata }) => metadata["purser_card"] === cardId);
}

/** Without an idempotency key: Stripe would replay its response although another status has been set since. */
async function setStatus(call: StripeCall, reference: string, status: CardStatus): Promise<void> {
  try {
    await call("cards.update", StripeCard, (stripe, options) =>
      stripe.issuing.cards.update(reference, { status: stripeStatus[status] }, options),
    );
  } catch (error) {
    if (!IssuerError.is(error, "refused")) throw error;
    // Stripe refuses every change of a canceled card, also to `canceled`.
    const card = await call("cards.retrieve", StripeCard, (stripe, options) =>
      stripe.issuing.cards.retrieve(reference, {}, options),
    );
    if (card.status !== "canceled") throw error;
    if (status !== "CLOSED") throw new IssuerError("card_not_found", "Stripe has canceled the card");
  }
}
