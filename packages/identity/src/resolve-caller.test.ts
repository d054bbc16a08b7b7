import { day, hour, minute } from "@purser/core/testing";
import { apiKeys, sessions, users } from "@purser/db";
import { refusalOf } from "@purser/testing";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestAuth, createTestAuth } from "./testing/client.ts";
import { totp } from "./testing/totp.ts";

let test: TestAuth;
beforeAll(async () => {
  test = await createTestAuth();
});
afterAll(() => test.purser.close());

const bearerOf = (token: string) => ({ authorization: `Bearer ${token}` });
const resolve = (headers: Record<string, string>) => test.auth.resolveCaller(new Headers(headers));

let people = 0;
async function person(): Promise<{ id: string; token: string }> {
  people += 1;
  const { id } = await test.auth.createUser({ email: `caller-${people}@example.com`, name: "Sam" });
  return { id, token: await test.auth.openSession(id) };
}

async function withKey(): Promise<{ id: string; token: string; key: string; keyId: string }> {
  const { id, token } = await person();
  const created = await test.client().post("/api-key/create", { name: "server" }, bearerOf(token));
  return { id, token, key: String(created.body["key"]), keyId: String(created.body["id"]) };
}

describe("auth.resolveCaller", () => {
  it("returns null for a request without credentials", async () => {
    expect(await resolve({})).toBeNull();
    expect(await resolve({ cookie: "theme=dark" })).toBeNull();
  });

  it("returns the user by bearer token and by cookie", async () => {
    const { client, bearer, userId } = await test.signUp("Ann@Example.com");
    const ann = {
      userId,
      name: "Sam",
      email: "ann@example.com",
      emailVerified: false,
      isAdministrator: false,
    };
    expect(await resolve(bearerOf(bearer))).toEqual({ ...ann, credential: "bearer" });
    expect(await resolve({ cookie: client.cookie() })).toEqual({ ...ann, credential: "cookie" });
  });

  it("accepts the token of better-auth's header, percent-encoded or not", async () => {
    const { id, token } = await person();
    expect(await resolve(bearerOf(encodeURIComponent(token)))).toMatchObject({ userId: id });
    expect(await resolve({ authorization: `bearer ${token}` })).toMatchObject({ userId: id });
  });

  it("refuses the unsigned token of a response body", async () => {
    const client = test.client();
    const reply = await client.post("/sign-up/email", {
      email: "raw@example.com",
      password: "12345678",
      name: "Raw",
    });
    const raw = String(reply.body["token"]);
    expect(raw.length).toBeGreaterThan(20);
    expect(await refusalOf(resolve(bearerOf(raw)))).toBe("UNAUTHENTICATED");
  });

  it("refuses a foreign signature and every malformed bearer token", async () => {
    const { token } = await person();
    const forged = `${token.slice(0, -6)}AAAAA=`;
    for (const authorization of [
      `Bearer ${forged}`,
      "Bearer",
      "Bearer ",
      "Bearer .",
      "",
      "Basic c2FtOnNhbQ==",
      token,
    ]) {
      expect(await refusalOf(resolve({ authorization })), authorization).toBe("UNAUTHENTICATED");
    }
  });

  it("refuses an invalid bearer token or API key even with a valid cookie", async () => {
    const { client } = await test.signUp("cookie@example.com");
    const cookie = client.cookie();
    expect(await resolve({ cookie })).not.toBeNull();
    expect(await refusalOf(resolve({ cookie, authorization: "Bearer nonsense" }))).toBe("UNAUTHENTICATED");
    expect(await refusalOf(resolve({ cookie, "x-api-key": "nonsense" }))).toBe("UNAUTHENTICATED");
    expect(await refusalOf(resolve({ cookie, "x-api-key": "" }))).toBe("UNAUTHENTICATED");
  });

  it("ignores the cookie of another user with a bearer token", async () => {
    const { client } = await test.signUp("other@example.com");
    const { id, token } = await person();
    const caller = await resolve({ cookie: client.cookie(), ...bearerOf(token) });
    expect(caller).toMatchObject({ userId: id, credential: "bearer" });
  });

  it("treats a cookie with a foreign signature as absent", async () => {
    const { client } = await test.signUp("forged@example.com");
    expect(await resolve({ cookie: client.cookie().replace(/%3D/g, "").slice(0, -4) })).toBeNull();
  });

  it("rejects a revoked session on the next call", async () => {
    const { client, bearer } = await test.signUp("revoked@example.com");
    const cookie = client.cookie();
    expect((await client.post("/sign-out")).status).toBe(200);
    expect(await refusalOf(resolve(bearerOf(bearer)))).toBe("UNAUTHENTICATED");
    expect(await resolve({ cookie })).toBeNull();
  });

  it("applies a changed role and a deleted user on the next call", async () => {
    const { id, token } = await person();
    expect(await resolve(bearerOf(token))).toMatchObject({ isAdministrator: false });
    await test.purser.db.update(users).set({ role: "admin" }).where(eq(users.id, id));
    expect(await resolve(bearerOf(token))).toMatchObject({ isAdministrator: true });
    await test.purser.db.delete(users).where(eq(users.id, id));
    expect(await refusalOf(resolve(bearerOf(token)))).toBe("UNAUTHENTICATED");
  });

  it("refuses a banned user until the ban ends", async () => {
    const { id, token, key } = await withKey();
    const banExpires = new Date(test.purser.clock.now().getTime() + hour);
    await test.purser.db.update(users).set({ banned: true, banExpires }).where(eq(users.id, id));
    expect(await refusalOf(resolve(bearerOf(token)))).toBe("UNAUTHENTICATED");
    expect(await refusalOf(resolve({ "x-api-key": key }))).toBe("UNAUTHENTICATED");
    test.purser.clock.advance(hour);
    expect(await resolve(bearerOf(token))).toMatchObject({ userId: id });
    await test.purser.db.update(users).set({ banned: true, banExpires: null }).where(eq(users.id, id));
    expect(await refusalOf(resolve(bearerOf(token)))).toBe("UNAUTHENTICATED");
  });
});

