import { organizations, users } from "@purser/db";
import {
  type Person,
  type TestPurser,
  countWaitingForLocks,
  createTestPurser,
  refusalOf,
  stayIdle,
} from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { mailOwners, releaseUser, transferOrganization } from "./ownership.ts";

let purser: TestPurser;
let creator: Person;
let member: Person;

beforeAll(async () => {
  purser = await createTestPurser();
  [creator, member] = [await purser.person(), await purser.person()];
});
afterAll(() => purser.close());

const membersOf = (organizationId: string, seenBy: Person) =>
  purser.as(seenBy).organizations.members.list({ organizationId });

describe("transferring an organization", () => {
  it("makes a member the creator and an owner, and keeps the previous creator as an owner", async () => {
    const organizationId = await purser.organization(creator, { members: [member] });
    await transferOrganization(purser.platform, { organizationId, toEmail: member.email.toUpperCase() });
    const members = await membersOf(organizationId, member);
    expect(members.map(({ userId, role, isCreator }) => ({ userId, role, isCreator }))).toEqual([
      { userId: member.userId, role: "OWNER", isCreator: true },
      { userId: creator.userId, role: "OWNER", isCreator: false },
    ]);
    const [entry] = await purser.as(member).organizations.audit.list({ id: organizationId });
    expect(entry).toMatchObject({ action: "organizations.transfer", actor: null });
  });

  it("tells who is the creator in events, even if nobody's role changes", async () => {
    const organizationId = await purser.organization(creator, { members: [member] });
    const found = (await membersOf(organizationId, creator)).find(({ userId }) => userId === member.userId);
    await purser.as(creator).organizations.members.updateRole({ id: found!.id, role: "OWNER" });
    await transferOrganization(purser.platform, { organizationId, toEmail: member.email });
    const [became, ceased] = await purser
      .as(creator)
      .events.list({ organizationId, types: ["member.role_updated"] });
    expect(became).toMatchObject({ actor: null, data: { userId: member.userId, isCreator: true } });
    expect(ceased).toMatchObject({ actor: null, data: { userId: creator.userId, isCreator: false } });
  });

  it("adds a user who was not a member", async () => {
    const stranger = await purser.person();
    const organizationId = await purser.organization(creator);
    await transferOrganization(purser.platform, { organizationId, toEmail: stranger.email });
    expect((await membersOf(organizationId, stranger))[0]).toMatchObject({
      userId: stranger.userId,
      isCreator: true,
    });
  });

  it("revokes the new creator's open invitation, which would outlive a later removal", async () => {
    const invited = await purser.person();
    const organizationId = await purser.organization(creator);
    const { organizations: own } = purser.as(creator);
    await own.invitations.create({ organizationId, email: invited.email, role: "OWNER" });
    const [invitation] = await own.invitations.list({ organizationId });
    await transferOrganization(purser.platform, { organizationId, toEmail: invited.email });
    expect(await own.invitations.list({ organizationId })).toEqual([]);
    const [event] = await purser
      .as(creator)
      .events.list({ organizationId, types: ["invitation.revoked"], limit: 1 });
    expect(event).toMatchObject({ subject: { id: invitation!.id }, actor: null });
    const [entry] = await own.audit.list({ id: organizationId, limit: 1 });
    expect(entry).toMatchObject({ action: "organizations.transfer", details: { revoked: invitation!.id } });
    await purser.drain();
  });

  it("needs a verified address, because anyone can sign up with any address", async () => {
    const claimant = await purser.person({ emailVerified: false });
    const organizationId = await purser.organization(creator);
    const to = { organizationId, toEmail: claimant.email };
    expect(await refusalOf(transferOrganization(purser.platform, to))).toBe("EMAIL_NOT_VERIFIED");
    expect(await membersOf(organizationId, creator)).toHaveLength(1);
    await transferOrganization(purser.platform, { ...to, unverified: true });
    expect((await membersOf(organizationId, creator))[0]).toMatchObject({ userId: claimant.userId });
  });

  it("refuses an unknown organization and an unknown user", async () => {
    const organizationId = await purser.organization(creator);
    const transfer = (to: { organizationId: string; toEmail: string }) =>
      refusalOf(transferOrganization(purser.platform, to));
    expect(await transfer({ organizationId: purser.unknownId("org"), toEmail: creator.email })).toBe(
      "ORGANIZATION_NOT_FOUND",
    );
    expect(await transfer({ organizationId, toEmail: "nobody@example.com" })).toBe("USER_NOT_FOUND");
  });
});

describe("deleting a user", () => {
  it("is refused for a creator, and changes nothing", async () => {
    const person = await purser.person();
    const joined = await purser.organization(creator, { members: [person] });
    await purser.organization(person);
    expect(await refusalOf(releaseUser(purser.platform, person.userId, null))).toBe("CREATOR_PROTECTED");
    expect(await membersOf(joined, creator)).toHaveLength(2);
  });

  it("removes any other user from their organizations, with an audit entry", async () => {
    const person = await purser.person();
    const joined = await purser.organization(creator, { owners: [person] });
    const by = { id: person.userId, name: person.name };
    await releaseUser(purser.platform, person.userId, by);
    expect(await membersOf(joined, creator)).toHaveLength(1);
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
      const organizationId = await purser.organization(creator);
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

describe("a mail to the owners", () => {
  it("reaches every owner and nobody else, with the organization's name on one line", async () => {
    const owner = await purser.person();
    const organizationId = await purser.organization(creator, { members: [member], owners: [owner] });
    // An earlier version accepted such names.
    const name = "Acme\r\n\r\nhttps://evil.example";
    await purser.db.update(organizations).set({ name }).where(eq(organizations.id, organizationId));
    purser.mails.length = 0;
    await purser.db.transaction((transaction) =>
      mailOwners(purser.platform, transaction, organizationId, (organizationName) => ({
        subject: "News",
        text: `News of ${organizationName}`,
      })),
    );
    await purser.drain();
    expect(purser.mails.map(({ to }) => to).toSorted()).toEqual([creator.email, owner.email].toSorted());
    for (const { text } of purser.mails) expect(text).toBe("News of Acme https://evil.example");
  });
});
