import { minute } from "@purser/core/testing";
import { type Person, refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { recordIssuerStatus } from "../service/issuer-status.ts";
import { type CardScene, setCardScene } from "../testing/card-scene.ts";

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
    expect(later).toEqual([eventOf("card_policy.updated", subject, owner, updated)]);
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
