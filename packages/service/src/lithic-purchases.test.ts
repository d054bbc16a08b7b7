import type { CardMessage } from "@purser/cards/ports";
import { type CardFixture, type TestCard, createCardFixture, reportMessages } from "@purser/cards/testing";
import { cardCounters, cardTransactions } from "@purser/db";
import { fakeLithicPurchase } from "@purser/lithic/fake";
import { lithicWebhooks } from "@purser/lithic/webhooks";
import { type Person, type TestPurser, createTestPurser } from "@purser/testing";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
let fixture: CardFixture;
let other: Person;

beforeAll(async () => {
  purser = await createTestPurser();
  other = await purser.person();
  fixture = await createCardFixture(purser, { members: [other] });
});
afterAll(() => purser.close());

type Status = Parameters<typeof fakeLithicPurchase>[0]["status"];

const buy = (card: string, amount: number, status: Status = "AUTHORIZATION") =>
  fakeLithicPurchase({ card, amount, currency: "GBP", status });

/** A purchase that Lithic has authorized, with its request. */
function authorize(card: string, amount: number) {
  const purchase = buy(card, amount);
  const request = purchase.request();
  purchase.happen("AUTHORIZATION", amount, { held: amount });
  return { purchase, request };
}

/** Requests and updates of Lithic, which may decide without our answer, with the resulting ledger. */
const purchases: Record<string, { events: (card: string) => object[]; ledger: string[] }> = {
  "an increment beyond the limit": {
    events: (card) => {
      const purchase = buy(card, 500);
      const requests = [purchase.request(), purchase.increment(500_000)];
      purchase.happen("AUTHORIZATION", 500, { held: 500 });
      purchase.happen("AUTHORIZATION", 500_000, { held: 500, result: "DECLINED" });
      return [...requests, purchase.update()];
    },
    ledger: ["PENDING 500"],
  },
  "increments under one token": {
    events: (card) => {
      const purchase = buy(card, 500);
      const requests = [purchase.request(), purchase.increment(300), purchase.increment(150)];
      purchase.happen("AUTHORIZATION", 500, { held: 500 });
      purchase.happen("AUTHORIZATION", 300, { held: 800 });
      purchase.happen("AUTHORIZATION", 150, { held: 950 });
      return [...requests, purchase.update()];
    },
    ledger: ["PENDING 950"],
  },
  "increments without event tokens": {
    events: (card) => {
      const purchase = buy(card, 500);
      const requests = [purchase.request(), purchase.increment(300)].map(withoutEventToken);
      purchase.happen("AUTHORIZATION", 500, { held: 500 });
      purchase.happen("AUTHORIZATION", 300, { held: 800 });
      return [...requests, purchase.update()];
    },
    ledger: ["PENDING 800"],
  },
  "another attempt after a decline": {
    events: (card) => {
      const purchase = buy(card, 5000);
      const requests = [purchase.request(), purchase.increment(700)];
      purchase.happen("AUTHORIZATION", 5000, { result: "DECLINED" });
      purchase.happen("AUTHORIZATION", 700, { held: 700 });
      return [...requests, purchase.update()];
    },
    ledger: ["DECLINED 5000", "PENDING 700"],
  },
  "a refund in one update with the clearing before it, whose rest Lithic releases": {
    events: (card) => {
      const { purchase, request } = authorize(card, 500);
      purchase.happen("CLEARING", 300, { held: 200 });
      purchase.happen("CLEARING", -100, { status: "SETTLED", polarity: "CREDIT" });
      return [request, purchase.update()];
    },
    ledger: ["COMPLETED -100", "COMPLETED 300"],
  },
  "a refund in the update after the clearing, whose rest Lithic releases": {
    events: (card) => {
      const { purchase, request } = authorize(card, 500);
      purchase.happen("CLEARING", 300, { held: 200 });
      const first = purchase.update();
      purchase.happen("CLEARING", -100, { status: "SETTLED", polarity: "CREDIT" });
      return [request, first, purchase.update()];
    },
    ledger: ["COMPLETED -100", "COMPLETED 300"],
  },
  "an approval without a request": {
    events: (card) => {
      const purchase = buy(card, 5000);
      purchase.happen("AUTHORIZATION", 5000, { held: 5000 });
      return [purchase.update()];
    },
    ledger: ["PENDING 5000"],
  },
  "an increment that Lithic approved without a request": {
    events: (card) => {
      const { purchase, request } = authorize(card, 500);
      purchase.happen("AUTHORIZATION", 2000, { held: 2500 });
      return [request, purchase.update()];
    },
    ledger: ["PENDING 2500"],
  },
  "an approval by the network, which Lithic learns by advice": {
    events: (card) => {
      const purchase = buy(card, 5000);
      purchase.happen("AUTHORIZATION_ADVICE", 5000, { held: 5000 });
      const first = purchase.update();
      purchase.happen("CLEARING", 4800, { status: "SETTLED" });
      return [first, purchase.update()];
    },
    ledger: ["COMPLETED 4800"],
  },
  "an approval after an expired one under the same token": {
    events: (card) => {
      const { purchase, request: first } = authorize(card, 500);
      purchase.happen("AUTHORIZATION_EXPIRY", 500);
      const expired = purchase.update();
      const second = purchase.increment(300);
      purchase.happen("AUTHORIZATION", 300, { held: 300 });
      return [first, expired, second, purchase.update()];
    },
    ledger: ["DECLINED 500", "PENDING 300"],
  },
  "an advice after an expiry and another approval": {
    events: (card) => {
      const { purchase, request: first } = authorize(card, 500);
      purchase.happen("AUTHORIZATION_EXPIRY", 500);
      const expired = purchase.update();
      const second = purchase.increment(300);
      purchase.happen("AUTHORIZATION", 300, { held: 300 });
      purchase.happen("AUTHORIZATION_ADVICE", 200, { held: 200 });
      return [first, expired, second, purchase.update()];
    },
    ledger: ["DECLINED 500", "PENDING 200"],
  },
  "an advice after an expiry": {
    events: (card) => {
      const { purchase, request } = authorize(card, 500);
      purchase.happen("AUTHORIZATION_EXPIRY", 500);
      purchase.happen("AUTHORIZATION_ADVICE", 400, { held: 400 });
      return [request, purchase.update()];
    },
    ledger: ["DECLINED 500", "PENDING 400"],
  },
  "an advice after a clearing of more than was held": {
    events: (card) => {
      const { purchase, request } = authorize(card, 500);
      purchase.happen("CLEARING", 600, { held: 100 });
      purchase.happen("AUTHORIZATION_ADVICE", 200, { held: 200 });
      return [request, purchase.update()];
    },
    ledger: ["PENDING 800"],
  },
  "a verification of the card without a request, with a clearing after its expiry": {
    events: (card) => {
      const purchase = buy(card, 0);
      purchase.happen("AUTHORIZATION", 0);
      purchase.happen("AUTHORIZATION_EXPIRY", 0);
      purchase.happen("CLEARING", 600, { status: "SETTLED" });
      return [purchase.update()];
    },
    ledger: ["COMPLETED 0", "COMPLETED 600"],
  },
  "a verification by the network, which Lithic learns by advice, with a clearing after its expiry": {
    events: (card) => {
      const purchase = buy(card, 0);
      purchase.happen("AUTHORIZATION_ADVICE", 0);
      purchase.happen("AUTHORIZATION_EXPIRY", 0);
      purchase.happen("CLEARING", 600, { status: "SETTLED" });
      return [purchase.update()];
    },
    ledger: ["COMPLETED 0", "COMPLETED 600"],
  },
  "an advice of less than the hold of the request, as for fuel": {
    events: (card) => {
      const hold = { amount: 800, currency: "GBP" };
      const purchase = fakeLithicPurchase({ card, amount: 100, currency: "GBP", hold });
      const request = purchase.request();
      purchase.happen("AUTHORIZATION", 100, { held: 800 });
      const first = purchase.update();
      purchase.happen("AUTHORIZATION_ADVICE", 420, { held: 420 });
      return [request, first, purchase.update()];
    },
    ledger: ["PENDING 420"],
  },
  "a clearing without the tip that its request held, in updates of their own": {
    events: (card) => {
      const hold = { amount: 600, currency: "GBP" };
      const purchase = fakeLithicPurchase({ card, amount: 500, currency: "GBP", hold });
      const request = purchase.request();
      purchase.happen("AUTHORIZATION", 500, { held: 500 });
      purchase.happen("CLEARING", 300, { held: 200 });
      const first = purchase.update();
      purchase.happen("AUTHORIZATION_REVERSAL", 200, { status: "SETTLED", polarity: "CREDIT" });
      return [request, first, purchase.update()];
    },
    ledger: ["COMPLETED 300"],
  },
  "an advice between an approval and an increment whose request came before": {
    events: (card) => {
      const purchase = buy(card, 500);
      const requests = [purchase.request(), purchase.increment(300)];
      purchase.happen("AUTHORIZATION", 500, { held: 500 });
      purchase.happen("AUTHORIZATION_ADVICE", 400, { held: 400 });
      purchase.happen("AUTHORIZATION", 300, { held: 700 });
      return [...requests, purchase.update()];
    },
    ledger: ["PENDING 700"],
  },
  "an advice, and an increment after its update": {
    events: (card) => {
      const { purchase, request } = authorize(card, 500);
      purchase.happen("AUTHORIZATION_ADVICE", 400, { held: 400 });
      const first = purchase.update();
      const increment = purchase.increment(300);
      purchase.happen("AUTHORIZATION", 300, { held: 700 });
      return [request, first, increment, purchase.update()];
    },
    ledger: ["PENDING 700"],
  },
  "a correction of a purchase that is still held": {
    events: (card) => {
      const { purchase, request } = authorize(card, 500);
      purchase.happen("CORRECTION_DEBIT", 100, { held: 500 });
      return [request, purchase.update()];
    },
    ledger: ["COMPLETED 100", "PENDING 500"],
  },
  "a withdrawal that settles at once": {
    events: (card) => {
      const purchase = buy(card, 500, "FINANCIAL_AUTHORIZATION");
      const request = purchase.request();
      purchase.happen("FINANCIAL_AUTHORIZATION", 500, { status: "SETTLED" });
      return [request, purchase.update()];
    },
    ledger: ["COMPLETED 500"],
  },
  "a withdrawal that Lithic approved without a request": {
    events: (card) => {
      const purchase = buy(card, 5000);
      purchase.happen("FINANCIAL_AUTHORIZATION", 5000, { status: "SETTLED" });
      return [purchase.update()];
    },
    ledger: ["COMPLETED 5000"],
  },
  "a withdrawal that Lithic approved against our decline": {
    events: (card) => {
      const purchase = buy(card, 5000, "FINANCIAL_AUTHORIZATION");
      const request = purchase.request();
      purchase.happen("FINANCIAL_AUTHORIZATION", 5000, { status: "SETTLED" });
      const first = purchase.update();
      purchase.happen("AUTHORIZATION_REVERSAL", 5000, { status: "SETTLED", polarity: "CREDIT" });
      return [request, first, purchase.update()];
    },
    ledger: ["COMPLETED -5000", "COMPLETED 5000", "DECLINED 5000"],
  },
  "an approval that came too late": {
    events: (card) => {
      const purchase = buy(card, 500);
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

const apply = (...messages: CardMessage[]) => reportMessages(purser.platform, ...messages);

/** Returns the messages of a request or an update. */
async function read(event: object): Promise<CardMessage[]> {
  const webhooks = lithicWebhooks([]);
  const { event_type: type = "card_authorization.approval_request" } = event as { event_type?: string };
  const received = { type, body: JSON.stringify(event), receivedAt: purser.clock.now() };
  return webhooks.isRequest(type) ? [webhooks.readRequest(received) as CardMessage] : webhooks.read(received);
}

async function ledgerOf({ id }: TestCard): Promise<string[]> {
  const rows = await purser.db.select().from(cardTransactions).where(eq(cardTransactions.cardId, id));
  return rows.map(({ status, amount }) => `${status} ${amount}`).toSorted();
}

describe("the webhooks of Lithic", () => {
  it("add no hold to one from before requests had ids of their own", async () => {
    const card = await fixture.card({ spendingLimit: 1000 });
    const purchase = buy(card.reference, 500);
    const [request] = await read(purchase.request());
    await apply({ ...request!, networkId: purchase.token });
    purchase.happen("AUTHORIZATION", 500, { held: 500 });
    await apply(...(await read(purchase.update())));
    expect(await ledgerOf(card)).toEqual(["PENDING 500"]);
    purchase.happen("CLEARING", 480, { status: "SETTLED" });
    await apply(...(await read(purchase.update())));
    expect(await ledgerOf(card)).toEqual(["COMPLETED 480"]);
  });

  it.each(Object.entries(purchases))("record %s once", async (_, { events, ledger }) => {
    const card = await fixture.card({ spendingLimit: 1000 });
    const messages = await Promise.all(events(card.reference).map(read));
    for (const event of messages) await apply(...event);
    expect(await ledgerOf(card)).toEqual(ledger);
    for (const event of messages) await apply(...event);
    expect(await ledgerOf(card)).toEqual(ledger);
  });

  it("count a purchase once whose refund is reversed, and show its corrections to its holder alone", async () => {
    const { organizationId, owner } = fixture;
    const { id: cardId, reference } = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" });
    const assign = (userId: string) =>
      purser.as(owner).cards.update({ organizationId, cardId, assignedToId: userId });
    const purchase = buy(reference, 600);
    await apply(...(await read(purchase.request())));
    purchase.happen("AUTHORIZATION", 600, { held: 600 });
    purchase.happen("CLEARING", 600, { status: "SETTLED" });
    purchase.happen("RETURN", 600, { status: "SETTLED", polarity: "CREDIT" });
    await apply(...(await read(purchase.update())));
    await assign(other.userId);
    purchase.happen("RETURN_REVERSAL", 600, { status: "SETTLED" });
    for (const update of [purchase.update(), purchase.update()]) await apply(...(await read(update)));
    const today = and(eq(cardCounters.cardId, cardId), eq(cardCounters.period, "DAY"));
    expect(await purser.db.select().from(cardCounters).where(today)).toMatchObject([{ used: 600 }]);
    purchase.happen("CORRECTION_DEBIT", 50, { status: "SETTLED" });
    await apply(...(await read(purchase.update())));

    const seenBy = async (person: Person) =>
      (await purser.as(person).cards.transactions.list({ organizationId, cardId })).map(
        ({ status, amount }) => `${status} ${amount}`,
      );
    expect(await seenBy(owner)).toEqual(["COMPLETED 50", "COMPLETED 600", "COMPLETED -600", "COMPLETED 600"]);
    expect(await seenBy(other)).toEqual([]);
  });
});
