import { Stripe } from "stripe";

export const stripeWebhookSecret = "whsec_test";
/** The secret that {@link stripeWebhookSecret} replaces, or the one of a second endpoint. */
export const otherWebhookSecret = "whsec_other";

let lastId = 0;
/** Returns an id that is unique in the process. */
export const nextId = (prefix: string) => `${prefix}_${String((lastId += 1)).padStart(6, "0")}`;

/**
 * An event with a snapshot of the object and the previous values of its changed attributes. `created` is in seconds
 * since 1970.
 */
export function eventOf(created: number, type: string, object: object, previous?: object) {
  return {
    id: nextId("evt"),
    object: "event",
    api_version: Stripe.API_VERSION,
    created,
    data: { object: structuredClone(object), ...(previous && { previous_attributes: previous }) },
    livemode: false,
    pending_webhooks: 1,
    request: { id: null, idempotency_key: null },
    type,
  };
}
export type FakeEvent = ReturnType<typeof eventOf>;

/** The HTTP request of a webhook, signed with the SDK's helper. */
export function signStripeEvent(event: object | string, at: Date, secret = stripeWebhookSecret) {
  const payload = typeof event === "string" ? event : JSON.stringify(event, null, 2);
  const timestamp = Math.floor(at.getTime() / 1000);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return { body: Buffer.from(payload), headers: new Headers({ "Stripe-Signature": header }) };
}
