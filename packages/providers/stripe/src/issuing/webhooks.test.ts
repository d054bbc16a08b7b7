import { Stripe } from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { signed, webhookSecret } from "../fake/events.ts";
import { minute, testClock } from "@purser/core/testing";
import type { IssuerWebhooks } from "@purser/cards/ports";
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
const verify = async ({ body, headers }: { body: Buffer; headers: Headers }) =>
  webhooks.verify(body, headers, clock.now());
const sign = (secret = webhookSecret) => signed(event, clock.now(), secret);
const refusedFor = (reason: string) => ({ outcome: "refused", reason });

describe("stripeWebhooks.verify", () => {
  it("believes what is signed with any endpoint's secret, as it was signed", async () => {
    const verified = { outcome: "verified", eventId: event.id, type: "issuing_authorization.request" };
    for (const secret of [webhookSecret, "whsec_of_the_endpoint_for_events"]) {
      expect(await verify(sign(secret))).toEqual(verified);
    }
    expect(await verify(sign("whsec_of_another"))).toEqual(refusedFor("signature"));
    const { headers } = sign();
    const other = { body: Buffer.from(JSON.stringify(event)), headers };
    expect(await verify(other)).toEqual(refusedFor("signature"));
  });

  it("believes nothing that is signed long ago", async () => {
    const old = signed(event, new Date(clock.now().getTime() - 60 * minute));
    expect(await verify(old)).toEqual(refusedFor("time"));
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
