import { Stripe } from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signed, webhookSecret } from "../../../platform/providers/stripe/fake/events.ts";
import { minute, testClock } from "../../../testing/clock.ts";
import type { IssuerWebhooks } from "../../ports.ts";
import { issuerBeforeFake } from "./fake/issuer.ts";
import { fakeEvent, fakePurchase } from "./fake/network.ts";

const clock = testClock();
let stripe: Awaited<ReturnType<typeof issuerBeforeFake>>;
let webhooks: IssuerWebhooks;
beforeAll(async () => {
  stripe = await issuerBeforeFake(clock);
  ({ webhooks } = stripe.issuer);
});
afterAll(async () => stripe.fake.stop());

const event = fakePurchase({ card: "ic_1", amount: 1250 }).request();
const later = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds);
const verify = async ({ body, headers }: { body: Buffer; headers: Headers }, now = clock.now()) =>
  webhooks.verify(body, headers, now);
const sign = (what: object | string = event, at = clock.now(), secret = webhookSecret) =>
  signed(what, at, secret);
const signature = (header: string | null) => ({
  body: sign().body,
  headers: new Headers(header === null ? {} : { "Stripe-Signature": header }),
});
const refusedFor = (reason: string) => ({ outcome: "refused", reason });

describe("stripeWebhooks.verify", () => {
  it("believes what Stripe signed", async () => {
    const verified = { outcome: "verified", eventId: event.id, type: "issuing_authorization.request" };
    expect(await verify(sign())).toEqual(verified);
  });

  it("believes each endpoint's secret", async () => {
    expect(await verify(sign(event, clock.now(), "whsec_of_the_endpoint_for_events"))).toMatchObject({
      outcome: "verified",
    });
    expect(await verify(sign(event, clock.now(), "whsec_of_another"))).toEqual(refusedFor("signature"));
  });

  it("believes the very bytes only", async () => {
    const { body, headers } = sign();
    for (const other of [
      JSON.stringify(event),
      `${body.toString()} `,
      body.toString().replace("1250", "1"),
      "",
    ]) {
      expect(await verify({ body: Buffer.from(other), headers })).toEqual(refusedFor("signature"));
    }
  });

  it.each([
    ["no header", null],
    ["an empty header", ""],
    ["words", "signature"],
    ["no signature", "t=1772442000"],
    ["no time", "v1=00"],
    ["a time that is none", "t=soon,v1=00"],
    ["a wrong signature", `t=1772442000,v1=${"0".repeat(64)}`],
    ["a signature of no length", "t=1772442000,v1="],
    ["a signature of an old scheme", sign().headers.get("stripe-signature")!.replace("v1=", "v0=")],
    ["another time", sign().headers.get("stripe-signature")!.replace(/t=\d+/, "t=1772442001")],
  ])("refuses %s", async (_what, header) => {
    expect(await verify(signature(header))).toEqual(refusedFor("signature"));
  });

  it("finds the right one among several signatures", async () => {
    const header = sign()
      .headers.get("stripe-signature")!
      .replace(",", `,v1=${"0".repeat(64)},`);
    expect(await verify(signature(header))).toMatchObject({ outcome: "verified" });
  });

  it("takes the time that is signed, wherever another one stands", async () => {
    const old = sign(event, later(-60 * minute)).headers.get("stripe-signature")!;
    const fresh = `t=${Math.floor(clock.now().getTime() / 1000)}`;
    expect(await verify(signature(`${fresh},${old}`))).toEqual(refusedFor("time"));
    expect(await verify(signature(`${old},${fresh}`))).toEqual(refusedFor("signature"));
  });

  it.each([
    [-5 * minute, "verified"],
    [-5 * minute - 1000, "refused"],
    [5 * minute, "verified"],
    [5 * minute + 1000, "refused"],
    [-24 * 60 * minute, "refused"],
    [24 * 60 * minute, "refused"],
  ])("signed %i ms from now is %s", async (offset, outcome) => {
    expect(await verify(sign(event, later(offset)))).toMatchObject({
      outcome,
      ...(outcome === "refused" && { reason: "time" }),
    });
  });

  it.each([
    ["no JSON", "{"],
    ["nothing", "null"],
    ["a list", "[]"],
    ["no event", "{}"],
    ["no type", '{"id":"evt_1"}'],
    ["no id", '{"type":"issuing_authorization.request"}'],
    ["an id of no length", '{"id":"","type":"issuing_authorization.request"}'],
  ])("refuses %s, even signed", async (_what, text) => {
    expect(await verify(sign(text))).toEqual(refusedFor("malformed"));
  });

  it("believes nothing without a secret, or with an empty one", async () => {
    const without = stripe.issuerWith({ webhookSecrets: [] }).webhooks;
    const empty = stripe.issuerWith({ webhookSecrets: [" "] }).webhooks;
    for (const { verify: check } of [without, empty]) {
      const { body, headers } = sign(event, clock.now(), " ");
      expect(await check(body, headers, clock.now())).toEqual(refusedFor("signature"));
    }
  });
});

