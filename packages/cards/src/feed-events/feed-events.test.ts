import { day, minute } from "@purser/core/testing";
import { EventLog } from "@purser/platform/events";
import { type Person, refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { declineLate, recordAdvice, recordApproval } from "../authorizations/service/advise.ts";
import { authorizePurchase } from "../authorizations/service/authorize.ts";
import { expireHolds } from "../authorizations/service/expire.ts";
import { incrementHold } from "../authorizations/service/increment.ts";
import { recordSettlement } from "../authorizations/service/settle.ts";
import { recordIssuerStatus } from "../service/issuer-status.ts";
import { type CardScene, type PolicyFields, cornerShop, setCardScene } from "../testing/card-scene.ts";
import { adviceOn, cardNetwork } from "../testing/network.ts";

let scene: CardScene;
let organizationId: string;

beforeAll(async () => {
  scene = await setCardScene();
  ({ organizationId } = scene);
});
afterAll(() => scene.purser.close());

/** The events of a subject as a person sees them, oldest first. */
const eventsOf = async (subject: string, person: Person = scene.owner) =>
  (await scene.purser.as(person).events.list({ organizationId, subject })).toReversed();

const typesOf = async (subject: string, person?: Person) =>
  (await eventsOf(subject, person)).map(({ type }) => type);

/** The fields that all events of a subject have. */
const eventOf = (
  type: string,
  subject: { type: string; id: string },
  actor: Person | null,
  data: unknown,
) => ({
  id: expect.stringMatching(/^evt_/),
  organizationId,
  type,
  createdAt: scene.purser.clock.now(),
  actor: actor && { id: actor.userId, name: actor.name },
  subject,
  data,
});

describe("the events of a policy", () => {
  it("have the policy without its number of cards, and none where nothing changed", async () => {
    const { owner, member, purser } = scene;
    const { policies } = purser.as(owner).cards;
    const created = await policies.create({ organizationId, name: "Travel", spendingLimit: 500 });
    const subject = { type: "card_policy", id: created.id };
    expect(await eventsOf(created.id)).toEqual([eventOf("card_policy.created", subject, owner, created)]);
    const policyId = created.id;
    const updated = await policies.update({
      organizationId,
      policyId,
      limits: [{ amount: 900, interval: "YEARLY" }],
      blockedMerchants: ["Bakery Row"],
      activeFrom: new Date("2026-01-01T00:00:00Z"),
    });
    await policies.update({ organizationId, policyId, name: "Travel" });
    await policies.update({ organizationId, policyId });
    const refused = policies.update({ organizationId, policyId, activeTo: new Date("2025-01-01T00:00:00Z") });
    expect(await refusalOf(refused)).toBe("VALIDATION_FAILED");
    const [, ...later] = await eventsOf(policyId, member);
    const { spendingLimit, limits, blockedMerchants, activeFrom } = created;
    const before = { spendingLimit, limits, blockedMerchants, activeFrom };
    expect(later).toEqual([eventOf("card_policy.updated", subject, owner, { ...updated, before })]);
  });
});

/** A transaction as an owner lists it. */
const listed = async (id: string) =>
  (await scene.purser.as(scene.owner).cards.transactions.list({ organizationId })).find(
    (one) => one.id === id,
  )!;

/** The decision as it is explained, without how the card was used and what may be done now, which events do not tell. */
async function explained(transactionId: string) {
  const { explain } = scene.purser.as(scene.owner).cards.transactions;
  const {
    channel: _,
    merchantCountry: _country,
    canCheck: _canCheck,
    withdrawnApproval: _withdrawnApproval,
    transaction: _transaction,
    ...decision
  } = await explain({ organizationId, transactionId });
  return decision;
}

/** The decision on the last increment of a transaction. */
async function lastIncrement(transactionId: string) {
  const { amount: _, decidedAt: _at, ...decision } = (await explained(transactionId)).increments.at(-1)!;
  return { decision, approved: decision.outcome === "approved" };
}

/** Expects a new last event of a transaction, which has it as it is listed now. */
async function expectLast(verb: string, id: string, actor: Person | null, details: object = {}) {
  const subject = { type: "card_transaction", id };
  const data = { ...(await listed(id)), ...details };
  expect((await eventsOf(id)).at(-1)).toEqual(eventOf(`card_transaction.${verb}`, subject, actor, data));
}

/** A new card of the member, and its network. */
async function newNetwork(terms: PolicyFields = {}) {
  const card = await scene.card(terms, scene.member.userId);
  return { card, network: cardNetwork({ card: card.reference, at: scene.purser.clock.now() }) };
}

describe("the events of a card transaction", () => {
  it("have it as an owner lists it, and name the owner behind the sandbox's controls", async () => {
    const { owner, purser } = scene;
    const { card } = await newNetwork({ spendingLimit: 1000, limitInterval: "DAILY" });
    const { cards: controls } = purser.as(owner).sandbox;
    const { id: transactionId } = await scene.buy(card.id, { amount: 600 });
    await expectLast("approved", transactionId, owner);
    await controls.increment({ transactionId, amount: 100 });
    await expectLast("incremented", transactionId, owner, await lastIncrement(transactionId));
    expect(await refusalOf(controls.increment({ transactionId, amount: 5000 }))).toBe("DAILY_LIMIT_EXCEEDED");
    await expectLast("incremented", transactionId, owner, await lastIncrement(transactionId));
    await controls.reverse({ transactionId, amount: 50 });
    await expectLast("reversed", transactionId, owner);
    await controls.clear({ transactionId, amount: 300, final: false });
    await expectLast("settled", transactionId, owner);
    await controls.clear({ transactionId });
    await expectLast("settled", transactionId, owner);
    const refund = await controls.refund({ transactionId, amount: 20 });
    await expectLast("refunded", refund.id, owner, { originalTransactionId: transactionId });
    const unknown = await controls.refund({ cardId: card.id, amount: 20, merchant: cornerShop });
    await expectLast("refunded", unknown.id, owner, { originalTransactionId: null });
    const declined = await scene.buy(card.id, { amount: 9000 });
    await expectLast("declined", declined.id, owner, { decision: await explained(declined.id) });
    const released = await scene.buy(card.id, { amount: 10 });
    await controls.expire({ transactionId: released.id });
    await expectLast("expired", released.id, owner);
    expect(await typesOf(transactionId)).toHaveLength(6);
    const approvals = { organizationId, types: ["card_transaction.approved" as const] };
    const ids = async (input: object) =>
      (await purser.as(owner).events.list({ ...approvals, ...input })).map(({ subject }) => subject.id);
    expect(await ids({ subject: transactionId })).toEqual([transactionId]);
    expect((await ids({})).slice(0, 2)).toEqual([released.id, transactionId]);
    const settled = ["card_transaction.settled", ...approvals.types];
    expect(await ids({ subject: transactionId, types: settled })).toEqual(Array(3).fill(transactionId));
  });

  it("name nobody for what the network, the issuer or a job did", async () => {
    const { platform, clock } = scene.purser;
    const { network } = await newNetwork({ spendingLimit: 1000 });
    const newest = async () =>
      (await scene.purser.as(scene.owner).cards.transactions.list({ organizationId }))[0]!;
    const buy = async (amount: number) => {
      const message = network.authorization({ amount });
      return { message, id: (await authorizePurchase(platform, "sandbox", message)).transaction.id };
    };
    const { message, id } = await buy(100);
    await expectLast("approved", id, null);
    await expectLast("approved", (await buy(0)).id, null);
    await incrementHold(platform, "sandbox", network.increment(message.authorization, 50));
    await expectLast("incremented", id, null, await lastIncrement(id));
    await recordApproval(platform, "sandbox", network.approval(message.authorization, 100, 400));
    await expectLast("incremented", id, null, await lastIncrement(id));
    await recordAdvice(platform, "sandbox", adviceOn(message, "issuer_declined"));
    await expectLast("reversed", id, null);
    const refused = await buy(5000);
    await expectLast("declined", refused.id, null, { decision: await explained(refused.id) });
    await recordAdvice(platform, "sandbox", adviceOn(refused.message));
    await expectLast("approved", (await newest()).id, null);
    const settle = (settlement: Parameters<typeof recordSettlement>[2]) =>
      recordSettlement(platform, "sandbox", settlement);
    await expectLast("settled", (await settle(network.clearing(null, 70))).id, null);
    const { id: purchase, message: disputed } = await buy(80);
    await settle(network.clearing(disputed.authorization));
    const about = { amount: 80, authorization: disputed.authorization };
    const won = await settle(network.dispute("credit", about));
    await expectLast("refunded", won.id, null, { originalTransactionId: purchase });
    await expectLast("settled", (await settle(network.dispute("debit", about))).id, null);
    await declineLate(platform, "sandbox", network.authorization({ amount: 30 }));
    const { id: timedOut } = await newest();
    await expectLast("declined", timedOut, null, { decision: await explained(timedOut) });
    const { id: abandoned } = await buy(60);
    clock.advance(8 * day);
    await expireHolds(platform);
    await expectLast("expired", abandoned, null);
  });

  it("are announced after the commit, and written once, for nothing that changed nothing", async () => {
    const announced: string[] = [];
    const { platform, db } = scene.purser;
    class ObservedLog extends EventLog {
      override announce(organizationIds: Iterable<string>): void {
        announced.push(...organizationIds);
        super.announce(organizationIds);
      }
    }
    const observed = { ...platform, eventLog: new ObservedLog({ db, logger: platform.logger }) };
    const { network } = await newNetwork();
    const purchase = network.authorization({ amount: 100 });
    const decide = () => authorizePurchase(observed, "sandbox", purchase);
    const [{ transaction }] = await Promise.all([decide(), decide(), decide()]);
    expect(announced).toEqual([organizationId]);
    const clearing = network.clearing(purchase.authorization, 40, false);
    for (const message of [clearing, clearing]) await recordSettlement(observed, "sandbox", message);
    expect(announced).toEqual([organizationId, organizationId]);
    await recordAdvice(observed, "sandbox", adviceOn(purchase));
    await recordSettlement(observed, "sandbox", network.reversal(purchase.authorization, 0));
    await incrementHold(observed, "sandbox", network.increment(purchase.authorization, 0));
    const tooMuch = recordSettlement(observed, "sandbox", network.reversal(purchase.authorization, 100));
    expect(await refusalOf(tooMuch)).toBe("AMOUNT_EXCEEDS_HOLD");
    expect(announced).toHaveLength(2);
    expect(await typesOf(transaction.id)).toEqual(["card_transaction.approved", "card_transaction.settled"]);
  });
});

describe("the events of a card", () => {
  it("have the card as an owner reads it, and none where nothing changed", async () => {
    const { owner, member, purser } = scene;
    const { cards } = purser.as(owner);
    const policyId = await scene.policy();
    const { id: cardId, reference: card } = await scene.card({ policyId }, member.userId);
    const theCard = { organizationId, cardId };
    const subject = { type: "card", id: cardId };
    const seen: unknown[] = [eventOf("card.created", subject, owner, await cards.get(theCard))];
    const changed = async (type: string, actor: Person | null) =>
      seen.push(eventOf(type, subject, actor, await cards.get(theCard)));

    await cards.update({ ...theCard, nickname: "Trains" });
    await changed("card.updated", owner);
    await cards.update({ ...theCard, policyId: await scene.policy() });
    await changed("card.updated", owner);
    await purser.as(member).cards.updateStatus({ ...theCard, status: "PAUSED" });
    await changed("card.status_changed", member);
    await purser.as(member).cards.reveal(theCard);
    await changed("card.revealed", member);
    // Nothing changes.
    await cards.update({ ...theCard, nickname: "Trains" });
    await cards.updateStatus({ ...theCard, status: "PAUSED" });
    expect(await refusalOf(cards.reveal(theCard))).toBe("FORBIDDEN");
    expect(await refusalOf(cards.update({ ...theCard, policyId: cardId }))).toBe("CARD_POLICY_NOT_FOUND");
    expect(await eventsOf(cardId)).toEqual(seen);
    expect(await eventsOf(cardId, member)).toEqual(seen);

    await cards.update({ ...theCard, nickname: null, assignedToId: scene.other.userId });
    await changed("card.updated", owner);
    await changed("card.assigned", owner);
    await recordIssuerStatus(purser.platform, "sandbox", { card, status: "closed" });
    await recordIssuerStatus(purser.platform, "sandbox", { card, status: "closed" });
    await changed("card.status_changed", null);
    expect(await eventsOf(cardId)).toEqual(seen);
    expect(JSON.stringify(seen)).not.toContain(card);
  });

  it("are written once for a repeated request", async () => {
    const { owner, member, purser } = scene;
    const input = {
      organizationId,
      assignedToId: member.userId,
      fundingAccountId: scene.accountId,
      policyId: await scene.policy(),
      purpose: "ONLINE" as const,
    };
    const create = () => purser.as(owner, { idempotencyKey: "the-card" }).cards.create(input);
    const { id } = await create();
    expect((await create()).id).toBe(id);
    expect(await typesOf(id)).toEqual(["card.created"]);
  });

  it("are shown to a member while the card is theirs, from the assignment on", async () => {
    const { owner, member, other, purser } = scene;
    const cardId = await scene.newCard(await scene.policy());
    const assign = async (person: Person) => {
      purser.clock.advance(minute);
      await purser.as(owner).cards.update({ organizationId, cardId, assignedToId: person.userId });
    };
    const pause = (status: "PAUSED" | "ACTIVE") =>
      purser.as(owner).cards.updateStatus({ organizationId, cardId, status });
    expect(await typesOf(cardId, member)).toEqual(["card.created"]);
    expect(await typesOf(cardId, other)).toEqual([]);
    await pause("PAUSED");
    await assign(other);
    await pause("ACTIVE");
    expect(await typesOf(cardId, other)).toEqual(["card.assigned", "card.status_changed"]);
    expect(await typesOf(cardId, member)).toEqual([]);
    await assign(member);
    expect(await typesOf(cardId, member)).toEqual(["card.assigned"]);
    expect(await typesOf(cardId, other)).toEqual([]);
    expect(await typesOf(cardId)).toHaveLength(5);
  });

  it("name who removed the member whose cards are frozen", async () => {
    const { owner, other, purser } = scene;
    const cardId = await scene.newCard(await scene.policy(), other);
    const { members } = purser.as(owner).organizations;
    const { id: membershipId } = (await members.list({ organizationId })).find(
      ({ userId }) => userId === other.userId,
    )!;
    await members.remove({ membershipId });
    const frozen = await purser.as(owner).cards.get({ organizationId, cardId });
    expect((await eventsOf(cardId)).at(-1)).toEqual(
      eventOf("card.status_changed", { type: "card", id: cardId }, owner, frozen),
    );
  });
});
