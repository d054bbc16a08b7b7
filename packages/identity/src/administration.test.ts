import { hour } from "@purser/core/testing";
import { accounts, memberships, sessions, users } from "@purser/db";
import { distributedDatabaseUrl, refusalOf } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestAuth, type TestClient, createTestAuth, password } from "./testing/client.ts";

let test: TestAuth;
let admin: TestClient;
let adminBearer: string;
let adminId: string;
beforeAll(async () => {
  test = await createTestAuth();
  const signedUp = await test.signUpVerified("admin@example.com");
  await test.auth.makeAdministrator("Admin@Example.com");
  admin = signedUp.client;
  adminBearer = signedUp.bearer;
  adminId = signedUp.userId;
});
afterAll(() => test.purser.close());

const bearerOf = (token: string) => ({ authorization: `Bearer ${token}` });
const callerOf = (token: string) => test.userOf(new Headers(bearerOf(token)));
const userRow = async (id: string) => (await test.purser.db.select().from(users).where(eq(users.id, id)))[0];

describe("/api/auth/admin", () => {
  it("refuses callers who are not administrators", async () => {
    const { client } = await test.signUp("plain@example.com");
    expect((await client.get("/admin/list-users")).status).toBe(403);
    expect((await test.client().get("/admin/list-users")).status).toBe(401);
    expect((await admin.get("/admin/list-users?limit=5")).status).toBe(200);
    expect((await test.client().get("/admin/list-users?limit=5", bearerOf(adminBearer))).status).toBe(200);
  });

  it("refuses API keys, even those of an administrator", async () => {
    const created = await admin.post("/api-key/create", { name: "key" });
    const key = { "x-api-key": String(created.body["key"]) };
    expect((await test.client().get("/get-session", key)).body["user"]).toMatchObject({
      email: "admin@example.com",
    });
    const reply = await test.client().get("/admin/list-users", key);
    expect(reply).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    const both = await test.client().get("/admin/list-users", { ...key, ...bearerOf(adminBearer) });
    expect(both.status).toBe(403);
  });

  it("offers neither impersonation nor setting passwords", async () => {
    const { userId } = await test.signUp("subject@example.com");
    for (const path of ["impersonate-user", "stop-impersonating", "set-user-password"]) {
      const reply = await admin.post(`/admin/${path}`, { userId, newPassword: "another password" });
      expect([path, reply.status, reply.body["code"]]).toEqual([path, 404, "NOT_FOUND"]);
    }
  });

  it("does not change the address of another user or its verification", async () => {
    const { userId } = await test.signUp("kept@example.com");
    for (const data of [
      { email: "mine@example.com" },
      { emailVerified: true },
      { twoFactorEnabled: true },
      { id: "x" },
    ]) {
      const reply = await admin.post("/admin/update-user", { userId, data });
      expect([data, reply.status]).toEqual([data, 400]);
    }
    const created = { email: "made@example.com", password, name: "Made", data: { emailVerified: true } };
    expect((await admin.post("/admin/create-user", created)).status).toBe(400);
    expect(await userRow(userId)).toMatchObject({ email: "kept@example.com", emailVerified: false });
    expect((await admin.post("/admin/update-user", { userId, data: { name: " Renamed " } })).status).toBe(
      200,
    );
    expect(await userRow(userId)).toMatchObject({ name: "Renamed" });
  });

  it("sets one of two roles, effective on the next call", async () => {
    const { userId, bearer } = await test.signUp("promoted@example.com");
    expect((await admin.post("/admin/set-role", { userId, role: "admin" })).status).toBe(200);
    expect((await callerOf(bearer))?.isAdministrator).toBe(true);
    expect((await admin.post("/admin/set-role", { userId, role: ["user"] })).status).toBe(200);
    expect((await callerOf(bearer))?.isAdministrator).toBe(false);
    for (const role of ["owner", ["user", "admin"], "", 7]) {
      expect((await admin.post("/admin/set-role", { userId, role })).status).toBe(400);
    }
  });

  it("bans a user immediately, until the ban ends", async () => {
    const { userId, bearer } = await test.signUp("banned@example.com");
    expect((await admin.post("/admin/ban-user", { userId, banExpiresIn: 3600 })).status).toBe(200);
    expect(await refusalOf(callerOf(bearer))).toBe("UNAUTHENTICATED");
    const signIn = () => test.client().post("/sign-in/email", { email: "banned@example.com", password });
    expect(await signIn()).toMatchObject({ status: 403, body: { code: "BANNED_USER" } });
    // In the exact millisecond in which a ban ends, better-auth still enforces it.
    test.purser.clock.advance(hour + 1);
    expect((await signIn()).status).toBe(200);
    expect(await userRow(userId)).toMatchObject({ banned: false });
  });

  it("accepts a ban of whole seconds, up to a hundred years", async () => {
    const { userId } = await test.signUp("seconds@example.com");
    for (const banExpiresIn of [9e12, 1e14, 1e300, -5, 0, 1.5, 3_155_760_001, "60"]) {
      const reply = await admin.post("/admin/ban-user", { userId, banExpiresIn });
      expect([banExpiresIn, reply.status, reply.body["code"]]).toEqual([
        banExpiresIn,
        400,
        "VALIDATION_FAILED",
      ]);
    }
    expect(await userRow(userId)).toMatchObject({ banned: false });
    expect((await admin.post("/admin/ban-user", { userId, banExpiresIn: 3_155_760_000 })).status).toBe(200);
    expect(await userRow(userId)).toMatchObject({ banned: true });
  });

  it.each(["constructor", "toString", "__proto__"])(
    "refuses %s as the name of a permission",
    async (name) => {
      const reply = await admin.post("/admin/has-permission", `{"permissions":{"${name}":["y"]}}`);
      expect(reply).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
      const known = await admin.post("/admin/has-permission", { permissions: { user: ["list"] } });
      expect(known).toMatchObject({ status: 200, body: { success: true } });
    },
  );

  it("ends a user's sessions immediately", async () => {
    const { userId, bearer } = await test.signUp("ended@example.com");
    expect((await admin.post("/admin/revoke-user-sessions", { userId })).status).toBe(200);
    expect(await refusalOf(callerOf(bearer))).toBe("UNAUTHENTICATED");
  });
});

