import { PendingDisconnectWebhookReason, PlaidErrorType, WebhookEnvironmentValues } from "plaid";
import type { PlaidWebhooks } from "./vendor-contract.ts";

const environment = WebhookEnvironmentValues.Sandbox;
const item_id = "item-1";
const item = { webhook_type: "ITEM", item_id, environment };
const transactions = { webhook_type: "TRANSACTIONS", item_id, environment };

/** One whole webhook of each type that the adapter reads, in the SDK's types. */
export const plaidEvents: PlaidWebhooks = {
  "ITEM.ERROR": {
    ...item,
    webhook_code: "ERROR",
    error: {
      error_type: PlaidErrorType.ItemError,
      error_code: "ITEM_LOGIN_REQUIRED",
      error_message: "the login details of this item have changed",
      display_message: null,
    },
  },
  "ITEM.LOGIN_REPAIRED": { ...item, webhook_code: "LOGIN_REPAIRED" },
  "ITEM.NEW_ACCOUNTS_AVAILABLE": { ...item, webhook_code: "NEW_ACCOUNTS_AVAILABLE" },
  "ITEM.PENDING_DISCONNECT": {
    ...item,
    webhook_code: "PENDING_DISCONNECT",
    reason: PendingDisconnectWebhookReason.TokenExpiration,
    disconnect_time: "2026-03-09T09:00:00Z",
  },
  "ITEM.PENDING_EXPIRATION": {
    ...item,
    webhook_code: "PENDING_EXPIRATION",
    consent_expiration_time: "2026-03-09T09:00:00Z",
  },
  "ITEM.USER_ACCOUNT_REVOKED": { ...item, webhook_code: "USER_ACCOUNT_REVOKED", account_id: "acc-1" },
  "ITEM.USER_PERMISSION_REVOKED": { ...item, webhook_code: "USER_PERMISSION_REVOKED" },
  "LINK.SESSION_FINISHED": {
    webhook_type: "LINK",
    webhook_code: "SESSION_FINISHED",
    status: "SUCCESS",
    link_session_id: "session-1",
    link_token: "link-sandbox-1",
    public_tokens: ["public-sandbox-1"],
    environment,
  },
  "TRANSACTIONS.HISTORICAL_UPDATE": {
    ...transactions,
    webhook_code: "HISTORICAL_UPDATE",
    new_transactions: 1,
  },
  "TRANSACTIONS.INITIAL_UPDATE": { ...transactions, webhook_code: "INITIAL_UPDATE", new_transactions: 1 },
  "TRANSACTIONS.SYNC_UPDATES_AVAILABLE": {
    ...transactions,
    webhook_code: "SYNC_UPDATES_AVAILABLE",
    initial_update_complete: true,
    historical_update_complete: true,
  },
};
