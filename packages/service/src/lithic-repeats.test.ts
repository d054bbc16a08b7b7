import { cardReceivers } from "@purser/cards";
import type { CardMessage } from "@purser/cards/ports";
import {
  type CardFixture,
  type TestCard,
  createCardFixture,
  flakyIssuer,
  reportMessages,
} from "@purser/cards/testing";
import { day, minute } from "@purser/core/testing";
import { cardTransactions } from "@purser/db";
import { fakeLithicPurchase } from "@purser/lithic/fake";
import { lithicWebhooks } from "@purser/lithic/webhooks";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

let purser: TestPurser;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
  fixture = await createCardFixture(purser);
});
afterAll(() => purser.close());

type Purchase = ReturnType<typeof fakeLithicPurchase>;

/** A request with the tokens of the first one, and other fields. */
function underSameToken(purchase: Purchase, { amount, created }: { amount?: number; created?: string }) {
  const request = purchase.request();
  const { cardholder } = request.amounts;
  const amounts = { ...request.amounts, cardholder: { ...cardholder, amount: amount ?? cardholder.amount } };
  return { ...request, amounts, created: created ?? request.created };
}

const webhooks = lithicWebhooks([]);

/** Delivers a request or an update, and then everything delivered so far once more. */
async function deliverAll(events: object[]) {
  for (const event of [...events, ...events]) {
    const { event_type: type } = event as { event_type: string };
    const received = { type, body: JSON.stringify(event), receivedAt: purser.clock.now() };
    const isRequest = webhooks.isRequest(type);
    const messages = isRequest ? [webhooks.readRequest(received)] : await webhooks.read(received);
    await reportMessages(purser.platform, ...(messages as CardMessage[]));
  }
}

async function ledgerOf({ id }: TestCard): Promise<string[]> {
  const rows = await purser.db.select().from(cardTransactions).where(eq(cardTransactions.cardId, id));
  return rows.map(({ status, amount }) => `${status} ${amount}`).toSorted();
}

/** Sends a purchase of 300, and then requests under its event token. Returns the ledger. */
async function spend(send: (purchase: Purchase) => object[]): Promise<string[]> {
  const card = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" });
  const purchase = fakeLithicPurchase({ card: card.reference, amount: 300, currency: "GBP" });
  purser.clock.set(purchase.transaction.created);
  await deliverAll([purchase.request(), ...send(purchase)]);
  return ledgerOf(card);
}

describe("another request under the event token of an approved one", () => {
  it("is decided and held if its amount differs", async () => {
    expect(await spend((purchase) => [underSameToken(purchase, { amount: 400 })])).toEqual(["PENDING 700"]);
  });

  it("is decided and held if its time differs", async () => {
    const created = "2026-03-02T11:00:00Z";
    expect(await spend((purchase) => [underSameToken(purchase, { created })])).toEqual(["PENDING 600"]);
  });

  it("is the same one if nothing differs", async () => {
    expect(await spend((purchase) => [underSameToken(purchase, {})])).toEqual(["PENDING 300"]);
  });

  it("is what Lithic's report with its amount is about", async () => {
    const ledger = await spend((purchase) => {
      const request = underSameToken(purchase, { amount: 400 });
      purchase.happen("AUTHORIZATION", 400, {
        status: "DECLINED",
        result: "DECLINED",
        details: ["CUSTOMER_ASA_TIMEOUT"],
      });
      return [request, purchase.update()];
    });
    expect(ledger).toEqual(["PENDING 300"]);
  });
});

describe("an equal request under the token of an earlier one, without event tokens", () => {
  /** Lithic's network with a card, and a purchase of 400 with it. */
  async function start() {
    const card = await fixture.card({ spendingLimit: 1000, limitInterval: "MONTHLY" });
    const purchase = fakeLithicPurchase({ card: card.reference, amount: 400, currency: "GBP" });
    const { issuers } = flakyIssuer();
    const issuer = { ...(await issuers.at("sandbox")), webhooks };
    const [receiver] = cardReceivers({ ...purser.platform, issuers: { ...issuers, at: async () => issuer } });
    /** Sends the request. Returns the answer. */
    async function ask(): Promise<string> {
      const { event_token: _token, ...request } = purchase.request();
      const event = { type: request.event_type, body: JSON.stringify(request) };
      const answer = await receiver!.respond!({ ...event, receivedAt: purser.clock.now() });
      return (JSON.parse(answer!.body) as { result: string }).result;
    }
    /** Adds an event that happens now. */
    function happen(...event: Parameters<Purchase["happen"]>) {
      purchase.happen(...event);
      purchase.transaction.events.at(-1)!.created = purser.clock.now().toISOString();
    }
    return { card, purchase, ask, happen };
  }

  it("is the same one within a minute, and later another one, which is decided and held", async () => {
    const { card, ask } = await start();
    expect(await ask()).toBe("APPROVED");
    purser.clock.advance(minute);
    expect(await ask()).toBe("APPROVED");
    expect(await ledgerOf(card)).toEqual(["PENDING 400"]);
    purser.clock.advance(1);
    expect([await ask(), await ask()]).toEqual(["APPROVED", "APPROVED"]);
    expect(await ledgerOf(card)).toEqual(["PENDING 800"]);
    for (const pause of [day, 1000, day]) {
      purser.clock.advance(pause);
      expect(await ask()).toBe("VELOCITY_EXCEEDED");
    }
    expect(await ledgerOf(card)).toEqual(["PENDING 800"]);
  });

  it("is a purchase of its own after one that has ended", async () => {
    const { card, purchase, ask, happen } = await start();
    await ask();
    happen("AUTHORIZATION", 400, { held: 400 });
    happen("AUTHORIZATION_EXPIRY", 400, { status: "EXPIRED" });
    await deliverAll([purchase.update()]);
    purser.clock.advance(day);
    expect([await ask(), await ask()]).toEqual(["APPROVED", "APPROVED"]);
    expect(await ledgerOf(card)).toEqual(["DECLINED 400", "PENDING 400"]);
  });

  it("is the one that Lithic reports as declined", async () => {
    const { card, purchase, ask, happen } = await start();
    await ask();
    happen("AUTHORIZATION", 400, { held: 400 });
    purser.clock.advance(day);
    await ask();
    expect(await ledgerOf(card)).toEqual(["PENDING 800"]);
    happen("AUTHORIZATION", 400, { held: 400, result: "DECLINED", details: ["CUSTOMER_ASA_TIMEOUT"] });
    await deliverAll([purchase.update()]);
    expect(await ledgerOf(card)).toEqual(["PENDING 400"]);
  });
});