describe("an administrator's change that fails halfway", () => {
  /** Lets the database refuse a kind of statement on a table while `run` runs. */
  async function whileRefused<Output>(
    statement: "INSERT" | "DELETE",
    table: "accounts" | "sessions",
    run: () => Promise<Output>,
  ): Promise<Output> {
    const { db } = test.purser;
    await db.execute(
      sql.raw(
        `CREATE FUNCTION refuse_row() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''refused''; END'`,
      ),
    );
    await db.execute(
      sql.raw(`CREATE TRIGGER refused BEFORE ${statement} ON ${table} EXECUTE FUNCTION refuse_row()`),
    );
    try {
      return await run();
    } finally {
      await db.execute(sql`DROP FUNCTION refuse_row CASCADE`);
    }
  }

  it("bans nobody whose sessions did not end", async () => {
    const { userId, bearer } = await test.signUp("half-banned@example.com");
    const ban = () => admin.post("/admin/ban-user", { userId });
    expect((await whileRefused("DELETE", "sessions", ban)).status).toBe(500);
    expect(await userRow(userId)).toMatchObject({ banned: false });
    expect((await ban()).status).toBe(200);
    expect(await refusalOf(callerOf(bearer))).toBe("UNAUTHENTICATED");
    expect(await test.purser.db.select().from(sessions).where(eq(sessions.userId, userId))).toEqual([]);
  });

  it("creates no user without the password", async () => {
    const email = "half-made@example.com";
    const create = () => admin.post("/admin/create-user", { email, password, name: "Half" });
    expect((await whileRefused("INSERT", "accounts", create)).status).toBe(500);
    expect(await test.purser.db.select().from(users).where(eq(users.email, email))).toEqual([]);
    expect((await create()).status).toBe(200);
    expect((await test.client().post("/sign-in/email", { email, password })).status).toBe(200);
  });
});

