import { day } from "@purser/core/testing";
import { sessions } from "@purser/db";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { insertSession } from "./store/sessions.ts";
import { type TestAuth, createTestAuth } from "./testing/client.ts";

let test: TestAuth;
beforeAll(async () => {
  test = await createTestAuth();
});
afterAll(() => test.purser.close());

/** Opens sessions without a request, each a millisecond after the one before. Returns the token of the newest. */
async function openSessions(userId: string, count: number): Promise<string> {
  let token = "";
  for (let opened = 0; opened < count; opened += 1) {
    test.purser.clock.advance(1);
    token = `${userId} ${opened}`;
    const createdAt = test.purser.clock.now();
    const expiresAt = new Date(createdAt.getTime() + 7 * day);
    await insertSession(test.purser.db, { userId, token, createdAt, expiresAt });
  }
  return token;
}

const tokensOf = (list: unknown) => (list as { token: string }[]).map(({ token }) => token);

describe("/api/auth/list-sessions", () => {
  it("lists all sessions of the caller, newest first", async () => {
    const { client, bearer, userId } = await test.signUp("many@example.com");
    const newest = await openSessions(userId, 130);
    const listed = tokensOf((await client.get("/list-sessions")).body);
    expect(listed).toHaveLength(131);
    expect([listed[0], listed.at(-1)]).toEqual([newest, bearer.split(".")[0]]);
  });

  it("works for as long as the session does", async () => {
    const { client } = await test.signUp("lasting@example.com");
    test.purser.clock.advance(6 * day);
    expect(await client.get("/list-sessions")).toMatchObject({ status: 200, body: [{}] });
  });
});

describe("/api/auth/admin/list-user-sessions", () => {
  it("lists all sessions of the user, newest first", async () => {
    const admin = await test.signUpVerified("admin@example.com");
    await test.auth.makeAdministrator("admin@example.com");
    const { userId } = await test.signUp("seen@example.com");
    const newest = await openSessions(userId, 130);
    const { body } = await admin.client.post("/admin/list-user-sessions", { userId });
    const listed = tokensOf(body["sessions"]);
    expect([listed.length, listed[0]]).toEqual([131, newest]);
  });
});

describe("/api/auth/revoke-other-sessions", () => {
  it.each(["cookie", "bearer token"])("ends all other sessions of the caller of a %s", async (credential) => {
    const email = `${credential.length}@example.com`;
    const { client, bearer, userId } = await test.signUp(email);
    await openSessions(userId, 1100);
    const neighbor = await test.signUp(`beside-${email}`);
    const authorization = { authorization: `Bearer ${bearer}` };
    const reply =
      credential === "cookie"
        ? await client.post("/revoke-other-sessions")
        : await test.client().post("/revoke-other-sessions", {}, authorization);
    expect(reply).toMatchObject({ status: 200, body: { status: true } });
    const left = await test.purser.db.select().from(sessions).where(eq(sessions.userId, userId));
    expect(tokensOf(left)).toEqual([bearer.split(".")[0]]);
    expect((await neighbor.client.get("/get-session")).body["user"]).toMatchObject({ id: neighbor.userId });
  });

  it("ends none for a session that has ended", async () => {
    const { client, userId } = await test.signUp("ended@example.com");
    test.purser.clock.advance(6 * day);
    await openSessions(userId, 1);
    test.purser.clock.advance(2 * day);
    expect((await client.post("/revoke-other-sessions")).status).toBe(401);
    expect(await test.purser.db.select().from(sessions).where(eq(sessions.userId, userId))).toHaveLength(2);
  });
});
