import { Stripe } from "stripe";
import { describe, expect, it } from "vitest";
import { signed, webhookSecret } from "../../../platform/providers/stripe/fake/events.ts";
import { minute, testClock } from "../../../testing/clock.ts";
import { fakeEvent } from "./fake/life.ts";
import { fakeInvoice, fakePrice, fakeProduct, fakeSubscription } from "./fake/objects.ts";
import { startStripeFake } from "./fake/stripe.ts";
import { stripeWebhooks } from "./webhooks.ts";

const clock = testClock();
const seconds = clock.now().getTime() / 1000;
const webhooks = stripeWebhooks([webhookSecret, "whsec_of_before"]);

const price = fakePrice({ product: fakeProduct().id });
const metadata = { purser_organization: "org_1" };
const subscription = fakeSubscription({ customer: "cus_1", price, metadata }, seconds);
const event = fakeEvent({ clock }, "customer.subscription.updated", subscription);

const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
const verify = ({ body, headers }: { body: Buffer; headers: Headers }, now = clock.now()) =>
  webhooks.verify(body, headers, now);
const sign = (what: object | string = event, at = clock.now(), secret = webhookSecret) =>
  signed(what, at, secret);
const headerOf = (...given: Parameters<typeof sign>) => sign(...given).headers.get("stripe-signature")!;
const withHeader = (header: string | null) => ({
  body: sign().body,
  headers: new Headers(header === null ? {} : { "Stripe-Signature": header }),
});
const refusedFor = (reason: string) => ({ outcome: "refused", reason });

describe("stripeWebhooks.verify", () => {
  it("believes what Stripe's own helper signed, as the SDK does", () => {
    const verified = { outcome: "verified", eventId: event.id, type: "customer.subscription.updated" };
    expect(verify(sign())).toEqual(verified);
    const { body, headers } = sign();
    const header = headers.get("stripe-signature")!;
    const now = clock.now().getTime();
    expect(Stripe.webhooks.constructEvent(body, header, webhookSecret, 300, undefined, now)).toMatchObject({
      id: event.id,
    });
  });

  it("believes each secret, while one is rolled", () => {
    expect(verify(sign(event, clock.now(), "whsec_of_before"))).toMatchObject({ outcome: "verified" });
    expect(verify(sign(event, clock.now(), "whsec_of_another"))).toEqual(refusedFor("signature"));
  });

  it("finds the right one among several signatures, wherever it stands", () => {
    const right = headerOf().split(",")[1]!;
    const wrong = `v1=${"0".repeat(64)}`;
    for (const signatures of [`${wrong},${right}`, `${right},${wrong}`, ` ${right} , v0=1`]) {
      expect(verify(withHeader(`t=${seconds},${signatures}`))).toMatchObject({ outcome: "verified" });
    }
  });

  it("believes the very bytes only", () => {
    const { body, headers } = sign();
    const text = body.toString();
    for (const other of [JSON.stringify(event), `${text} `, text.replace("org_1", "org_2"), ""]) {
      expect(verify({ body: Buffer.from(other), headers })).toEqual(refusedFor("signature"));
    }
  });

  it("signs bytes, whatever they spell", () => {
    const body = Buffer.from('{"id":"evt_1","type":"\u00e9\u4f60"}');
    expect(verify({ ...sign(body.toString()), body })).toMatchObject({ outcome: "verified" });
    const latin = Buffer.from(body.toString(), "latin1");
    expect(verify({ ...sign(body.toString()), body: latin })).toEqual(refusedFor("signature"));
  });

  it.each([
    ["no header", null],
    ["an empty header", ""],
    ["words", "signature"],
    ["no signature", `t=${seconds}`],
    ["no time", headerOf().replace(/t=\d+,/, "")],
    ["a time that is none", headerOf().replace(/t=\d+/, "t=soon")],
    ["a wrong signature", `t=${seconds},v1=${"0".repeat(64)}`],
    ["a signature of no length", `t=${seconds},v1=`],
    ["half a signature", headerOf().slice(0, -32)],
    ["more than a signature", `${headerOf()}00`],
    ["a signature with words behind it", `${headerOf()}zz`],
    ["a signature of another scheme", headerOf().replace("v1=", "v0=")],
    ["another time", headerOf().replace(/t=\d+/, `t=${seconds + 1}`)],
  ])("refuses %s", (_what, header) => {
    expect(verify(withHeader(header))).toEqual(refusedFor("signature"));
  });

  it("takes the time that is signed, wherever another one stands", () => {
    const old = headerOf(event, later(-60 * minute));
    expect(verify(withHeader(`t=${seconds},${old}`))).toEqual(refusedFor("time"));
    expect(verify(withHeader(`${old},t=${seconds}`))).toEqual(refusedFor("signature"));
  });

  it.each([
    [-5 * minute, "verified"],
    [-5 * minute - 1000, "refused"],
    [5 * minute, "verified"],
    [5 * minute + 1000, "refused"],
    [-24 * 60 * minute, "refused"],
    [24 * 60 * minute, "refused"],
  ])("signed %i ms from now is %s", (offset, outcome) => {
    expect(verify(sign(event, later(offset)))).toMatchObject({
      outcome,
      ...(outcome === "refused" && { reason: "time" }),
    });
  });

  it.each([
    ["no JSON", "{"],
    ["nothing", "null"],
    ["a list", "[]"],
    ["no type", '{"id":"evt_1"}'],
    ["no id", '{"type":"invoice.paid"}'],
    ["an id of no length", '{"id":"","type":"invoice.paid"}'],
    ["an endless id", JSON.stringify({ id: "x".repeat(256), type: "invoice.paid" })],
  ])("refuses %s, even signed", (_what, text) => {
    expect(verify(sign(text))).toEqual(refusedFor("malformed"));
  });

  it("believes nothing without a secret, or with an empty one", () => {
    for (const secrets of [[], [""], [" "]]) {
      for (const guessed of ["", " "]) {
        const { body, headers } = sign(event, clock.now(), guessed);
        expect(stripeWebhooks(secrets).verify(body, headers, clock.now())).toEqual(refusedFor("signature"));
      }
    }
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
    const now = later(60 * minute);
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
