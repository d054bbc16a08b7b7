import { randomUUID } from "node:crypto";
import type { IssuerName } from "@purser/cards/ports";
import { type CardFixture, type TestCard, createCardFixture, flakyIssuer } from "@purser/cards/testing";
import { cardTransactions, cards } from "@purser/db";
import {
  eventSecret,
  fakeLithicDispute,
  fakeLithicPurchase,
  signLithicWebhook,
  startLithicIssuer,
} from "@purser/lithic/fake";
import { findWebhook, receiveWebhook } from "@purser/platform/inbox";
import { fakeDispute, fakePurchase, signStripeEvent, startStripeIssuingFake } from "@purser/stripe/fake";
import { type TestPurser, createTestPurser, testClock } from "@purser/testing";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const clock = testClock();
let stripe: Awaited<ReturnType<typeof startStripeIssuingFake>>;
let lithic: Awaited<ReturnType<typeof startLithicIssuer>>;
let purser: TestPurser;
let fixture: CardFixture;

beforeAll(async () => {
  [stripe, lithic] = [await startStripeIssuingFake(clock), await startLithicIssuer(clock)];
  const { issuers } = flakyIssuer();
  const adapters = { stripe: stripe.issuer, lithic: lithic.issuer, sandbox: await issuers.at("sandbox") };
  purser = await createTestPurser({
    clock,
    issuers: { configured: ["sandbox", "stripe", "lithic"], at: async (name) => adapters[name] },
  });
  fixture = await createCardFixture(purser);
});
afterAll(async () => {
  await purser.close();
  await Promise.all([stripe.stop(), lithic.fake.close()]);
});

/** A card in pounds that this issuer has issued. */
async function cardOf(issuer: IssuerName, issuerReference: string): Promise<TestCard> {
  const card = await fixture.card();
  await purser.db.update(cards).set({ issuer, issuerReference }).where(eq(cards.id, card.id));
  return card;
}

/** Receives a signed event and applies it from the inbox. */
async function deliver(provider: IssuerName, { body, headers }: { body: Buffer; headers: Headers }) {
  const receiver = purser.receivers.find((one) => one.area === "cards" && one.provider === provider)!;
  const { outcome } = await receiveWebhook(purser.platform, receiver, body, headers);
  await purser.drain();
  return outcome;
}
const fromStripe = (event: object) => deliver("stripe", signStripeEvent(event, clock.now()));
const fromLithic = (event: object) => deliver("lithic", signLithicWebhook(event, eventSecret, clock.now()));

async function ledgerOf({ id }: TestCard): Promise<string[]> {
  const rows = await purser.db
    .select()
    .from(cardTransactions)
    .where(eq(cardTransactions.cardId, id))
    .orderBy(asc(cardTransactions.id));
  return rows.map(({ status, amount, description }) => `${status} ${amount} ${description ?? ""}`.trim());
}

/** A purchase that Stripe captured without our decision. */
async function buyAtStripe(reference: string) {
  const card = await cardOf("stripe", reference);
  const purchase = fakePurchase({ card: reference, amount: 900 });
  purchase.request();
  const created = purchase.decide(true, "network_fallback");
  const captures = purchase.capture(900);
  const [capture] = purchase.authorization.transactions;
  stripe.state.transactions.set(capture!.id, capture!);
  return { card, capture: capture!, events: [created, ...captures] };
}

const given = "COMPLETED -900 Dispute: funds reinstated";
const taken = "COMPLETED 900 Dispute: funds rescinded";

