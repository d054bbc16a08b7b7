import { apiKeys, sessions, verifications } from "@purser/db";
import { changeTestTrigger, countWaitingForLocks } from "@purser/testing";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { lockUser } from "./store/users.ts";
import {
  type Reply,
  type SecondFactorUser,
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

const newPassword = "a new password";

interface Victim extends SecondFactorUser {
  email: string;
}

/** Signs a user up. A reset keeps the second factor of a verified address, and locks no row of the user. */
async function verifiedVictim(name: string): Promise<Victim> {
  const email = `${name.replaceAll("/", "-")}@example.com`;
  await test.mails();
  const victim = { ...(await test.signUpWithSecondFactor(email)), email };
  const [mail] = await test.mails();
  expect((await test.client().get(`/verify-email?token=${tokenIn(mail)}`)).status).toBe(200);
  return victim;
}

async function requestReset(email: string): Promise<() => Promise<Reply>> {
  await test.mails();
  await test.client().post("/request-password-reset", { email });
  const token = tokenIn((await test.mails())[0]);
  return () => test.client().post("/reset-password", { token, newPassword });
}

async function pendingSignIn({ email }: Victim): Promise<TestClient> {
  const client = test.client();
  expect((await client.post("/sign-in/email", { email, password })).body["twoFactorRedirect"]).toBe(true);
  return client;
}

/** What of an account lets its user in without the password. */
async function openedBy(userId: string) {
  const { db } = test.purser;
  return {
    sessions: await db.select().from(sessions).where(eq(sessions.userId, userId)),
    secrets: await db.select().from(verifications).where(eq(verifications.value, userId)),
  };
}
const nothing = { sessions: [], secrets: [] };

/**
 * Begins a request that gets as far as the lock on the user's row, and then another one. Lets both go on when the second
 * has ended or waits, too.
 */
async function overtake(userId: string, first: () => Promise<Reply>, second: () => Promise<Reply>) {
  const { db } = test.purser;
  let hasEnded = false;
  const begun = await db.transaction(async (transaction) => {
    await lockUser(transaction, userId);
    const replies = [first()];
    await expect.poll(() => countWaitingForLocks(db)).toBe(1);
    replies.push(second().finally(() => (hasEnded = true)));
    await expect.poll(async () => hasEnded || (await countWaitingForLocks(db)) === 2).toBe(true);
    return { replies };
  });
  return Promise.all(begun.replies);
}

/** Requests that open a session, with what they need prepared. */
const opening: Record<string, (victim: Victim) => Promise<() => Promise<Reply>>> = {
  "/sign-in/email": async ({ email, client }) => {
    await client.post("/two-factor/disable", { password });
    return () => test.client().post("/sign-in/email", { email, password });
  },
  "/two-factor/verify-totp": async (victim) => {
    const client = await pendingSignIn(victim);
    return () => client.post("/two-factor/verify-totp", { code: totp(victim.uri) });
  },
  "/two-factor/verify-backup-code": async (victim) => {
    const client = await pendingSignIn(victim);
    return () => client.post("/two-factor/verify-backup-code", { code: victim.backupCodes[0] });
  },
  "/two-factor/disable":
    async ({ client }) =>
    () =>
      client.post("/two-factor/disable", { password }),
};

it("two-factor/enable leaves a second factor that is proven at the same time", async () => {
  const email = "proven-meanwhile@example.com";
  const { client, userId } = await test.signUp(email);
  const enabled = await client.post("/two-factor/enable", { password });
  const code = () => totp(String(enabled.body["totpURI"]));
  const verify = () => client.post("/two-factor/verify-totp", { code: code() });
  const [proven, late] = await overtake(userId, verify, () =>
    client.post("/two-factor/enable", { password }),
  );
  // Proving it has replaced the session that both came with.
  expect([proven!.status, late!.status]).toEqual([200, 401]);
  const signingIn = test.client();
  await signingIn.post("/sign-in/email", { email, password });
  test.purser.clock.advance(30_000);
  expect(await signingIn.post("/two-factor/verify-totp", { code: code() })).toMatchObject({ status: 200 });
});

describe("reset-password", () => {
  it.each(Object.keys(opening))("ends a session that %s opens at the same time", async (path) => {
    const victim = await verifiedVictim(`reset${path}`);
    const open = await opening[path]!(victim);
    const reset = await requestReset(victim.email);
    const [, ended] = await overtake(victim.userId, open, reset);
    expect(ended).toMatchObject({ status: 200 });
    expect(await openedBy(victim.userId)).toEqual(nothing);
  });

  it("ends a sign-in that begins to wait for the second factor at the same time", async () => {
    const { userId, email } = await verifiedVictim("waiting");
    const reset = await requestReset(email);
    const { db } = test.purser;
    await db.execute(sql`
      CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS
      $$ BEGIN PERFORM pg_advisory_xact_lock(1); RETURN NEW; END $$`);
    await changeTestTrigger(
      db,
      sql`CREATE TRIGGER wait_for_test BEFORE INSERT ON verifications FOR EACH ROW
        WHEN (NEW.identifier LIKE 'pending-sign-in:%') EXECUTE FUNCTION wait_for_test()`,
    );
    const begun = await db.transaction(async (transaction) => {
      await transaction.execute(sql`SELECT pg_advisory_xact_lock(1)`);
      const signIn = test.client().post("/sign-in/email", { email, password });
      await expect.poll(() => countWaitingForLocks(db)).toBe(1);
      expect((await reset()).status).toBe(200);
      return { signIn };
    });
    expect(await begun.signIn).toMatchObject({ status: 401, body: { code: "INVALID_EMAIL_OR_PASSWORD" } });
    expect(await openedBy(userId)).toEqual(nothing);
    await changeTestTrigger(db, sql`DROP TRIGGER wait_for_test ON verifications`);
  });

  it.each(["before", "after"])(
    "leaves no API key of an unverified address that is created just %s it",
    async (order) => {
      // Both requests wait for the lock on the user's row: the key refers to it, and the reset verifies the address.
      const email = `prepared-${order}@example.com`;
      const { client, userId } = await test.signUp(email);
      const reset = await requestReset(email);
      const create = () => client.post("/api-key/create", { name: "stranger" });
      if (order === "before") await overtake(userId, create, reset);
      else {
        const [, late] = await overtake(userId, reset, create);
        expect(late).toMatchObject({ status: 401, body: { code: "UNAUTHENTICATED" } });
      }
      const owner = await test.client().post("/sign-in/email", { email, password: newPassword });
      expect(owner.status).toBe(200);
      const keys = await test.purser.db.select().from(apiKeys).where(eq(apiKeys.referenceId, userId));
      expect(keys).toEqual([]);
    },
  );

  it("is not undone by a change of the old password at the same time", async () => {
    // The reset of an unverified address waits for the lock on the user's row, after it has replaced the password.
    const email = "unverified@example.com";
    const { client, userId } = await test.signUp(email);
    const reset = await requestReset(email);
    const change = { currentPassword: password, newPassword: "not the owner's", revokeOtherSessions: true };
    const [ended, changed] = await overtake(userId, reset, () => client.post("/change-password", change));
    expect([ended?.status, changed?.status]).toEqual([200, 401]);
    expect(await openedBy(userId)).toEqual(nothing);
    const owner = await test.client().post("/sign-in/email", { email, password: newPassword });
    expect(owner.status).toBe(200);
  });
});

describe("change-password", () => {
  it("ends a session that a sign-in with the old password opens at the same time", async () => {
    const email = "changing@example.com";
    const { client, userId } = await test.signUp(email);
    const signIn = () => test.client().post("/sign-in/email", { email, password });
    const change = { currentPassword: password, newPassword, revokeOtherSessions: false };
    const [late, changed] = await overtake(userId, signIn, () => client.post("/change-password", change));
    expect(changed?.status).toBe(200);
    expect(late).toMatchObject({ status: 401, body: { code: "INVALID_EMAIL_OR_PASSWORD" } });
    expect((await openedBy(userId)).sessions).toHaveLength(1);
  });
});
