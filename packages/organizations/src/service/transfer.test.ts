import { type Person, type TestPurser, createTestPurser, refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { transferOrganization } from "./transfer.ts";

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