describe("a dispute at Stripe", () => {
  it("reaches the ledger from a signed webhook, once", async () => {
    const { card, capture, events } = await buyAtStripe("ic_signed");
    for (const event of events) await fromStripe(event);
    const dispute = fakeDispute(capture, 900);
    const [credit, debit] = [dispute.reinstate(), dispute.rescind()];
    expect(await fromStripe(credit)).toBe("accepted");
    expect(await fromStripe(credit)).toBe("duplicate");
    expect(await ledgerOf(card)).toEqual(["COMPLETED 900", given]);
    await fromStripe(debit);
    await fromStripe(debit);
    expect(await ledgerOf(card)).toEqual(["COMPLETED 900", given, taken]);
  });

  it("is recorded in any order, before its purchase too", async () => {
    const { card, capture, events } = await buyAtStripe("ic_early");
    const dispute = fakeDispute(capture, 900);
    const [credit, debit] = [dispute.reinstate(), dispute.rescind()];
    for (const event of [debit, credit, ...events]) await fromStripe(event);
    expect(await ledgerOf(card)).toEqual([taken, given, "COMPLETED 900"]);
  });

  it("waits in the inbox while Stripe does not name the purchase, and is recorded later", async () => {
    const { card, capture } = await buyAtStripe("ic_late");
    const credit = fakeDispute(capture, 900).reinstate();
    stripe.state.transactions.clear();
    await fromStripe(credit);
    const key = { area: "cards", provider: "stripe", eventId: credit.id } as const;
    expect(await findWebhook(purser.db, key)).toMatchObject({
      status: "PENDING",
      lastError: expect.stringContaining("transactions.retrieve"),
    });
    stripe.state.transactions.set(capture.id, capture);
    await purser.drain({ ahead: true });
    expect(await findWebhook(purser.db, key)).toMatchObject({ status: "APPLIED" });
    expect(await ledgerOf(card)).toEqual([given]);
  });

  it("waits in the inbox for an operator if it is in another currency, which no retry changes", async () => {
    const { card, capture } = await buyAtStripe("ic_currency");
    stripe.state.transactions.set(capture.id, { ...capture, currency: "eur" });
    const credit = fakeDispute(capture, 900).reinstate();
    await fromStripe(credit);
    const key = { area: "cards", provider: "stripe", eventId: credit.id } as const;
    expect(await findWebhook(purser.db, key)).toMatchObject({
      status: "DEAD",
      lastError: expect.stringContaining("currency"),
    });
    expect(await ledgerOf(card)).toEqual([]);
  });

  it("is ignored for a card that was not issued here", async () => {
    const { card, capture } = await buyAtStripe("ic_ours");
    stripe.state.transactions.set(capture.id, { ...capture, card: "ic_elsewhere" });
    const credit = fakeDispute(capture, 900).reinstate();
    await fromStripe(credit);
    const key = { area: "cards", provider: "stripe", eventId: credit.id } as const;
    expect(await findWebhook(purser.db, key)).toMatchObject({ status: "IGNORED" });
    expect(await ledgerOf(card)).toEqual([]);
  });
});

describe("a dispute at Lithic", () => {
  it("reaches the ledger from signed webhooks that repeat and overtake each other, once", async () => {
    const reference = randomUUID();
    const card = await cardOf("lithic", reference);
    const purchase = fakeLithicPurchase({ card: reference, amount: 900, currency: "GBP" });
    purchase.happen("AUTHORIZATION", 900, { held: 900 });
    const clearing = purchase.happen("CLEARING", 900, { status: "SETTLED" });
    await fromLithic(purchase.update());
    const dispute = fakeLithicDispute(purchase.transaction, clearing, 900);
    const updates = [dispute.open(), dispute.grant(), dispute.chargeback(), dispute.representment()];
    for (const update of [...updates.toReversed(), ...updates]) await fromLithic(update);
    expect(await ledgerOf(card)).toEqual(["COMPLETED 900", given, taken]);
  });

  it("is recorded without its purchase if Lithic does not identify it", async () => {
    const reference = randomUUID();
    const card = await cardOf("lithic", reference);
    const { transaction } = fakeLithicPurchase({ card: reference, amount: 900, currency: "GBP" });
    await fromLithic(fakeLithicDispute(transaction, null, 900, false).chargeback());
    expect(await ledgerOf(card)).toEqual([given]);
  });
});
