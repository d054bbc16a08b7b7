import { createHmac } from "node:crypto";
import { Paddle } from "@paddle/paddle-node-sdk";
import { minute, testClock } from "@purser/core/testing";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { newEvent, signPaddleEvent } from "./fake/events.ts";
import { paddleWebhooks } from "./webhooks.ts";

const clock = testClock();
const current = "pdl_ntfset_current";
const next = "pdl_ntfset_next";
const webhooks = paddleWebhooks([current, next]);

const subscriptionId = `sub_${"7".repeat(26)}`;
const entity = {
  id: subscriptionId,
  custom_data: { purser_organization: "org_1", purser_checkout: "chk_1" },
};
const event = newEvent("subscription.updated", entity, clock.now());
const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
const verify = ({ body, headers }: { body: Buffer; headers: Headers }, now = clock.now()) =>
  webhooks.verify(body, headers, now);
const sign = (what: object | string = event, at = clock.now(), secrets = [current]) =>
  signPaddleEvent(what, secrets, at);
const header = (...options: Parameters<typeof sign>) => sign(...options).headers.get("paddle-signature")!;
const withHeader = (text: string | null) => ({
  body: sign().body,
  headers: new Headers(text === null ? {} : { "Paddle-Signature": text }),
});
const refusedFor = (reason: string) => ({ outcome: "refused", reason });

describe("paddleWebhooks.verify", () => {
  it("accepts a signPaddleEvent event, identified by the event's id, not the notification's", () => {
    const verified = { outcome: "verified", eventId: event.event_id, type: "subscription.updated" };
    expect(verify(sign())).toEqual(verified);
    expect(verify(sign({ ...event, notification_id: "ntf_of_a_replay" }))).toEqual(verified);
  });

  it("accepts every secret and every signature during a rotation", () => {
    const rotations = [[next], [current, next], ["of another", next], [current, "of another"]];
    for (const secrets of rotations) {
      expect(verify(sign(event, clock.now(), secrets))).toMatchObject({ outcome: "verified" });
    }
    expect(verify(sign(event, clock.now(), ["of another"]))).toEqual(refusedFor("signature"));
  });

  it("accepts only the exact bytes that were signed", () => {
    const { body, headers } = sign();
    const text = body.toString();
    for (const other of [JSON.stringify(event, null, 1), `${text} `, text.replace("org_1", "org_2"), ""]) {
      expect(verify({ body: Buffer.from(other), headers })).toEqual(refusedFor("signature"));
    }
  });

  it.each([
    ["no header", null],
    ["an empty header", ""],
    ["text", "signature"],
    ["only a time", "ts=1772442000"],
    ["no time", header().replace(/ts=\d+;/, "")],
    ["an invalid time", "ts=soon;h1=00"],
    ["a wrong signature", `ts=1772442000;h1=${"0".repeat(64)}`],
    ["an empty signature", "ts=1772442000;h1="],
    ["a signature with trailing characters", `${header()}zz`],
    ["a signature of another scheme", header().replace("h1=", "h2=")],
    ["a changed time", header().replace(/ts=\d+/, "ts=1772442001")],
    ["a second time", `${header()};ts=1772442001`],
  ])("refuses %s", (_what, text) => {
    expect(verify(withHeader(text))).toEqual(refusedFor("signature"));
  });

  it("accepts spaces in the header", () => {
    expect(verify(withHeader(header().replaceAll(";", "; ")))).toMatchObject({ outcome: "verified" });
  });

  it.each([
    [-5 * minute, "verified"],
    [-5 * minute - 1000, "refused"],
    [5 * minute, "verified"],
    [5 * minute + 1000, "refused"],
    [-24 * 60 * minute, "refused"],
    [24 * 60 * minute, "refused"],
  ])("signPaddleEvent %i ms from now is %s", (offset, outcome) => {
    const reason = outcome === "refused" ? { reason: "time" } : {};
    expect(verify(sign(event, later(offset)))).toMatchObject({ outcome, ...reason });
  });

  it("refuses a time that is not a number, even if signed", () => {
    for (const time of ["", "soon", "-", "1e99"]) {
      const { body } = sign();
      const mac = createHmac("sha256", current).update(`${time}:`).update(body).digest("hex");
      expect(verify(withHeader(`ts=${time};h1=${mac}`))).toEqual(refusedFor("time"));
    }
  });

  it.each([
    ["invalid JSON", "{"],
    ["null", "null"],
    ["a list", "[]"],
    ["an empty object", "{}"],
    ["no type", '{"event_id":"evt_1"}'],
    ["no id", '{"event_type":"subscription.updated"}'],
    ["an empty id", '{"event_id":"","event_type":"subscription.updated"}'],
    [
      "an id that is too long to store",
      `{"event_id":"${"e".repeat(256)}","event_type":"subscription.updated"}`,
    ],
  ])("refuses %s, even if signed", (_what, text) => {
    expect(verify(sign(text))).toEqual(refusedFor("malformed"));
  });

  it("accepts nothing without a secret, or with an empty one", () => {
    for (const secrets of [[], ["", " "]]) {
      for (const secret of ["", " "]) {
        const { body, headers } = sign(event, clock.now(), [secret]);
        expect(paddleWebhooks(secrets).verify(body, headers, clock.now())).toEqual(refusedFor("signature"));
      }
    }
  });

  it("agrees with the SDK, except during a rotation", async () => {
    const sdk = new Paddle("").webhooks;
    // The SDK reads the system clock, and accepts nothing five seconds later.
    const now = new Date();
    vi.setSystemTime(now);
    onTestFinished(() => void vi.useRealTimers());
    const requests = [
      [sign(event, now), true],
      [sign({ ...event, note: "Grüße 😀" }, now), true],
      [sign(event, now, ["of another"]), false],
      [sign(event, new Date(now.getTime() - 10 * minute)), false],
    ] as const;
    for (const [request, isGood] of requests) {
      const text = request.body.toString();
      const judged = await sdk.isSignatureValid(text, current, request.headers.get("paddle-signature")!);
      expect([judged, verify(request, now).outcome]).toEqual([isGood, isGood ? "verified" : "refused"]);
    }
    const rotated = sign(event, now, [current, next]);
    const judged = await sdk.isSignatureValid(
      rotated.body.toString(),
      current,
      rotated.headers.get("paddle-signature")!,
    );
    expect([judged, verify(rotated, now).outcome]).toEqual([false, "verified"]);
  });
});

