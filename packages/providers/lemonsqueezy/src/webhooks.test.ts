import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { testClock } from "@purser/core/testing";
import type { SignedEvent } from "@purser/billing/testing";
import type { BillingWebhooks } from "@purser/billing/ports";
import { type LemonSqueezyFake, signed, startLemonSqueezyFake, webhookSecret } from "./fake/index.ts";

const clock = testClock();
let fake: LemonSqueezyFake;
let webhooks: BillingWebhooks;
let subscriptionId: string;
/** What is told of a purchase. */
let told: SignedEvent[];
beforeAll(async () => {
  fake = await startLemonSqueezyFake({ clock });
  ({ webhooks } = fake.provider);
  const { reference } = await fake.provider.createCheckout({
    checkoutId: "chk_1",
    organizationId: "org_1",
    name: "Acme",
    email: "ada@example.com",
    customerId: null,
    planId: "101",
    variantId: "1001",
    returnUrl: "https://app.example.com",
  });
  ({ subscriptionId, events: told } = fake.complete(reference));
});
afterAll(async () => fake.stop());

const verify = ({ body, headers }: SignedEvent, by = webhooks) => by.verify(body, headers, clock.now());
const typeOf = (event: SignedEvent) => {
  const verified = verify(event);
  return verified.outcome === "verified" ? verified.type : verified.reason;
};
const read = (event: SignedEvent) => webhooks.read({ type: typeOf(event), body: event.body.toString() });
const refusedFor = (reason: string) => ({ outcome: "refused", reason });

const text = '{"meta":{"event_name":"subscription_updated"}}';
/** Made with OpenSSL for that text and the key "purser-secret". */
const byOpenssl = "a2d1f64429424ebf21f24e1c7b00e6ad28601f0e6845db6204e45bcd132a0131";
const hash = "4ccca2168e34a946fd9b19afd75bd85b7eac7d48402a8e315c7e09c1afba595e";

describe("lemonSqueezyWebhooks.verify", () => {
  const withSecrets = (...webhookSecrets: string[]) => fake.providerWith({ webhookSecrets }).webhooks;

  it("believes what is signed with the secret, and knows it by its hash", () => {
    const event = { body: Buffer.from(text), headers: new Headers({ "x-signature": byOpenssl }) };
    expect(verify(event, withSecrets("purser-secret"))).toEqual({
      outcome: "verified",
      eventId: hash,
      type: "subscription_updated",
    });
  });

  it("knows an event again that is delivered again, and tells two apart", () => {
    const ids = told.map((event) => verify(fake.resign(event))).map((check) => JSON.stringify(check));
    expect(told.map((event) => JSON.stringify(verify(event)))).toEqual(ids);
    expect(new Set(ids).size).toBe(told.length);
  });

  it("believes either of two secrets, and no other", () => {
    const rotating = withSecrets("the old one", "the new one");
    for (const secret of ["the old one", "the new one"])
      expect(verify(signed(text, { secret }), rotating)).toMatchObject({ outcome: "verified" });
    expect(verify(signed(text), rotating)).toEqual(refusedFor("signature"));
  });

  it("believes nothing without a secret, and is not to be set up with an empty one", () => {
    expect(verify(signed(text), withSecrets())).toEqual(refusedFor("signature"));
    expect(() => withSecrets(webhookSecret, "")).toThrow("empty");
  });

  it("believes the very bytes only", () => {
    const { headers } = signed(text);
    for (const other of [`${text} `, text.replace("updated", "expired"), ""])
      expect(verify({ body: Buffer.from(other), headers })).toEqual(refusedFor("signature"));
  });

  it.each([
    ["none", null],
    ["an empty one", ""],
    ["half of it", byOpenssl.slice(0, 32)],
    ["another", byOpenssl.replace("a", "b")],
    ["words", "signature"],
    ["a hash without the key", hash],
    ["the same in base64", Buffer.from(byOpenssl, "hex").toString("base64")],
  ])("refuses a signature that is %s", (_what, signature) => {
    const headers = new Headers(signature === null ? {} : { "x-signature": signature });
    const by = withSecrets("purser-secret");
    expect(verify({ body: Buffer.from(text), headers }, by)).toEqual(refusedFor("signature"));
  });

  it("goes by the event's name in the body, not by the header that nobody has signed", () => {
    expect(typeOf(signed(text, { eventName: "subscription_expired" }))).toBe("subscription_updated");
  });

  it.each([
    ["no JSON", "{"],
    ["nothing", "null"],
    ["a list", "[]"],
    ["no event", '{"meta":{}}'],
    ["a name of no length", '{"meta":{"event_name":""}}'],
    ["a name that cannot be kept", `{"meta":{"event_name":"${"x".repeat(256)}"}}`],
  ])("refuses %s, even signed", (_what, body) => {
    expect(verify(signed(body))).toEqual(refusedFor("malformed"));
  });
});

describe("lemonSqueezyWebhooks.read", () => {
  it("finds the subscription and its team in all that is told of it", () => {
    const pointer = { kind: "subscription", subscriptionId, organizationId: "org_1", checkoutId: "chk_1" };
    const [order, ...others] = told;
    // What an order brings is told by an event of its own.
    expect([typeOf(order!), read(order!)]).toEqual(["order_created", null]);
    const events = [
      ...others,
      ...fake.renew(subscriptionId),
      ...fake.failPayment(subscriptionId),
      ...fake.cancelAtPeriodEnd(subscriptionId),
      ...fake.end(subscriptionId),
    ];
    expect(events.map((event) => [typeOf(event), read(event)])).toEqual(
      [
        "subscription_created",
        "subscription_payment_success",
        "subscription_updated",
        "subscription_payment_success",
        "subscription_updated",
        "subscription_payment_failed",
        "subscription_cancelled",
        "subscription_updated",
        "subscription_expired",
        "subscription_updated",
      ].map((type) => [type, pointer]),
    );
    expect(fake.renew(subscriptionId)).toEqual([]);
  });

  const data = { type: "subscriptions", id: "7", attributes: { store_id: 4841 } };
  const body = (change: object) =>
    JSON.stringify({ meta: { event_name: "subscription_plan_changed" }, data, ...change });

  it.each([
    ["no custom data", {}],
    ["PHP's empty list", { custom_data: [] }],
    ["null", { custom_data: null }],
    ["somebody else's data", { custom_data: { user_id: 1 } }],
    ["a team that is no text", { custom_data: { purser_organization: 7 } }],
    ["a team without a name", { custom_data: { purser_organization: "", purser_checkout: "chk_1" } }],
    ["a team without a checkout", { custom_data: { purser_organization: "org_1" } }],
  ])("knows no team from %s", (_what, meta) => {
    const expected = { kind: "subscription", subscriptionId: "7", organizationId: null };
    expect(webhooks.read({ type: "an_event_of_tomorrow", body: body({ meta }) })).toEqual(expected);
  });

  it.each([
    ["another store's subscription", body({ data: { ...data, attributes: { store_id: 4842 } } })],
    ["a subscription of no store", body({ data: { ...data, attributes: {} } })],
    ["a subscription of no id", body({ data: { ...data, id: "sub_7" } })],
    ["a license key", body({ data: { ...data, type: "license-keys" } })],
    ["an invoice of no subscription", body({ data: { ...data, type: "subscription-invoices" } })],
    ["an event without data", body({ data: undefined })],
    ["null", "null"],
    ["no JSON", "{"],
    ["nothing", ""],
  ])("makes nothing of %s", (_what, unreadable) => {
    expect(webhooks.read({ type: "subscription_updated", body: unreadable })).toBeNull();
  });
});
