import { users } from "@purser/db";
import {
  type Person,
  type TestPurser,
  countWaitingForLocks,
  createTestPurser,
  outcomeOf,
  refusalOf,
  stayIdle,
} from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeUserFromOrganizations } from "./service.ts";

let purser: TestPurser;
let creator: Person;
let owner: Person;
let member: Person;
let organizationId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  [creator, owner, member] = [await purser.person(), await purser.person(), await purser.person()];
});
afterAll(() => purser.close());

async function arrange(): Promise<(person: Person) => Promise<string>> {
  organizationId = await purser.organization(creator, { owners: [owner], members: [member] });
  const list = await purser.as(creator).organizations.members.list({ organizationId });
  return async (person) => list.find(({ userId }) => userId === person.userId)!.id;
}

describe("organizations.members.list", () => {
  it("lists every member with their user profile, newest first", async () => {
    await arrange();
    const list = await purser.as(member).organizations.members.list({ organizationId });
    expect(list.map(({ userId }) => userId)).toEqual([member.userId, owner.userId, creator.userId]);
    expect(list[2]).toEqual({
      id: expect.stringMatching(/^mem_/),
      userId: creator.userId,
      organizationId,
      role: "OWNER",
      isCreator: true,
      user: { id: creator.userId, name: creator.name, email: creator.email, avatarUrl: null },
      nextRoles: [],
      canRemove: false,
    });
    const page = await purser
      .as(member)
      .organizations.members.list({ organizationId, limit: 1, after: list[0]!.id });
    expect(page).toEqual([list[1]]);
  });
});

describe("what a member of the list may have changed", () => {
  const roles = ["OWNER", "MEMBER"] as const;
  const people = { creator: () => creator, owner: () => owner, member: () => member };
  const names = Object.keys(people) as (keyof typeof people)[];
  const pairs = names.flatMap((actor) => names.map((target) => [actor, target] as const));

  it.each(pairs)("is what no call refuses: %s to %s", async (actor, target) => {
    const [caller, { userId }] = [people[actor](), people[target]()];
    const isDone = async (change: (id: string) => Promise<unknown>) => {
      const membershipOf = await arrange();
      const id = await membershipOf(people[target]());
      return (await outcomeOf(change(id))) === "ok";
    };
    await arrange();
    const { list, remove, updateRole } = purser.as(caller).organizations.members;
    const listed = (await list({ organizationId })).find((one) => one.userId === userId)!;
    expect(listed.canRemove).toBe(await isDone((id) => remove({ membershipId: id })));
    for (const role of roles.filter((one) => one !== listed.role))
      expect([role, listed.nextRoles.includes(role)]).toEqual([
        role,
        await isDone((id) => updateRole({ id, role })),
      ]);
  });

  it("is nothing for the last owner, and for a key", async () => {
    await arrange();
    const alone = await purser.organization(creator);
    const [own] = await purser.as(creator).organizations.members.list({ organizationId: alone });
    expect(own).toMatchObject({ nextRoles: [], canRemove: false });
    const key = await purser.organizationKey(organizationId, "write");
    for (const listed of await purser.as(key).organizations.members.list({ organizationId }))
      expect(listed).toMatchObject({ nextRoles: [], canRemove: false });
  });
});

describe("organizations.members.remove", () => {
  it("revokes the removed member's access on the next call", async () => {
    const membershipOf = await arrange();
    await purser.as(owner).organizations.members.remove({ membershipId: await membershipOf(member) });
    const { get } = purser.as(member).organizations;
    expect(await refusalOf(get({ id: organizationId }))).toBe("ORGANIZATION_NOT_FOUND");
  });

  it("lets a member leave, but no owner", async () => {
    const membershipOf = await arrange();
    for (const person of [owner, creator]) {
      const { remove } = purser.as(person).organizations.members;
      expect(await refusalOf(remove({ membershipId: await membershipOf(person) }))).toBe(
        "OWNER_CANNOT_LEAVE",
      );
    }
    await purser.as(member).organizations.members.remove({ membershipId: await membershipOf(member) });
    const left = await purser.as(creator).organizations.members.list({ organizationId });
    expect(left.map(({ userId }) => userId)).toEqual([owner.userId, creator.userId]);
  });

  it("protects the creator from other owners", async () => {
    const membershipOf = await arrange();
    const { remove } = purser.as(owner).organizations.members;
    expect(await refusalOf(remove({ membershipId: await membershipOf(creator) }))).toBe("CREATOR_PROTECTED");
  });
});

