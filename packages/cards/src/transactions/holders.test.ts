import { globSync, readFileSync } from "node:fs";
import { day, minute } from "@purser/core/testing";
import { cardTransactions, cards } from "@purser/db";
import { type Person, type TestPurser, createTestPurser } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { declineLate, recordAdvice } from "../authorizations/service/advise.ts";
import { authorizePurchase } from "../authorizations/service/authorize.ts";
import { recordSettlement } from "../authorizations/service/settle.ts";
import { type CardFixture, createCardFixture } from "../testing/card-scene.ts";
import type { CardMessage } from "../ports.ts";
import { adviceOn, cardNetwork, reportMessages } from "../testing/network.ts";

let purser: TestPurser;
let fixture: CardFixture;
let first: Person;
let second: Person;

beforeAll(async () => {
  purser = await createTestPurser();
  [first, second] = [await purser.person(), await purser.person()];
  fixture = await createCardFixture(purser, { members: [first, second] });
});
afterAll(() => purser.close());

const seenBy = async (person: Person, cardId: string) =>
  (await purser.as(person).cards.transactions.list({ organizationId: fixture.organizationId, cardId })).map(
    ({ amount }) => amount,
  );

describe("the migration to holders", () => {
  it("finds the holders of the transactions of an earlier version in the audit trail", async () => {
    const handed = await fixture.card({}, first.userId);
    const constant = await fixture.card({}, first.userId);
    const pass = (to: Person) =>
      purser
        .as(fixture.owner)
        .cards.update({ organizationId: handed.organizationId, cardId: handed.id, assignedToId: to.userId });
    for (const [amount, next] of [
      [1, second],
      [2, first],
      [3, second],
      [4, null],
    ] as const) {
      await fixture.buy(handed.id, { amount });
      await fixture.buy(constant.id, { amount });
      purser.clock.advance(day);
      if (next !== null) await pass(next);
      purser.clock.advance(day);
    }
    const rows = () => purser.db.select().from(cardTransactions).orderBy(cardTransactions.id);
    const before = await rows();
    await purser.db.update(cards).set({ firstHolderId: null });
    await purser.db.update(cardTransactions).set({ holderId: null });
    for (const update of updatesOf("*_card_holders.sql")) await purser.db.execute(sql.raw(update));

    expect(await rows()).toEqual(before);
    expect(await seenBy(second, handed.id)).toEqual([4, 2]);
    await pass(first);
    expect(await seenBy(first, handed.id)).toEqual([3, 1]);
    expect(await seenBy(first, constant.id)).toEqual([4, 3, 2, 1]);
  });

  it("protects earlier transactions when the previous version reassigns a card", async () => {
    const card = await fixture.card({}, first.userId);
    await fixture.buy(card.id, { amount: 5 });
    await purser.db.update(cards).set({ assignedToId: second.userId }).where(eq(cards.id, card.id));
    expect(await seenBy(second, card.id)).toEqual([]);
  });
});

describe("the events of a card transaction", () => {
  it("are shown to the holder of the purchase while the card is theirs, and to owners", async () => {
    const { organizationId, owner } = fixture;
    const card = await fixture.card({}, first.userId);
    const network = cardNetwork({ card: card.reference, at: purser.clock.now() });
    const eventsFor = async (person: Person) => {
      const events = await purser.as(person).events.list({ organizationId });
      return events
        .filter(({ data }) => "cardId" in data && data.cardId === card.id)
        .map(({ type, subject }) => `${type} ${subject.id}`);
    };
    const assign = (person: Person) => {
      purser.clock.advance(minute);
      const change = { cardId: card.id, assignedToId: person.userId };
      return purser.as(owner).cards.update({ organizationId, ...change });
    };
    const buy = async () => {
      const message = network.authorization({ amount: 10 });
      const { transaction } = await authorizePurchase(purser.platform, "sandbox", message);
      return { id: transaction.id, name: message.authorization };
    };
    const settle = (message: Parameters<typeof recordSettlement>[2]) =>
      recordSettlement(purser.platform, "sandbox", message);
    const purchase = await buy();
    expect(await eventsFor(first)).toEqual([`card_transaction.approved ${purchase.id}`]);
    expect(await eventsFor(second)).toEqual([]);
    await assign(second);
    await settle(network.clearing(purchase.name));
    const next = await buy();
    expect(await eventsFor(first)).toEqual([]);
    expect(await eventsFor(second)).toEqual([`card_transaction.approved ${next.id}`]);
    await assign(first);
    await settle(network.reversal(next.name));
    const refund = await settle(network.refund(purchase.name, 4));
    expect(await eventsFor(first)).toEqual([`card_transaction.refunded ${refund.id}`]);
    expect(await eventsFor(second)).toEqual([]);
    expect(await eventsFor(owner)).toHaveLength(5);
  });
});