describe("making an administrator without a request", () => {
  it("needs a verified address, because anyone can sign up with any address", async () => {
    const { userId } = await test.signUp("claimed@example.com");
    const make = (options = {}) => test.auth.makeAdministrator("Claimed@example.com", options);
    expect(await refusalOf(make())).toBe("EMAIL_NOT_VERIFIED");
    expect(await userRow(userId)).toMatchObject({ role: "user" });
    await make({ unverified: true });
    expect(await userRow(userId)).toMatchObject({ role: "admin" });
    expect(await refusalOf(test.auth.makeAdministrator("nobody@example.com"))).toBe("USER_NOT_FOUND");
  });
});

describe("/api/auth/admin/list-users", () => {
  it.each([
    "limit=1.5",
    "limit=1e30",
    "limit=1000000000",
    "limit=abc",
    "limit=-1",
    "limit=0",
    "limit=",
    "offset=-5",
    "sortBy=nope",
    "sortBy=password",
    "sortBy=__proto__",
    "filterField=nope",
    "filterField=createdAt&filterValue=abc",
    "filterField=banned&filterValue=abc",
    "filterField=banned&filterValue=true&filterOperator=contains",
    "filterField=role&filterValue=admin&filterOperator=in",
    "filterField=role&filterValue=admin&filterValue=user",
  ])("refuses %s", async (query) => {
    const reply = await admin.get(`/admin/list-users?${query}`);
    expect(reply).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
  });

  it.each([
    "limit=999999999",
    "limit=5&offset=0&sortBy=createdAt&sortDirection=desc",
    "filterField=banned&filterValue=false&sortBy=email",
    "filterField=emailVerified&filterValue=true&filterOperator=ne",
    "filterField=role&filterValue=admin&filterValue=user&filterOperator=in",
    "filterValue=admin@example.com",
    "searchValue=admin&searchField=email&sortBy=id",
  ])("takes %s", async (query) => {
    const reply = await admin.get(`/admin/list-users?${query}`);
    expect(reply.status).toBe(200);
    expect(reply.body["total"]).toBeGreaterThan(0);
    expect(reply.body["users"]).not.toEqual([]);
  });

  // On a cluster, the copy of the users is read by its own name.
  it.skipIf(distributedDatabaseUrl !== null)(
    "fails if it cannot read the users, instead of returning an empty list",
    async () => {
      const broken = await createTestAuth();
      const { client } = await broken.signUpVerified("admin@example.com");
      await broken.auth.makeAdministrator("admin@example.com");
      expect((await client.get("/admin/list-users")).status).toBe(200);
      // The caller is still readable, but the other users are not.
      await broken.signUp("unreadable@example.com");
      await broken.purser.db.execute(sql`ALTER TABLE users RENAME TO people`);
      await broken.purser.db.execute(
        sql`CREATE VIEW users AS SELECT id, name, email, email_verified, image, role, ban_reason, ban_expires,
        two_factor_enabled, created_at, updated_at,
        1 / (CASE WHEN email = 'unreadable@example.com' THEN 0 ELSE 1 END) = 0 AS banned FROM people`,
      );
      const reply = await client.get("/admin/list-users");
      expect((await client.get("/get-session")).status).toBe(200);
      expect(reply).toMatchObject({ status: 500, body: { code: "INTERNAL" } });
      await broken.purser.close();
    },
  );
});

