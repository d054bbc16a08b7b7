import { vendorContract } from "@purser/vendor-contract";
import type {
  HistoricalUpdateWebhook,
  InitialUpdateWebhook,
  ItemErrorWebhook,
  ItemLoginRepairedWebhook,
  LinkSessionFinishedWebhook,
  NewAccountsAvailableWebhook,
  PendingDisconnectWebhook,
  PendingExpirationWebhook,
  PlaidApi,
  SyncUpdatesAvailableWebhook,
  UserAccountRevokedWebhook,
  UserPermissionRevokedWebhook,
} from "plaid";

// The SDK's methods name their types: of the request, and the response.
type Call<Method extends keyof PlaidApi> = PlaidApi[Method] extends (
  request: infer Request,
  ...rest: never
) => Promise<{ data: infer Response }>
  ? { request: Request; response: Response }
  : never;

/** The operations in use, in the SDK's types. */
export interface PlaidOperations {
  "POST /accounts/get": Call<"accountsGet">;
  "POST /auth/get": Call<"authGet">;
  "POST /institutions/get": Call<"institutionsGet">;
  "POST /institutions/get_by_id": Call<"institutionsGetById">;
  "POST /institutions/search": Call<"institutionsSearch">;
  "POST /item/get": Call<"itemGet">;
  "POST /item/public_token/exchange": Call<"itemPublicTokenExchange">;
  "POST /item/remove": Call<"itemRemove">;
  "POST /item/webhook/update": Call<"itemWebhookUpdate">;
  "POST /link/token/create": Call<"linkTokenCreate">;
  "POST /link/token/get": Call<"linkTokenGet">;
  "POST /transactions/refresh": Call<"transactionsRefresh">;
  "POST /transactions/sync": Call<"transactionsSync">;
  "POST /webhook_verification_key/get": Call<"webhookVerificationKeyGet">;
}

/** The webhooks that the adapter reads, in the SDK's types. */
export interface PlaidWebhooks {
  "ITEM.ERROR": ItemErrorWebhook;
  "ITEM.LOGIN_REPAIRED": ItemLoginRepairedWebhook;
  "ITEM.NEW_ACCOUNTS_AVAILABLE": NewAccountsAvailableWebhook;
  "ITEM.PENDING_DISCONNECT": PendingDisconnectWebhook;
  "ITEM.PENDING_EXPIRATION": PendingExpirationWebhook;
  "ITEM.USER_ACCOUNT_REVOKED": UserAccountRevokedWebhook;
  "ITEM.USER_PERMISSION_REVOKED": UserPermissionRevokedWebhook;
  "LINK.SESSION_FINISHED": LinkSessionFinishedWebhook;
  "TRANSACTIONS.HISTORICAL_UPDATE": HistoricalUpdateWebhook;
  "TRANSACTIONS.INITIAL_UPDATE": InitialUpdateWebhook;
  "TRANSACTIONS.SYNC_UPDATES_AVAILABLE": SyncUpdatesAvailableWebhook;
}

export const plaidContract = vendorContract<keyof PlaidWebhooks>("plaid");
