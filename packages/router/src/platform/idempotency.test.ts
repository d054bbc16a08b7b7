import { idempotencyKeys } from "@purser/db";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Person, type TestPurser, createTestPurser, day, hour, refusalOf } from "../testing/index.ts";
import { purgeIdempotencyKeys } from "./idempotency.ts";

let purser: TestPurser;
let owner: Person;

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

const organizationsOf = async (person: Person) =>
  (await purser.as(person).organizations.list({ userId: person.userId })).map(({ id }) => id);

describe("an idempotency key", () => {
  it("gives a repeated mutation its first answer, dates and all, and one effect", async () => {
    owner = await purser.person();
    const { create } = purser.as(owner, { idempotencyKey: "one" }).organizations;
    const first = await create({ name: "Acme" });
    expect(await create({ name: "Acme" })).toEqual(first);
    expect(await create({ name: " Acme " })).toEqual(first);
    expect(await organizationsOf(owner)).toEqual([first.id]);
  });

  it("makes one effect of 100 identical requests in parallel, whatever the seed", async () => {
    const seeds = process.env["PURSER_PROFILE"] === "nightly" ? 100 : 3;
    for (let seed = 0; seed < seeds; seed += 1) {
      owner = await purser.person();
      const { create } = purser.as(owner, { idempotencyKey: `parallel-${seed}` }).organizations;
      const answers = await Promise.all(Array.from({ length: 100 }, () => create({ name: "Acme" })));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(await organizationsOf(owner)).toHaveLength(1);
    }
  });

  it("is refused with another input, also where the caller may no longer see what it was about", async () => {
    owner = await purser.person();
    const one = await purser.organization(owner);
    const other = await purser.organization(owner);
    const { delete: remove } = purser.as(owner, { idempotencyKey: "delete" }).organizations;
    await remove({ id: one });
    expect(await refusalOf(remove({ id: other }))).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(await refusalOf(remove({ id: purser.unknownId("org") }))).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  it("answers a repeated delete, leave and accept as the first was", async () => {
    owner = await purser.person();
    const member = await purser.person();
    const organizationId = await purser.organization(owner, { members: [member] });
    const [membership] = await purser.as(member).organizations.members.list({ organizationId });
    const leave = purser.as(member, { idempotencyKey: "leave" }).organizations.members;
    await leave.remove({ membershipId: membership!.id });
    await expect(leave.remove({ membershipId: membership!.id })).resolves.toBeUndefined();
    const { delete: remove } = purser.as(owner, { idempotencyKey: "delete-2" }).organizations;
    await remove({ id: organizationId });
    await expect(remove({ id: organizationId })).resolves.toBeUndefined();
  });

  it("is free again after a failure", async () => {
    owner = await purser.person();
    const key = { idempotencyKey: "failing" };
    const organizationId = await purser.organization(owner);
    const { create } = purser.as(owner, key).organizations.invitations;
    const itself = create({ organizationId, email: owner.email, role: "MEMBER" });
    expect(await refusalOf(itself)).toBe("ALREADY_MEMBER");
    await create({ organizationId, email: "somebody@example.com", role: "MEMBER" });
  });

  it("belongs to one user and one procedure", async () => {
    owner = await purser.person();
    const other = await purser.person();
    const key = { idempotencyKey: "shared" };
    const mine = await purser.as(owner, key).organizations.create({ name: "Acme" });
    const theirs = await purser.as(other, key).organizations.create({ name: "Acme" });
    expect(theirs.id).not.toBe(mine.id);
    await purser.as(owner, key).organizations.update({ id: mine.id, name: "Best" });
  });

  it("is kept for 24 hours, whether or not it has been purged since", async () => {
    owner = await purser.person();
    const { create } = purser.as(owner, { idempotencyKey: "daily" }).organizations;
    const first = await create({ name: "Acme" });
    purser.clock.advance(24 * hour);
    expect((await create({ name: "Acme" })).id).toBe(first.id);
    purser.clock.advance(1);
    expect((await create({ name: "Acme" })).id).not.toBe(first.id);
  });

  it("is purged when its time is over, however many have piled up", async () => {
    const old = purser.clock.now().toISOString();
    await purser.db.execute(sql`
      INSERT INTO idempotency_keys (user_id, procedure, key, fingerprint, created_at)
      SELECT 'user_1', 'organizations.create', number::text, '', ${old}::timestamptz FROM generate_series(1, 12000) number`);
    purser.clock.advance(2 * day);
    expect(await purgeIdempotencyKeys(purser.db, purser.clock.now())).toBeGreaterThanOrEqual(12_000);
    expect(await purser.db.select().from(idempotencyKeys)).toEqual([]);
  });
});
