import { moveOrganization, organizations } from "@purser/db";
import {
  type Person,
  type TestPurser,
  createTestPurser,
  distributedDatabaseUrl,
  refusalOf,
} from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

describe.skipIf(distributedDatabaseUrl === null)("a query about an organization on a cluster", () => {
  let purser: TestPurser;
  let owner: Person;
  let organizationId: string;
  beforeAll(async () => {
    purser = await createTestPurser();
    owner = await purser.person();
    organizationId = await purser.organization(owner);
  });
  afterAll(() => purser.close());

  /** As another process does, which knows where the organization is. */
  const rename = (name: string) =>
    purser.db.update(organizations).set({ name }).where(eq(organizations.id, organizationId));
  const list = () => purser.as(owner).banking.transactions.list({ teamId: organizationId, limit: 50 });
  const nameNow = async () => (await purser.as(owner).organizations.get({ id: organizationId })).name;

  const move = () => moveOrganization(purser.platform.settings, { organizationId, blocksWrites: true });

  it("asks its node once whether the organization is still there", async () => {
    await list();
    const sent: string[] = [];
    for (const { db } of purser.platform.nodes!.requests.open)
      db.$client.options.debug = (_connection, text) => void sent.push(text);
    await list();
    expect(sent.map((text) => text.includes("pg_dist_placement"))).toEqual([true, false]);
  });

  it("is refused once where the organization was, and then has what was written in the new place", async () => {
    await rename("Before");
    expect(await nameNow()).toBe("Before");
    await move();
    await rename("After");
    expect(await refusalOf(nameNow())).toBe("UNAVAILABLE");
    expect(await nameNow()).toBe("After");
  });
});
