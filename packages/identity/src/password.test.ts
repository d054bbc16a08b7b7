import { hour } from "@purser/core/testing";
import { refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestAuth, createTestAuth, password, tokenIn } from "./testing/client.ts";

let test: TestAuth;
beforeAll(async () => {
  test = await createTestAuth();
});
afterAll(() => test.purser.close());

const callerOf = (token: string) =>
  test.auth.resolveCaller(new Headers({ authorization: `Bearer ${token}` }));
const signIn = (email: string, secret: string) =>
  test.client().post("/sign-in/email", { email, password: secret });

async function resetToken(email: string): Promise<string> {
  await test.mails();
  const reply = await test.client().post("/request-password-reset", { email });
  expect(reply.status).toBe(200);
  const [mail] = await test.mails();
  expect(mail).toMatchObject({ to: email, subject: "Choose a new password" });
  expect(mail?.text).toMatch(/^http:\/\/localhost:3000\/reset-password\?token=\S+$/m);
  return tokenIn(mail);
}

describe("reset-password", () => {
  it("sets a new password through the mailed link, and ends every session", async () => {
    const { bearer } = await test.signUp("forgetful@example.com");
    const token = await resetToken("forgetful@example.com");
    const reply = await test.client().post("/reset-password", { token, newPassword: "a new password" });
    expect(reply.status).toBe(200);
    expect(await refusalOf(callerOf(bearer))).toBe("UNAUTHENTICATED");
    expect((await signIn("forgetful@example.com", password)).status).toBe(401);
    expect((await signIn("forgetful@example.com", "a new password")).status).toBe(200);
  });

  it("accepts a link once, even if it is used concurrently", async () => {
    await test.signUp("once@example.com");
    const token = await resetToken("once@example.com");
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) =>
        test.client().post("/reset-password", { token, newPassword: `password-${n}` }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ body }) => body["code"] === "INVALID_TOKEN")).toHaveLength(7);
  });

  it("keeps the link valid if the new password is refused", async () => {
    await test.signUp("short@example.com");
    const token = await resetToken("short@example.com");
    const short = await test.client().post("/reset-password", { token, newPassword: "short" });
    expect(short).toMatchObject({ status: 400, body: { code: "PASSWORD_TOO_SHORT" } });
    expect((await test.client().post("/reset-password", { token, newPassword: "long enough" })).status).toBe(
      200,
    );
  });

  it("refuses a link that is older than an hour", async () => {
    await test.signUp("slow@example.com");
    const token = await resetToken("slow@example.com");
    // better-auth accepts the link in the exact millisecond in which it expires.
    test.purser.clock.advance(hour + 1);
    const reply = await test.client().post("/reset-password", { token, newPassword: "long enough" });
    expect(reply).toMatchObject({ status: 400, body: { code: "INVALID_TOKEN" } });
  });

  it("answers the same for an unknown address, and sends no mail", async () => {
    await test.signUp("known@example.com");
    const known = await test.client().post("/request-password-reset", { email: "known@example.com" });
    await test.mails();
    const unknown = await test.client().post("/request-password-reset", { email: "unknown@example.com" });
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    expect(await test.mails()).toEqual([]);
  });

  it("verifies the address, and deletes the keys and second factor of an earlier sign-up", async () => {
    const squatter = await test.signUp("squatted@example.com");
    const created = await squatter.client.post("/api-key/create", { name: "prepared" });
    const key = new Headers({ "x-api-key": String(created.body["key"]) });
    await test.mails();
    await squatter.client.post("/change-email", { newEmail: "squatter@example.com" });
    const change = tokenIn((await test.mails())[0]);
    expect(await test.auth.resolveCaller(key)).not.toBeNull();

    const token = await resetToken("squatted@example.com");
    await test.client().post("/reset-password", { token, newPassword: "the owner's own" });
    expect(await refusalOf(test.auth.resolveCaller(key))).toBe("UNAUTHENTICATED");
    const owner = test.client();
    await owner.post("/sign-in/email", { email: "squatted@example.com", password: "the owner's own" });
    expect((await owner.get("/get-session")).body["user"]).toMatchObject({ emailVerified: true });
    expect((await owner.get(`/verify-email?token=${change}`)).status).toBe(403);
    expect((await owner.get("/get-session")).body["user"]).toMatchObject({ email: "squatted@example.com" });
  });

  it("keeps the API keys of a verified address, and its mail says so", async () => {
    const { client } = await test.signUpVerified("proven@example.com");
    const created = await client.post("/api-key/create", { name: "kept" });
    const token = await resetToken("proven@example.com");
    await test.client().post("/reset-password", { token, newPassword: "another password" });
    const key = new Headers({ "x-api-key": String(created.body["key"]) });
    expect(await test.auth.resolveCaller(key)).toMatchObject({ email: "proven@example.com" });
    const texts = (await test.mails()).map(({ text }) => text);
    expect(texts).toEqual([expect.stringContaining("Your API keys, if you have any, still work.")]);
  });

  it("stores no token that a database reader could use", async () => {
    await test.signUp("hashed@example.com");
    const token = await resetToken("hashed@example.com");
    const rows = await test.purser.db.query.verifications.findMany();
    expect(rows.length).toBeGreaterThan(0);
    expect(JSON.stringify(rows)).not.toContain(token);
  });
});

