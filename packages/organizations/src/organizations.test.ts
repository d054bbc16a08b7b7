import { day } from "@purser/core/testing";
import { auditEntries, memberships, organizations, sqlState, subscriptions } from "@purser/db";
import { createContext } from "@purser/platform";
import { type Person, type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { and, eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findAccess } from "./access.ts";
import { listMembersOf } from "./members/store.ts";
import { deleteOrganization } from "./service/manage.ts";

let purser: TestPurser;
let owner: Person;
let member: Person;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
  member = await purser.person();
});
afterAll(() => purser.close());

describe("organizations.create", () => {
  it("makes the caller the creator and first owner", async () => {
    const created = await purser.as(owner).organizations.create({ name: "  Acme  " });
    expect(created).toEqual({
      id: expect.stringMatching(/^org_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
      name: "Acme",
      avatarUrl: null,
      memberships: [{ id: expect.stringMatching(/^mem_/), role: "OWNER", isCreator: true }],
    });
  });

  it.each([
    ["an empty name", { name: "  " }],
    ["a name that is too long", { name: "x".repeat(201) }],
    ["a name that the database cannot hold", { name: "a\0b" }],
    ["a lone surrogate", { name: "a\ud800" }],
    ["an unknown field", { name: "Acme", avatarUrl: null }],
    ["no name", {}],
  ])("refuses %s", async (_what, input) => {
    expect(await refusalOf(purser.as(owner).organizations.create(input as never))).toBe("VALIDATION_FAILED");
  });
});

describe("organizations.list", () => {
  it("lists the caller's organizations, newest first, each with its members", async () => {
    const person = await purser.person();
    const first = await purser.organization(person, { members: [member] });
    purser.clock.advance(1);
    const second = await purser.organization(person);
    const list = await purser.as(person).organizations.list({ userId: person.userId });
    expect(list.map(({ id }) => id)).toEqual([second, first]);
    expect(list[1]).toMatchObject({ name: "Acme", avatarUrl: null, memberCount: 2 });
    expect(list[1]!.members.map(({ userId }) => userId)).toEqual([member.userId, person.userId]);
    expect(list[1]!.members[0]).toEqual({
      id: expect.stringMatching(/^mem_/),
      userId: member.userId,
      role: "MEMBER",
      isCreator: false,
      user: { id: member.userId, name: member.name, email: member.email, avatarUrl: null },
    });
  });

  it("does not show the members of an organization that the user has left since it was found", async () => {
    const person = await purser.person();
    const left = await purser.organization(owner, { members: [person, member] });
    const own = await purser.organization(person, { members: [member] });
    const theirs = and(eq(memberships.organizationId, left), eq(memberships.userId, person.userId));
    await purser.db.delete(memberships).where(theirs);
    const members = await listMembersOf(purser.db, person.userId, [left, own]);
    expect(new Set(members.map(({ organizationId }) => organizationId))).toEqual(new Set([own]));
    expect(members).toHaveLength(2);
  });

  it("pages by the last item's id, even if that item was deleted", async () => {
    const person = await purser.person();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift(await purser.organization(person));
    const { list, delete: remove } = purser.as(person).organizations;
    const { userId } = person;
    expect((await list({ userId, limit: 2 })).map(({ id }) => id)).toEqual(ids.slice(0, 2));
    await remove({ id: ids[1]! });
    expect((await list({ userId, limit: 2, after: ids[1]! })).map(({ id }) => id)).toEqual(ids.slice(2, 4));
    expect(await refusalOf(list({ userId, after: "org_1" }))).toBe("VALIDATION_FAILED");
  });

  it("shows an administrator the organizations of any user", async () => {
    const administrator = await purser.person({ isAdministrator: true });
    const person = await purser.person();
    const id = await purser.organization(person);
    const list = await purser.as(administrator).organizations.list({ userId: person.userId });
    expect(list.map((organization) => organization.id)).toEqual([id]);
  });
});

describe("organizations.update", () => {
  it("sets the provided fields, clears null fields, and keeps the others", async () => {
    const id = await purser.organization(owner);
    const { update } = purser.as(owner).organizations;
    const avatarUrl = "https://example.com/a.png";
    expect(await update({ id, avatarUrl })).toEqual({ id, name: "Acme", avatarUrl });
    expect(await update({ id, name: "Best" })).toEqual({ id, name: "Best", avatarUrl });
    expect(await update({ id, avatarUrl: null })).toEqual({ id, name: "Best", avatarUrl: null });
    expect(await update({ id })).toEqual({ id, name: "Best", avatarUrl: null });
  });

  it.each(["javascript:alert(1)", "data:text/html,x", "//example.com/a.png", ""])(
    "refuses %j as an avatar",
    async (avatarUrl) => {
      const id = await purser.organization(owner);
      expect(await refusalOf(purser.as(owner).organizations.update({ id, avatarUrl }))).toBe(
        "VALIDATION_FAILED",
      );
    },
  );
});

describe("organizations.delete", () => {
  it("hides the organization from all callers, and keeps its row and audit trail", async () => {
    const id = await purser.organization(owner, { members: [member] });
    await purser.as(owner).organizations.delete({ id });
    for (const person of [owner, member]) {
      expect(await refusalOf(purser.as(person).organizations.get({ id }))).toBe("ORGANIZATION_NOT_FOUND");
    }
    const [row] = await purser.db.select().from(organizations).where(eq(organizations.id, id));
    expect(row?.deletedAt).toEqual(purser.clock.now());
    const trail = await purser.db.select().from(auditEntries).where(eq(auditEntries.organizationId, id));
    expect(trail.map(({ action }) => action)).toContain("organizations.delete");
  });

  it("asks no provider for a caller who is no longer an owner", async () => {
    const id = await purser.organization(owner, { members: [member] });
    let asked = 0;
    const organizationHooks = [{ beforeDeletion: () => Promise.resolve(void (asked += 1)) }];
    const request = { requestId: "req_1", fromTrustedOrigin: true, idempotencyKey: null };
    const ctx = async (caller: Person) => ({
      ...createContext({ ...purser.platform, organizationHooks }, { ...request, caller }),
      ...(await findAccess(purser.db, id, caller, purser.clock.now()))!,
      procedure: "organizations.delete",
      caller,
    });
    // The check of the router passed before they were demoted.
    expect(await refusalOf(deleteOrganization(await ctx(member), { id }))).toBe("FORBIDDEN");
    expect(asked).toBe(0);
    await deleteOrganization(await ctx(owner), { id });
    expect(asked).toBe(1);
  });

  it("is refused until the subscription has ended, with that reason", async () => {
    const id = await purser.organization(owner);
    const now = purser.clock.now();
    await purser.db.insert(subscriptions).values({
      organizationId: id,
      id: `manual-${id}`,
      customerId: "customer",
      status: "ACTIVE",
      planId: "plan",
      variantId: "variant",
      currentPeriodStart: now,
      currentPeriodEnd: new Date(now.getTime() + 30 * day),
      canceledAt: now,
      cancelAtPeriodEnd: true,
    });
    const { delete: remove } = purser.as(owner).organizations;
    await expect(remove({ id })).rejects.toThrow(/subscription/);
    expect(await refusalOf(remove({ id }))).toBe("ORGANIZATION_IN_USE");
    purser.clock.advance(30 * day);
    await remove({ id });
  });
});

describe("organizations.get", () => {
  it("shows a member the organization, with only the documented fields", async () => {
    const id = await purser.organization(owner, { members: [member] });
    const seen = await purser.as(member).organizations.get({ id });
    expect(seen).toEqual({ id, name: "Acme", avatarUrl: null });
  });
});

describe("organizations.settings.get", () => {
  it("returns UTC as the time zone until an owner sets another one", async () => {
    const id = await purser.organization(owner, { members: [member] });
    expect(await purser.as(member).organizations.settings.get({ id })).toEqual({
      timeZone: "UTC",
      partialApprovals: false,
    });
  });
});

describe("organizations.settings.update", () => {
  it("sets the time zone, and keeps it if the field is absent", async () => {
    const id = await purser.organization(owner);
    const { settings } = purser.as(owner).organizations;
    const london = { timeZone: "Europe/London", partialApprovals: false };
    expect(await settings.update({ id, timeZone: "Europe/London" })).toEqual(london);
    expect(await settings.update({ id })).toEqual(london);
    expect(await settings.update({ id, partialApprovals: true })).toEqual({
      ...london,
      partialApprovals: true,
    });
    expect(await settings.get({ id })).toEqual({ ...london, partialApprovals: true });
  });

  it.each(["Mars/Olympus", "+01:00", "", "Europe/London\0"])(
    "refuses %j as a time zone",
    async (timeZone) => {
      const id = await purser.organization(owner);
      expect(await refusalOf(purser.as(owner).organizations.settings.update({ id, timeZone }))).toBe(
        "VALIDATION_FAILED",
      );
    },
  );
});

describe("organizations.audit.list", () => {
  it("lists the actor and action of every change, newest first, in rows that cannot be changed", async () => {
    const id = await purser.organization(owner);
    const { invitations } = purser.as(owner).organizations;
    await invitations.create({ organizationId: id, email: member.email, role: "MEMBER" });
    const [invitation] = await invitations.list({ organizationId: id });
    await purser.as(member).organizations.invitations.accept({ id: invitation!.id });
    await purser.as(owner).organizations.update({ id, name: "Best" });
    const entries = await purser.as(owner).organizations.audit.list({ id });
    expect(entries.map(({ action }) => action)).toEqual([
      "organizations.update",
      "organizations.invitations.accept",
      "organizations.invitations.create",
      "organizations.create",
    ]);
    expect(entries[0]).toEqual({
      id: expect.stringMatching(/^aud_/),
      at: purser.clock.now(),
      actor: { id: owner.userId, name: owner.name },
      action: "organizations.update",
      subject: id,
      details: { from: { name: "Acme", avatarUrl: null }, to: { name: "Best", avatarUrl: null } },
    });
    const pages = await purser.as(owner).organizations.audit.list({ id, limit: 3, after: entries[0]!.id });
    expect(pages).toEqual(entries.slice(1));
    for (const change of [
      purser.db.delete(auditEntries),
      purser.db.update(auditEntries).set({ action: "nothing" }),
    ]) {
      const refused: unknown = await change.catch((error: unknown) => sqlState(error));
      expect(refused).toBe("23001");
    }
  });
});

describe("the events of an organization", () => {
  it("have its members, invitations and keys as they are then, and who did it", async () => {
    const [inviter, guest] = [await purser.person(), await purser.person()];
    const organizationId = await purser.organization(inviter);
    const { organizations: api, keys } = purser.as(inviter);
    await api.invitations.create({ organizationId, email: guest.email, role: "MEMBER" });
    const [invitation] = await api.invitations.list({ organizationId });
    await purser.as(guest).organizations.invitations.accept({ id: invitation!.id });
    const listed = (await api.members.list({ organizationId })).find(
      ({ userId }) => userId === guest.userId,
    )!;
    // An event does not tell what one caller may do.
    const { nextRoles: _nextRoles, canRemove: _canRemove, ...joined } = listed;
    await api.members.updateRole({ id: joined.id, role: "OWNER" });
    // The same role again changes nothing.
    await api.members.updateRole({ id: joined.id, role: "OWNER" });
    await api.members.remove({ membershipId: joined.id });
    await api.invitations.create({ organizationId, email: "late@example.com", role: "OWNER" });
    const [late] = await api.invitations.list({ organizationId });
    await api.invitations.revoke({ invitationId: late!.id });
    const created = await keys.create({ organizationId, name: "Export", access: "write" });
    await keys.revoke({ id: created.id });
    await keys.revoke({ id: created.id });
    const [revoked] = await keys.list({ organizationId });

    const events = await purser.as(inviter).events.list({ organizationId });
    const recorded = events
      .toReversed()
      .map(({ type, subject, actor, data }) => [type, subject.id, actor?.id, data]);
    expect(recorded).toEqual([
      ["invitation.created", invitation!.id, inviter.userId, invitation],
      ["invitation.accepted", invitation!.id, guest.userId, invitation],
      ["member.joined", joined.id, guest.userId, joined],
      ["member.role_updated", joined.id, inviter.userId, { ...joined, role: "OWNER" }],
      ["member.removed", joined.id, inviter.userId, { ...joined, role: "OWNER" }],
      ["invitation.created", late!.id, inviter.userId, late],
      ["invitation.revoked", late!.id, inviter.userId, late],
      ["api_key.created", created.id, inviter.userId, { ...revoked, revokedAt: null }],
      ["api_key.revoked", created.id, inviter.userId, revoked],
    ]);
    expect(JSON.stringify(recorded)).not.toContain(created.key);
  });
});