describe("auth.resolveCaller: age of a session", () => {
  it("expires a session after seven days without use", async () => {
    const { token } = await person();
    test.purser.clock.advance(7 * day);
    expect(await refusalOf(resolve(bearerOf(token)))).toBe("UNAUTHENTICATED");
  });

  it("extends a bearer session on use, once a day", async () => {
    const { id, token } = await person();
    const ends = async () => {
      const [session] = await test.purser.db.select().from(sessions).where(eq(sessions.userId, id));
      return session!.expiresAt.getTime() - test.purser.clock.now().getTime();
    };
    test.purser.clock.advance(day - 1);
    await resolve(bearerOf(token));
    expect(await ends()).toBe(6 * day + 1);
    test.purser.clock.advance(1);
    await resolve(bearerOf(token));
    expect(await ends()).toBe(7 * day);
    for (let week = 0; week < 4; week += 1) {
      test.purser.clock.advance(6 * day);
      expect(await resolve(bearerOf(token))).toMatchObject({ userId: id });
    }
  });

  it("extends a cookie session only in get-session, which also renews the cookie", async () => {
    const { client, userId } = await test.signUp("browser@example.com");
    const first = client.cookie();
    test.purser.clock.advance(6 * day);
    await resolve({ cookie: first });
    const session = await client.get("/get-session");
    expect(session.headers.getSetCookie().join()).toMatch(/session_token=.*Max-Age=604800/i);
    test.purser.clock.advance(6 * day);
    expect(await resolve({ cookie: client.cookie() })).toMatchObject({ userId });
  });

  it("renews a cookie without its value in a header that scripts can read", async () => {
    const { client } = await test.signUp("scripted@example.com");
    test.purser.clock.advance(2 * day);
    for (const renew of [
      () => client.get("/get-session"),
      () => client.post("/update-user", { name: "Sam" }),
    ]) {
      const { status, headers } = await renew();
      expect([status, headers.getSetCookie().join()]).toEqual([
        200,
        expect.stringContaining("session_token="),
      ]);
      expect(headers.has("set-auth-token")).toBe(false);
    }
  });

  it("does not extend a session that was opened for one day", async () => {
    await test.signUp("short@example.com");
    const client = test.client();
    const credentials = { email: "short@example.com", password: "correct horse battery", rememberMe: false };
    const reply = await client.post("/sign-in/email", credentials);
    const token = String(reply.headers.get("set-auth-token"));
    // A browser keeps another cookie that says so. Programs may have only the session's.
    const [cookie = ""] = /[^;\s]*session_token=[^;]*/.exec(client.cookie()) ?? [];
    test.purser.clock.advance(day - minute);
    expect(await resolve(bearerOf(token))).not.toBeNull();
    for (const headers of [bearerOf(token), { cookie }]) {
      const { body } = await test.client().get("/get-session", headers);
      const expiresAt = new Date(test.purser.clock.now().getTime() + minute).toISOString();
      expect(body["session"]).toMatchObject({ expiresAt });
      expect((await test.client().post("/update-user", { name: "Sam" }, headers)).status).toBe(200);
    }
    test.purser.clock.advance(minute);
    expect(await refusalOf(resolve(bearerOf(token)))).toBe("UNAUTHENTICATED");
  });

  it("keeps a session short that replaces a short one", async () => {
    const password = "correct horse battery";
    const email = "brief@example.com";
    await test.signUp(email);
    const client = test.client();
    const send = async (path: string, body: object) => {
      const reply = await client.post(path, body, token === "" ? {} : bearerOf(token));
      expect([path, reply.status]).toEqual([path, 200]);
      token = reply.headers.get("set-auth-token") ?? token;
      return reply.body;
    };
    let token = "";
    await send("/sign-in/email", { email, password, rememberMe: false });
    const opened = token;
    test.purser.clock.advance(hour);
    await send("/change-password", {
      currentPassword: password,
      newPassword: password,
      revokeOtherSessions: true,
    });
    const { totpURI } = await send("/two-factor/enable", { password });
    await send("/two-factor/verify-totp", { code: totp(String(totpURI)) });
    await send("/two-factor/disable", { password });
    expect(await refusalOf(resolve(bearerOf(opened)))).toBe("UNAUTHENTICATED");
    const again = await client.post("/sign-in/email", { email, password });
    test.purser.clock.advance(day - hour - 1);
    expect(await resolve(bearerOf(token))).not.toBeNull();
    test.purser.clock.advance(1);
    expect(await refusalOf(resolve(bearerOf(token)))).toBe("UNAUTHENTICATED");
    expect(await resolve(bearerOf(String(again.headers.get("set-auth-token"))))).not.toBeNull();
  });
});

