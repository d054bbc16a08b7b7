import { vendorContract } from "@purser/vendor-contract";
import type { Stripe } from "stripe";

/** Without the lists that only an expansion includes, whose types reach through all of Stripe. */
type Customer = Omit<Stripe.Customer, "sources" | "subscriptions" | "tax_ids">;
type Invoice = Omit<Stripe.Invoice, "last_finalization_error" | "payments"> & {
  last_finalization_error: null;
};
type InvoiceEvent<Event extends { data: { object: Stripe.Invoice } }> = Omit<Event, "data"> & {
  data: { object: Invoice };
};

interface List<T> {
  response: Stripe.ApiList<T>;
}

/** The operations in use, in the SDK's types. */
export interface StripeOperations {
  "GET /v1/products": { query: Stripe.ProductListParams } & List<Stripe.Product>;
  "GET /v1/prices": { query: Stripe.PriceListParams } & List<Stripe.Price>;
  "GET /v1/prices/{price}": {
    query: Stripe.PriceRetrieveParams;
    // The adapter expands the product.
    response: Stripe.Price & { product: Stripe.Product | Stripe.DeletedProduct };
  };
  "GET /v1/customers": { query: Stripe.CustomerListParams } & List<Customer>;
  "POST /v1/customers": { form: Stripe.CustomerCreateParams; response: Customer };
  "GET /v1/customers/{customer}": { response: Customer | Stripe.DeletedCustomer };
  "POST /v1/customers/{customer}": { form: Stripe.CustomerUpdateParams; response: Customer };
  "POST /v1/checkout/sessions": {
    form: Omit<Stripe.Checkout.SessionCreateParams, "payment_method_options">;
    response: Stripe.Checkout.Session;
  };
  "GET /v1/checkout/sessions/{session}": { response: Stripe.Checkout.Session };
  "POST /v1/checkout/sessions/{session}/expire": { response: Stripe.Checkout.Session };
  "POST /v1/billing_portal/sessions": {
    form: Stripe.BillingPortal.SessionCreateParams;
    response: Stripe.BillingPortal.Session;
  };
  "GET /v1/subscriptions": { query: Stripe.SubscriptionListParams } & List<Stripe.Subscription>;
  "GET /v1/subscriptions/{subscription_exposed_id}": {
    query: Stripe.SubscriptionRetrieveParams;
    // The adapter expands the invoice if its key may.
    response: Omit<Stripe.Subscription, "latest_invoice"> & { latest_invoice: string | Invoice | null };
  };
  "POST /v1/subscriptions/{subscription_exposed_id}": {
    form: Stripe.SubscriptionUpdateParams;
    response: Stripe.Subscription;
  };
  "DELETE /v1/subscriptions/{subscription_exposed_id}": { response: Stripe.Subscription };
  "POST /v1/subscription_schedules/{schedule}/release": { response: Stripe.SubscriptionSchedule };
  "GET /v1/issuing/cardholders": {
    query: Stripe.Issuing.CardholderListParams;
  } & List<Stripe.Issuing.Cardholder>;
  "POST /v1/issuing/cardholders": {
    form: Stripe.Issuing.CardholderCreateParams;
    response: Stripe.Issuing.Cardholder;
  };
  "POST /v1/issuing/cardholders/{cardholder}": {
    form: Stripe.Issuing.CardholderUpdateParams;
    response: Stripe.Issuing.Cardholder;
  };
  "POST /v1/issuing/cards": { form: Stripe.Issuing.CardCreateParams; response: Stripe.Issuing.Card };
  "GET /v1/issuing/cards": { query: Stripe.Issuing.CardListParams } & List<Stripe.Issuing.Card>;
  "GET /v1/issuing/cards/{card}": { response: Stripe.Issuing.Card };
  "POST /v1/ephemeral_keys": { form: Stripe.EphemeralKeyCreateParams; response: Stripe.EphemeralKey };
  "GET /v1/issuing/transactions/{transaction}": { response: Stripe.Issuing.Transaction };
  "POST /v1/issuing/cards/{card}": {
    form: Stripe.Issuing.CardUpdateParams;
    response: Stripe.Issuing.Card;
  };
}

/** The webhooks in use, in the SDK's types. */
export interface StripeWebhooks {
  "checkout.session.completed": Stripe.CheckoutSessionCompletedEvent;
  "customer.subscription.created": Stripe.CustomerSubscriptionCreatedEvent;
  "customer.subscription.updated": Stripe.CustomerSubscriptionUpdatedEvent;
  "customer.subscription.deleted": Stripe.CustomerSubscriptionDeletedEvent;
  "invoice.paid": InvoiceEvent<Stripe.InvoicePaidEvent>;
  "invoice.payment_failed": InvoiceEvent<Stripe.InvoicePaymentFailedEvent>;
  "price.updated": Stripe.PriceUpdatedEvent;
  "product.updated": Stripe.ProductUpdatedEvent;
  "issuing_authorization.request": Stripe.IssuingAuthorizationRequestEvent;
  "issuing_authorization.created": Stripe.IssuingAuthorizationCreatedEvent;
  "issuing_authorization.updated": Stripe.IssuingAuthorizationUpdatedEvent;
  "issuing_card.updated": Stripe.IssuingCardUpdatedEvent;
  "issuing_cardholder.updated": Stripe.IssuingCardholderUpdatedEvent;
  "issuing_dispute.funds_reinstated": Stripe.IssuingDisputeFundsReinstatedEvent;
  "issuing_dispute.funds_rescinded": Stripe.IssuingDisputeFundsRescindedEvent;
  "issuing_transaction.created": Stripe.IssuingTransactionCreatedEvent;
}

export const stripeContract = vendorContract<keyof StripeWebhooks>("stripe");
