import { cardReceivers } from "@purser/cards";
import type { IssuerName, IssuerWebhooks } from "@purser/cards/ports";
import { createCardFixture, flakyIssuer } from "@purser/cards/testing";
import { fakeLithicPurchase, signLithicWebhook } from "@purser/lithic/fake";
import { lithicWebhooks } from "@purser/lithic/webhooks";
import { receiveWebhook } from "@purser/platform/inbox";
import { fakePurchase } from "@purser/stripe/fake";
import { stripeIssuingWebhooks } from "@purser/stripe/issuing";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

/** A receiver of an issuer with these webhooks, and what it has logged and counted. */
async function receiverWith(webhooks: IssuerWebhooks, name: IssuerName = "sandbox") {
  const log: object[] = [];
  const record = (fields: object) => void log.push(fields);
  const counted: unknown[] = [];
  const { issuers } = flakyIssuer();
  const issuer = { ...(await issuers.at("sandbox")), webhooks };
  const { logger, meter } = purser.platform;
  const [receiver] = cardReceivers({
    ...purser.platform,
    issuers: { configured: [name], at: async () => issuer },
    logger: { ...logger, error: record, warn: record },
    meter: { ...meter, count: (metric, labels) => void counted.push([metric.name, labels]) },
  });
  return { receiver: receiver!, log, counted };
}

/** Sends a request to an issuer with these webhooks. Returns the response, and what was logged and counted. */
async function receive(webhooks: IssuerWebhooks, event: { type: string; body: object }, name?: IssuerName) {
  const { receiver, log, counted } = await receiverWith(webhooks, name);
  const answer = await receiver.respond!({
    type: event.type,
    body: JSON.stringify(event.body),
    receivedAt: purser.clock.now(),
  });
  return { answer: JSON.parse(answer!.body) as unknown, log, counted };
}

const stripe = stripeIssuingWebhooks([], () => Promise.reject(new Error("Not called")));

function creditAtStripe() {
  const event = fakePurchase({ card: "ic_1", amount: -500 }).request();
  return { type: event.type, body: event };
}

describe("a card request that cannot be read", () => {
  it("is declined, counted, and logged without its values", async () => {
    const type = "issuing_authorization.request";
    const { answer, log, counted } = await receive(stripe, {
      type,
      body: { created: 1, data: { object: { id: "secret" } } },
    });
    expect(answer).toEqual({ approved: false });
    expect(log).toMatchObject([{ issuer: "sandbox", type, issues: expect.stringContaining("data.object") }]);
    expect(JSON.stringify(log)).not.toContain("secret");
    expect(counted).toEqual([["purser_card_unreadable_requests_total", { issuer: "sandbox" }]]);
  });

  it("is answered in Lithic's form, whatever its form, and not refused", async () => {
    const secret = `whsec_${Buffer.from("of the requests").toString("base64")}`;
    const { receiver, log, counted } = await receiverWith(lithicWebhooks([secret]));
    const body = { token: "request", inquiry: { card: "secret" } };
    const sent = signLithicWebhook(body, secret, purser.clock.now());
    const receipt = await receiveWebhook(purser.platform, receiver, sent.body, sent.headers);
    expect(receipt).toMatchObject({
      outcome: "answered",
      response: { status: 200, body: JSON.stringify({ result: "UNDECIDED", token: "request" }) },
    });
    expect(log).toMatchObject([{ issuer: "sandbox", issues: expect.stringContaining("card invalid_type") }]);
    expect(JSON.stringify(log)).not.toContain("secret");
    expect(counted).toEqual([["purser_card_unreadable_requests_total", { issuer: "sandbox" }]]);
  });
});

describe("a card request without anything to decide", () => {
  const lithic = {
    type: "card_authorization.approval_request",
    body: { token: "credit", card: { token: "card" }, status: "CREDIT_AUTHORIZATION" },
  };
  it.each([
    ["Lithic", lithicWebhooks([]), lithic, { result: "APPROVED", token: "credit" }],
    ["Stripe", stripe, creditAtStripe(), { approved: true }],
  ])(
    "is approved, and counts as no decision, so credits do not alert anybody to failing decisions: %s",
    async (_issuer, webhooks, event, approval) => {
      const { answer, log, counted } = await receive(webhooks, event);
      expect(answer).toEqual(approval);
      expect([log, counted]).toEqual([[], []]);
    },
  );
});

describe("a card request for a card that its issuer did not issue here", () => {
  it.each([
    ["Lithic", lithicWebhooks([]), lithicRequest, (id: string) => ({ result: "UNDECIDED", token: id })],
    [
      "Stripe",
      stripe,
      stripeRequest,
      () => ({ approved: false, metadata: { decline_reason: "card_not_found" } }),
    ],
  ] as const)(
    "is declined in the form of %s, and nothing is logged",
    async (_issuer, webhooks, requestFor, decline) => {
      const fixture = await createCardFixture(purser);
      const { reference: ofSandbox } = await fixture.card();
      for (const card of ["unknown", ofSandbox]) {
        const { id, ...event } = requestFor(card);
        const { answer, log, counted } = await receive(webhooks, event, "stripe");
        expect(answer).toEqual(decline(id));
        expect(log).toEqual([]);
        const decision = { issuer: "stripe", outcome: "declined", reason: "card_not_found" };
        expect(counted).toEqual([["purser_card_decisions_total", decision]]);
      }
    },
  );
});

function lithicRequest(card: string) {
  const body = fakeLithicPurchase({ card, amount: 500 }).request();
  return { id: body.token, type: body.event_type, body };
}

function stripeRequest(card: string) {
  const body = fakePurchase({ card, amount: 500 }).request();
  return { id: body.id, type: body.type, body };
}
