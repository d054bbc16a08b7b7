import { cardReceivers } from "@purser/cards";
import type { CardMessage } from "@purser/cards/ports";
import {
  type CardFixture,
  type TestCard,
  adviceOn,
  cardNetwork,
  createCardFixture,
  flakyIssuer,
  reportMessages,
} from "@purser/cards/testing";
import { cardTransactions } from "@purser/db";
import { fakePurchase as stripePurchase } from "@purser/stripe/fake";
import { stripeIssuingWebhooks } from "@purser/stripe/issuing";
import { type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());

const apply = (...messages: CardMessage[]) => reportMessages(purser.platform, ...messages);

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

/** Events of Stripe, which decided without our answer, with the resulting ledger. */
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
};

/** Events of Stripe about purchases that we decided, with the resulting ledger. */
const purchases: typeof decisions = {
  "the reversal of the rest at Stripe before its capture": {
    events: (card) => {
      const purchase = stripePurchase({ card, amount: 500 });
      const first = [purchase.request(), purchase.decide(true)];
      const [capture] = purchase.capture(400, { closes: false });
      return [...first, purchase.reversal(), capture];
    },
    ledger: ["COMPLETED 400"],
  },
  "a purchase at Stripe after a verification of the card": {
    events: (card) => {
      const purchase = stripePurchase({ card, amount: 0 });
      const verification = [purchase.request(), purchase.decide(true)];
      return [...verification, purchase.increment(500), purchase.decide(true)];
    },
    ledger: ["COMPLETED 0", "PENDING 500"],
  },
  "a credit to the card at Stripe": {
    events: (card) => {
      const credit = stripePurchase({ card, amount: -600 });
      credit.request();
      return [credit.decide(true), credit.refund(600), credit.close()];
    },
    ledger: ["COMPLETED -600"],
  },
};

const offline = () => Promise.reject(new Error("No event of this file asks Stripe"));

/** Sends a request of Stripe. Returns the answer. */
async function ask(event: { type: string }): Promise<unknown> {
  const { issuers } = flakyIssuer();
  const issuer = { ...(await issuers.at("sandbox")), webhooks: stripeIssuingWebhooks([], offline) };
  const [receiver] = cardReceivers({ ...purser.platform, issuers: { ...issuers, at: async () => issuer } });
  const received = { type: event.type, body: JSON.stringify(event), receivedAt: purser.clock.now() };
  return JSON.parse((await receiver!.respond!(received))!.body);
}

/** Returns the messages of an event of Stripe. */
async function read(event: object): Promise<CardMessage[]> {
  const { type } = event as { type: string };
  const issuer = stripeIssuingWebhooks([], offline);
  const received = { type, body: JSON.stringify(event), receivedAt: purser.clock.now() };
  return issuer.isRequest(type) ? [issuer.readRequest(received) as CardMessage] : issuer.read(received);
}

describe("an increment of a purchase that Stripe approved without us", () => {
  it("is decided together with that purchase, before Stripe reports it", async () => {
    const card = await fixture.card({ spendingLimit: 1000 });
    const purchase = stripePurchase({ card: card.reference, amount: 500 });
    purchase.request();
    const report = purchase.decide(true, "webhook_timeout");
    expect(await ask(purchase.increment(200))).toEqual({ approved: true });
    expect(await ledgerOf(card)).toEqual(["PENDING 700"]);
    purchase.decide(true);
    const metadata = { decline_reason: "transaction_limit_exceeded" };
    expect(await ask(purchase.increment(400))).toEqual({ approved: false, metadata });
    const refusal = purchase.decide(false);
    for (const event of [report, refusal]) await apply(...(await read(event)));
    expect(await ledgerOf(card)).toEqual(["PENDING 700"]);
  });

  it("is decided together with that purchase, which we have declined", async () => {
    const card = await fixture.card({ spendingLimit: 1000 });
    const purchase = stripePurchase({ card: card.reference, amount: 1500 });
    const metadata = { decline_reason: "transaction_limit_exceeded" };
    expect(await ask(purchase.request())).toEqual({ approved: false, metadata });
    purchase.decide(true, "webhook_timeout");
    expect(await ask(purchase.increment(200))).toEqual({ approved: false, metadata });
    expect(await ledgerOf(card)).toEqual(["DECLINED 1500", "PENDING 1500"]);
  });

  it("is refused without any approval before it", async () => {
    const card = await fixture.card({ spendingLimit: 1000 });
    const purchase = stripePurchase({ card: card.reference, amount: 500 });
    purchase.request();
    purchase.decide(true);
    const metadata = { decline_reason: "card_transaction_not_found" };
    expect(await ask(purchase.increment(200))).toEqual({ approved: false, metadata });
    expect(await ledgerOf(card)).toEqual([]);
  });
});

describe("the webhooks of an issuer", () => {
  it.each(Object.entries({ ...decisions, ...purchases }))("record %s once", async (_, { events, ledger }) => {
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
