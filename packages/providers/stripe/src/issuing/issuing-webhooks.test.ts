import type { CardMessage, IssuerWebhooks } from "@purser/cards/ports";
import { minute, testClock } from "@purser/core/testing";
import { Stripe } from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { otherWebhookSecret, signStripeEvent, stripeWebhookSecret } from "../fake/events.ts";
import { type StripeIssuingFake, startStripeIssuingFake } from "../fake/issuing/index.ts";
import { fakePurchase, issuingEvent } from "../fake/issuing/network.ts";
import { fakeCard, fakeCardholder } from "../fake/issuing/objects.ts";
import { stripeContract } from "../fake/vendor-contract.ts";

const clock = testClock();
let stripe: StripeIssuingFake;
let webhooks: IssuerWebhooks;
beforeAll(async () => {
  stripe = await startStripeIssuingFake(clock);
  ({ webhooks } = stripe.issuer);
});
afterAll(async () => stripe.stop());

const event = fakePurchase({ card: "ic_1", amount: 1250 }).request();
const verify = async ({ body, headers }: { body: Buffer; headers: Headers }) =>
  webhooks.verify(body, headers, clock.now());
const sign = (secret = stripeWebhookSecret) => signStripeEvent(event, clock.now(), secret);
const refusedFor = (reason: string) => ({ outcome: "refused", reason });

describe("stripeIssuingWebhooks.verify", () => {
  it("accepts the signed bytes, with the secret of any endpoint", async () => {
    const verified = { outcome: "verified", eventId: event.id, type: "issuing_authorization.request" };
    for (const secret of [stripeWebhookSecret, otherWebhookSecret]) {
      expect(await verify(sign(secret))).toEqual(verified);
    }
    expect(await verify(sign("whsec_unknown"))).toEqual(refusedFor("signature"));
    const { headers } = sign();
    const other = { body: Buffer.from(JSON.stringify(event)), headers };
    expect(await verify(other)).toEqual(refusedFor("signature"));
  });

  it("refuses an old signature", async () => {
    const old = signStripeEvent(event, new Date(clock.now().getTime() - 60 * minute));
    expect(await verify(old)).toEqual(refusedFor("time"));
  });
});

describe("stripeIssuingWebhooks.isRequest", () => {
  it("is true for events that wait for a decision", () => {
    expect(webhooks.isRequest("issuing_authorization.request")).toBe(true);
    expect(webhooks.isRequest("issuing_authorization.created")).toBe(false);
    expect(webhooks.isRequest("issuing_transaction.created")).toBe(false);
  });
});