describe("auth.resolveCaller: API keys", () => {
  it("returns the owner of the key", async () => {
    const { id, key } = await withKey();
    expect(key).toMatch(/^purser_[A-Za-z]{64}$/);
    expect(await resolve({ "x-api-key": key })).toMatchObject({ userId: id, credential: "api-key" });
  });

  it("gives a key a name and a life as long as documented, and no prefix of an organization's key", async () => {
    const { token } = await person();
    const create = (body: object) => test.client().post("/api-key/create", body, bearerOf(token));
    const longest = { name: "n".repeat(200), expiresIn: (3650 * day) / 1000 };
    expect((await create(longest)).status).toBe(200);
    expect((await create({ ...longest, name: "n".repeat(201) })).status).toBe(400);
    const own = await create({ name: "server", prefix: "acme_" });
    expect(await resolve({ "x-api-key": String(own.body["key"]) })).not.toBeNull();
    // It would be looked up among the keys of organizations, and never work.
    for (const prefix of ["purser_org_", "purser_org_acme_"]) {
      expect(await create({ name: "server", prefix })).toMatchObject({
        status: 400,
        body: { code: "VALIDATION_FAILED", issues: [{ path: ["prefix"] }] },
      });
    }
  });

  it("stores only the hash of a key", async () => {
    const { key, keyId } = await withKey();
    const [row] = await test.purser.db.select().from(apiKeys).where(eq(apiKeys.id, keyId));
    expect(JSON.stringify(row)).not.toContain(key.slice(12));
    expect(row).toMatchObject({ start: key.slice(0, 11), rateLimitEnabled: false });
  });

  it("refuses an unknown, a disabled, a deleted and an expired key", async () => {
    expect(await refusalOf(resolve({ "x-api-key": `purser_${"x".repeat(64)}` }))).toBe("UNAUTHENTICATED");
    const { token, key, keyId } = await withKey();
    const client = test.client();
    await client.post("/api-key/update", { keyId, enabled: false }, bearerOf(token));
    expect(await refusalOf(resolve({ "x-api-key": key }))).toBe("UNAUTHENTICATED");
    await client.post("/api-key/update", { keyId, enabled: true }, bearerOf(token));
    expect(await resolve({ "x-api-key": key })).not.toBeNull();
    await client.post("/api-key/delete", { keyId }, bearerOf(token));
    expect(await refusalOf(resolve({ "x-api-key": key }))).toBe("UNAUTHENTICATED");

    const short = await client.post("/api-key/create", { name: "short", expiresIn: 3600 }, bearerOf(token));
    test.purser.clock.advance(hour - minute);
    expect(await resolve({ "x-api-key": String(short.body["key"]) })).not.toBeNull();
    test.purser.clock.advance(minute);
    expect(await refusalOf(resolve({ "x-api-key": String(short.body["key"]) }))).toBe("UNAUTHENTICATED");
  });

  it("records the last use with a precision of one minute", async () => {
    const { key, keyId } = await withKey();
    const lastRequest = async () => {
      const [row] = await test.purser.db.select().from(apiKeys).where(eq(apiKeys.id, keyId));
      return row?.lastRequest;
    };
    await resolve({ "x-api-key": key });
    const first = test.purser.clock.now();
    expect(await lastRequest()).toEqual(first);
    test.purser.clock.advance(59_000);
    await resolve({ "x-api-key": key });
    expect(await lastRequest()).toEqual(first);
    test.purser.clock.advance(1000);
    await resolve({ "x-api-key": key });
    expect(await lastRequest()).toEqual(test.purser.clock.now());
  });

  it("refuses a key with a bearer token unless both are valid and belong to the same user", async () => {
    const one = await withKey();
    const other = await person();
    const both = (token: string) => resolve({ "x-api-key": one.key, ...bearerOf(token) });
    expect(await both(one.token)).toMatchObject({ userId: one.id, credential: "api-key" });
    expect(await refusalOf(both(other.token))).toBe("UNAUTHENTICATED");
    expect(await refusalOf(both("nonsense"))).toBe("UNAUTHENTICATED");
    expect(await refusalOf(resolve({ "x-api-key": "nonsense", ...bearerOf(one.token) }))).toBe(
      "UNAUTHENTICATED",
    );
  });
});
