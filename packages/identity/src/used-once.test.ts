import { hour } from "@purser/core/testing";
import { users } from "@purser/db";
import type { Mail } from "@purser/platform/mail";
import { countWaitingForLocks } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeSecondFactor } from "./second-factors.ts";
import {
  type Reply,
  type TestAuth,
  type TestClient,
  createTestAuth,
  password,
  tokenIn,
} from "./testing/client.ts";
import { totp } from "./testing/totp.ts";

let test: TestAuth;
beforeAll(async () => {
  test = await createTestAuth();
});
afterAll(() => test.purser.close());

const parallel = 8;
const times = <Output>(run: (index: number) => Promise<Output>) =>
  Promise.all(Array.from({ length: parallel }, (_, index) => run(index)));
const accepted = (replies: Reply[]) => replies.filter(({ status }) => status === 200);

/** Begins a sign-in that still needs the second factor. */
async function begin(email: string, secret = password, client = test.client()): Promise<TestClient> {
  const reply = await client.post("/sign-in/email", { email, password: secret });
  expect(reply).toMatchObject({ status: 200, body: { twoFactorRedirect: true } });
  return client;
}

async function resetToken(email: string): Promise<string> {
  await test.mails();
  await test.client().post("/request-password-reset", { email });
  return tokenIn((await test.mails()).find(({ subject }) => subject === "Choose a new password"));
}

describe("an authenticator's code", () => {
  it("signs in once, even if it is used concurrently in several sign-ins", async () => {
    const { uri } = await test.signUpWithSecondFactor("parallel@example.com");
    const clients = await times(() => begin("parallel@example.com"));
    const replies = await Promise.all(
      clients.map((client) => client.post("/two-factor/verify-totp", { code: totp(uri) })),
    );
    expect(accepted(replies)).toHaveLength(1);
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused.map(({ body }) => body["code"])).toEqual(Array(parallel - 1).fill("INVALID_CODE"));
  });

  it("is refused for as long as it would be valid, and the next one works", async () => {
    const { uri } = await test.signUpWithSecondFactor("again@example.com");
    const code = totp(uri);
    expect((await (await begin("again@example.com")).post("/two-factor/verify-totp", { code })).status).toBe(
      200,
    );
    for (let step = 0; step < 3; step += 1) {
      const client = await begin("again@example.com");
      const reply = await client.post("/two-factor/verify-totp", { code });
      expect([step, reply.status, reply.body["code"]]).toEqual([step, 401, "INVALID_CODE"]);
      test.purser.clock.advance(30_000);
      if (step === 0)
        expect((await client.post("/two-factor/verify-totp", { code: totp(uri) })).status).toBe(200);
    }
  });

  it("that set the second factor up does not sign in", async () => {
    const { client } = await test.signUp("setup@example.com");
    const enabled = await client.post("/two-factor/enable", { password });
    const code = totp(String(enabled.body["totpURI"]));
    expect((await client.post("/two-factor/verify-totp", { code })).status).toBe(200);
    const reply = await (await begin("setup@example.com")).post("/two-factor/verify-totp", { code });
    expect(reply).toMatchObject({ status: 401, body: { code: "INVALID_CODE" } });
  });

  it("of another user is no obstacle, and a wrong code may become right later", async () => {
    const { uri } = await test.signUpWithSecondFactor("early@example.com");
    const other = await test.signUpWithSecondFactor("other@example.com");
    const client = await begin("early@example.com");
    const now = Date.now();
    test.purser.clock.advance(5 * 30_000);
    const later = totp(uri);
    test.purser.clock.set(new Date(now));
    expect((await other.client.post("/two-factor/verify-totp", { code: later })).status).toBe(401);
    expect((await client.post("/two-factor/verify-totp", { code: later })).status).toBe(401);
    test.purser.clock.advance(5 * 30_000);
    expect((await client.post("/two-factor/verify-totp", { code: later })).status).toBe(200);
  });
});

describe("a backup code", () => {
  it("signs in once, even if it is used concurrently in several sign-ins", async () => {
    const { backupCodes } = await test.signUpWithSecondFactor("backups@example.com");
    const clients = await times(() => begin("backups@example.com"));
    const replies = await Promise.all(
      clients.map((client) => client.post("/two-factor/verify-backup-code", { code: backupCodes[0] })),
    );
    expect(accepted(replies)).toHaveLength(1);
    expect(replies.map(({ status }) => status).every((status) => [200, 401, 409].includes(status))).toBe(
      true,
    );
  });
});

