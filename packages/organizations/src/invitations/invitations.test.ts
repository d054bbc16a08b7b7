import { day, minute } from "@purser/core/testing";
import { invitations as invitationRows } from "@purser/db";
import {
  type Person,
  type TestPurser,
  createTestPurser,
  outcomeOf,
  problemOf,
  refusalOf,
} from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";

let purser: TestPurser;
let owner: Person;
let invited: Person;
let organizationId: string;

beforeAll(async () => {
  purser = await createTestPurser();
  owner = await purser.person();
});
afterAll(() => purser.close());
beforeEach(async () => {
  organizationId = await purser.organization(owner);
  invited = await purser.person();
});

async function invite(email = invited.email, role: "OWNER" | "MEMBER" = "MEMBER"): Promise<string> {
  const { invitations } = purser.as(owner).organizations;
  await invitations.create({ organizationId, email, role });
  return (await invitations.list({ organizationId, limit: 1 }))[0]!.id;
}

describe("organizations.invitations.create", () => {
  it("creates an invitation that is open for exactly 7 days, under the lower-case address", async () => {
    await invite("New.Person@Example.COM", "OWNER");
    const list = await purser.as(owner).organizations.invitations.list({ organizationId });
    expect(list).toEqual([
      {
        id: expect.stringMatching(/^inv_/),
        organizationId,
        email: "new.person@example.com",
        role: "OWNER",
        expiresAt: new Date(purser.clock.now().getTime() + 7 * day),
      },
    ]);
  });

  it("sends the invited person a mail with the link, in the same transaction", async () => {
    const id = await invite();
    await purser.drain();
    const mail = purser.mails.findLast(({ to }) => to === invited.email);
    expect(mail?.subject).toBe("Join Acme on Purser");
    expect(mail?.text.split("\n")).toContain(`http://localhost:3000/invitations/${id}`);
    const { create } = purser.as(owner).organizations.invitations;
    await refusalOf(create({ organizationId, email: owner.email, role: "MEMBER" }));
    expect(await purser.drain()).toBe(0);
  });

  it("writes names on one line, even if an earlier version stored line breaks", async () => {
    await purser.db.execute(
      sql`UPDATE organizations SET name = ${"Acme\n\nhttps://evil.example"} WHERE id = ${organizationId}`,
    );
    await invite();
    await purser.drain();
    const mail = purser.mails.findLast(({ to }) => to === invited.email);
    expect(mail?.text.split("\n")[0]).toBe(
      `${owner.name} (${owner.email}) invites you to join Acme https://evil.example on Purser.`,
    );
  });

  it("names the sender by a verified address, because anyone can take any name", async () => {
    const other = await createTestPurser({ settings: { requireVerifiedEmail: false } });
    onTestFinished(() => other.close());
    const first = async (emailVerified: boolean) => {
      const sender = await other.person({ name: "Sam", emailVerified });
      const { invitations } = other.as(sender).organizations;
      const theirs = await other.organization(sender);
      await invitations.create({ organizationId: theirs, email: "guest@example.com", role: "MEMBER" });
      await other.drain();
      return { sender, mail: other.mails.at(-1)?.text };
    };
    const { sender, mail } = await first(true);
    expect(mail).toContain(`Sam (${sender.email}) invites you`);
    expect((await first(false)).mail).toContain("Sam invites you");
  });

  it("replaces the earlier invitation of the same address", async () => {
    await invite();
    purser.clock.advance(day);
    await invite(invited.email.toUpperCase(), "OWNER");
    const list = await purser.as(owner).organizations.invitations.list({ organizationId });
    expect(list).toMatchObject([
      { role: "OWNER", expiresAt: new Date(purser.clock.now().getTime() + 7 * day) },
    ]);
  });

  it("records that a newer invitation revoked the earlier one", async () => {
    const earlier = await invite();
    const newer = await invite(invited.email, "OWNER");
    const { audit } = purser.as(owner).organizations;
    const events = await purser.as(owner).events.list({ organizationId, limit: 2 });
    expect(events.map(({ type, subject, data }) => [type, subject.id, data])).toEqual([
      ["invitation.created", newer, expect.objectContaining({ id: newer, role: "OWNER" })],
      ["invitation.revoked", earlier, expect.objectContaining({ id: earlier, role: "MEMBER" })],
    ]);
    const [entry] = await audit.list({ id: organizationId, limit: 1 });
    expect(entry).toMatchObject({ subject: newer, details: { email: invited.email, replaced: earlier } });
  });

  it("leaves one invitation if several owners invite an address concurrently", async () => {
    const { create } = purser.as(owner).organizations.invitations;
    await Promise.all(
      Array.from({ length: 10 }, () => create({ organizationId, email: invited.email, role: "MEMBER" })),
    );
    expect(await purser.as(owner).organizations.invitations.list({ organizationId })).toHaveLength(1);
  });

  it("requires a verified address of the sender", async () => {
    const sender = await purser.person({ emailVerified: false });
    const theirs = await purser.organization(sender);
    const input = { organizationId: theirs, email: invited.email, role: "MEMBER" } as const;
    const call = purser.as(sender).organizations.invitations.create(input);
    expect(await refusalOf(call)).toBe("EMAIL_NOT_VERIFIED");
    await purser.drain();
    expect(purser.mails.filter(({ to }) => to === invited.email)).toEqual([]);
  });

  it("limits the invitations of a sender and of an organization in a day", async () => {
    const limited = await createTestPurser({
      settings: { invitationsPerSender: 3, invitationsPerOrganization: 5 },
    });
    const [first, second, third] = [await limited.person(), await limited.person(), await limited.person()];
    const owners = [second, third];
    const teams = [
      await limited.organization(first, { owners }),
      await limited.organization(first, { owners }),
    ];
    let count = 0;
    const send = (sender: Person, team: string) =>
      limited.as(sender).organizations.invitations.create({
        organizationId: team,
        email: `guest-${(count += 1)}@example.com`,
        role: "MEMBER",
      });
    for (const team of [teams[0]!, teams[1]!, teams[0]!]) await send(first, team);
    expect(await refusalOf(send(first, teams[1]!))).toBe("RATE_LIMITED");
    for (let sent = 0; sent < 3; sent += 1) await send(second, teams[0]!);
    expect(await refusalOf(send(third, teams[0]!))).toBe("RATE_LIMITED");
    await send(third, teams[1]!);
    limited.clock.advance(day);
    await send(first, teams[0]!);
    await limited.close();
  });

  it("is not refused because a stranger has invited the same person too often", async () => {
    const stranger = await purser.person();
    const elsewhere = await purser.organization(stranger);
    const input = { organizationId: elsewhere, email: invited.email, role: "MEMBER" } as const;
    const { create } = purser.as(stranger).organizations.invitations;
    for (let sent = 0; sent < 10; sent += 1) await create(input);
    expect(await refusalOf(create(input))).toBe("RATE_LIMITED");
    expect(await invite()).toMatch(/^inv_/);
  });

  it("sends at most ten mails of one sender to one address in 15 minutes", async () => {
    const { invitations } = purser.as(owner).organizations;
    const elsewhere = await purser.organization(owner);
    const again = (to = invited.email) =>
      invitations.create({ organizationId: elsewhere, email: to, role: "MEMBER" });
    for (let mails = 0; mails < 9; mails += 1) await invite();
    const keyed = purser.as(owner, { idempotencyKey: "tenth" }).organizations.invitations;
    const tenth = { organizationId, email: invited.email, role: "OWNER" } as const;
    // A repeat with the same idempotency key sends no further mail.
    for (let repeats = 0; repeats < 3; repeats += 1) await keyed.create(tenth);
    const before = await invitations.list({ organizationId });
    const refusal: unknown = await again().catch(problemOf);
    expect(refusal).toMatchObject({ code: "RATE_LIMITED", retryAfterSeconds: 900 });
    expect(await refusalOf(invite(invited.email.toUpperCase()))).toBe("RATE_LIMITED");
    expect(await invitations.list({ organizationId: elsewhere })).toEqual([]);
    expect(await invitations.list({ organizationId })).toEqual(before);
    await again("another.person@example.com");
    purser.clock.advance(15 * minute);
    await again();
  });

  it("refuses a member's address", async () => {
    const { create } = purser.as(owner).organizations.invitations;
    const call = create({ organizationId, email: owner.email.toUpperCase(), role: "MEMBER" });
    expect(await refusalOf(call)).toBe("ALREADY_MEMBER");
  });

  it.each([
    "",
    "name",
    "a@b",
    "a b@example.com",
    `${"x".repeat(250)}@example.com`,
    "a@example.com\r\nBcc: b@example.com",
  ])("refuses %j as an address", async (email) => {
    const { create } = purser.as(owner).organizations.invitations;
    expect(await refusalOf(create({ organizationId, email, role: "MEMBER" }))).toBe("VALIDATION_FAILED");
  });
});

