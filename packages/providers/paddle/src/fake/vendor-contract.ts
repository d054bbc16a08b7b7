import type {
  CancelSubscription,
  CreateCustomerRequestBody,
  CreateTransactionRequestBody,
  GetPriceQueryParameters,
  ICustomerNotificationResponse,
  ICustomerPortalSessionResponse,
  ICustomerResponse,
  IPriceResponse,
  IProductNotificationResponse,
  IProductResponse,
  ISubscriptionCreatedNotificationResponse,
  ISubscriptionItemNotificationResponse,
  ISubscriptionNotificationResponse,
  ISubscriptionPriceNotificationResponse,
  ISubscriptionResponse,
  ITransactionNotificationResponse,
  ITransactionResponse,
  ListCustomerQueryParameters,
  ListProductQueryParameters,
  ListSubscriptionQueryParameters,
  PauseSubscription,
  ResumeSubscription,
  UpdateCustomerRequestBody,
  UpdateSubscriptionRequestBody,
  UpdateTransactionRequestBody,
} from "@paddle/paddle-node-sdk";
import { type SnakeCased, vendorContract } from "@purser/vendor-contract";

// The SDK keeps its types of the frame around each entity to itself.
interface ResponseMeta {
  request_id: string;
}
interface Pagination {
  per_page: number;
  next: string;
  has_more: boolean;
  estimated_total?: number;
}
interface One<Entity> {
  data: Entity;
  meta: ResponseMeta;
}
interface Page<Entity> {
  data: Entity[];
  meta: ResponseMeta & { pagination: Pagination };
}

/** The operations in use, in the SDK's types. */
export interface PaddleOperations {
  "GET /products": { query: SnakeCased<ListProductQueryParameters>; response: Page<IProductResponse> };
  "GET /prices/{price_id}": { query: SnakeCased<GetPriceQueryParameters>; response: One<IPriceResponse> };
  "GET /customers": { query: SnakeCased<ListCustomerQueryParameters>; response: Page<ICustomerResponse> };
  "POST /customers": { request: SnakeCased<CreateCustomerRequestBody>; response: One<ICustomerResponse> };
  "PATCH /customers/{customer_id}": {
    request: SnakeCased<UpdateCustomerRequestBody>;
    response: One<ICustomerResponse>;
  };
  "POST /customers/{customer_id}/portal-sessions": {
    // The SDK takes the ids as an argument.
    request: { subscription_ids?: string[] };
    response: One<ICustomerPortalSessionResponse>;
  };
  "POST /transactions": {
    request: SnakeCased<CreateTransactionRequestBody>;
    response: One<ITransactionResponse>;
  };
  "GET /transactions/{transaction_id}": { response: One<ITransactionResponse> };
  "PATCH /transactions/{transaction_id}": {
    request: SnakeCased<UpdateTransactionRequestBody>;
    response: One<ITransactionResponse>;
  };
  "GET /subscriptions": {
    query: SnakeCased<ListSubscriptionQueryParameters>;
    response: Page<ISubscriptionResponse>;
  };
  "GET /subscriptions/{subscription_id}": { response: One<ISubscriptionResponse> };
  "PATCH /subscriptions/{subscription_id}": {
    request: SnakeCased<UpdateSubscriptionRequestBody>;
    response: One<ISubscriptionResponse>;
  };
  "POST /subscriptions/{subscription_id}/pause": {
    request: SnakeCased<PauseSubscription>;
    response: One<ISubscriptionResponse>;
  };
  "POST /subscriptions/{subscription_id}/resume": {
    request: SnakeCased<ResumeSubscription>;
    response: One<ISubscriptionResponse>;
  };
  "POST /subscriptions/{subscription_id}/cancel": {
    request: SnakeCased<CancelSubscription>;
    response: One<ISubscriptionResponse>;
  };
}

interface PaddleNotification<Type extends string, Entity> {
  event_id: string;
  event_type: Type;
  occurred_at: string;
  notification_id: string;
  data: Entity;
}
/** Paddle's own example of `subscription.updated` has these times. The SDK's types for events omit them. */
interface WithTimes {
  created_at?: string;
  updated_at?: string;
}
interface EventItem extends Omit<ISubscriptionItemNotificationResponse, "price" | "product"> {
  price: ISubscriptionPriceNotificationResponse & WithTimes;
  product: IProductNotificationResponse & WithTimes;
}
interface EventSubscription extends Omit<ISubscriptionNotificationResponse, "items"> {
  items: EventItem[];
}
interface CreatedSubscription extends Omit<ISubscriptionCreatedNotificationResponse, "items"> {
  items: EventItem[];
}
type SubscriptionEvent<Change extends string> = PaddleNotification<
  `subscription.${Change}`,
  EventSubscription
>;
type TransactionEvent<Change extends string> = PaddleNotification<
  `transaction.${Change}`,
  ITransactionNotificationResponse
>;

/** The webhooks in use, in the SDK's types. */
export interface PaddleWebhooks {
  "customer.created": PaddleNotification<"customer.created", ICustomerNotificationResponse>;
  "customer.updated": PaddleNotification<"customer.updated", ICustomerNotificationResponse>;
  "subscription.created": PaddleNotification<"subscription.created", CreatedSubscription>;
  "subscription.activated": SubscriptionEvent<"activated">;
  "subscription.canceled": SubscriptionEvent<"canceled">;
  "subscription.past_due": SubscriptionEvent<"past_due">;
  "subscription.paused": SubscriptionEvent<"paused">;
  "subscription.trialing": SubscriptionEvent<"trialing">;
  "subscription.updated": SubscriptionEvent<"updated">;
  "transaction.billed": TransactionEvent<"billed">;
  "transaction.canceled": TransactionEvent<"canceled">;
  "transaction.completed": TransactionEvent<"completed">;
  "transaction.created": TransactionEvent<"created">;
  "transaction.paid": TransactionEvent<"paid">;
  "transaction.past_due": TransactionEvent<"past_due">;
  "transaction.payment_failed": TransactionEvent<"payment_failed">;
  "transaction.ready": TransactionEvent<"ready">;
  "transaction.updated": TransactionEvent<"updated">;
}

export const paddleContract = vendorContract<keyof PaddleWebhooks>("paddle");
