import type { BillingWebhooks } from "@purser/billing/ports";
import type { SignedEvent } from "@purser/billing/testing";
import { testClock } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type LemonSqueezyFake,
  signLemonSqueezyEvent,
  startLemonSqueezyFake,
  lemonSqueezyWebhookSecret,
} from "./fake/index.ts";

const clock = testClock();
let fake: LemonSqueezyFake;
let webhooks: BillingWebhooks;
let subscriptionId: string;
/** The webhook of a purchase. */
let events: SignedEvent[];
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
  ({ subscriptionId, events } = fake.complete(reference));
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
/** Computed with OpenSSL for that text and the key "purser-secret". */
const byOpenssl = "a2d1f64429424ebf21f24e1c7b00e6ad28601f0e6845db6204e45bcd132a0131";
const hash = "4ccca2168e34a946fd9b19afd75bd85b7eac7d48402a8e315c7e09c1afba595e";

describe("lemonSqueezyWebhooks.verify", () => {
  const withSecrets = (...webhookSecrets: string[]) => fake.providerWith({ webhookSecrets }).webhooks;

  it("accepts a signed body, identified by its hash", () => {
    const event = { body: Buffer.from(text), headers: new Headers({ "x-signature": byOpenssl }) };
    expect(verify(event, withSecrets("purser-secret"))).toEqual({
      outcome: "verified",
      eventId: hash,
      type: "subscription_updated",
    });
  });

  it("identifies a repeated delivery as the same event, and different bodies as different events", () => {
    const ids = events.map((event) => verify(fake.resign(event))).map((check) => JSON.stringify(check));
    expect(events.map((event) => JSON.stringify(verify(event)))).toEqual(ids);
    expect(new Set(ids).size).toBe(events.length);
  });

  it("accepts either of two secrets, and no other", () => {
    const rotating = withSecrets("the old one", "the new one");
    for (const secret of ["the old one", "the new one"])
      expect(verify(signLemonSqueezyEvent(text, { secret }), rotating)).toMatchObject({
        outcome: "verified",
      });
    expect(verify(signLemonSqueezyEvent(text), rotating)).toEqual(refusedFor("signature"));
  });

  it("accepts nothing without a secret, and throws for an empty one", () => {
    expect(verify(signLemonSqueezyEvent(text), withSecrets())).toEqual(refusedFor("signature"));
    expect(() => withSecrets(lemonSqueezyWebhookSecret, "")).toThrow("empty");
  });

  it("accepts only the exact bytes that were signed", () => {
    const { headers } = signLemonSqueezyEvent(text);
    for (const other of [`${text} `, text.replace("updated", "expired"), ""])
      expect(verify({ body: Buffer.from(other), headers })).toEqual(refusedFor("signature"));
  });

  it.each([
    ["absent", null],
    ["empty", ""],
    ["truncated", byOpenssl.slice(0, 32)],
    ["wrong", byOpenssl.replace("a", "b")],
    ["text", "signature"],
    ["a hash without the key", hash],
    ["in base64", Buffer.from(byOpenssl, "hex").toString("base64")],
  ])("refuses a signature that is %s", (_what, signature) => {
    const headers = new Headers(signature === null ? {} : { "x-signature": signature });
    const by = withSecrets("purser-secret");
    expect(verify({ body: Buffer.from(text), headers }, by)).toEqual(refusedFor("signature"));
  });

  it("reads the event name from the body, not from the unsigned header", () => {
    expect(typeOf(signLemonSqueezyEvent(text, { eventName: "subscription_expired" }))).toBe(
      "subscription_updated",
    );
  });

  it.each([
    ["invalid JSON", "{"],
    ["null", "null"],
    ["a list", "[]"],
    ["no event name", '{"meta":{}}'],
    ["an empty event name", '{"meta":{"event_name":""}}'],
    ["an event name that is too long to store", `{"meta":{"event_name":"${"x".repeat(256)}"}}`],
  ])("refuses %s, even if signed", (_what, body) => {
    expect(verify(signLemonSqueezyEvent(body))).toEqual(refusedFor("malformed"));
  });
});

describe("lemonSqueezyWebhooks.read", () => {
  it("names the subscription and its organization for all of its events", () => {
    const pointer = { kind: "subscription", subscriptionId, organizationId: "org_1", checkoutId: "chk_1" };
    const [order, ...others] = events;
    // An order has an event of its own.
    expect([typeOf(order!), read(order!)]).toEqual(["order_created", null]);
    const all = [
      ...others,
      ...fake.renew(subscriptionId),
      ...fake.failPayment(subscriptionId),
      ...fake.cancelAtPeriodEnd(subscriptionId),
      ...fake.end(subscriptionId),
    ];
    expect(all.map((event) => [typeOf(event), read(event)])).toEqual(
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
    ["custom data of other software", { custom_data: { user_id: 1 } }],
    ["an organization that is not text", { custom_data: { purser_organization: 7 } }],
    ["an empty organization", { custom_data: { purser_organization: "", purser_checkout: "chk_1" } }],
    ["an organization without a checkout", { custom_data: { purser_organization: "org_1" } }],
  ])("names no organization from %s", (_what, meta) => {
    const expected = { kind: "subscription", subscriptionId: "7", organizationId: null };
    expect(webhooks.read({ type: "an_event_of_tomorrow", body: body({ meta }) })).toEqual(expected);
  });

  it.each([
    ["another store's subscription", body({ data: { ...data, attributes: { store_id: 4842 } } })],
    ["a subscription without a store", body({ data: { ...data, attributes: {} } })],
    ["a subscription with an invalid id", body({ data: { ...data, id: "sub_7" } })],
    ["a license key", body({ data: { ...data, type: "license-keys" } })],
    ["an invoice without a subscription", body({ data: { ...data, type: "subscription-invoices" } })],
    ["an event without data", body({ data: undefined })],
    ["null", "null"],
    ["invalid JSON", "{"],
    ["an empty body", ""],
  ])("reads nothing from %s", (_what, unreadable) => {
    expect(webhooks.read({ type: "subscription_updated", body: unreadable })).toBeNull();
  });
});
