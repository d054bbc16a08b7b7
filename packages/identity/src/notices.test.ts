import { hour } from "@purser/core/testing";
import { countWaitingForLocks } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { endpoints } from "./endpoints.ts";
import { lockPassword } from "./store/passwords.ts";
import {
  type Reply,
  type TestAuth,
  type TestClient,
  createTestAuth,
  password,
  tokenIn,
} from "./testing/client.ts";
import { totp, wrongTotp } from "./testing/totp.ts";

let test: TestAuth;
beforeAll(async () => {
  test = await createTestAuth();
});
afterAll(() => test.purser.close());

interface Change {
  subject: string;
  refused: () => Promise<Reply>;
  accepted: () => Promise<Reply>;
}

const newPassword = "another password";

async function setUpFactor(client: TestClient): Promise<string> {
  return String((await client.post("/two-factor/enable", { password })).body["totpURI"]);
}

async function switchFactorOn(client: TestClient): Promise<void> {
  const uri = await setUpFactor(client);
  expect((await client.post("/two-factor/verify-totp", { code: totp(uri) })).status).toBe(200);
}

/** Prepares a change of the account, by the endpoint that completes it. */
const changes: Record<string, (client: TestClient, email: string) => Promise<Change>> = {
  "/api-key/create": async (client) => ({
    subject: "A new API key was created",
    refused: () => client.post("/api-key/create", { name: "" }),
    accepted: () => client.post("/api-key/create", { name: "server" }),
  }),
  "/change-password": async (client) => ({
    subject: "Your password was changed",
    refused: () => client.post("/change-password", { currentPassword: "not the password", newPassword }),
    accepted: () => client.post("/change-password", { currentPassword: password, newPassword }),
  }),
  "/delete-user": async (client) => ({
    subject: "Your account was deleted",
    refused: () => client.post("/delete-user", { password: "not the password" }),
    accepted: () => client.post("/delete-user", { password }),
  }),
  "/reset-password": async (_, email) => {
    await test.client().post("/request-password-reset", { email });
    const [mail] = await test.mails();
    const reset = (token: string) => test.client().post("/reset-password", { token, newPassword });
    return {
      subject: "Your password was changed",
      refused: () => reset("no-such-token"),
      accepted: () => reset(tokenIn(mail)),
    };
  },
  "/two-factor/verify-totp": async (client) => {
    const uri = await setUpFactor(client);
    return {
      subject: "Your second factor was switched on",
      refused: () => client.post("/two-factor/verify-totp", { code: wrongTotp(uri) }),
      accepted: () => client.post("/two-factor/verify-totp", { code: totp(uri) }),
    };
  },
  "/two-factor/disable": async (client) => {
    await switchFactorOn(client);
    return {
      subject: "Your second factor was switched off",
      refused: () => client.post("/two-factor/disable", { password: "not the password" }),
      accepted: () => client.post("/two-factor/disable", { password }),
    };
  },
  "/two-factor/get-totp-uri": async (client) => {
    await switchFactorOn(client);
    return {
      subject: "Your second factor was shown",
      refused: () => client.post("/two-factor/get-totp-uri", { password: "not the password" }),
      accepted: () => client.post("/two-factor/get-totp-uri", { password }),
    };
  },
  "/two-factor/generate-backup-codes": async (client) => {
    await switchFactorOn(client);
    return {
      subject: "Your backup codes were replaced",
      refused: () => client.post("/two-factor/generate-backup-codes", { password: "not the password" }),
      accepted: () => client.post("/two-factor/generate-backup-codes", { password }),
    };
  },
};

const notifying = Object.keys(endpoints).filter((path) => endpoints[path]?.POST?.notifies);

