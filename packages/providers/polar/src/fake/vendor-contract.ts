import type { webhooks } from "@polar-sh/sdk/2026-10";
import type { createCheckouts, getCheckouts } from "@polar-sh/sdk/2026-10/services/checkouts";
import type { createCustomerSessions } from "@polar-sh/sdk/2026-10/services/customer_sessions";
import type { createCustomers, getExternalCustomers } from "@polar-sh/sdk/2026-10/services/customers";
import type { listMembers, updateMembers } from "@polar-sh/sdk/2026-10/services/customers/members";
import type { getProducts, listProducts } from "@polar-sh/sdk/2026-10/services/products";
import type {
  getSubscriptions,
  listSubscriptions,
  updateSubscriptions,
} from "@polar-sh/sdk/2026-10/services/subscriptions";
import { vendorContract } from "@purser/vendor-contract";

// The SDK's functions name their types: of the path's id, the query or the body, and the response.
type Get<Call> = Call extends (client: never) => (id: string, ...rest: never) => Promise<infer Response>
  ? { response: Response }
  : never;
type List<Call> = Call extends (
  client: never,
) => (query?: infer Query, ...rest: never) => Promise<infer Response>
  ? { query: Query; response: Response }
  : never;
type ListOf<Call> = Call extends (
  client: never,
) => (id: string, query?: infer Query, ...rest: never) => Promise<infer Response>
  ? { query: Query; response: Response }
  : never;
type Create<Call> = Call extends (
  client: never,
) => (body: infer Body, ...rest: never) => Promise<infer Response>
  ? { request: Body; response: Response }
  : never;
type Update<Call> = Call extends (
  client: never,
) => (id: string, body: infer Body, ...rest: never) => Promise<infer Response>
  ? { request: Body; response: Response }
  : never;
type UpdateIn<Call> = Call extends (
  client: never,
) => (id: string, innerId: string, body: infer Body, ...rest: never) => Promise<infer Response>
  ? { request: Body; response: Response }
  : never;

/** The operations in use, in the SDK's types. */
export interface PolarOperations {
  "GET /v1/products/": List<typeof listProducts>;
  "GET /v1/products/{id}": Get<typeof getProducts>;
  "POST /v1/customers/": Create<typeof createCustomers>;
  "GET /v1/customers/external/{external_id}": Get<typeof getExternalCustomers>;
  "GET /v1/customers/{id}/members": ListOf<typeof listMembers>;
  "PATCH /v1/customers/{id}/members/{member_id}": UpdateIn<typeof updateMembers>;
  "POST /v1/customer-sessions/": Create<typeof createCustomerSessions>;
  "POST /v1/checkouts/": Create<typeof createCheckouts>;
  "GET /v1/checkouts/{id}": Get<typeof getCheckouts>;
  "GET /v1/subscriptions/": List<typeof listSubscriptions>;
  "GET /v1/subscriptions/{id}": Get<typeof getSubscriptions>;
  "PATCH /v1/subscriptions/{id}": Update<typeof updateSubscriptions>;
}

/** The webhooks in use, in the SDK's types. */
export interface PolarWebhooks {
  "checkout.updated": webhooks.WebhookCheckoutUpdatedPayload;
  "order.created": webhooks.WebhookOrderCreatedPayload;
  "order.paid": webhooks.WebhookOrderPaidPayload;
  "product.updated": webhooks.WebhookProductUpdatedPayload;
  "subscription.active": webhooks.WebhookSubscriptionActivePayload;
  "subscription.canceled": webhooks.WebhookSubscriptionCanceledPayload;
  "subscription.created": webhooks.WebhookSubscriptionCreatedPayload;
  "subscription.cycled": webhooks.WebhookSubscriptionCycledPayload;
  "subscription.past_due": webhooks.WebhookSubscriptionPastDuePayload;
  "subscription.revoked": webhooks.WebhookSubscriptionRevokedPayload;
  "subscription.uncanceled": webhooks.WebhookSubscriptionUncanceledPayload;
  "subscription.updated": webhooks.WebhookSubscriptionUpdatedPayload;
}

export const polarContract = vendorContract<keyof PolarWebhooks>("polar");