describe("stripeIssuingWebhooks.read", () => {
  const read = async (content: ReturnType<typeof issuingEvent>) => {
    const received = { type: content.type, body: JSON.stringify(content), receivedAt: clock.now() };
    if (!webhooks.isRequest(content.type)) return webhooks.read(received);
    return [webhooks.readRequest(received) as CardMessage];
  };

  it("reads a purchase from its request to its refund", async () => {
    const purchase = fakePurchase({ card: "ic_1", amount: 1250 });
    const events = [
      purchase.request(),
      purchase.decide(true),
      purchase.increment(250),
      purchase.decide(true),
    ];
    events.push(purchase.reversal(100), ...purchase.capture(1400), purchase.refund(400));
    const messages = await Promise.all(events.map(read));
    expect(messages.flat().map(({ kind }) => kind)).toEqual([
      "authorization",
      "increment",
      "reversal",
      "clearing",
      // The closed authorization repeats the capture and adds the final clearing.
      "clearing",
      "clearing",
      "refund",
    ]);
  });

  it("gives a capture the same id in both of its events", async () => {
    const purchase = fakePurchase({ card: "ic_1", amount: 1250 });
    purchase.request();
    purchase.decide(true);
    const [captured, closed] = await Promise.all(purchase.capture(1250).map(read));
    expect(captured).toHaveLength(1);
    expect(closed?.[0]).toEqual(captured?.[0]);
    expect(closed?.[1]?.networkId).not.toBe(captured?.[0]?.networkId);
  });

  it("cannot read a request that is not JSON, so that it is declined and reported", () => {
    const received = { type: "issuing_authorization.request", body: "{", receivedAt: clock.now() };
    expect(webhooks.readRequest(received)).toMatchObject({ kind: "unreadable" });
  });

  it("reports a decision that was made without us", async () => {
    const purchase = fakePurchase({ card: "ic_1", amount: 1250 });
    const [request] = await read(purchase.request());
    const { networkId } = request!;
    expect(await read(purchase.decide(true, "webhook_timeout"))).toMatchObject([
      { kind: "advice", networkId },
    ]);
  });

  it.each([
    "issuing_card.created",
    "issuing_cardholder.updated",
    "issuing_transaction.updated",
    "charge.succeeded",
  ])("has no message for %s", async (type) => {
    expect(await read(issuingEvent(type, event.data.object))).toEqual([]);
  });

  it("does not report a partial approval that Stripe applied", async () => {
    const purchase = fakePurchase({ card: "ic_1", amount: 1250, controllable: true });
    purchase.request();
    const created = purchase.decide(true, "webhook_approved", 700);
    expect(purchase.authorization.amount).toBe(700);
    expect(await read(created)).toEqual([]);
  });

  it.each([
    ["active", "open"],
    ["inactive", "suspended"],
    ["canceled", "closed"],
  ] as const)("reads the status of a card that is %s at Stripe", (status, expected) => {
    const card = fakeCard({ id: "ic_1", cardholder: fakeCardholder({ id: "ich_1" }), status });
    const update = stripeContract.webhook(
      "issuing_card.updated",
      issuingEvent("issuing_card.updated", card, {}),
    );
    const received = { type: update.type, body: JSON.stringify(update) };
    expect(webhooks.readStatus(received)).toEqual({ card: "ic_1", status: expected });
    expect(webhooks.readStatus({ ...received, type: "issuing_cardholder.updated" })).toBeNull();
  });

  it.each([
    ["active", null, null],
    ["blocked", null, "blocked"],
    ["inactive", null, "inactive"],
    ["active", "listed", "listed"],
    ["active", "requirements.past_due", "requirements.past_due: individual.dob.day"],
    ["blocked", "rejected.listed", "rejected.listed"],
  ] as const)(
    "reads whether a cardholder that is %s and disabled for %j is blocked",
    (status, disabled, reason) => {
      const isPastDue = disabled === "requirements.past_due";
      const holder = fakeCardholder({
        id: "ich_1",
        status,
        requirements: { disabled_reason: disabled, past_due: isPastDue ? ["individual.dob.day"] : [] },
        metadata: { purser_organization: "org_1", purser_user: "user_1" },
      });
      const type = "issuing_cardholder.updated";
      const readBlocked = (object: object, previous?: object) => {
        const update = stripeContract.webhook(type, issuingEvent(type, object, previous));
        return webhooks.readBlockedCardholder!({ type, body: JSON.stringify(update) });
      };
      const blocked = { cardholder: "ich_1", organizationId: "org_1", userId: "user_1", reason };
      const expected = reason === null ? null : blocked;
      expect(readBlocked(holder, { status: "active" })).toEqual(expected);
      expect(readBlocked(holder, { requirements: { disabled_reason: null, past_due: [] } })).toEqual(
        expected,
      );
      // Its name has changed, or it is a cardholder of another system.
      expect(readBlocked(holder, { name: "Ada" })).toBeNull();
      expect(readBlocked({ ...holder, metadata: {} }, { status: "active" })).toBeNull();
      const other = { type: "issuing_card.updated", body: JSON.stringify(issuingEvent(type, holder)) };
      expect(webhooks.readBlockedCardholder!(other)).toBeNull();
    },
  );

  it("has no message for a card that changed at Stripe", async () => {
    expect(
      await read(
        issuingEvent("issuing_card.updated", { id: "ic_1", status: "inactive" }, { status: "active" }),
      ),
    ).toEqual([]);
  });
});

describe("stripeIssuingWebhooks.formatResponse", () => {
  const answer = (approved: boolean, reason: string | null, part: { partialAmount?: number } = {}) => {
    const { body, ...rest } = webhooks.formatResponse(
      { type: event.type, body: JSON.stringify(event) },
      { approved, reason, ...part },
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

  it("approves a part, with its amount", () => {
    expect(answer(true, null, { partialAmount: 700 })).toEqual({
      ...rest,
      body: { approved: true, amount: 700 },
    });
  });

  it("declines, with our reason in the metadata", () => {
    const body = { approved: false, metadata: { decline_reason: "daily_limit_exceeded" } };
    expect(answer(false, "daily_limit_exceeded")).toEqual({ ...rest, body });
    expect(answer(false, null)).toEqual({ ...rest, body: { approved: false } });
  });
});
