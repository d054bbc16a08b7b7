import { type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authorizePurchase } from "./authorizations/service/authorize.ts";
import { createCardFixture } from "./testing/card-scene.ts";
import { cardNetwork } from "./testing/network.ts";

let purser: TestPurser;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

describe("organizations.members.remove", () => {
  it("freezes the cards of a removed member, until an owner reassigns them", async () => {
    const leaving = await purser.person();
    const another = await createCardFixture(purser, { members: [leaving] });
    const { organizationId } = another;
    const [own, closed] = [await another.card({}, leaving.userId), await another.card({}, leaving.userId)];
    const as = purser.as(another.owner);
    await as.cards.updateStatus({ organizationId, cardId: closed.id, status: "CLOSED" });
    const members = await as.organizations.members.list({ organizationId });
    await as.organizations.members.remove({
      membershipId: members.find(({ userId }) => userId === leaving.userId)!.id,
    });

    const buy = async () => {
      const { authorization } = cardNetwork({ card: own.reference, at: purser.clock.now() });
      const purchase = authorization({ amount: 100 });
      return (await authorizePurchase(purser.platform, "sandbox", purchase)).response;
    };
    expect(await buy()).toEqual({ approved: false, reason: "card_frozen" });
    const entries = await as.organizations.audit.list({ id: organizationId });
    expect(entries.find(({ subject }) => subject === own.id)).toMatchObject({
      action: "organizations.members.remove",
      actor: { id: another.owner.userId },
      details: {
        from: "ACTIVE",
        to: "FROZEN",
        reason: "The cardholder is not a member any more.",
      },
    });
    expect((await as.cards.get({ organizationId, cardId: closed.id })).status).toBe("CLOSED");

    const activate = () => as.cards.updateStatus({ organizationId, cardId: own.id, status: "ACTIVE" });
    expect(await refusalOf(activate())).toBe("ASSIGNEE_NOT_MEMBER");
    await as.cards.update({ organizationId, cardId: own.id, assignedToId: another.owner.userId });
    expect(await activate()).toMatchObject({ status: "ACTIVE" });
    expect((await buy()).approved).toBe(true);
  });
});

describe("organizations.delete", () => {
  it("is refused while a card is open", async () => {
    const another = await createCardFixture(purser);
    const { organizationId, connectionId } = another;
    const { id: cardId } = await another.card();
    const as = purser.as(another.owner);
    await as.banking.connections.disconnect({ teamId: organizationId, connectionId });
    const remove = () => as.organizations.delete({ id: organizationId });
    await as.cards.updateStatus({ organizationId, cardId, status: "FROZEN" });
    expect(await refusalOf(remove())).toBe("ORGANIZATION_IN_USE");
    await as.cards.updateStatus({ organizationId, cardId, status: "CLOSED" });
    await remove();
    expect(await refusalOf(as.cards.list({ organizationId }))).toBe("ORGANIZATION_NOT_FOUND");
  });
});
