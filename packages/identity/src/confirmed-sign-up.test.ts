import { users } from "@purser/db";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestAuth, createTestAuth, password, tokenIn } from "./testing/client.ts";

let test: TestAuth;
beforeAll(async () => {
  test = await createTestAuth({ confirmSignUp: true });
});
afterAll(() => test.purser.close());

const signUp = (email: string, fields: object = {}) =>
  test.client().post("/sign-up/email", { email, password, name: "Sam", ...fields });
const signIn = (email: string, secret = password) =>
  test.client().post("/sign-in/email", { email, password: secret });
const wrong = { status: 401, body: { code: "INVALID_EMAIL_OR_PASSWORD" } };

describe("CONFIRM_SIGN_UP", () => {
  it("opens no session until the address is confirmed", async () => {
    const reply = await signUp("New@example.com", { image: "https://example.com/sam.png" });
    expect(reply).toMatchObject({ status: 200, body: { token: null, user: null } });
    expect(reply.headers.getSetCookie()).toEqual([]);
    const [mail, ...others] = await test.mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: "new@example.com", subject: "Confirm your e-mail address" });
    expect(await signIn("new@example.com")).toMatchObject(wrong);
    expect((await test.client().get(`/verify-email?token=${tokenIn(mail)}`)).status).toBe(200);
    expect((await signIn("new@example.com")).headers.get("set-auth-token")).not.toBeNull();
    const [user] = await test.purser.db.select().from(users).where(eq(users.email, "new@example.com"));
    expect(user).toMatchObject({ name: "Sam", role: "user", image: "https://example.com/sam.png" });
  });

  it("confirms the address at once, even if the database's clock is ahead", async () => {
    const ahead = await createTestAuth({ confirmSignUp: true }, { databaseAheadMs: 1500 });
    const email = "early@example.com";
    await ahead.client().post("/sign-up/email", { email, password, name: "Sam" });
    const [mail] = await ahead.mails();
    expect((await ahead.client().get(`/verify-email?token=${tokenIn(mail)}`)).status).toBe(200);
    expect((await ahead.client().post("/sign-in/email", { email, password })).status).toBe(200);
    await ahead.purser.close();
  });

  it("sends the owner of a known address a notice, and changes nothing", async () => {
    await test.auth.createUser({ email: "known@example.com", name: "Sam", password, emailVerified: true });
    expect((await signUp("KNOWN@example.com", { password: "another password", name: "Eve" })).status).toBe(
      200,
    );
    expect(await test.mails()).toMatchObject([
      { to: "known@example.com", subject: "You already have an account" },
    ]);
    expect(await signIn("known@example.com", "another password")).toMatchObject(wrong);
    expect((await signIn("known@example.com")).status).toBe(200);
  });

  it("creates one account for concurrent sign-ups, with the password of one", async () => {
    const secrets = ["password one", "password two", "password three"];
    await Promise.all(secrets.map((secret) => signUp("rush@example.com", { password: secret })));
    const mails = await test.mails();
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      "Confirm your e-mail address",
      "You already have an account",
      "You already have an account",
    ]);
    const verification = mails.find(({ subject }) => subject.startsWith("Confirm"));
    await test.client().get(`/verify-email?token=${tokenIn(verification)}`);
    const replies = await Promise.all(secrets.map((secret) => signIn("rush@example.com", secret)));
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it("sends the link again, not a notice, if the job runs again after a success", async () => {
    const email = "repeated@example.com";
    const passwordHash = "salt:hash";
    const mail = { kind: "sign-up", email, name: "Sam", image: null, passwordHash } as const;
    await test.auth.sendAccountMail(mail);
    await test.auth.sendAccountMail(mail);
    const sent = await test.mails();
    expect(sent.map(({ subject }) => subject)).toEqual(Array(2).fill("Confirm your e-mail address"));
    expect((await test.client().get(`/verify-email?token=${tokenIn(sent[1])}`)).status).toBe(200);
    await test.auth.sendAccountMail(mail);
    expect(await test.mails()).toEqual([]);
  });

  it("lets the owner of an unconfirmed address choose a password by mail", async () => {
    await signUp("squatted@example.com", { password: "the squatter's" });
    await test.mails();
    await test.client().post("/request-password-reset", { email: "squatted@example.com" });
    const token = tokenIn((await test.mails())[0]);
    const reply = await test.client().post("/reset-password", { token, newPassword: "the owner's own" });
    expect(reply.status).toBe(200);
    expect((await signIn("squatted@example.com", "the owner's own")).status).toBe(200);
    expect(await signIn("squatted@example.com", "the squatter's")).toMatchObject(wrong);
  });

  it.each([
    [{ email: "no address" }, 400],
    [{ email: undefined }, 400],
    [{ name: undefined }, 400],
    [{ name: "two\nlines" }, 400],
    [{ password: undefined }, 400],
    [{ password: "short" }, 400],
    [{ password: 12_345_678 }, 400],
    [{ image: "javascript:alert(1)" }, 400],
    [{ image: null }, 200],
    [{ callbackURL: "https://evil.example" }, 400],
    [{ role: "admin" }, 400],
    [{ emailVerified: true }, 400],
    [{ callbackURL: "/welcome", rememberMe: true }, 200],
  ])("validates %j", async (fields, status) => {
    expect((await signUp("input@example.com", fields)).status).toBe(status);
    await test.mails();
  });
});
