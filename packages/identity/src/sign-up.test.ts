import { day } from "@purser/core/testing";
import { users, verifications } from "@purser/db";
import { distributedDatabaseUrl } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readAccountMail } from "./account-mails.ts";
import { type TestAuth, createTestAuth, password, tokenIn } from "./testing/client.ts";

const adminEmails = ["root@example.com", "boss@example.com", "second@example.com", "third@example.com"];

let test: TestAuth;
beforeAll(async () => {
  test = await createTestAuth({ adminEmails });
});
afterAll(() => test.purser.close());

const bearerOf = (token: string) => ({ authorization: `Bearer ${token}` });
const callerOf = (token: string) => test.userOf(new Headers(bearerOf(token)));
const signUpBody = (email: string) => ({ email, password, name: "Sam" });

describe("sign-up", () => {
  it("stores the e-mail in lower case, a prefixed id, and only the password's hash", async () => {
    const { userId } = await test.signUp("Case@Example.com");
    const [user] = await test.purser.db.select().from(users).where(eq(users.id, userId));
    expect(user).toMatchObject({
      email: "case@example.com",
      emailVerified: false,
      role: "user",
      banned: false,
    });
    expect(user?.createdAt).toEqual(test.purser.clock.now());
  });

  it("takes null for no picture, as the user shows it", async () => {
    const reply = await test
      .client()
      .post("/sign-up/email", { ...signUpBody("plain@example.com"), image: null });
    expect(reply).toMatchObject({ status: 200, body: { user: { email: "plain@example.com", image: null } } });
  });

  it("refuses a taken address in any letter case", async () => {
    await test.signUp("taken@example.com");
    const reply = await test.client().post("/sign-up/email", signUpBody("TAKEN@example.com"));
    expect(reply).toMatchObject({ status: 422, body: { code: "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL" } });
  });

  it("creates one user and sends one mail for concurrent sign-ups", async () => {
    await test.mails();
    const replies = await Promise.all(
      Array.from({ length: 12 }, () => test.client().post("/sign-up/email", signUpBody("race@example.com"))),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 422)).toHaveLength(11);
    expect(await test.purser.db.select().from(users).where(eq(users.email, "race@example.com"))).toHaveLength(
      1,
    );
  });

  it("serves more concurrent sign-ups than the pool has connections", async () => {
    const emails = Array.from({ length: 16 }, (_, index) => `many-${index}@example.com`);
    const replies = await Promise.all(
      emails.map((email) => test.client().post("/sign-up/email", signUpBody(email))),
    );
    expect(replies.map(({ status }) => status)).toEqual(emails.map(() => 200));
  });

  it.each([
    { role: "admin" },
    { emailVerified: true },
    { banned: true },
    { twoFactorEnabled: true },
    { id: "user_1" },
  ])("refuses fields that a client may not set: %j", async (claim) => {
    const email = `sly-${Object.keys(claim).join()}@example.com`.toLowerCase();
    const reply = await test.client().post("/sign-up/email", { ...signUpBody(email), ...claim });
    expect(reply).toMatchObject({ status: 400, body: { code: "VALIDATION_FAILED" } });
    expect(await test.purser.db.select().from(users).where(eq(users.email, email))).toEqual([]);
  });
});

describe("verify-email", () => {
  it("verifies the address through the link in the sign-up mail", async () => {
    await test.mails();
    const { client, bearer } = await test.signUp("verify@example.com");
    expect((await callerOf(bearer))?.emailVerified).toBe(false);
    const [mail, ...others] = await test.mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: "verify@example.com", subject: "Confirm your e-mail address" });
    expect(mail?.text).toMatch(/^http:\/\/localhost:3000\/verify-email\?token=\S+$/m);
    expect(await client.get(`/verify-email?token=${tokenIn(mail)}`)).toMatchObject({ status: 200 });
    expect((await callerOf(bearer))?.emailVerified).toBe(true);
  });

  it("requires no session and opens none", async () => {
    await test.mails();
    const { bearer } = await test.signUp("stranger@example.com");
    const [mail] = await test.mails();
    const reply = await test.client().get(`/verify-email?token=${tokenIn(mail)}`);
    expect(reply.status).toBe(200);
    expect(reply.headers.getSetCookie()).toEqual([]);
    expect((await callerOf(bearer))?.emailVerified).toBe(true);
  });

  it("refuses a token with a foreign signature", async () => {
    const reply = await test.client().get("/verify-email?token=eyJhbGciOiJIUzI1NiJ9.e30.AAAA");
    expect(reply).toMatchObject({ status: 401, body: { code: "INVALID_TOKEN" } });
  });

  it("sends the link again, and does not reveal whether an address is known", async () => {
    await test.signUp("again@example.com");
    await test.mails();
    const known = await test.client().post("/send-verification-email", { email: "again@example.com" });
    const unknown = await test.client().post("/send-verification-email", { email: "nobody@example.com" });
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body]);
    expect((await test.mails()).map(({ to }) => to)).toEqual(["again@example.com"]);
  });
});