describe("change-password", () => {
  it("requires authentication before it checks the new password", async () => {
    const short = { currentPassword: password, newPassword: "short" };
    const nobody = test.client();
    expect(await nobody.post("/change-password", short)).toMatchObject({ status: 401 });
    const invalid = { email: "x@example.com", name: "x", password: "short" };
    expect(await nobody.post("/admin/create-user", invalid)).toMatchObject({ status: 401 });
  });

  it("requires the current password, and can end all other sessions", async () => {
    const { client, bearer } = await test.signUp("careful@example.com");
    const wrong = { currentPassword: "not it at all", newPassword: "another password" };
    expect(await client.post("/change-password", wrong)).toMatchObject({
      status: 400,
      body: { code: "INVALID_PASSWORD" },
    });
    const right = { currentPassword: password, newPassword: "another password", revokeOtherSessions: true };
    const reply = await client.post("/change-password", right);
    expect(reply.status).toBe(200);
    expect(await refusalOf(callerOf(bearer))).toBe("UNAUTHENTICATED");
    expect(await callerOf(String(reply.headers.get("set-auth-token")))).not.toBeNull();
  });
});

describe("passwords", () => {
  it("have that length on every endpoint that sets one", async () => {
    const { client, userId } = await test.signUpVerified("length@example.com");
    await test.auth.makeAdministrator("length@example.com");
    const lengths = [
      ["", "PASSWORD_TOO_SHORT"],
      ["1234567", "PASSWORD_TOO_SHORT"],
      ["x".repeat(129), "PASSWORD_TOO_LONG"],
    ] as const;
    for (const [secret, code] of lengths) {
      const made = { email: "made@example.com", name: "Made", password: secret };
      const changed = { currentPassword: password, newPassword: secret };
      for (const reply of [
        await client.post("/admin/create-user", made),
        await client.post("/change-password", changed),
      ]) {
        expect(reply).toMatchObject({ status: 400, body: { code, requestId: "req_test" } });
      }
    }
    const fit = { email: "made@example.com", name: "Made", password: "12345678" };
    const created = await client.post("/admin/create-user", fit);
    expect(created.status).toBe(200);
    expect(created.body["user"]).not.toMatchObject({ id: userId });
    expect((await signIn("made@example.com", "12345678")).status).toBe(200);
    expect((await signIn("length@example.com", password)).status).toBe(200);
  });

  it.each([
    ["1234567", 400, "PASSWORD_TOO_SHORT"],
    ["12345678", 200, undefined],
    ["x".repeat(128), 200, undefined],
    ["x".repeat(129), 400, "PASSWORD_TOO_LONG"],
  ])("have 8 to 128 characters: %s", async (secret, status, code) => {
    const email = `length-${secret.length}@example.com`;
    const reply = await test.client().post("/sign-up/email", { email, password: secret, name: "Sam" });
    expect([reply.status, reply.body["code"]]).toEqual([status, code]);
  });
});