describe("stripeWebhooks.isRequest", () => {
  it("knows what waits for a verdict", () => {
    expect(webhooks.isRequest("issuing_authorization.request")).toBe(true);
    expect(webhooks.isRequest("issuing_authorization.created")).toBe(false);
    expect(webhooks.isRequest("issuing_transaction.created")).toBe(false);
  });
});

describe("stripeWebhooks.read", () => {
  const read = (what: ReturnType<typeof fakeEvent>) =>
    webhooks.read({ type: what.type, body: JSON.stringify(what) });

  it("reads a purchase from its request to its refund", () => {
    const purchase = fakePurchase({ card: "ic_1", amount: 1250 });
    const events = [
      purchase.request(),
      purchase.decide(true),
      purchase.increment(250),
      purchase.decide(true),
    ];
    events.push(purchase.reversal(100), ...purchase.capture(1400), purchase.refund(400));
    expect(events.flatMap(read).map(({ kind }) => kind)).toEqual([
      "authorization",
      "increment",
      "reversal",
      "clearing",
      // Its authorization is closed: the same capture, and that it was the last.
      "clearing",
      "clearing",
      "refund",
    ]);
  });

  it("tells the same capture by the same id", () => {
    const purchase = fakePurchase({ card: "ic_1", amount: 1250 });
    purchase.request();
    purchase.decide(true);
    const [captured, closed] = purchase.capture(1250).map(read);
    expect(captured).toHaveLength(1);
    expect(closed?.[0]).toEqual(captured?.[0]);
    expect(closed?.[1]?.networkId).not.toBe(captured?.[0]?.networkId);
  });

  it("says nothing for a request that is no JSON, so that it is refused", () => {
    expect(webhooks.read({ type: "issuing_authorization.request", body: "{" })).toEqual([]);
  });

  it("says of an authorization that was created how it was decided without us", () => {
    const purchase = fakePurchase({ card: "ic_1", amount: 1250 });
    const [request] = read(purchase.request());
    const { networkId } = request!;
    expect(read(purchase.decide(true, "webhook_timeout"))).toMatchObject([{ kind: "advice", networkId }]);
  });

  it.each([
    "issuing_card.created",
    "issuing_cardholder.updated",
    "issuing_transaction.updated",
    "charge.succeeded",
  ])("says nothing of %s", (type) => {
    expect(read(fakeEvent(type, event.data.object))).toEqual([]);
  });

  it("says nothing of a card that has changed there", () => {
    expect(
      read(fakeEvent("issuing_card.updated", { id: "ic_1", status: "inactive" }, { status: "active" })),
    ).toEqual([]);
  });
});

describe("stripeWebhooks.answer", () => {
  const answer = (approved: boolean, reason: string | null) => {
    const { body, ...rest } = webhooks.answer(
      { type: event.type, body: JSON.stringify(event) },
      { approved, reason },
    );
    return { ...rest, body: JSON.parse(body) as unknown };
  };
  const rest = {
    status: 200,
    headers: { "content-type": "application/json", "Stripe-Version": Stripe.API_VERSION },
  };

  it("approves", () => {
    expect(answer(true, null)).toEqual({ ...rest, body: { approved: true } });
  });

  it("declines, with our reason for Stripe's dashboard", () => {
    const body = { approved: false, metadata: { decline_reason: "daily_limit_exceeded" } };
    expect(answer(false, "daily_limit_exceeded")).toEqual({ ...rest, body });
    expect(answer(false, null)).toEqual({ ...rest, body: { approved: false } });
  });
});