describe("deleting a user", () => {
  /** Signs up two users. The first creates an organization and invites the second. */
  async function organization(name: string) {
    const founder = await test.signUpVerified(`founder-${name}@example.com`);
    const member = await test.signUpVerified(`member-${name}@example.com`);
    const [owner, invited] = [await callerOf(founder.bearer), await callerOf(member.bearer)];
    const organizationId = await test.purser.organization(owner!, { members: [invited!] });
    return { founder, member, organizationId };
  }

  const remains = async (userId: string) => ({
    user: (await userRow(userId)) !== undefined,
    account: (await test.purser.db.select().from(accounts).where(eq(accounts.userId, userId))).length,
    sessions: (await test.purser.db.select().from(sessions).where(eq(sessions.userId, userId))).length > 0,
  });

  it("is refused for the creator of an organization, and changes nothing", async () => {
    const { client, bearer, userId } = (await organization("one")).founder;
    const own = await client.post("/delete-user", { password });
    expect(own).toMatchObject({ status: 409, body: { code: "CREATOR_PROTECTED" } });
    const others = await admin.post("/admin/remove-user", { userId });
    expect(others).toMatchObject({ status: 409, body: { code: "CREATOR_PROTECTED" } });
    expect(await callerOf(bearer)).toMatchObject({ userId });
    expect(await remains(userId)).toEqual({ user: true, account: 1, sessions: true });
    const again = await test.client().post("/sign-in/email", { email: "founder-one@example.com", password });
    expect(again.status).toBe(200);
  });

  it("removes the user's memberships and sessions", async () => {
    const { member } = await organization("two");
    expect((await admin.post("/admin/remove-user", { userId: member.userId })).status).toBe(200);
    expect(await remains(member.userId)).toEqual({ user: false, account: 0, sessions: false });
    const left = await test.purser.db.select().from(memberships).where(eq(memberships.userId, member.userId));
    expect(left).toEqual([]);
    expect(await refusalOf(callerOf(member.bearer))).toBe("UNAUTHENTICATED");
  });

  it("is recorded in the user's organizations as done by the user or the administrator", async () => {
    for (const deletes of ["the user", "the administrator"] as const) {
      const { founder, member, organizationId } = await organization(deletes.replace(" ", "-"));
      const deleted = await (deletes === "the user"
        ? member.client.post("/delete-user", { password })
        : admin.post("/admin/remove-user", { userId: member.userId }));
      expect(deleted.status).toBe(200);
      const by = { id: deletes === "the user" ? member.userId : adminId, name: "Sam" };
      const owner = test.purser.as(await callerOf(founder.bearer));
      const [entry] = await owner.organizations.audit.list({ id: organizationId });
      expect(entry).toMatchObject({ action: "users.delete", actor: by });
      const [event] = await owner.events.list({ organizationId });
      expect(event).toMatchObject({ type: "member.removed", actor: by });
    }
  });

  it.each([{}, { password: "" }, { password: null }])("needs the password: %j", async (body) => {
    const { client, userId } = await test.signUp(`unlocked-${JSON.stringify(body).length}@example.com`);
    const reply = await client.post("/delete-user", body);
    expect(reply).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
    expect(reply.body["issues"]).toMatchObject([{ path: ["password"] }]);
    expect(await remains(userId)).toEqual({ user: true, account: 1, sessions: true });
  });

  it("lets users delete their own account with their password", async () => {
    const { client, bearer, userId } = await test.signUp("leaving@example.com");
    const wrong = await client.post("/delete-user", { password: "not it at all" });
    expect(wrong).toMatchObject({ status: 400, body: { code: "INVALID_PASSWORD" } });
    expect((await client.post("/delete-user", { password })).status).toBe(200);
    expect(await remains(userId)).toEqual({ user: false, account: 0, sessions: false });
    expect(await refusalOf(callerOf(bearer))).toBe("UNAUTHENTICATED");
    expect((await test.signUp("leaving@example.com")).userId).not.toBe(userId);
  });
});