describe("paddleWebhooks.read", () => {
  const read = (type: string, data: object) =>
    webhooks.read({ type, body: JSON.stringify(newEvent(type, data, clock.now())) });
  const notice = { kind: "subscription", subscriptionId, organizationId: "org_1", checkoutId: "chk_1" };

  it.each(["created", "activated", "updated", "past_due", "canceled", "imported", "of_tomorrow"])(
    "names the subscription of subscription.%s",
    (change) => {
      expect(read(`subscription.${change}`, entity)).toEqual(notice);
    },
  );

  it.each([
    "transaction.completed",
    "transaction.payment_failed",
    "transaction.of_tomorrow",
    "adjustment.created",
  ])("names the subscription that %s belongs to", (type) => {
    const { custom_data } = entity;
    expect(read(type, { id: "txn_1", subscription_id: subscriptionId, custom_data })).toEqual(notice);
    expect(read(type, { id: "txn_1", subscription_id: subscriptionId })).toEqual({
      kind: "subscription",
      subscriptionId,
      organizationId: null,
    });
  });

  it("names the checkout of a transaction that can be canceled from now on", () => {
    const transaction = { id: "txn_1", subscription_id: null, custom_data: entity.custom_data };
    for (const type of ["transaction.ready", "transaction.updated"])
      expect(read(type, { ...transaction, status: "ready" })).toEqual({
        kind: "checkout",
        reference: "txn_1",
      });
    for (const status of ["draft", "paid", "completed", "canceled", "status_of_tomorrow", 7])
      expect(read("transaction.updated", { ...transaction, status })).toBeNull();
    const payment = { ...transaction, status: "ready", subscription_id: subscriptionId };
    expect(read("transaction.ready", payment)).toEqual(notice);
  });

  it.each([
    ["subscription.updated", { ...entity, custom_data: null }],
    ["subscription.updated", { ...entity, custom_data: { purser_organization: ["org_1"] } }],
  ])("names no organization for %s with %j", (type, data) => {
    expect(read(type, data)).toEqual({ kind: "subscription", subscriptionId, organizationId: null });
  });

  it.each(["product.created", "product.updated", "price.created", "price.updated", "price.imported"])(
    "reads %s as a catalog change",
    (type) => {
      expect(read(type, { id: "pro_1" })).toEqual({ kind: "catalog" });
    },
  );

  it.each([
    ["transaction.created", { id: "txn_1", subscription_id: null, custom_data: entity.custom_data }],
    ["transaction.completed", { id: "txn_1", subscription_id: 7 }],
    ["subscription.updated", { id: "sub_1" }],
    ["subscription.updated", {}],
    ["customer.updated", { id: "ctm_1" }],
    ["payout.paid", { id: "pay_1", subscription_id: subscriptionId }],
    ["subscriptions", entity],
    ["", entity],
  ])("reads nothing from %s with %j", (type, data) => {
    expect(read(type, data)).toBeNull();
  });

  it.each(["", "{", "null", "7", "[]", '{"data":null}', '{"data":[]}'])(
    "reads nothing from the body %j",
    (body) => {
      expect(webhooks.read({ type: "subscription.updated", body })).toBeNull();
      expect(webhooks.read({ type: "product.updated", body })).toBeNull();
    },
  );
});