describe("organizations.invitations.list", () => {
  it("lists open and expired invitations for owners, newest first, in pages", async () => {
    const older = await invite();
    purser.clock.advance(8 * day);
    const newer = await invite("later@example.com");
    const { list } = purser.as(owner).organizations.invitations;
    expect((await list({ organizationId })).map(({ id }) => id)).toEqual([newer, older]);
    expect((await list({ organizationId, after: newer })).map(({ id }) => id)).toEqual([older]);
  });
});

describe("organizations.invitations.revoke", () => {
  it("deletes the invitation, once", async () => {
    const id = await invite();
    const { revoke, list } = purser.as(owner).organizations.invitations;
    await revoke({ invitationId: id });
    expect(await refusalOf(revoke({ invitationId: id }))).toBe("INVITATION_NOT_FOUND");
    expect(await list({ organizationId })).toEqual([]);
    expect(await refusalOf(purser.as(invited).organizations.invitations.accept({ id }))).toBe(
      "INVITATION_NOT_FOUND",
    );
  });
});

describe("organizations.invitations.get", () => {
  it("shows the invitation to the invited person and the owners", async () => {
    const id = await invite();
    for (const person of [invited, owner]) {
      const invitation = await purser.as(person).organizations.invitations.get({ id });
      expect(invitation).toMatchObject({ id, email: invited.email, organization: { name: "Acme" } });
    }
  });

  it("returns null to all other callers, including members and administrators, and after a revocation", async () => {
    const id = await invite();
    const member = await purser.person();
    const organization = purser.as(owner).organizations;
    await organization.invitations.create({ organizationId, email: member.email, role: "MEMBER" });
    const [other] = await organization.invitations.list({ organizationId, limit: 1 });
    await purser.as(member).organizations.invitations.accept({ id: other!.id });
    const administrator = await purser.person({ isAdministrator: true });
    for (const person of [member, administrator, await purser.person()]) {
      expect(await purser.as(person).organizations.invitations.get({ id })).toBeNull();
    }
    await organization.invitations.revoke({ invitationId: id });
    expect(await purser.as(invited).organizations.invitations.get({ id })).toBeNull();
  });

  it("returns null to the invited address before it is verified", async () => {
    const unverified = await purser.person({ emailVerified: false });
    const id = await invite(unverified.email);
    expect(await purser.as(unverified).organizations.invitations.get({ id })).toBeNull();
    expect(await refusalOf(purser.as(unverified).organizations.invitations.accept({ id }))).toBe(
      "EMAIL_NOT_VERIFIED",
    );
  });
});

