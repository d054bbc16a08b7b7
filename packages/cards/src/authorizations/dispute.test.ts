import { cardCounters } from "@purser/db";
import { type Person, type TestPurser, createTestPurser, problemOf } from "@purser/testing";
import { and, eq, gt } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { CardMessage } from "../ports.ts";
import { type CardFixture, type TestCard, createCardFixture } from "../testing/card-scene.ts";
import { recordHistory } from "../testing/history.ts";
import { expectSoundLedger } from "../testing/ledger-check.ts";
import { cardNetwork } from "../testing/network.ts";
import { authorizePurchase } from "./service/authorize.ts";
import { recordSettlement } from "./service/settle.ts";
import type { SettlementMessage } from "./service/settlement-rows.ts";

let purser: TestPurser;
let fixture: CardFixture;
let member: Person;
let other: Person;
let card: TestCard;

beforeAll(async () => {
  purser = await createTestPurser();
  [member, other] = [await purser.person(), await purser.person()];
  fixture = await createCardFixture(purser, { members: [member, other] });
  await recordHistory(purser);
});
afterAll(() => purser.close());
beforeEach(async () => {
  card = await fixture.card({ spendingLimit: 1000, limitInterval: "DAILY" }, member.userId);
});

const network = () => cardNetwork({ card: card.reference, at: purser.clock.now() });
const sent = new Map<string, CardMessage>();
const record = (message: SettlementMessage) => {
  sent.set(message.networkId, message);
  return recordSettlement(purser.platform, "sandbox", message);
};

/** A purchase of 600 that is cleared. Returns its clearing. */
async function buy() {
  const purchase = network().authorization({ amount: 600 });
  sent.set(purchase.networkId, purchase);
  await authorizePurchase(purser.platform, "sandbox", purchase);
  const clearing = network().clearing(purchase.authorization);
  await record(clearing);
  return { authorization: purchase.authorization, clearing: clearing.networkId };
}

const list = (person = fixture.owner) =>
  purser.as(person).cards.transactions.list({ organizationId: card.organizationId, cardId: card.id });
const amounts = async (person = fixture.owner) => (await list(person)).map(({ amount }) => amount);
const usedToday = async () => {
  const today = and(
    eq(cardCounters.cardId, card.id),
    eq(cardCounters.period, "DAY"),
    gt(cardCounters.used, 0),
  );
  const [counter] = await purser.db.select().from(cardCounters).where(today);
  return counter?.used;
};
const expectSound = () =>
  expectSoundLedger(purser, card, {
    messages: sent,
    isolated: new Set(),
    timeZone: "UTC",
  });

describe("money that a dispute moves", () => {
  it("comes back and is taken again as transactions of their own, which say so", async () => {
    const purchase = await buy();
    const credit = await record(network().dispute("credit", { ...purchase, amount: 500 }));
    const debit = await record(network().dispute("debit", { ...purchase, amount: 500 }));
    const shop = { merchantName: "Corner Coffee", currency: "GBP", status: "COMPLETED", declineReason: null };
    expect(await list()).toMatchObject([
      { id: debit.id, amount: 500, description: "Dispute: funds rescinded", ...shop },
      { id: credit.id, amount: -500, description: "Dispute: funds reinstated", ...shop },
      { amount: 600, description: null },
    ]);
    for (const { id: transactionId } of [credit, debit]) {
      const { transactions } = purser.as(member).cards;
      expect(
        await transactions.explain({ organizationId: card.organizationId, transactionId }),
      ).toMatchObject({ origin: "dispute", outcome: "not_requested", amountBeyondApproval: 0 });
    }
    await expectSound();
  });

  it("changes no counter: the purchase counts once, before and after", async () => {
    const purchase = await buy();
    await record(network().dispute("credit", { ...purchase, amount: 600 }));
    expect(await usedToday()).toBe(600);
    await record(network().dispute("debit", { ...purchase, amount: 600 }));
    expect(await usedToday()).toBe(600);
    await expectSound();
  });

  it("is recorded once, also if its message arrives again and again at the same time", async () => {
    const purchase = await buy();
    const credit = network().dispute("credit", { ...purchase, amount: 600 });
    const rows = await Promise.all([record(credit), record(credit), record(credit)]);
    expect(new Set(rows.map(({ id }) => id)).size).toBe(1);
    expect(await amounts()).toEqual([-600, 600]);
  });

  it("is recorded in any order, and together with a refund by the merchant", async () => {
    const purchase = await buy();
    await record(network().dispute("debit", { ...purchase, amount: 600 }));
    await record(network().dispute("credit", { ...purchase, amount: 600 }));
    await record(network().refund(purchase.authorization, 600));
    expect(await amounts()).toEqual([-600, -600, 600, 600]);
    await expectSound();
  });

  it("is recorded without its purchase if that is unknown, on a closed card too", async () => {
    const { cards } = purser.as(fixture.owner);
    await cards.updateStatus({ organizationId: card.organizationId, cardId: card.id, status: "CLOSED" });
    await record(network().dispute("credit", { authorization: "unknown", clearing: "unknown", amount: 70 }));
    await record(network().dispute("debit", { amount: 70 }));
    expect(await amounts()).toEqual([70, -70]);
    expect(await amounts(member)).toEqual([70, -70]);
  });

  it("belongs to the holder at the time of the purchase, even of one that was never authorized", async () => {
    const purchase = await buy();
    const forced = network().clearing(null, 90);
    await record(forced);
    const { cards } = purser.as(fixture.owner);
    await cards.update({ organizationId: card.organizationId, cardId: card.id, assignedToId: other.userId });
    await record(network().dispute("credit", { ...purchase, amount: 600 }));
    await record(network().dispute("credit", { clearing: forced.networkId, amount: 90 }));
    expect(await amounts(other)).toEqual([]);
    expect(await amounts()).toEqual([-90, -600, 90, 600]);
    await cards.update({ organizationId: card.organizationId, cardId: card.id, assignedToId: member.userId });
    expect(await amounts(member)).toEqual([-90, -600, 90, 600]);
  });

  it("comes back for a withdrawal that was taken with the id of its declined request", async () => {
    const request = network().authorization({ amount: 1500 });
    await authorizePurchase(purser.platform, "sandbox", request);
    const { networkId, authorization } = request;
    const { id: taken } = await record({ ...network().clearing(authorization, 1500), networkId });
    await record(network().dispute("credit", { authorization, clearing: networkId, amount: 1500 }));
    expect((await list()).map(({ status, amount }) => `${status} ${amount}`)).toEqual([
      "COMPLETED -1500",
      "COMPLETED 1500",
      "DECLINED 1500",
    ]);
    const { organizationId } = card;
    const [event] = await purser.as(fixture.owner).events.list({ organizationId, limit: 1 });
    expect(event).toMatchObject({
      type: "card_transaction.refunded",
      data: { originalTransactionId: taken },
    });
  });

  it("is refused in another currency or for an unknown card, and records nothing", async () => {
    const purchase = await buy();
    const euros = network().dispute("credit", { ...purchase, amount: 500, currency: "EUR" });
    const unknown = { ...network().dispute("credit", { amount: 500 }), card: "unknown" };
    const codeOf = (message: SettlementMessage) =>
      record(message).then(
        () => null,
        (error: unknown) => problemOf(error).code,
      );
    expect([await codeOf(euros), await codeOf(unknown)]).toEqual([
      "CURRENCY_NOT_SUPPORTED",
      "CARD_NOT_FOUND",
    ]);
    expect(await amounts()).toEqual([600]);
  });
});