describe("ADMIN_EMAILS", () => {
  it("makes the user an administrator once the address is verified, not before", async () => {
    await test.mails();
    const { client, bearer } = await test.signUp("root@example.com");
    expect((await callerOf(bearer))?.isAdministrator).toBe(false);
    const again = await client.post("/sign-in/email", { email: "root@example.com", password });
    expect((await callerOf(String(again.headers.get("set-auth-token"))))?.isAdministrator).toBe(false);
    expect((await client.get("/admin/list-users")).status).toBe(403);
    const [mail] = await test.mails();
    await client.get(`/verify-email?token=${tokenIn(mail)}`);
    expect((await callerOf(bearer))?.isAdministrator).toBe(true);
    expect((await client.get("/admin/list-users")).status).toBe(200);
  });

  it("ignores an address that the user claims but has not verified", async () => {
    const { client, bearer } = await test.signUpVerified("climber@example.com");
    await client.post("/change-email", { newEmail: "boss@example.com" });
    expect(await callerOf(bearer)).toMatchObject({ email: "climber@example.com", isAdministrator: false });
  });

  it("applies at the next sign-in to a user who was verified before it was set", async () => {
    const { id } = await test.auth.createUser({
      email: "boss@example.com",
      name: "B",
      password,
      emailVerified: true,
    });
    const client = test.client();
    await client.post("/sign-in/email", { email: "boss@example.com", password });
    const caller = await test.auth.resolveCaller(new Headers({ cookie: client.cookie() }));
    expect(caller).toMatchObject({ userId: id, isAdministrator: true });
  });

  it("lets an administrator be demoted, until the next sign-in", async () => {
    const { client, userId, bearer } = await test.signUpVerified("second@example.com");
    const { client: other } = await test.signUpVerified("third@example.com");
    expect((await callerOf(bearer))?.isAdministrator).toBe(true);
    expect((await other.post("/admin/set-role", { userId, role: "user" })).status).toBe(200);
    expect((await callerOf(bearer))?.isAdministrator).toBe(false);
    expect((await client.post("/update-user", { name: "Sam Two" })).status).toBe(200);
    expect((await callerOf(bearer))?.isAdministrator).toBe(false);
    const again = await client.post("/sign-in/email", { email: "second@example.com", password });
    expect((await callerOf(String(again.headers.get("set-auth-token"))))?.isAdministrator).toBe(true);
  });
});

