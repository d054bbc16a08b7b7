import { Stripe } from "stripe";

export const webhookSecret = "whsec_of_the_endpoint";

let last = 0;
/** An id that nothing else has. */
export const nextId = (prefix: string) => `${prefix}_${String((last += 1)).padStart(6, "0")}`;

/**
 * An event as Stripe sends it: the thing as it is at this moment, and what of it was different before. `created` are
 * seconds.
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

/** What Stripe sends beside an event, which is signed by Stripe's own helper. */
export function signed(event: object | string, at: Date, secret = webhookSecret) {
  const payload = typeof event === "string" ? event : JSON.stringify(event, null, 2);
  const timestamp = Math.floor(at.getTime() / 1000);
  const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  return { body: Buffer.from(payload), headers: new Headers({ "Stripe-Signature": header }) };
}
