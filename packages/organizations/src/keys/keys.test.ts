import { createHash } from "node:crypto";
import { idempotencyKeys, organizationKeys } from "@purser/db";
import { removeUserFromOrganizations } from "@purser/organizations/members";
import type { Caller, OrganizationKeyCaller } from "@purser/platform";
import {
  type Person,
  type TestPurser,
  callProcedure,
  changeTestTrigger,
  createTestPurser,
  day,
  minute,
  outcomeOf,
  problemOf,
  refusalOf,
} from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";

let purser: TestPurser;
let owner: Person;
let organizationId: string;

beforeAll(async () => {
  purser = await createTestPurser();
});
afterAll(() => purser.close());
beforeEach(async () => {
  owner = await purser.person();
  organizationId = await purser.organization(owner);
});

const keys = (caller: Caller = owner, request = {}) => purser.as(caller, request).keys;
const create = (input = {}) =>
  keys().create({ organizationId, name: "Accounting", access: "read", ...input });
const resolve = (headers: Record<string, string>) => purser.auth.resolveCaller(new Headers(headers));

/** Presents a key as a request does. */
async function present(key: string): Promise<OrganizationKeyCaller> {
  return (await resolve({ "x-api-key": key })) as OrganizationKeyCaller;
}

describe("keys.create", () => {
  it("returns the key once and stores only its hash", async () => {
    const expiresAt = new Date(purser.clock.now().getTime() + day);
    const created = await create({ expiresAt });
    const { key, ...listed } = created;
    expect(created).toEqual({
      id: expect.stringMatching(/^key_/),
      organizationId,
      name: "Accounting",
      access: "read",
      start: key.slice(0, 15),
      createdAt: purser.clock.now(),
      expiresAt,
      lastUsedAt: null,
      revokedAt: null,
      key: expect.stringMatching(/^purser_org_[\w-]{43}$/),
    });
    expect(await keys().list({ organizationId })).toEqual([listed]);
    const [row] = await purser.db.select().from(organizationKeys).where(eq(organizationKeys.id, created.id));
    expect(row!.hash).toBe(createHash("sha256").update(key).digest("base64url"));
    expect(JSON.stringify(row)).not.toContain(key);
  });

  it("requires a verified address, because a key would outlast the proof of whose it is", async () => {
    const stranger = await purser.person({ emailVerified: false });
    const theirs = await purser.organization(stranger);
    const input = { organizationId: theirs, name: "Prepared", access: "read" } as const;
    expect(await refusalOf(keys(stranger).create(input))).toBe("EMAIL_NOT_VERIFIED");
    expect(await keys(stranger).list({ organizationId: theirs })).toEqual([]);
  });

  it("refuses a repeat with the same idempotency key, and stores no secret for it", async () => {
    const input = { organizationId, name: "Once", access: "write" } as const;
    const request = { idempotencyKey: "once" };
    const { key } = await keys(owner, request).create(input);
    const repeat = await keys(owner, request)
      .create(input)
      .catch((error: unknown) => problemOf(error));
    expect(repeat).toMatchObject({
      code: "IDEMPOTENCY_KEY_REUSED",
      message: expect.stringContaining("secret"),
    });
    expect(await refusalOf(keys(owner, request).create({ ...input, name: "Two" }))).toBe(
      "IDEMPOTENCY_KEY_REUSED",
    );
    expect(await keys().list({ organizationId })).toHaveLength(1);
    const rows = await purser.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, "once"));
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  it("has one effect for concurrent requests with one idempotency key", async () => {
    const input = { organizationId, name: "Once", access: "read" } as const;
    const calls = Array.from({ length: 10 }, () => keys(owner, { idempotencyKey: "race" }).create(input));
    const outcomes = await Promise.all(calls.map(outcomeOf));
    expect(outcomes.filter((outcome) => outcome === "ok")).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === "IDEMPOTENCY_KEY_REUSED")).toHaveLength(9);
    expect(await keys().list({ organizationId })).toHaveLength(1);
  });

  it("refuses an expiry that is not in the future, before it looks at who asks", async () => {
    const [member, stranger] = [await purser.person(), await purser.person()];
    organizationId = await purser.organization(owner, { members: [member] });
    const input = { organizationId, name: "Accounting", access: "read" } as const;
    for (const caller of [owner, member, stranger]) {
      const refused = keys(caller).create({ ...input, expiresAt: purser.clock.now() });
      expect(await refusalOf(refused)).toBe("VALIDATION_FAILED");
    }
    expect((await create({ expiresAt: null })).expiresAt).toBeNull();
  });

  it("limits the valid keys of an organization to 100, under any race", { tags: ["slow"] }, async () => {
    const { id } = await create();
    await Promise.all(Array.from({ length: 98 }, () => create()));
    const last = await Promise.all([create(), create(), create()].map(outcomeOf));
    expect(last.toSorted()).toEqual(["TOO_MANY_KEYS", "TOO_MANY_KEYS", "ok"]);
    expect(await refusalOf(create())).toBe("TOO_MANY_KEYS");
    await keys().revoke({ id });
    await create();
  });

  it("writes the creation and the revocation to the audit trail, without the secret", async () => {
    const { id, key } = await create({ access: "write" });
    await keys().revoke({ id });
    const trail = await purser.as(owner).organizations.audit.list({ id: organizationId });
    expect(trail).toMatchObject([
      { action: "keys.revoke", subject: id, actor: { id: owner.userId } },
      { action: "keys.create", subject: id, details: { name: "Accounting", access: "write" } },
      { action: "organizations.create" },
    ]);
    expect(JSON.stringify(trail)).not.toContain(key);
  });
});

