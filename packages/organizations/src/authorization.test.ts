import { memberships, organizations } from "@purser/db";
import {
  type Person,
  type TestPurser,
  countWaitingForLocks,
  createTestPurser,
  refusalOf,
} from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

let purser: TestPurser;
let owner: Person;
let id: string;
let invitationId: string;

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());
beforeEach(async () => {
  owner = await purser.person();
  id = await purser.organization(await purser.person(), { owners: [owner] });
  const { invitations } = purser.as(owner).organizations;
  await invitations.create({ organizationId: id, email: "guest@example.com", role: "MEMBER" });
  invitationId = (await invitations.list({ organizationId: id }))[0]!.id;
});

/** Changes the owner's membership while the call waits for the organization, after the call's own check of the role. */
async function whileWaiting(call: () => Promise<unknown>, change: "demoted" | "removed"): Promise<string> {
  let waiting: Promise<unknown>;
  await purser.db.transaction(async (transaction) => {
    const theirs = eq(memberships.userId, owner.userId);
    await transaction.select().from(organizations).where(eq(organizations.id, id)).for("update");
    waiting = refusalOf(call());
    await expect.poll(() => countWaitingForLocks(purser.db)).toBe(1);
    if (change === "removed") await transaction.delete(memberships).where(theirs);
    else await transaction.update(memberships).set({ role: "MEMBER" }).where(theirs);
  });
  return (await waiting!) as string;
}

const mutations = {
  "organizations.update": () => purser.as(owner).organizations.update({ id, name: "New" }),
  "organizations.delete": () => purser.as(owner).organizations.delete({ id }),
  "organizations.settings.update": () =>
    purser.as(owner).organizations.settings.update({ id, timeZone: "Europe/Paris" }),
  "organizations.invitations.create": () =>
    purser
      .as(owner)
      .organizations.invitations.create({ organizationId: id, email: "new@example.com", role: "OWNER" }),
  "organizations.invitations.revoke": () =>
    purser.as(owner).organizations.invitations.revoke({ invitationId }),
};

describe.each(Object.entries(mutations))("%s", (name, call) => {
  it("is refused to an owner who is demoted before it runs", async () => {
    expect(await whileWaiting(call, "demoted")).toBe("FORBIDDEN");
  });

  it("is refused to an owner who is removed before it runs", async () => {
    const missing = name.endsWith("revoke") ? "INVITATION_NOT_FOUND" : "ORGANIZATION_NOT_FOUND";
    expect(await whileWaiting(call, "removed")).toBe(missing);
  });
});
