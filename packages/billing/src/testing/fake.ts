import type { PaymentProvider } from "../ports.ts";

/** A webhook request as a provider sends it. */
export interface SignedEvent {
  body: Buffer;
  headers: Headers;
}

/** The built-in provider keeps a database, so it takes a moment. */
type MaybePromise<Value> = Value | Promise<Value>;

/** A stand-in for a payment provider: the same few things can happen at each, as customers and time make them happen. */
export interface BillingFake {
  /** The adapter, which asks this stand-in. */
  readonly provider: PaymentProvider;
  /** Somebody pays for a checkout that `createCheckout` made; gives the subscription, and the events that tell of it. */
  complete(reference: string): MaybePromise<{ subscriptionId: string; events: SignedEvent[] }>;
  renew(subscriptionId: string): MaybePromise<SignedEvent[]>;
  failPayment(subscriptionId: string): MaybePromise<SignedEvent[]>;
  cancelAtPeriodEnd(subscriptionId: string): MaybePromise<SignedEvent[]>;
  end(subscriptionId: string): MaybePromise<SignedEvent[]>;
  /** The same event, signed at the present of the clock, as a provider that delivers again does. */
  resign(event: SignedEvent): SignedEvent;
  /** How many requests were answered so far. */
  readonly requests: number;
  stop(): Promise<void>;
}
