import type { PaymentProvider } from "../ports.ts";

/** A webhook request as a provider sends it. */
export interface SignedEvent {
  body: Buffer;
  headers: Headers;
}

/** The built-in provider uses a database, so it is asynchronous. */
type MaybePromise<Value> = Value | Promise<Value>;

/** Returns the subscription that a checkout has produced. Throws before there is one. */
export async function boughtSubscription(
  provider: Pick<PaymentProvider, "checkoutResult">,
  reference: string,
): Promise<string> {
  const result = await provider.checkoutResult(reference);
  if (result.status !== "paid") throw new Error(`The checkout is ${result.status}`);
  return result.subscriptionId;
}

/** A fake payment provider. Each fake simulates the same few actions of customers and of time. */
export interface BillingFake {
  /** The adapter, connected to this fake. */
  readonly provider: PaymentProvider;
  /** Pays for a checkout that `createCheckout` created. Returns the subscription and its events. */
  complete(reference: string): MaybePromise<{ subscriptionId: string; events: SignedEvent[] }>;
  renew(subscriptionId: string): MaybePromise<SignedEvent[]>;
  failPayment(subscriptionId: string): MaybePromise<SignedEvent[]>;
  cancelAtPeriodEnd(subscriptionId: string): MaybePromise<SignedEvent[]>;
  end(subscriptionId: string): MaybePromise<SignedEvent[]>;
  /** Pauses the subscription without a failed payment. Absent where the provider cannot pause. */
  pause?(subscriptionId: string): MaybePromise<SignedEvent[]>;
  /** Signs the same event at the clock's present time, as a provider does when it repeats a delivery. */
  resign(event: SignedEvent): SignedEvent;
  /** The number of requests answered so far. */
  readonly requests: number;
  stop(): Promise<void>;
}
