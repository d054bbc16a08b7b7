import type { CardMessage, IssuerWebhooks } from "@purser/cards/ports";
import {
  type CardFixture,
  type TestCard,
  adviceOn,
  flakyIssuer,
  createCardFixture,
  cardNetwork,
} from "@purser/cards/testing";
import { cardTransactions } from "@purser/db";
import { fakeLithicPurchase as lithicPurchase } from "@purser/lithic/fake";
import { lithicWebhooks } from "@purser/lithic/webhooks";
import { fakePurchase as stripePurchase } from "@purser/stripe/fake";
import { stripeIssuingWebhooks } from "@purser/stripe/issuing";
import { type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
let fixture: CardFixture;
/** The messages of the next event. */
let nextMessages: CardMessage[] = [];

beforeAll(async () => {
  const { issuers } = flakyIssuer();
  const issuer = await issuers.at("sandbox");
  const webhooks: IssuerWebhooks = { ...issuer.webhooks, read: () => nextMessages };
  purser = await createTestPurser({ issuers: { ...issuers, at: async () => ({ ...issuer, webhooks }) } });
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());

const apply = (...messages: CardMessage[]) => {
  nextMessages = messages;
  const receiver = purser.receivers.find(({ area }) => area === "cards")!;
  return receiver.apply({ type: "transaction", body: "{}" } as never);
};

async function ledgerOf({ id }: TestCard): Promise<string[]> {
  const rows = await purser.db.select().from(cardTransactions).where(eq(cardTransactions.cardId, id));
  return rows.map(({ status, amount }) => `${status} ${amount}`).toSorted();
}

/** Message sequences of a network that do not fit the stored state, with the resulting ledger. */
const stories: Record<
  string,
  { messagesOf: (network: ReturnType<typeof cardNetwork>) => CardMessage[]; ledger: string[] }
> = {
  "a refund of more than was cleared": {
    messagesOf: (network) => [network.clearing("a", 100), network.refund("a", 150)],
    ledger: ["COMPLETED -150", "COMPLETED 100"],
  },
  "a refund of a reversed purchase": {
    messagesOf: (network) => [
      network.authorization({ authorization: "b", amount: 100 }),
      network.reversal("b"),
      network.refund("b", 100),
    ],
    ledger: ["COMPLETED -100", "DECLINED 100"],
  },
  "a refund of an unsettled purchase": {
    messagesOf: (network) => [
      network.authorization({ authorization: "c", amount: 100 }),
      network.refund("c", 30),
    ],
    ledger: ["COMPLETED -30", "PENDING 100"],
  },
  "a reversal of more than the hold": {
    messagesOf: (network) => [
      network.authorization({ authorization: "d", amount: 100 }),
      network.reversal("d", 150),
    ],
    ledger: ["DECLINED 100"],
  },
  "an authorization after its clearing": {
    messagesOf: (network) => [
      network.clearing("e", 80),
      network.authorization({ authorization: "e", amount: 100 }),
    ],
    ledger: ["COMPLETED 80"],
  },
  "a reversal of a settled purchase": {
    messagesOf: (network) => [
      network.authorization({ authorization: "f", amount: 100 }),
      network.clearing("f"),
      network.reversal("f"),
      network.increment("f", 50),
    ],
    ledger: ["COMPLETED 100"],
  },
};

/** Events of issuers that decided without our answer, with the resulting ledger. */
const decisions: Record<string, { events: (card: string) => object[]; ledger: string[] }> = {
  "an approval that came too late for Stripe": {
    events: (card) => {
      const purchase = stripePurchase({ card, amount: 500 });
      return [purchase.request(), purchase.decide(false, "webhook_timeout")];
    },
    ledger: ["DECLINED 500"],
  },
  "a refusal that came too late for Stripe, which had approved": {
    events: (card) => {
      const purchase = stripePurchase({ card, amount: 5000 });
      return [purchase.request(), purchase.decide(true, "webhook_timeout"), purchase.reversal(1000)];
    },
    ledger: ["DECLINED 5000", "PENDING 4000"],
  },
  "an approval by Stripe without a request": {
    events: (card) => {
      const purchase = stripePurchase({ card, amount: 5000 });
      purchase.request();
      return [purchase.decide(true, "network_fallback"), ...purchase.capture(4500)];
    },
    ledger: ["COMPLETED 4500"],
  },
  "the closing of a purchase at Stripe that had expired": {
    events: (card) => {
      const purchase = stripePurchase({ card, amount: 500 });
      const first = [purchase.request(), purchase.decide(true), purchase.expire()];
      return [...first, ...purchase.capture(450)];
    },
    ledger: ["COMPLETED 450", "DECLINED 500"],
  },
  "an increment that came too late for Stripe": {
    events: (card) => {
      const purchase = stripePurchase({ card, amount: 500 });
      const first = [purchase.request(), purchase.decide(true)];
      return [...first, purchase.increment(200), purchase.decide(false, "webhook_error")];
    },
    ledger: ["PENDING 500"],
  },
  "an increment at Lithic beyond the limit": {
    events: (card) => {
      const purchase = lithicPurchase({ card, amount: 500, currency: "GBP" });
      const requests = [purchase.request(), purchase.increment(500_000)];
      purchase.happen("AUTHORIZATION", 500, { held: 500 });
      purchase.happen("AUTHORIZATION", 500_000, { held: 500, result: "DECLINED" });
      return [...requests, purchase.update()];
    },
    ledger: ["PENDING 500"],
  },
  "increments at Lithic under one token": {
    events: (card) => {
      const purchase = lithicPurchase({ card, amount: 500, currency: "GBP" });
      const requests = [purchase.request(), purchase.increment(300), purchase.increment(150)];
      purchase.happen("AUTHORIZATION", 500, { held: 500 });
      purchase.happen("AUTHORIZATION", 300, { held: 800 });
      purchase.happen("AUTHORIZATION", 150, { held: 950 });
      return [...requests, purchase.update()];
    },
    ledger: ["PENDING 950"],
  },
  "increments at Lithic without event tokens": {
    events: (card) => {
      const purchase = lithicPurchase({ card, amount: 500, currency: "GBP" });
      const requests = [purchase.request(), purchase.increment(300)].map(withoutEventToken);
      purchase.happen("AUTHORIZATION", 500, { held: 500 });
      purchase.happen("AUTHORIZATION", 300, { held: 800 });
      return [...requests, purchase.update()];
    },
    ledger: ["PENDING 800"],
  },
  "another attempt at Lithic after a decline": {
    events: (card) => {
      const purchase = lithicPurchase({ card, amount: 5000, currency: "GBP" });
      const requests = [purchase.request(), purchase.increment(700)];
      purchase.happen("AUTHORIZATION", 5000, { result: "DECLINED" });
      purchase.happen("AUTHORIZATION", 700, { held: 700 });
      return [...requests, purchase.update()];
    },
    ledger: ["DECLINED 5000", "PENDING 700"],
  },
  "a refund in one update with the clearing before it, whose rest Lithic releases": {
    events: (card) => {
      const purchase = lithicPurchase({ card, amount: 500, currency: "GBP" });
      const request = purchase.request();
      purchase.happen("AUTHORIZATION", 500, { held: 500 });
      purchase.happen("CLEARING", 300, { held: 200 });
      purchase.happen("CLEARING", -100, { status: "SETTLED", polarity: "CREDIT" });
      return [request, purchase.update()];
    },
    ledger: ["COMPLETED -100", "COMPLETED 300"],
  },
  "a refund in the update after the clearing, whose rest Lithic releases": {
    events: (card) => {
      const purchase = lithicPurchase({ card, amount: 500, currency: "GBP" });
      const request = purchase.request();
      purchase.happen("AUTHORIZATION", 500, { held: 500 });
      purchase.happen("CLEARING", 300, { held: 200 });
      const first = purchase.update();
      purchase.happen("CLEARING", -100, { status: "SETTLED", polarity: "CREDIT" });
      return [request, first, purchase.update()];
    },
    ledger: ["COMPLETED -100", "COMPLETED 300"],
  },
  "an approval by Lithic without a request": {
    events: (card) => {
      const purchase = lithicPurchase({ card, amount: 5000, currency: "GBP" });
      purchase.happen("AUTHORIZATION", 5000, { held: 5000 });
      return [purchase.update()];
    },
    ledger: ["PENDING 5000"],
  },
  "an increment that Lithic approved without a request": {
    events: (card) => {
      const purchase = lithicPurchase({ card, amount: 500, currency: "GBP" });
      const request = purchase.request();
      purchase.happen("AUTHORIZATION", 500, { held: 500 });
      purchase.happen("AUTHORIZATION", 2000, { held: 2500 });
      return [request, purchase.update()];
    },
    ledger: ["PENDING 2500"],
  },
  "an approval by the network, which Lithic learns by advice": {
    events: (card) => {
      const purchase = lithicPurchase({ card, amount: 5000, currency: "GBP" });
      purchase.happen("AUTHORIZATION_ADVICE", 5000, { held: 5000 });
      const first = purchase.update();
      purchase.happen("CLEARING", 4800, { status: "SETTLED" });
      return [first, purchase.update()];
    },
    ledger: ["COMPLETED 4800"],
  },
  "an approval at Lithic after an expired one under the same token": {
    events: (card) => {
      const purchase = lithicPurchase({ card, amount: 500, currency: "GBP" });
      const first = purchase.request();
      purchase.happen("AUTHORIZATION", 500, { held: 500 });
      purchase.happen("AUTHORIZATION_EXPIRY", 500);
      const expired = purchase.update();
      const second = purchase.increment(300);
      purchase.happen("AUTHORIZATION", 300, { held: 300 });
      return [first, expired, second, purchase.update()];
    },
    ledger: ["DECLINED 500", "PENDING 300"],
  },
  "a withdrawal at Lithic that settles at once": {
    events: (card) => {
      const purchase = lithicPurchase({
        card,
        amount: 500,
        currency: "GBP",
        status: "FINANCIAL_AUTHORIZATION",
      });
      const request = purchase.request();
      purchase.happen("FINANCIAL_AUTHORIZATION", 500, { status: "SETTLED" });
      return [request, purchase.update()];
    },
    ledger: ["COMPLETED 500"],
  },
  "a withdrawal that Lithic approved without a request": {
    events: (card) => {
      const purchase = lithicPurchase({ card, amount: 5000, currency: "GBP" });
      purchase.happen("FINANCIAL_AUTHORIZATION", 5000, { status: "SETTLED" });
      return [purchase.update()];
    },
    ledger: ["COMPLETED 5000"],
  },
  "a withdrawal that Lithic approved against our decline": {
    events: (card) => {
      const purchase = lithicPurchase({
        card,
        amount: 5000,
        currency: "GBP",
        status: "FINANCIAL_AUTHORIZATION",
      });
      const request = purchase.request();
      purchase.happen("FINANCIAL_AUTHORIZATION", 5000, { status: "SETTLED" });
      const first = purchase.update();
      purchase.happen("AUTHORIZATION_REVERSAL", 5000, { status: "SETTLED", polarity: "CREDIT" });
      return [request, first, purchase.update()];
    },
    ledger: ["COMPLETED -5000", "COMPLETED 5000", "DECLINED 5000"],
  },
  "an approval that came too late for Lithic": {
    events: (card) => {
      const purchase = lithicPurchase({ card, amount: 500, currency: "GBP" });
      const request = purchase.request();
      const details = ["CUSTOMER_ASA_TIMEOUT"] as const;
      purchase.happen("AUTHORIZATION", 500, {
        status: "DECLINED",
        result: "DECLINED",
        details: [...details],
      });
      return [request, purchase.update()];
    },
    ledger: ["DECLINED 500"],
  },
};

/** A request of a program outside the beta of event tokens. */
const withoutEventToken = ({ event_token: _token, ...request }: { event_token?: string }): object => request;

const offline = () => Promise.reject(new Error("No event of this file asks Stripe"));

/** Returns the messages of an event of Stripe or Lithic. */
async function read(event: object): Promise<CardMessage[]> {
  const { type, event_type: lithicType = "card_authorization.approval_request" } = event as never;
  const issuer = type === undefined ? lithicWebhooks([]) : stripeIssuingWebhooks([], offline);
  const received = { type: type ?? lithicType, body: JSON.stringify(event) };
  return issuer.isRequest(received.type)
    ? [issuer.readRequest(received) as CardMessage]
    : issuer.read(received);
}

describe("the webhooks of an issuer", () => {
  it("add no hold to one from before requests had ids of their own", async () => {
    const card = await fixture.card({ spendingLimit: 1000 });
    const purchase = lithicPurchase({ card: card.reference, amount: 500, currency: "GBP" });
    const [request] = await read(purchase.request());
    await apply({ ...request!, networkId: purchase.token });
    purchase.happen("AUTHORIZATION", 500, { held: 500 });
    await apply(...(await read(purchase.update())));
    expect(await ledgerOf(card)).toEqual(["PENDING 500"]);
    purchase.happen("CLEARING", 480, { status: "SETTLED" });
    await apply(...(await read(purchase.update())));
    expect(await ledgerOf(card)).toEqual(["COMPLETED 480"]);
  });

  it.each(Object.entries(decisions))("record %s once", async (_, { events, ledger }) => {
    const card = await fixture.card({ spendingLimit: 1000 });
    const messages = await Promise.all(events(card.reference).map(read));
    for (const event of messages) await apply(...event);
    expect(await ledgerOf(card)).toEqual(ledger);
    for (const event of messages) await apply(...event);
    expect(await ledgerOf(card)).toEqual(ledger);
  });

  it.each(Object.entries(stories))("record %s once", async (_, { messagesOf, ledger }) => {
    const card = await fixture.card();
    const messages = messagesOf(cardNetwork({ card: card.reference, at: purser.clock.now() }));
    for (const message of messages) await apply(message);
    expect(await ledgerOf(card)).toEqual(ledger);
    await apply(...messages);
    expect(await ledgerOf(card)).toEqual(ledger);
  });

  it("ignore unknown cards and duplicates, and fail for an unknown authorization so the event is retried", async () => {
    const nowhere = cardNetwork({ card: "unknown", at: purser.clock.now() });
    const advice = adviceOn(nowhere.authorization({ amount: 100 }));
    expect(
      await apply(nowhere.clearing(null, 100), nowhere.refund(null, 100), nowhere.refund("x", 100), advice),
    ).toBe("IGNORED");
    const { reference } = await fixture.card();
    const network = cardNetwork({ card: reference, at: purser.clock.now() });
    const known = adviceOn(network.authorization({ amount: 100 }));
    expect([await apply(known), await apply(known)]).toEqual(["APPLIED", "IGNORED"]);
    expect(await refusalOf(apply(network.reversal("not reported yet")))).toBe("CARD_TRANSACTION_NOT_FOUND");
  });
});
