import { type CardFixture, createCardFixture } from "@purser/cards/testing";
import { createContext } from "@purser/platform";
import { type Person, type TestPurser, createCaller, createTestPurser, refusalOf } from "@purser/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { untilSettled } from "./testing/settled.ts";

let purser: TestPurser;
let holder: Person;
let second: Person;
let fixture: CardFixture;

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());
beforeEach(async () => {
  [holder, second] = [await purser.person(), await purser.person()];
  fixture = await createCardFixture(purser, { members: [holder], owners: [second] });
  await purser.as(fixture.owner).organizations.update({ id: fixture.organizationId, name: "Renamed" });
});

/** Calls procedures as this person. `change` happens after the request has read what the person may see, and before it reads events. */
function callWhile(person: Person, change: () => Promise<unknown>) {
  let isPending = true;
  const changeOnce = async () => {
    if (!isPending) return;
    isPending = false;
    await change();
    await untilSettled(purser.db, fixture.organizationId);
  };
  // The scan of events is the first statement of the request that is not built of tables.
  const db = new Proxy(purser.db, {
    get: (target, property, receiver) =>
      property === "execute"
        ? async (query: never) => {
            await changeOnce();
            return target.execute(query);
          }
        : (Reflect.get(target, property, receiver) as unknown),
  });
  const request = { requestId: "req_1", caller: person, fromTrustedOrigin: false, idempotencyKey: null };
  return createCaller(() => createContext({ ...purser.platform, db, nodes: null, replica: null }, request));
}

const membershipOf = async ({ userId }: Person) => {
  const { organizationId, owner } = fixture;
  const members = await purser.as(owner).organizations.members.list({ organizationId });
  return members.find((member) => member.userId === userId)!.id;
};

describe.each(["list", "feed"] as const)("events.%s", (name) => {
  const read = async (person: Person, change: () => Promise<unknown>) => {
    const { events } = callWhile(person, change);
    const { organizationId } = fixture;
    const page =
      name === "list" ? await events.list({ organizationId }) : await events.feed({ organizationId });
    return (Array.isArray(page) ? page : page.events).map(({ type }) => type);
  };

  it("shows no purchase with a card that has another holder when the events are read", async () => {
    const { id: cardId, organizationId } = await fixture.card({}, holder.userId);
    const types = await read(holder, async () => {
      await purser.as(fixture.owner).cards.update({ organizationId, cardId, assignedToId: second.userId });
      await fixture.buy(cardId);
    });
    expect(types).toContain("organization.updated");
    expect(types.filter((type) => type.startsWith("card_transaction."))).toEqual([]);
  });

  it("shows no invitation to somebody who is no owner any more when the events are read", async () => {
    const { owner, organizationId } = fixture;
    const id = await membershipOf(second);
    const types = await read(second, async () => {
      const { members, invitations } = purser.as(owner).organizations;
      await members.updateRole({ id, role: "MEMBER" });
      await invitations.create({ organizationId, email: "new@example.com", role: "MEMBER" });
    });
    expect(types).toContain("organization.updated");
    expect(types.filter((type) => type.startsWith("invitation."))).toEqual([]);
  });

  it("shows nothing to somebody who has left when the events are read", async () => {
    const { owner, organizationId } = fixture;
    const membershipId = await membershipOf(holder);
    const reading = read(holder, async () => {
      await purser.as(owner).organizations.members.remove({ membershipId });
      await purser.as(owner).organizations.update({ id: organizationId, name: "Secret" });
    });
    expect(await refusalOf(reading)).toBe("ORGANIZATION_NOT_FOUND");
  });
});
