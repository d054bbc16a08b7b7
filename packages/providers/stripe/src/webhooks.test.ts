import { createHmac } from "node:crypto";
import { Stripe } from "stripe";
import { describe, expect, it } from "vitest";
import { minute, testClock } from "@purser/core/testing";
import { eventOf, signed, webhookSecret } from "./fake/events.ts";
import { createStripeWebhookVerifier } from "./webhooks.ts";

const clock = testClock();
const seconds = clock.now().getTime() / 1000;
const verifier = createStripeWebhookVerifier([webhookSecret, "whsec_of_before"]);

const event = eventOf(seconds, "invoice.paid", { id: "in_1", object: "invoice", amount: 1250 });

const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
const verify = ({ body, headers }: { body: Buffer; headers: Headers }) =>
  verifier(body, headers, clock.now());
const sign = (what: object | string = event, at = clock.now(), secret = webhookSecret) =>
  signed(what, at, secret);
const headerOf = (...given: Parameters<typeof sign>) => sign(...given).headers.get("stripe-signature")!;
const withHeader = (header: string | null) => ({
  body: sign().body,
  headers: new Headers(header === null ? {} : { "Stripe-Signature": header }),
});
const refusedFor = (reason: string) => ({ outcome: "refused", reason });

describe("stripeVerifier", () => {
  it("believes what Stripe's own helper signed, as the SDK does", () => {
    const verified = { outcome: "verified", eventId: event.id, type: "invoice.paid" };
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
    for (const other of [JSON.stringify(event), `${text} `, text.replace("1250", "1"), ""]) {
      expect(verify({ body: Buffer.from(other), headers })).toEqual(refusedFor("signature"));
    }
  });

  it("signs bytes, whatever they spell", () => {
    const body = Buffer.from('{"id":"evt_1","type":"\u00e9\u4f60"}');
    expect(verify({ ...sign(body.toString()), body })).toMatchObject({ outcome: "verified" });
    const latin = Buffer.from(body.toString(), "latin1");
    expect(verify({ ...sign(body.toString()), body: latin })).toEqual(refusedFor("signature"));
  });

  it("does not take a byte that is no text for the sign that such bytes are shown as", () => {
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

  it.each(["soon", "", `${seconds}.5`, `+${seconds}`, "1".repeat(13)])(
    "refuses the time %j, even signed",
    (time) => {
      const { body } = sign();
      const signature = createHmac("sha256", webhookSecret).update(`${time}.`).update(body).digest("hex");
      expect(verify(withHeader(`t=${time},v1=${signature}`))).toEqual(refusedFor("signature"));
    },
  );

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
        expect(createStripeWebhookVerifier(secrets)(body, headers, clock.now())).toEqual(
          refusedFor("signature"),
        );
      }
    }
  });
});