describe("a mailed link", () => {
  it("changes an address once, even if it is opened concurrently", async () => {
    const { client } = await test.signUpVerified("mover@example.com");
    await client.post("/change-email", { newEmail: "moved@example.com" });
    const mail = (await test.mails()).find(({ to }) => to === "moved@example.com");
    const link = `/verify-email?token=${tokenIn(mail)}`;
    const replies = await times(() => client.get(link));
    expect(accepted(replies)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 403)).toHaveLength(parallel - 1);

    // The user changes back. The old link must not move the account again.
    await client.post("/change-email", { newEmail: "mover@example.com" });
    const isBack = ({ to, text }: Mail) => to === "mover@example.com" && text.includes("token=");
    const back = (await test.mails()).find(isBack);
    expect((await client.get(`/verify-email?token=${tokenIn(back)}`)).status).toBe(200);
    expect(await client.get(link)).toMatchObject({ status: 403, body: { code: "FORBIDDEN" } });
  });

  it("ends when the account gets another address", async () => {
    const { client } = await test.signUpVerified("owner@example.com");
    const token = await resetToken("owner@example.com");
    const links: string[] = [];
    for (const newEmail of ["owner@one.example", "owner@two.example"]) {
      await client.post("/change-email", { newEmail });
      links.push(`/verify-email?token=${tokenIn((await test.mails()).find(({ to }) => to === newEmail))}`);
    }
    expect((await client.get(links[0]!)).status).toBe(200);
    expect(
      await test.client().post("/reset-password", { token, newPassword: "a new password" }),
    ).toMatchObject({ status: 400, body: { code: "INVALID_TOKEN" } });
    expect(await client.get(links[1]!)).toMatchObject({ status: 403 });
  });

  it("is not sent to an address that the account leaves at the same time", async () => {
    const { userId } = await test.signUpVerified("leaving@example.com");
    const { db } = test.purser;
    const begun = await db.transaction(async (transaction) => {
      await transaction.update(users).set({ email: "left@example.com" }).where(eq(users.id, userId));
      let hasEnded = false;
      const sending = test.auth
        .sendAccountMail({ kind: "password-reset", email: "leaving@example.com" })
        .finally(() => (hasEnded = true));
      await expect.poll(async () => hasEnded || (await countWaitingForLocks(db)) === 1).toBe(true);
      return { sending };
    });
    await begun.sending;
    expect(await test.mails()).toEqual([]);
  });

  it("verifies no account that was created after it was sent", async () => {
    await test.mails();
    const { client } = await test.signUp("returned@example.com");
    const token = tokenIn((await test.mails())[0]);
    await client.post("/delete-user", { password });
    const squatter = await test.signUp("returned@example.com");
    const reply = await test.client().get(`/verify-email?token=${token}`);
    expect(reply).toMatchObject({ status: 401, body: { code: "INVALID_TOKEN" } });
    const [user] = await test.purser.db.select().from(users).where(eq(users.id, squatter.userId));
    expect(user?.emailVerified).toBe(false);
  });

  it("verifies an address repeatedly, with the same effect", async () => {
    await test.mails();
    await test.signUp("scanner@example.com");
    const token = tokenIn((await test.mails())[0]);
    const replies = await times(() => test.client().get(`/verify-email?token=${token}`));
    expect(accepted(replies)).toHaveLength(parallel);
    expect(replies.flatMap(({ headers }) => headers.getSetCookie())).toEqual([]);
  });
});