describe("change-email", () => {
  it("changes the address only through the link to the new one, and notifies the old one", async () => {
    const { client, bearer } = await test.signUpVerified("old@example.com");
    await client.post("/change-email", { newEmail: "New@example.com" });
    expect(await callerOf(bearer)).toMatchObject({ email: "old@example.com" });
    const [change, notice] = (await test.mails()).toSorted((a, b) => a.to.localeCompare(b.to));
    expect(change).toMatchObject({ to: "new@example.com", subject: "Confirm your new e-mail address" });
    expect(notice).toMatchObject({ to: "old@example.com", text: expect.stringContaining("new@example.com") });
    expect(await client.get(`/verify-email?token=${tokenIn(change)}`)).toMatchObject({ status: 200 });
    expect(await callerOf(bearer)).toMatchObject({ email: "new@example.com", emailVerified: true });
  });

  it("says what to do about a link that was used", async () => {
    const { client } = await test.signUpVerified("twice@example.com");
    await client.post("/change-email", { newEmail: "twice-new@example.com" });
    const mail = (await test.mails()).find(({ to }) => to === "twice-new@example.com");
    const link = `/verify-email?token=${tokenIn(mail)}`;
    expect((await client.get(link)).status).toBe(200);
    expect(await client.get(link)).toMatchObject({
      status: 403,
      body: {
        detail: "This link was used, has expired, or belongs to another account.",
        help: "Request the change again on your account page.",
      },
    });
  });

  it("requires the session of the user who requested it; the link alone is not enough", async () => {
    const { client, bearer } = await test.signUpVerified("asker@example.com");
    await client.post("/change-email", { newEmail: "changed@example.com" });
    const link = `/verify-email?token=${tokenIn((await test.mails()).find(({ to }) => to === "changed@example.com"))}`;
    const stranger = await test.client().get(link);
    expect(stranger).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
    expect(stranger.headers.getSetCookie()).toEqual([]);
    const other = await test.signUp("bystander@example.com");
    expect(await other.client.get(link)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect(await callerOf(bearer)).toMatchObject({ email: "asker@example.com" });
  });

  it("is not confirmed by an API key, which a thief of a session may have created", async () => {
    const { client, bearer } = await test.signUpVerified("robbed@example.com");
    const { body } = await client.post("/api-key/create", { name: "thief" });
    await client.post("/change-email", { newEmail: "thief-of-a-key@example.com" });
    const mail = (await test.mails()).find(({ to }) => to === "thief-of-a-key@example.com");
    const key = { "x-api-key": String(body["key"]) };
    const reply = await test.client().get(`/verify-email?token=${tokenIn(mail)}`, key);
    expect(reply).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
    expect(await callerOf(bearer)).toMatchObject({ email: "robbed@example.com" });
  });

  it("ends with a change of the password, as the notice to the old address advises", async () => {
    const { client, bearer } = await test.signUpVerified("warned@example.com");
    await client.post("/change-email", { newEmail: "thief-of-a-session@example.com" });
    const mail = (await test.mails()).find(({ to }) => to === "thief-of-a-session@example.com");
    const change = { currentPassword: password, newPassword: "another password" };
    expect((await client.post("/change-password", change)).status).toBe(200);
    expect(await client.get(`/verify-email?token=${tokenIn(mail)}`)).toMatchObject({ status: 403 });
    expect(await callerOf(bearer)).toMatchObject({ email: "warned@example.com" });
  });

  it("is not offered by a mail that is written after a change of the password", async () => {
    const { client } = await test.signUpVerified("hurried@example.com");
    // Its job runs with the next mails.
    await client.post("/change-email", { newEmail: "thief-in-a-hurry@example.com" });
    const change = { currentPassword: password, newPassword: "another password" };
    expect((await client.post("/change-password", change)).status).toBe(200);
    expect((await test.mails()).map(({ subject }) => subject)).toEqual(["Your password was changed"]);
  });

  it("is refused if the password is reset while it is requested", async () => {
    const { userId } = await test.signUpVerified("overtaken@example.com");
    let session: { userId: string; email: string; emailVerified: boolean } | null = {
      userId,
      email: "overtaken@example.com",
      emailVerified: true,
    };
    const request = readAccountMail(
      "/change-email",
      { newEmail: "thief-in-between@example.com" },
      {
        caller: async () => session,
        hashPassword: async () => undefined,
        async findPasswordHash() {
          session = null;
          return "the hash of the new password";
        },
      },
    );
    await expect(request).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });

  it("is not used up by an error that the front end is told of in a redirect", async () => {
    const { db, clock } = test.purser;
    const { client } = await test.signUpVerified("late-link@example.com");
    await client.post("/change-email", { newEmail: "later@example.com" });
    const token = tokenIn((await test.mails()).find(({ to }) => to === "later@example.com"));
    // By the clock of this process it has expired, by the database's it has not.
    await db.update(verifications).set({ expiresAt: new Date(clock.now().getTime() + 2 * day) });
    const before = await db.select().from(verifications);
    clock.advance(day);
    const reply = await client.get(
      `/verify-email?${new URLSearchParams({ token, callbackURL: "/" }).toString()}`,
    );
    expect(reply.headers.get("location")).toBe("/?error=TOKEN_EXPIRED");
    expect(await db.select().from(verifications)).toEqual(before);
  });

  it("cannot be prepared in advance against the next owner of an address", async () => {
    // An attacker can sign up with another person's address, request a change, and delete the account.
    const squatter = await test.signUp("victim@example.com");
    await test.mails();
    await squatter.client.post("/change-email", { newEmail: "thief@example.com" });
    const [mail] = await test.mails();
    expect(await squatter.client.post("/delete-user", { password })).toMatchObject({ status: 200 });
    const victim = await test.signUpVerified("victim@example.com");
    const link = `/verify-email?token=${tokenIn(mail)}`;
    expect((await test.client().get(link)).status).toBe(401);
    expect((await victim.client.get(link)).status).toBe(403);
    expect(await callerOf(victim.bearer)).toMatchObject({
      userId: victim.userId,
      email: "victim@example.com",
    });
  });

  it("sends no mail to a taken address, and does not reveal that it is taken", async () => {
    const { client } = await test.signUpVerified("curious@example.com");
    const reply = await client.post("/change-email", { newEmail: "verify@example.com" });
    expect(reply).toMatchObject({ status: 200, body: { status: true } });
    expect(await test.mails()).toEqual([]);
  });
});

describe("auth.purgeExpired", () => {
  it("deletes expired sessions and links", async () => {
    const { bearer, userId } = await test.signUp("leaver@example.com");
    await test.client().post("/request-password-reset", { email: "leaver@example.com" });
    test.purser.clock.advance(8 * day);
    const kept = await test.auth.openSession(userId);
    await test.auth.purgeExpired();
    expect(await test.purser.db.select().from(verifications)).toEqual([]);
    expect(await callerOf(kept)).toMatchObject({ userId });
    await expect(callerOf(bearer)).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
  });
});

it.skipIf(distributedDatabaseUrl !== null)(
  "a sign-in changes no user, which a cluster with a node that is down would refuse",
  async () => {
    const { db } = test.purser;
    await test.signUpVerified("ordinary@example.com");
    await db.execute(sql`
    CREATE FUNCTION refuse_in_test() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RAISE ''refused''; END'`);
    // For each statement: it also refuses one that finds no row.
    await db.execute(
      sql`CREATE TRIGGER refuse_in_test BEFORE UPDATE ON users EXECUTE FUNCTION refuse_in_test()`,
    );
    try {
      const body = { email: "ordinary@example.com", password };
      expect(await test.client().post("/sign-in/email", body)).toMatchObject({ status: 200 });
    } finally {
      await db.execute(sql`DROP FUNCTION refuse_in_test CASCADE`);
    }
  },
);
