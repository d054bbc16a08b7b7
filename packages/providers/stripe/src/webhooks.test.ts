import { createHmac } from "node:crypto";
import { minute, testClock } from "@purser/core/testing";
import { Stripe } from "stripe";
import { describe, expect, it } from "vitest";
import { eventOf, otherWebhookSecret, signStripeEvent, stripeWebhookSecret } from "./fake/events.ts";
import { verifyStripeSignature } from "./webhooks.ts";

const clock = testClock();
const seconds = clock.now().getTime() / 1000;
const secrets = [stripeWebhookSecret, otherWebhookSecret];

const event = eventOf(seconds, "invoice.paid", { id: "in_1", object: "invoice", amount: 1250 });

const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
const verify = ({ body, headers }: { body: Buffer; headers: Headers }) =>
  verifyStripeSignature(secrets, body, headers, clock.now());
const sign = (content: object | string = event, at = clock.now(), secret = stripeWebhookSecret) =>
  signStripeEvent(content, at, secret);
const headerOf = (...input: Parameters<typeof sign>) => sign(...input).headers.get("stripe-signature")!;
const withHeader = (header: string | null) => ({
  body: sign().body,
  headers: new Headers(header === null ? {} : { "Stripe-Signature": header }),
});
const refusedFor = (reason: string) => ({ outcome: "refused", reason });

describe("verifyStripeSignature", () => {
  it("accepts what the SDK's helper signed, as the SDK does", () => {
    const verified = { outcome: "verified", eventId: event.id, type: "invoice.paid" };
    expect(verify(sign())).toEqual(verified);
    const { body, headers } = sign();
    const header = headers.get("stripe-signature")!;
    const now = clock.now().getTime();
    expect(
      Stripe.webhooks.constructEvent(body, header, stripeWebhookSecret, 300, undefined, now),
    ).toMatchObject({
      id: event.id,
    });
  });

  it("accepts each secret while one is rolled", () => {
    expect(verify(sign(event, clock.now(), otherWebhookSecret))).toMatchObject({ outcome: "verified" });
    expect(verify(sign(event, clock.now(), "whsec_unknown"))).toEqual(refusedFor("signature"));
  });

  it("accepts one valid signature among several, in any position", () => {
    const valid = headerOf().split(",")[1]!;
    const invalid = `v1=${"0".repeat(64)}`;
    for (const signatures of [`${invalid},${valid}`, `${valid},${invalid}`, ` ${valid} , v0=1`]) {
      expect(verify(withHeader(`t=${seconds},${signatures}`))).toMatchObject({ outcome: "verified" });
    }
  });

  it("refuses any other bytes", () => {
    const { body, headers } = sign();
    const text = body.toString();
    for (const other of [JSON.stringify(event), `${text} `, text.replace("1250", "1"), ""]) {
      expect(verify({ body: Buffer.from(other), headers })).toEqual(refusedFor("signature"));
    }
  });

  it("verifies bytes, in any encoding", () => {
    const body = Buffer.from('{"id":"evt_1","type":"\u00e9\u4f60"}');
    expect(verify({ ...sign(body.toString()), body })).toMatchObject({ outcome: "verified" });
    const latin = Buffer.from(body.toString(), "latin1");
    expect(verify({ ...sign(body.toString()), body: latin })).toEqual(refusedFor("signature"));
  });

  it("refuses an invalid byte in place of the replacement character that it decodes to", () => {
    const { body, headers } = sign('{"id":"evt_1","type":"\ufffd"}');
    expect(verify({ body, headers })).toMatchObject({ outcome: "verified" });
    const [before, after] = [body.subarray(0, body.indexOf("\ufffd")), Buffer.from('"}')];
    const other = Buffer.concat([before, Buffer.from([0xff]), after]);
    expect(other.toString("utf8")).toBe(body.toString("utf8"));
    expect(verify({ body: other, headers })).toEqual(refusedFor("signature"));
  });

  it.each([
    ["no header", null],
    ["an empty header", ""],
    ["text", "signature"],
    ["no signature", `t=${seconds}`],
    ["no timestamp", headerOf().replace(/t=\d+,/, "")],
    ["an invalid timestamp", headerOf().replace(/t=\d+/, "t=soon")],
    ["an invalid signature", `t=${seconds},v1=${"0".repeat(64)}`],
    ["an empty signature", `t=${seconds},v1=`],
    ["half a signature", headerOf().slice(0, -32)],
    ["a signature with more hex digits", `${headerOf()}00`],
    ["a signature with other characters after it", `${headerOf()}zz`],
    ["a signature of another scheme", headerOf().replace("v1=", "v0=")],
    ["another timestamp", headerOf().replace(/t=\d+/, `t=${seconds + 1}`)],
  ])("refuses %s", (_case, header) => {
    expect(verify(withHeader(header))).toEqual(refusedFor("signature"));
  });

  it.each(["soon", "", `${seconds}.5`, `+${seconds}`, "1".repeat(13)])(
    "refuses the signed timestamp %j",
    (time) => {
      const { body } = sign();
      const signature = createHmac("sha256", stripeWebhookSecret)
        .update(`${time}.`)
        .update(body)
        .digest("hex");
      expect(verify(withHeader(`t=${time},v1=${signature}`))).toEqual(refusedFor("signature"));
    },
  );

  it("uses the signed timestamp, not another one in the header", () => {
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
  ])("a signature %i ms from now is %s", (offset, outcome) => {
    expect(verify(sign(event, later(offset)))).toMatchObject({
      outcome,
      ...(outcome === "refused" && { reason: "time" }),
    });
  });

  it.each([
    ["invalid JSON", "{"],
    ["null", "null"],
    ["an array", "[]"],
    ["no type", '{"id":"evt_1"}'],
    ["no id", '{"type":"invoice.paid"}'],
    ["an empty id", '{"id":"","type":"invoice.paid"}'],
    ["an id of 256 characters", JSON.stringify({ id: "x".repeat(256), type: "invoice.paid" })],
  ])("refuses signed content: %s", (_case, text) => {
    expect(verify(sign(text))).toEqual(refusedFor("malformed"));
  });

  it("refuses everything without a secret or with an empty one", () => {
    for (const none of [[], [""], [" "]]) {
      for (const guessed of ["", " "]) {
        const { body, headers } = sign(event, clock.now(), guessed);
        expect(verifyStripeSignature(none, body, headers, clock.now())).toEqual(refusedFor("signature"));
      }
    }
  });
});