describe("trust in a device", () => {
  /** Signs in with a code, and has this device trusted. */
  async function trusted(email: string, uri: string): Promise<TestClient> {
    const client = await begin(email);
    const reply = await client.post("/two-factor/verify-totp", { code: totp(uri), trustDevice: true });
    expect(reply.status).toBe(200);
    test.purser.clock.advance(30_000);
    const again = await client.post("/sign-in/email", { email, password });
    expect(again.headers.get("set-auth-token")).not.toBeNull();
    return client;
  }

  async function setUpAgain(email: string): Promise<void> {
    const owner = test.client();
    await owner.post("/sign-in/email", { email, password });
    const enabled = await owner.post("/two-factor/enable", { password });
    const code = totp(String(enabled.body["totpURI"]));
    expect((await owner.post("/two-factor/verify-totp", { code })).status).toBe(200);
  }

  it("ends with a password reset, as do sessions, pending sign-ins and other reset links", async () => {
    const email = "reset@example.com";
    const { uri, bearer } = await test.signUpWithSecondFactor(email);
    await test.mails();
    // Verified, so the reset keeps the second factor.
    await test.purser.db.update(users).set({ emailVerified: true }).where(eq(users.email, email));
    const device = await trusted(email, uri);
    const pending = await begin(email);
    const second = await resetToken(email);
    const token = await resetToken(email);
    const newPassword = "a new password";
    expect((await test.client().post("/reset-password", { token, newPassword })).status).toBe(200);

    expect((await device.get("/get-session")).body).toBeNull();
    await expect(
      test.auth.resolveCaller(new Headers({ authorization: `Bearer ${bearer}` })),
    ).rejects.toMatchObject({
      code: "UNAUTHENTICATED",
    });
    expect(await pending.post("/two-factor/verify-totp", { code: totp(uri) })).toMatchObject({
      status: 401,
      body: { code: "INVALID_TWO_FACTOR_COOKIE" },
    });
    expect(await test.client().post("/reset-password", { token: second, newPassword })).toMatchObject({
      status: 400,
      body: { code: "INVALID_TOKEN" },
    });
    await begin(email, newPassword, device);
  });

  it("ends with a change of the password", async () => {
    const { uri, client } = await test.signUpWithSecondFactor("changed@example.com");
    const device = await trusted("changed@example.com", uri);
    const pending = await begin("changed@example.com");
    const change = { currentPassword: password, newPassword: "another password" };
    expect((await client.post("/change-password", { ...change, currentPassword: "wrong" })).status).toBe(400);
    expect((await client.post("/change-password", change)).status).toBe(200);
    await begin("changed@example.com", "another password", device);
    expect((await pending.post("/two-factor/verify-totp", { code: totp(uri) })).status).toBe(401);
  });

  it.each(["its owner", "an operator"])("ends when %s removes the second factor", async (who) => {
    const email = `removed-${who.length}@example.com`;
    const { uri, client } = await test.signUpWithSecondFactor(email);
    const device = await trusted(email, uri);
    if (who === "an operator") await removeSecondFactor(test.purser.platform, email);
    else expect((await client.post("/two-factor/disable", { password })).status).toBe(200);
    await setUpAgain(email);
    await begin(email, password, device);
  });

  it("does not extend to a second factor that is set up later, even if renewed while the former one is removed", async () => {
    const email = "late@example.com";
    const { uri } = await test.signUpWithSecondFactor(email);
    const device = await trusted(email, uri);
    const { db, platform } = test.purser;
    const { both } = await db.transaction(async (transaction) => {
      // Holds the sign-in after it has found the trust, before it renews it.
      await transaction.execute(sql`LOCK TABLE verifications IN SHARE MODE`);
      const signIn = device.post("/sign-in/email", { email, password });
      await expect.poll(() => countWaitingForLocks(db)).toBe(1);
      const removal = removeSecondFactor(platform, email);
      await expect.poll(() => countWaitingForLocks(db)).toBe(2);
      return { both: Promise.all([signIn, removal]) };
    });
    await both;
    await setUpAgain(email);
    await begin(email, password, device);
  });

  it("ends after 30 days, and does not extend to another account", async () => {
    const { uri } = await test.signUpWithSecondFactor("month@example.com");
    await test.signUpWithSecondFactor("neighbor@example.com");
    const device = await trusted("month@example.com", uri);
    test.purser.clock.advance(30 * 24 * hour + 1);
    await begin("month@example.com", password, device);
    const fresh = await trusted("month@example.com", uri);
    const reply = await fresh.post("/sign-in/email", { email: "neighbor@example.com", password });
    expect(reply).toMatchObject({ status: 200, body: { twoFactorRedirect: true } });
  });
});

describe("session fixation", () => {
  it("is impossible: signing in replaces a planted session, and leaves it as it was", async () => {
    const attacker = await test.signUp("planter@example.com");
    const planted = attacker.client.cookie();
    await test.signUp("planted@example.com");
    const reply = await test
      .client()
      .post("/sign-in/email", { email: "planted@example.com", password }, { cookie: planted });
    expect(reply.status).toBe(200);
    const own = decodeURIComponent(/session_token=([^;]*)/.exec(planted)?.[1] ?? "");
    expect(reply.headers.get("set-auth-token")).not.toBe(own);
    expect((await attacker.client.get("/get-session")).body["user"]).toMatchObject({
      email: "planter@example.com",
    });
  });

  it("is impossible with the second factor: the code opens a session of its own", async () => {
    const attacker = await test.signUp("fixer@example.com");
    const { uri } = await test.signUpWithSecondFactor("fixed@example.com");
    const victim = await begin("fixed@example.com");
    // With a planted session, better-auth would check the attacker's code.
    const both = `${victim.cookie()}; ${attacker.client.cookie()}`;
    const mixed = await test.client().post("/two-factor/verify-totp", { code: totp(uri) }, { cookie: both });
    expect(mixed.status).toBe(400);
    const reply = await victim.post("/two-factor/verify-totp", { code: totp(uri) });
    expect(reply.status).toBe(200);
    expect((await attacker.client.get("/get-session")).body["user"]).toMatchObject({
      email: "fixer@example.com",
    });
  });
});