describe("organizations.invitations.accept", () => {
  it("makes the invited person a member with the invited role, once", async () => {
    const id = await invite(invited.email, "OWNER");
    const { accept } = purser.as(invited).organizations.invitations;
    expect(await accept({ id })).toEqual({ name: "Acme" });
    expect(await refusalOf(accept({ id }))).toBe("INVITATION_NOT_FOUND");
    const [member] = await purser.as(invited).organizations.members.list({ organizationId });
    expect(member).toMatchObject({ userId: invited.userId, role: "OWNER", isCreator: false });
    expect(await purser.as(owner).organizations.invitations.list({ organizationId })).toEqual([]);
  });

  it("creates one membership for 50 concurrent accepts", async () => {
    const id = await invite();
    const { accept } = purser.as(invited).organizations.invitations;
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => outcomeOf(accept({ id }))));
    expect(outcomes.filter((outcome) => outcome === "ok")).toHaveLength(1);
    for (const outcome of outcomes)
      expect(["ok", "INVITATION_NOT_FOUND", "ALREADY_MEMBER"]).toContain(outcome);
    const members = await purser.as(invited).organizations.members.list({ organizationId });
    expect(members.filter(({ userId }) => userId === invited.userId)).toHaveLength(1);
  });

  it("returns the same response to 50 concurrent accepts with one idempotency key", async () => {
    const id = await invite();
    const { accept } = purser.as(invited, { idempotencyKey: "accept-1" }).organizations.invitations;
    const answers = await Promise.all(Array.from({ length: 50 }, () => accept({ id })));
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(new Set(['{"name":"Acme"}']));
  });

  it("works until the last millisecond of the 7 days", async () => {
    const id = await invite();
    const { accept } = purser.as(invited).organizations.invitations;
    purser.clock.advance(7 * day);
    expect(await refusalOf(accept({ id }))).toBe("INVITATION_EXPIRED");
    purser.clock.advance(-1);
    expect(await accept({ id })).toEqual({ name: "Acme" });
  });

  it("never succeeds if a concurrent revocation succeeds", async () => {
    for (let round = 0; round < 10; round += 1) {
      const person = await purser.person();
      const id = await invite(person.email);
      const [accepted, revoked] = await Promise.all([
        outcomeOf(purser.as(person).organizations.invitations.accept({ id })),
        outcomeOf(purser.as(owner).organizations.invitations.revoke({ invitationId: id })),
      ]);
      const members = await purser.as(owner).organizations.members.list({ organizationId });
      expect([accepted, revoked].toSorted()).toEqual(["INVITATION_NOT_FOUND", "ok"]);
      expect(members.some(({ userId }) => userId === person.userId)).toBe(accepted === "ok");
    }
  });

  it("refuses an invitation to a deleted organization", async () => {
    const id = await invite();
    await purser.as(owner).organizations.delete({ id: organizationId });
    expect(await refusalOf(purser.as(invited).organizations.invitations.accept({ id }))).toBe(
      "INVITATION_NOT_FOUND",
    );
    expect(await purser.db.select().from(invitationRows).where(eq(invitationRows.id, id))).toEqual([]);
  });
});
