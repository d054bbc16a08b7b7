import { vendorContract } from "@purser/vendor-contract";
import type { Lithic } from "lithic";

/** The operations in use, in the SDK's types. */
export interface LithicOperations {
  "GET /v1/account_holders": {
    query: Lithic.AccountHolderListParams;
    response: { data: Lithic.AccountHolder[]; has_more: boolean };
  };
  "POST /v1/account_holders": {
    request: Lithic.AccountHolderCreateParams.KYC | Lithic.AccountHolderCreateParams.KYCExempt;
    response: Lithic.AccountHolderCreateResponse;
  };
  "PATCH /v1/account_holders/{account_holder_token}": {
    request: Lithic.AccountHolderUpdateParams.PatchRequest;
    response: Lithic.AccountHolderUpdateResponse.PatchResponse;
  };
  "POST /v1/cards/{card_token}/embed": { request: LithicEmbedSessionRequest; response: LithicEmbedSession };
  "POST /v1/cards": { request: Omit<Lithic.CardCreateParams, "Idempotency-Key">; response: Lithic.Card };
  "GET /v1/cards": {
    query: Lithic.CardListParams;
    response: { data: Lithic.NonPCICard[]; has_more: boolean };
  };
  "GET /v1/cards/{card_token}": { response: Lithic.Card };
  "PATCH /v1/cards/{card_token}": { request: Lithic.CardUpdateParams; response: Lithic.Card };
}

// The SDK has no types for sessions of embeds. These are from the API description.

export interface LithicEmbedSessionRequest {
  type: "CARD_EMBED" | "PIN_SETTING_EMBED";
  target_origin: string;
  expiration: number;
}

export interface LithicEmbedSession {
  session: string;
}

/** The webhooks in use, in the SDK's types. */
export interface LithicWebhooks {
  "card_authorization.approval_request": Lithic.CardAuthorizationApprovalRequestWebhookEvent;
  "card.renewed": Lithic.CardRenewedWebhookEvent;
  "card.updated": Lithic.CardUpdatedWebhookEvent;
  "dispute_transaction.created": Lithic.DisputeTransactionCreatedWebhookEvent;
  "dispute_transaction.updated": Lithic.DisputeTransactionUpdatedWebhookEvent;
  "card_transaction.updated": Lithic.CardTransactionUpdatedWebhookEvent;
}

export const lithicContract = vendorContract<keyof LithicWebhooks>("lithic");
