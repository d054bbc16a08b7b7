import { randomBytes } from "node:crypto";
import { day, hour } from "@purser/core/testing";
import { idempotencyKeys } from "@purser/db";
import { purgeIdempotencyKeys } from "@purser/platform";
import { keyStatus, rotateKeys } from "@purser/platform/keys";
import {
  type Person,
  type TestPurser,
  createTestPurser,
  isNightly,
  problemOf,
  refusalOf,
} from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";

let purser: TestPurser;
let owner: Person;
beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());

const organizationsOf = async (person: Person) =>
  (await purser.as(person).organizations.list({ userId: person.userId })).map(({ id }) => id);

describe("an idempotency key", () => {
  it("returns the first response to a repeated mutation, including dates, with one effect", async () => {
    owner = await purser.person();
    const { create } = purser.as(owner, { idempotencyKey: "one" }).organizations;
    const first = await create({ name: "Acme" });
    expect(await create({ name: "Acme" })).toEqual(first);
    expect(await create({ name: " Acme " })).toEqual(first);
    expect(await organizationsOf(owner)).toEqual([first.id]);
  });

  it("has one effect for 100 identical concurrent requests, for every seed", async () => {
    const seeds = isNightly ? 100 : 3;
    for (let seed = 0; seed < seeds; seed += 1) {
      owner = await purser.person();
      const { create } = purser.as(owner, { idempotencyKey: `parallel-${seed}` }).organizations;
      const answers = await Promise.all(Array.from({ length: 100 }, () => create({ name: "Acme" })));
      expect(new Set(answers.map(({ id }) => id)).size).toBe(1);
      expect(await organizationsOf(owner)).toHaveLength(1);
    }
  });

  it("is refused with another input, even if the caller can no longer see the resource", async () => {
    owner = await purser.person();
    const one = await purser.organization(owner);
    const other = await purser.organization(owner);
    const { delete: remove } = purser.as(owner, { idempotencyKey: "delete" }).organizations;
    await remove({ id: one });
    expect(await refusalOf(remove({ id: other }))).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(await refusalOf(remove({ id: purser.unknownId("org") }))).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  it("returns the first response to a repeated delete, leave and accept", async () => {
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

  it("is reusable after a failure", async () => {
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

  it("is valid for 24 hours, independent of the purge job", async () => {
    owner = await purser.person();
    const { create } = purser.as(owner, { idempotencyKey: "daily" }).organizations;
    const first = await create({ name: "Acme" });
    purser.clock.advance(24 * hour);
    expect((await create({ name: "Acme" })).id).toBe(first.id);
    purser.clock.advance(1);
    expect((await create({ name: "Acme" })).id).not.toBe(first.id);
  });

  it("is purged after it expires, in any number", async () => {
    const old = purser.clock.now().toISOString();
    await purser.db.execute(sql`
      INSERT INTO idempotency_keys (user_id, procedure, key, fingerprint, created_at)
      SELECT 'user_1', 'organizations.create', number::text, '', ${old}::timestamptz FROM generate_series(1, 12000) number`);
    purser.clock.advance(2 * day);
    expect(await purgeIdempotencyKeys(purser.db, purser.clock.now())).toBeGreaterThanOrEqual(12_000);
    expect(await purser.db.select().from(idempotencyKeys)).toEqual([]);
  });

  it("is stored so that a copy of the database does not reveal the output", async () => {
    owner = await purser.person();
    const keyed = () => purser.as(owner, { idempotencyKey: "sealed" }).organizations;
    const first = await keyed().create({ name: "Telltale Ltd" });
    const [row] = await purser.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, "sealed"));
    expect(row!.output).toMatch(/^v1\./);
    // A process of the previous version, which may get the repeat, compares the text as it is.
    expect(row!.fingerprint).toMatch(/^[\w-]{43}$/);
    expect(JSON.stringify(row)).not.toContain("Telltale");
    expect(await keyed().create({ name: "Telltale Ltd" })).toEqual(first);
  });

  it("returns the first response after the key of secrets was rotated, and the old one removed", async () => {
    owner = await purser.person();
    const keyed = () => purser.as(owner, { idempotencyKey: "rotated" }).organizations;
    const first = await keyed().create({ name: "Acme" });
    const { settings } = purser.platform;
    const { encryptionKeys: old } = settings;
    const next = { version: 2, key: randomBytes(32) };
    onTestFinished(() => void Object.assign(settings, { encryptionKeys: [...old, next] }));
    Object.assign(settings, { encryptionKeys: [next, ...old] });
    expect(await keyed().create({ name: "Acme" })).toEqual(first);
    await rotateKeys(purser.db, settings.encryptionKeys, () => undefined);
    Object.assign(settings, { encryptionKeys: [next] });
    expect(await keyed().create({ name: "Acme" })).toEqual(first);
    expect(await refusalOf(keyed().create({ name: "Best" }))).toBe("IDEMPOTENCY_KEY_REUSED");
  });

  it("of a lost response with a secret leads to that secret's end, not to a second endpoint", async () => {
    owner = await purser.person();
    const organizationId = await purser.organization(owner);
    const { create } = purser.as(owner, { idempotencyKey: "secret" }).webhookEndpoints;
    const input = { organizationId, url: "http://localhost:4000/purser" };
    await create(input);
    expect(await create(input).catch(problemOf)).toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
      help: expect.stringMatching(/revoke the API key.*rotate the secret/),
    });
  });

  it("returns an output that an earlier version stored unsealed, and key rotation ignores it", async () => {
    owner = await purser.person();
    const keyed = () => purser.as(owner, { idempotencyKey: "plain" }).organizations;
    const first = await keyed().create({ name: "Acme" });
    await purser.db.execute(
      sql`UPDATE idempotency_keys SET output = ${JSON.stringify({ output: first })} WHERE key = 'plain'`,
    );
    expect(await keyed().create({ name: "Acme" })).toEqual(first);
    const uses = await keyStatus(purser.db);
    expect(uses.map(({ location }) => location)).toContain("idempotency_keys.output");
  });
});