describe("keys.list", () => {
  it("lists the newest first, page by page, revoked and expired ones included", async () => {
    const first = await create({ expiresAt: new Date(purser.clock.now().getTime() + 1) });
    const second = await create();
    await keys().revoke({ id: second.id });
    purser.clock.advance(1);
    const third = await create();
    const listed = await keys().list({ organizationId });
    expect(listed.map(({ id }) => id)).toEqual([third.id, second.id, first.id]);
    expect(listed[1]!.revokedAt).not.toBeNull();
    expect((await keys().list({ organizationId, limit: 1, after: third.id }))[0]!.id).toBe(second.id);
    expect(await refusalOf(keys().list({ organizationId, after: purser.unknownId("key") }))).toBe(
      "VALIDATION_FAILED",
    );
  });
});

describe("keys.revoke", () => {
  it("ends a key at once, also one that is about to act, and may be repeated", async () => {
    const { id, key } = await create();
    const caller = await present(key);
    await keys().revoke({ id });
    const listed = await keys().list({ organizationId });
    expect(listed).toMatchObject([{ id, revokedAt: purser.clock.now() }]);
    expect(await refusalOf(present(key))).toBe("UNAUTHENTICATED");
    expect(await refusalOf(purser.as(caller).organizations.get({ id: organizationId }))).toBe(
      "ORGANIZATION_NOT_FOUND",
    );
    purser.clock.advance(minute);
    await keys().revoke({ id });
    expect(await keys().list({ organizationId })).toEqual(listed);
  });

  it("is refused to a key, even for itself", async () => {
    const { id, key } = await create({ access: "write" });
    const caller = await present(key);
    expect(await refusalOf(keys(caller).revoke({ id }))).toBe("FORBIDDEN");
    expect(await refusalOf(keys(caller).list({ organizationId }))).toBe("FORBIDDEN");
    const input = { organizationId, name: "Child", access: "write" } as const;
    expect(await refusalOf(keys(caller).create(input))).toBe("FORBIDDEN");
  });
});

