import { vendorContract } from "@purser/vendor-contract";
import type { Lithic } from "lithic";

/** The operations in use, in the SDK's types. */
export interface LithicOperations {
  "POST /v1/cards": { request: Omit<Lithic.CardCreateParams, "Idempotency-Key">; response: Lithic.Card };
  "GET /v1/cards/{card_token}": { response: Lithic.Card };
  "PATCH /v1/cards/{card_token}": { request: Lithic.CardUpdateParams; response: Lithic.Card };
}

/** The webhooks in use, in the SDK's types. */
export interface LithicWebhooks {
  "card_authorization.approval_request": Lithic.CardAuthorizationApprovalRequestWebhookEvent;
  "card_transaction.updated": Lithic.CardTransactionUpdatedWebhookEvent;
}

export const lithicContract = vendorContract<keyof LithicWebhooks>("lithic");
