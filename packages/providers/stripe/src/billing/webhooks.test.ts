import { minute, testClock } from "@purser/core/testing";
import { describe, expect, it } from "vitest";
import { startStripeBillingFake } from "../fake/billing/index.ts";
import { billingEvent } from "../fake/billing/lifecycle.ts";
import { fakeInvoice } from "../fake/billing/invoices.ts";
import { fakePrice, fakeProduct, fakeSubscription } from "../fake/billing/objects.ts";
import { otherWebhookSecret, signStripeEvent, stripeWebhookSecret } from "../fake/events.ts";
import { stripeBillingWebhooks } from "./webhooks.ts";

const clock = testClock();
const seconds = clock.now().getTime() / 1000;
const webhooks = stripeBillingWebhooks([stripeWebhookSecret, otherWebhookSecret]);

const price = fakePrice({ product: fakeProduct().id });
const metadata = { purser_organization: "org_1" };
const subscription = fakeSubscription({ customer: "cus_1", price, metadata }, seconds);
const event = billingEvent({ clock }, "customer.subscription.updated", subscription);

const verify = ({ body, headers }: { body: Buffer; headers: Headers }, now = clock.now()) =>
  webhooks.verify(body, headers, now);
const sign = (secret = stripeWebhookSecret) => signStripeEvent(event, clock.now(), secret);
const refusedFor = (reason: string) => ({ outcome: "refused", reason });

describe("stripeBillingWebhooks.verify", () => {
  it("accepts the signed bytes, with any of the secrets", () => {
    const verified = { outcome: "verified", eventId: event.id, type: "customer.subscription.updated" };
    for (const secret of [stripeWebhookSecret, otherWebhookSecret])
      expect(verify(sign(secret))).toEqual(verified);
    expect(verify(sign("whsec_unknown"))).toEqual(refusedFor("signature"));
    const { headers } = sign();
    expect(verify({ body: Buffer.from(JSON.stringify(event)), headers })).toEqual(refusedFor("signature"));
  });
});

const read = (type: string, object: object) => {
  const body = JSON.stringify(billingEvent({ clock }, type, object));
  return webhooks.read({ type, body });
};
const about = (organizationId: string | null) => ({
  kind: "subscription",
  subscriptionId: subscription.id,
  organizationId,
});

describe("stripeBillingWebhooks.read", () => {
  it.each(["created", "updated", "deleted", "paused", "trial_will_end", "new_type"])(
    "reads the subscription of customer.subscription.%s",
    (type) => {
      expect(read(`customer.subscription.${type}`, subscription)).toEqual(about("org_1"));
    },
  );

  it("reads the subscription of an invoice", () => {
    const invoice = fakeInvoice(subscription, "open", seconds);
    expect(read("invoice.payment_failed", invoice)).toEqual(about("org_1"));
    const details = { subscription: { id: subscription.id, object: "subscription" }, metadata: null };
    const expanded = { ...invoice, parent: { ...invoice.parent, subscription_details: details } };
    expect(read("invoice.paid", expanded)).toEqual(about(null));
  });

  it("reads the subscription of an invoice from before API version 2025-03-31", () => {
    const { parent: _parent, ...invoice } = fakeInvoice(subscription, "paid", seconds);
    expect(read("invoice.paid", { ...invoice, subscription: subscription.id })).toEqual(about(null));
  });

  it("ignores an invoice without a subscription", () => {
    const invoice = fakeInvoice(subscription, "paid", seconds);
    expect(read("invoice.paid", { ...invoice, parent: null })).toBeNull();
    const parent = { type: "quote_details", quote_details: { quote: "qt_1" }, subscription_details: null };
    expect(read("invoice.paid", { ...invoice, parent })).toBeNull();
  });

  it("reads the subscription of a completed checkout", () => {
    const session = { id: "cs_1", object: "checkout.session", metadata, subscription: subscription.id };
    expect(read("checkout.session.completed", session)).toEqual(about("org_1"));
    expect(read("checkout.session.expired", { ...session, subscription: null })).toBeNull();
  });

  it.each([
    ["product.created", fakeProduct()],
    ["product.deleted", { id: "prod_1", object: "product", deleted: true }],
    ["price.updated", price],
    ["plan.updated", { id: "price_1", object: "plan" }],
  ])("reports %s as a change of the catalog", (type, object) => {
    expect(read(type, object)).toEqual({ kind: "catalog" });
  });

  it.each([
    ["customer.updated", { id: "cus_1", object: "customer", metadata }],
    ["payment_intent.succeeded", { id: "pi_1", object: "payment_intent", metadata }],
    ["customer.subscription.updated", { object: "subscription" }],
    ["customer.subscription.updated", { id: "sub_/../1", object: "subscription" }],
    ["new.type", { object: "new_object", subscription: 7, parent: "none", metadata: [] }],
    ["new.type", {}],
  ])("ignores %s with %j", (type, object) => {
    expect(read(type, object)).toBeNull();
  });

  it.each(["", "{", "null", "[]", "7", '{"data":null}', '{"data":{"object":[]}}'])(
    "ignores the body %j",
    (body) => {
      expect(webhooks.read({ type: "customer.subscription.updated", body })).toBeNull();
    },
  );

  it("reads all events of a subscription, also when Stripe signs and sends them again", async () => {
    const stripe = await startStripeBillingFake({ clock });
    const { planId, variantId } = await firstOffer(stripe.provider);
    const { reference } = await stripe.provider.createCheckout({
      organizationId: "org_1",
      name: "Acme",
      email: "ada@example.com",
      checkoutId: "chk_1",
      customerId: null,
      planId,
      variantId,
      returnUrl: "https://purser.example/",
    });
    const { subscriptionId: id, events } = stripe.complete(reference);
    const deliveries = [
      events,
      stripe.renew(id),
      stripe.failPayment(id),
      stripe.cancelAtPeriodEnd(id),
      stripe.end(id),
    ];
    expect(deliveries.map((delivery) => delivery.length)).toEqual([4, 3, 3, 1, 1]);
    const now = new Date(clock.now().getTime() + 60 * minute);
    clock.set(now);
    for (const old of deliveries.flat()) {
      expect(verify(old, now)).toEqual(refusedFor("time"));
      const { body, headers } = stripe.resign(old);
      const type = (JSON.parse(body.toString()) as { type: string }).type;
      expect(verify({ body, headers }, now)).toMatchObject({ outcome: "verified", type });
      const notice = { kind: "subscription", subscriptionId: id, organizationId: "org_1" };
      expect(webhooks.read({ type, body: body.toString() })).toEqual(notice);
    }
    await stripe.stop();
  });
});

async function firstOffer(provider: Awaited<ReturnType<typeof startStripeBillingFake>>["provider"]) {
  const [plan] = await provider.plans();
  return { planId: plan!.id, variantId: plan!.variants[0]!.id };
}