describe("what the network reports late about a time before a reassignment", () => {
  type Network = ReturnType<typeof cardNetwork>;
  it.each<[string, (network: Network) => Promise<unknown>]>([
    [
      "a decline without a request to us",
      (network) => {
        const advice = adviceOn(network.authorization({ amount: 10 }), "issuer_declined");
        return recordAdvice(purser.platform, "sandbox", advice);
      },
    ],
    [
      "an approval without a request to us",
      (network) => reportMessages(purser.platform, network.approval("late", 10, 10)),
    ],
    [
      "a clearing without an authorization",
      (network) => reportMessages(purser.platform, network.clearing(null, 10)),
    ],
    [
      "a request that timed out",
      (network) => declineLate(purser.platform, "sandbox", network.authorization({ amount: 10 })),
    ],
  ])("is shown to owners only: %s", async (_, report) => {
    const { organizationId, owner } = fixture;
    const card = await fixture.card({}, first.userId);
    const network = cardNetwork({ card: card.reference, at: purser.clock.now() });
    purser.clock.advance(minute);
    await purser.as(owner).cards.update({ organizationId, cardId: card.id, assignedToId: second.userId });
    const [before] = await purser.as(second).events.list({ organizationId, limit: 1 });
    await report(network);
    expect(await seenBy(second, card.id)).toEqual([]);
    expect(await purser.as(second).events.list({ organizationId, limit: 1 })).toEqual([before]);
    expect(await seenBy(owner, card.id)).toEqual([10]);
  });

  it("is shown to the new holder of a request under an earlier purchase", async () => {
    const { organizationId, owner } = fixture;
    const card = await fixture.card({}, first.userId);
    const network = cardNetwork({ card: card.reference, at: purser.clock.now() });
    purser.clock.advance(minute);
    await purser.as(owner).cards.update({ organizationId, cardId: card.id, assignedToId: second.userId });
    const receivedAt = purser.clock.now();
    await declineLate(purser.platform, "sandbox", network.authorization({ amount: 10, receivedAt }));
    expect(await seenBy(second, card.id)).toEqual([10]);
  });
});

describe("a refund that does not fit its purchase", () => {
  type Network = ReturnType<typeof cardNetwork>;
  it.each<[string, (network: Network, name: string) => CardMessage[]]>([
    ["more than was cleared", (network, name) => [network.clearing(name, 10)]],
    ["before the clearing", () => []],
    [
      "after a clearing of an expired hold",
      (network, name) => [network.expiry(name), network.clearing(name)],
    ],
  ])("belongs to the holder of the purchase and names it: %s", async (_, before) => {
    const { organizationId, owner } = fixture;
    const card = await fixture.card({}, first.userId);
    const network = cardNetwork({ card: card.reference, at: purser.clock.now() });
    const assign = (person: Person) =>
      purser.as(owner).cards.update({ organizationId, cardId: card.id, assignedToId: person.userId });
    const purchase = network.authorization({ amount: 10 });
    const { authorization } = purchase;
    const { transaction } = await authorizePurchase(purser.platform, "sandbox", purchase);
    await reportMessages(purser.platform, ...before(network, authorization));
    await assign(second);
    await reportMessages(purser.platform, network.refund(authorization, 15));

    expect(await seenBy(second, card.id)).toEqual([]);
    const [refunded] = await purser.as(owner).events.list({ organizationId, limit: 1 });
    expect(refunded).toMatchObject({ data: { amount: -15, originalTransactionId: transaction.id } });
    await assign(first);
    expect((await seenBy(first, card.id))[0]).toBe(-15);
  });
});

/** The statements of a migration that change rows. */
function updatesOf(pattern: string): string[] {
  const migrations = new URL("../../../db/migrations/", import.meta.url);
  const [name] = globSync(pattern, { cwd: migrations });
  const statements = readFileSync(new URL(name!, migrations), "utf8").split("--> statement-breakpoint");
  return statements.filter((statement) => /^UPDATE/m.test(statement));
}