describe("a key of an organization", () => {
  it("acts as a member of that organization, until it expires", async () => {
    const { key } = await create({ expiresAt: new Date(purser.clock.now().getTime() + day) });
    const caller = await present(key);
    expect(caller).toMatchObject({ credential: "organization-key", name: "Accounting", access: "read" });
    const get = () => purser.as(caller).organizations.get({ id: organizationId });
    expect(await get()).toMatchObject({ id: organizationId });
    purser.clock.advance(day);
    expect(await refusalOf(present(key))).toBe("UNAUTHENTICATED");
    expect(await refusalOf(get())).toBe("ORGANIZATION_NOT_FOUND");
  });

  it("stays valid when its creator loses ownership, leaves and is deleted", async () => {
    const founder = owner;
    owner = await purser.person();
    organizationId = await purser.organization(founder, { owners: [owner] });
    const caller = await present((await create()).key);
    const { members } = purser.as(founder).organizations;
    const list = await members.list({ organizationId });
    const { id: membershipId } = list.find(({ userId }) => userId === owner.userId)!;
    await members.updateRole({ id: membershipId, role: "MEMBER" });
    expect(await refusalOf(create())).toBe("FORBIDDEN");
    await members.remove({ membershipId });
    await removeUserFromOrganizations(purser.platform, owner.userId, null);
    expect(await purser.as(caller).organizations.members.list({ organizationId })).toHaveLength(1);
    expect(await keys(founder).list({ organizationId })).toHaveLength(1);
  });

  it("ends with its organization", async () => {
    const { id, key } = await create();
    const caller = await present(key);
    await purser.as(owner).organizations.delete({ id: organizationId });
    expect(await refusalOf(present(key))).toBe("UNAUTHENTICATED");
    expect(await refusalOf(purser.as(caller).organizations.get({ id: organizationId }))).toBe(
      "ORGANIZATION_NOT_FOUND",
    );
    expect(await refusalOf(keys().revoke({ id }))).toBe("API_KEY_NOT_FOUND");
  });

  it("excludes the cookie, and is refused with a user's credential or with any flaw", async () => {
    const { key } = await create();
    const bearer = { authorization: `Bearer ${await purser.auth.openSession(owner.userId)}` };
    expect(await refusalOf(resolve({ "x-api-key": key, ...bearer }))).toBe("UNAUTHENTICATED");
    expect(await refusalOf(resolve({ authorization: `Bearer ${key}` }))).toBe("UNAUTHENTICATED");
    for (const flawed of [key.slice(0, -1), `${key}A`, key.toLowerCase(), "purser_org_", key.slice(0, 15)])
      expect(await refusalOf(present(flawed))).toBe("UNAUTHENTICATED");
    const cookie = "better-auth.session_token=anything";
    expect(await resolve({ "x-api-key": key, cookie })).toMatchObject({ credential: "organization-key" });
  });

  it("has no account: /api/auth refuses it", async () => {
    const { key } = await create({ access: "write" });
    const auth = (path: string, init: RequestInit, apiKey = key) =>
      purser.auth.handle(
        new Request(`http://localhost:3000/api/auth${path}`, {
          ...init,
          headers: { "x-api-key": apiKey, "content-type": "application/json" },
        }),
        { address: "10.0.0.1", requestId: "req_key" },
      );
    for (const path of ["/get-session", "/list-sessions", "/api-key/list", "/admin/list-users"])
      expect([path, (await auth(path, {})).status]).toEqual([path, 403]);
    expect((await auth("/api-key/create", { method: "POST", body: "{}" })).status).toBe(403);
    expect((await auth("/get-session", {}, `${key}A`)).status).toBe(401);
  });

  it("is the actor in the audit trail, and the owner of its idempotency keys", async () => {
    const { key, id: keyId } = await create({ access: "write" });
    const caller = await present(key);
    const { id: connectionId } = await purser.as(owner).banking.connections.connect({
      teamId: organizationId,
      provider: "sandbox",
      providerId: "sprout-bank",
      consentId: "keys",
    });
    const { sync } = purser.as(caller, { idempotencyKey: "sync" }).banking.connections;
    const first = await sync({ teamId: organizationId, connectionId });
    expect(await sync({ teamId: organizationId, connectionId })).toEqual(first);
    const rows = await purser.db.select().from(idempotencyKeys).where(eq(idempotencyKeys.key, "sync"));
    expect(rows).toMatchObject([{ userId: keyId, procedure: "banking.connections.sync" }]);
  });

  it("records its last use to the minute, with one write", async () => {
    const { id, key } = await create();
    const lastUse = async () => {
      const listed = await keys().list({ organizationId });
      return listed.find((one) => one.id === id)!.lastUsedAt;
    };
    const used = purser.clock.now();
    await present(key);
    purser.clock.advance(minute - 1);
    await present(key);
    expect(await lastUse()).toEqual(used);
    purser.clock.advance(1);
    await present(key);
    expect(await lastUse()).toEqual(purser.clock.now());
  });

  it.each([
    ["is read-only", "25006"],
    ["has no room", "53100"],
    ["has locked the row for longer than a request waits", "55P03"],
  ])("is read on while the database %s, without its last use", async (_what, state) => {
    const { key } = await create();
    await purser.db.execute(sql`
      CREATE FUNCTION refuse_in_test() RETURNS trigger LANGUAGE plpgsql
        AS ${sql.raw(`'BEGIN RAISE ''refused'' USING ERRCODE = ''${state}''; END'`)}`);
    await changeTestTrigger(
      purser.db,
      sql`CREATE TRIGGER refuse_in_test BEFORE UPDATE ON organization_keys FOR EACH ROW EXECUTE FUNCTION refuse_in_test()`,
    );
    try {
      expect(await present(key)).toMatchObject({ organizationId });
    } finally {
      await changeTestTrigger(purser.db, sql`DROP TRIGGER refuse_in_test ON organization_keys`);
      await purser.db.execute(sql`DROP FUNCTION refuse_in_test`);
    }
  });

  it.each([
    ["me.get", {}],
    ["organizations.list", {}],
    ["organizations.create", { name: "Mine" }],
    ["organizations.invitations.accept", { id: "inv_01kjxz1910edjrtj5cf1q51ty4" }],
    ["billing.events.list", {}],
  ])("is refused by %s, which needs a user", async (procedure, input) => {
    const key = await purser.organizationKey(organizationId, "write");
    const refused = problemOf(
      await callProcedure(purser.as(key), procedure, input).catch((error: unknown) => error),
    );
    // A key cannot look its organization up.
    expect(refused).toMatchObject({ code: "FORBIDDEN", help: expect.stringContaining(organizationId) });
  });

  it("sees no card of a person, and no purchase without a holder", async () => {
    const key = await purser.organizationKey(organizationId, "read");
    const { cards } = purser.as(key);
    expect(await cards.list({ organizationId })).toEqual([]);
    expect(await cards.transactions.list({ organizationId })).toEqual([]);
  });
});