describe("an invitation of the present address of a member who is removed", () => {
  it("is revoked, because the member could return with it", async () => {
    const person = await purser.person();
    organizationId = await purser.organization(creator, { members: [person] });
    const { invitations, members, audit } = purser.as(creator).organizations;
    const moved = { ...person, email: `moved-${person.email}` };
    await invitations.create({ organizationId, email: moved.email, role: "OWNER" });
    await invitations.create({ organizationId, email: "another@example.com", role: "MEMBER" });
    const [kept, invitation] = await invitations.list({ organizationId });
    await purser.db.update(users).set({ email: moved.email }).where(eq(users.id, person.userId));
    const listed = await members.list({ organizationId });
    const { id: membershipId } = listed.find(({ userId }) => userId === person.userId)!;
    await members.remove({ membershipId });
    expect(await invitations.list({ organizationId })).toEqual([kept]);
    const { accept } = purser.as(moved).organizations.invitations;
    expect(await refusalOf(accept({ id: invitation!.id }))).toBe("INVITATION_NOT_FOUND");
    const [event] = await purser.as(creator).events.list({ organizationId, limit: 1 });
    expect(event).toMatchObject({ type: "invitation.revoked", subject: { id: invitation!.id } });
    const [entry] = await audit.list({ id: organizationId, limit: 1 });
    expect(entry).toMatchObject({ details: { userId: person.userId, revoked: invitation!.id } });
  });
});

describe("organizations.members.updateRole", () => {
  it("promotes and demotes, and changes nothing if repeated", async () => {
    const membershipOf = await arrange();
    const { updateRole, list } = purser.as(creator).organizations.members;
    const id = await membershipOf(member);
    const roleNow = async () => (await list({ organizationId })).find((one) => one.id === id)!.role;
    await updateRole({ id, role: "OWNER" });
    await updateRole({ id, role: "OWNER" });
    expect(await roleNow()).toBe("OWNER");
    await updateRole({ id, role: "MEMBER" });
    expect(await roleNow()).toBe("MEMBER");
    const trail = await purser.as(creator).organizations.audit.list({ id: organizationId });
    expect(trail.filter(({ action }) => action === "organizations.members.updateRole")).toHaveLength(2);
  });

  it("takes effect on the next call of the demoted owner", async () => {
    const membershipOf = await arrange();
    await purser
      .as(creator)
      .organizations.members.updateRole({ id: await membershipOf(owner), role: "MEMBER" });
    const { update } = purser.as(owner).organizations;
    expect(await refusalOf(update({ id: organizationId, name: "Mine" }))).toBe("FORBIDDEN");
  });

  it("lets exactly one of two owners demote the other concurrently", async () => {
    const second = await purser.person();
    organizationId = await purser.organization(creator, { owners: [owner, second] });
    const list = await purser.as(creator).organizations.members.list({ organizationId });
    const idOf = (person: Person) => list.find(({ userId }) => userId === person.userId)!.id;
    const outcomes = await Promise.all([
      outcomeOf(purser.as(owner).organizations.members.updateRole({ id: idOf(second), role: "MEMBER" })),
      outcomeOf(purser.as(second).organizations.members.updateRole({ id: idOf(owner), role: "MEMBER" })),
    ]);
    expect(outcomes.toSorted()).toEqual(["FORBIDDEN", "ok"]);
  });
});

describe("deleting a user", () => {
  it("is refused for a creator, and changes nothing", async () => {
    const person = await purser.person();
    const joined = await purser.organization(creator, { members: [person] });
    await purser.organization(person);
    expect(await refusalOf(removeUserFromOrganizations(purser.platform, person.userId, null))).toBe(
      "CREATOR_PROTECTED",
    );
    expect(await purser.as(creator).organizations.members.list({ organizationId: joined })).toHaveLength(2);
  });

  it("removes any other user from their organizations, with an audit entry", async () => {
    const person = await purser.person();
    const joined = await purser.organization(creator, { owners: [person] });
    const by = { id: person.userId, name: person.name };
    await removeUserFromOrganizations(purser.platform, person.userId, by);
    expect(await purser.as(creator).organizations.members.list({ organizationId: joined })).toHaveLength(1);
    const [entry] = await purser.as(creator).organizations.audit.list({ id: joined });
    expect(entry).toMatchObject({
      actor: by,
      action: "users.delete",
      details: { userId: person.userId, role: "OWNER" },
    });
  });

  it.each(["invitations.accept", "create"] as const)(
    "leaves a concurrent organizations.%s unauthenticated",
    async (call) => {
      const person = await purser.person();
      organizationId = await purser.organization(creator);
      const { invitations } = purser.as(creator).organizations;
      await invitations.create({ organizationId, email: person.email, role: "MEMBER" });
      await purser.drain();
      const [invitation] = await invitations.list({ organizationId });
      const { organizations: own } = purser.as(person);
      const { refusal } = await purser.db.transaction(async (transaction) => {
        await stayIdle(transaction);
        await transaction.delete(users).where(eq(users.id, person.userId));
        const joining =
          call === "create" ? own.create({ name: "Late" }) : own.invitations.accept({ id: invitation!.id });
        const pending = refusalOf(joining);
        await expect.poll(() => countWaitingForLocks(purser.db)).toBe(1);
        return { refusal: pending };
      });
      expect(await refusal).toBe("UNAUTHENTICATED");
      // Nothing of the call remains.
      expect(await invitations.list({ organizationId })).toEqual([invitation]);
    },
  );
});
