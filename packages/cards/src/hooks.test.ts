import { userOf } from "@purser/platform";
import { type TestPurser, createTestPurser, refusalOf, testClock } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { authorizePurchase } from "./authorizations/service/authorize.ts";
import { createCardFixture } from "./testing/card-scene.ts";
import { cardNetwork } from "./testing/network.ts";

let purser: TestPurser;
beforeAll(async () => {
  // Sessions need the present time, because better-auth reads it from the system.
  purser = await createTestPurser({ clock: testClock(new Date()) });
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

describe("/api/auth/delete-user", () => {
  it("freezes the cards of the user, who may hold some", async () => {
    const password = "correct horse battery";
    const { id } = await purser.auth.createUser({ email: "holder@example.com", name: "Sam", password });
    const authorization = `Bearer ${await purser.auth.openSession(id)}`;
    const holder = userOf((await purser.auth.resolveCaller(new Headers({ authorization })))!);
    const another = await createCardFixture(purser, { members: [holder] });
    const { organizationId } = another;
    const { id: cardId } = await another.card({}, id);

    const request = new Request("http://localhost:3000/api/auth/delete-user", {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: JSON.stringify({ password }),
    });
    const response = await purser.auth.handle(request, { address: "192.0.2.1", requestId: "req_test" });
    expect(response.status).toBe(200);
    const as = purser.as(another.owner);
    expect(await as.cards.get({ organizationId, cardId })).toMatchObject({ status: "FROZEN" });
    const entries = await as.organizations.audit.list({ id: organizationId });
    expect(entries.find(({ subject }) => subject === cardId)).toMatchObject({
      action: "users.delete",
      actor: { id, name: "Sam" },
      details: { from: "ACTIVE", to: "FROZEN" },
    });
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