describe("a change that another person with a session could make", () => {
  it.each(["/reset-password", ...notifying])(
    "is mailed to the owner once, after a success of %s",
    async (path) => {
      const email = `owner${path.replaceAll("/", "-")}@example.com`;
      const { client } = await test.signUpVerified(email);
      const { subject, refused, accepted } = await changes[path]!(client, email);
      await test.mails();
      expect((await refused()).status).toBe(path === "/two-factor/verify-totp" ? 401 : 400);
      expect(await test.mails()).toEqual([]);
      expect((await accepted()).status).toBe(200);
      expect(await test.mails()).toMatchObject([{ to: email, subject }]);
    },
  );

  it("is mailed to the old and the new address if it changes the address", async () => {
    const { client } = await test.signUpVerified("from@example.com");
    await client.post("/change-email", { newEmail: "to@example.com" });
    const token = tokenIn((await test.mails()).find(({ to }) => to === "to@example.com"));
    expect((await client.get(`/verify-email?token=${token}`)).status).toBe(200);
    const mails = await test.mails();
    expect(mails.map(({ to }) => to).toSorted()).toEqual(["from@example.com", "to@example.com"]);
    for (const { text } of mails) expect(text).toContain("is now to@example.com");
    expect((await client.get(`/verify-email?token=${token}`)).status).toBe(403);
    expect(await test.mails()).toEqual([]);
  });

  it("is not mailed to an address that is not verified, which may be a stranger's", async () => {
    const { client } = await test.signUp("unproven@example.com");
    await test.mails();
    expect((await client.post("/api-key/create", { name: "server" })).status).toBe(200);
    await client.post("/change-email", { newEmail: "proven@example.com" });
    const token = tokenIn((await test.mails())[0]);
    expect((await client.get(`/verify-email?token=${token}`)).status).toBe(200);
    const mails = await test.mails();
    expect(mails.map(({ to }) => to)).toEqual(["proven@example.com", "proven@example.com"]);
    expect(mails.map(({ subject }) => subject).toSorted()).toEqual([
      "A new API key was created",
      "Your e-mail address was changed",
    ]);
  });

  it("is mailed when the address is verified, if it was made before", async () => {
    const email = "prepared@example.com";
    const { client } = await test.signUp(email);
    const link = `/verify-email?token=${tokenIn((await test.mails())[0])}`;
    await client.post("/api-key/create", { name: "server" });
    await switchFactorOn(client);
    expect(await test.mails()).toEqual([]);
    expect((await test.client().get(link)).status).toBe(200);
    const mails = await test.mails();
    expect(mails.map(({ to, subject }) => `${to}: ${subject}`).toSorted()).toEqual([
      `${email}: A new API key was created`,
      `${email}: Your second factor was switched on`,
    ]);
    expect((await test.client().get(link)).status).toBe(200);
    expect(await test.mails()).toEqual([]);
  });

  it("is not mailed to an address that an expired link does not verify", async () => {
    const { client } = await test.signUp("expired-link@example.com");
    const link = `/verify-email?token=${tokenIn((await test.mails())[0])}`;
    await client.post("/api-key/create", { name: "server" });
    test.purser.clock.advance(25 * hour);
    const reply = await test.client().get(`${link}&callbackURL=/welcome`);
    expect(reply.headers.get("location")).toContain("error=TOKEN_EXPIRED");
    expect(await test.mails()).toEqual([]);
  });

  it("is mailed once, however often the link is opened at the same time", async () => {
    const { client } = await test.signUp("eager@example.com");
    const link = `/verify-email?token=${tokenIn((await test.mails())[0])}`;
    await client.post("/api-key/create", { name: "server" });
    const replies = await Promise.all(Array.from({ length: 6 }, () => test.client().get(link)));
    expect(replies.map(({ status }) => status)).toEqual(Array(6).fill(200));
    expect(await test.mails()).toMatchObject([{ subject: "A new API key was created" }]);
  });

  it.each(["before", "after"])(
    "is mailed once if a key is created just %s the address is verified",
    async (order) => {
      const { client, userId } = await test.signUp(`key-${order}@example.com`);
      const link = `/verify-email?token=${tokenIn((await test.mails())[0])}`;
      const requests = [
        () => client.post("/api-key/create", { name: "server" }),
        () => test.client().get(link),
      ];
      const { db } = test.purser;
      const begun: Promise<Reply>[] = [];
      await db.transaction(async (transaction) => {
        await lockPassword(transaction, userId);
        for (const request of order === "before" ? requests : requests.toReversed()) {
          begun.push(request());
          await expect.poll(() => countWaitingForLocks(db)).toBe(begun.length);
        }
      });
      for (const reply of await Promise.all(begun)) expect(reply.status).toBe(200);
      expect(await test.mails()).toMatchObject([{ subject: "A new API key was created" }]);
    },
  );

  it("is not to see the key of a second factor that is not on yet", async () => {
    const { client } = await test.signUpVerified("scanning@example.com");
    await setUpFactor(client);
    expect((await client.post("/two-factor/get-totp-uri", { password })).status).toBe(200);
    expect(await test.mails()).toEqual([]);
  });

  it("is no sign-in with the second factor, which sends no mail", async () => {
    const email = "returning@example.com";
    const { client } = await test.signUpVerified(email);
    const uri = await setUpFactor(client);
    expect((await client.post("/two-factor/verify-totp", { code: totp(uri) })).status).toBe(200);
    await test.mails();
    const again = test.client();
    await again.post("/sign-in/email", { email, password });
    for (const one of [again, client]) {
      // A code works once.
      test.purser.clock.advance(30_000);
      expect((await one.post("/two-factor/verify-totp", { code: totp(uri) })).status).toBe(200);
    }
    expect(await test.mails()).toEqual([]);
  });
});
