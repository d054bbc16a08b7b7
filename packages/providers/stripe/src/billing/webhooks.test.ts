import { describe, expect, it } from "vitest";
import { signed, webhookSecret } from "../fake/events.ts";
import { minute, testClock } from "@purser/core/testing";
import { fakeEvent } from "./fake/lifecycle.ts";
import { fakeInvoice, fakePrice, fakeProduct, fakeSubscription } from "./fake/objects.ts";
import { startStripeFake } from "./fake/index.ts";
import { stripeWebhooks } from "./webhooks.ts";

const clock = testClock();
const seconds = clock.now().getTime() / 1000;
const webhooks = stripeWebhooks([webhookSecret, "whsec_of_before"]);

const price = fakePrice({ product: fakeProduct().id });
const metadata = { purser_organization: "org_1" };
const subscription = fakeSubscription({ customer: "cus_1", price, metadata }, seconds);
const event = fakeEvent({ clock }, "customer.subscription.updated", subscription);

const verify = ({ body, headers }: { body: Buffer; headers: Headers }, now = clock.now()) =>
  webhooks.verify(body, headers, now);
const sign = (secret = webhookSecret) => signed(event, clock.now(), secret);
const refusedFor = (reason: string) => ({ outcome: "refused", reason });

describe("stripeWebhooks.verify", () => {
  it("believes what is signed with any of the secrets, as it was signed", () => {
    const verified = { outcome: "verified", eventId: event.id, type: "customer.subscription.updated" };
    for (const secret of [webhookSecret, "whsec_of_before"]) expect(verify(sign(secret))).toEqual(verified);
    expect(verify(sign("whsec_of_another"))).toEqual(refusedFor("signature"));
    const { headers } = sign();
    expect(verify({ body: Buffer.from(JSON.stringify(event)), headers })).toEqual(refusedFor("signature"));
  });
});

const read = (type: string, object: object) => {
  const body = JSON.stringify(fakeEvent({ clock }, type, object));
  return webhooks.read({ type, body });
};
const about = (organizationId: string | null) => ({
  kind: "subscription",
  subscriptionId: subscription.id,
  organizationId,
});

describe("stripeWebhooks.read", () => {
  it.each(["created", "updated", "deleted", "paused", "trial_will_end", "of_tomorrow"])(
    "knows what customer.subscription.%s is about",
    (what) => {
      expect(read(`customer.subscription.${what}`, subscription)).toEqual(about("org_1"));
    },
  );

  it("knows whose invoice it is", () => {
    const invoice = fakeInvoice(subscription, "open", seconds);
    expect(read("invoice.payment_failed", invoice)).toEqual(about("org_1"));
    const details = { subscription: { id: subscription.id, object: "subscription" }, metadata: null };
    const expanded = { ...invoice, parent: { ...invoice.parent, subscription_details: details } };
    expect(read("invoice.paid", expanded)).toEqual(about(null));
  });

  it("knows whose invoice it was before 2025-03-31, where an endpoint still has such a version", () => {
    const { parent: _parent, ...invoice } = fakeInvoice(subscription, "paid", seconds);
    expect(read("invoice.paid", { ...invoice, subscription: subscription.id })).toEqual(about(null));
  });

  it("says nothing of an invoice for something else", () => {
    const invoice = fakeInvoice(subscription, "paid", seconds);
    expect(read("invoice.paid", { ...invoice, parent: null })).toBeNull();
    const parent = { type: "quote_details", quote_details: { quote: "qt_1" }, subscription_details: null };
    expect(read("invoice.paid", { ...invoice, parent })).toBeNull();
  });

  it("knows what a checkout has brought", () => {
    const session = { id: "cs_1", object: "checkout.session", metadata, subscription: subscription.id };
    expect(read("checkout.session.completed", session)).toEqual(about("org_1"));
    expect(read("checkout.session.expired", { ...session, subscription: null })).toBeNull();
  });

  it.each([
    ["product.created", fakeProduct()],
    ["product.deleted", { id: "prod_1", object: "product", deleted: true }],
    ["price.updated", price],
    ["plan.updated", { id: "price_1", object: "plan" }],
  ])("knows by %s that the catalogue has changed", (type, object) => {
    expect(read(type, object)).toEqual({ kind: "catalogue" });
  });

  it.each([
    ["customer.updated", { id: "cus_1", object: "customer", metadata }],
    ["payment_intent.succeeded", { id: "pi_1", object: "payment_intent", metadata }],
    ["customer.subscription.updated", { object: "subscription" }],
    ["customer.subscription.updated", { id: "sub_/../1", object: "subscription" }],
    ["of.tomorrow", { object: "thing", subscription: 7, parent: "none", metadata: [] }],
    ["of.tomorrow", {}],
  ])("says nothing of %s about %j", (type, object) => {
    expect(read(type, object)).toBeNull();
  });

  it.each(["", "{", "null", "[]", "7", '{"data":null}', '{"data":{"object":[]}}'])(
    "says nothing of a body that is %j",
    (body) => {
      expect(webhooks.read({ type: "customer.subscription.updated", body })).toBeNull();
    },
  );

  it("reads all that comes of a checkout, and believes it anew when it is sent again", async () => {
    const stripe = await startStripeFake({ clock });
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
    const told = [
      events,
      stripe.renew(id),
      stripe.failPayment(id),
      stripe.cancelAtPeriodEnd(id),
      stripe.end(id),
    ];
    expect(told.map((some) => some.length)).toEqual([4, 2, 2, 1, 1]);
    const now = new Date(clock.now().getTime() + 60 * minute);
    clock.set(now);
    for (const old of told.flat()) {
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

async function firstOffer(provider: Awaited<ReturnType<typeof startStripeFake>>["provider"]) {
  const [plan] = await provider.plans();
  return { planId: plan!.id, variantId: plan!.variants[0]!.id };
}
