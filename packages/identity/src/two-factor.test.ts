import { refusalOf } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { removeSecondFactor, removeSecondFactors } from "./second-factors.ts";
import { type TestAuth, type TestClient, createTestAuth, password } from "./testing/client.ts";
import { totp, wrongTotp } from "./testing/totp.ts";

let test: TestAuth;
beforeAll(async () => {
  test = await createTestAuth();
});
afterAll(() => test.purser.close());

const withSecondFactor = (email: string) => test.signUpWithSecondFactor(email);

async function signIn(email: string): Promise<TestClient> {
  const client = test.client();
  const reply = await client.post("/sign-in/email", { email, password });
  expect(reply).toMatchObject({ status: 200, body: { twoFactorRedirect: true } });
  expect(reply.headers.get("set-auth-token")).toBeNull();
  return client;
}

describe("two-factor sign-in", () => {
  it("opens a session only after the password and the code", async () => {
    const { uri } = await withSecondFactor("two@example.com");
    const client = await signIn("two@example.com");
    expect((await client.get("/get-session")).body).toBeNull();
    const reply = await client.post("/two-factor/verify-totp", { code: totp(uri) });
    expect(reply.status).toBe(200);
    const headers = new Headers({ authorization: `Bearer ${reply.headers.get("set-auth-token")}` });
    expect(await test.auth.resolveCaller(headers)).toMatchObject({ email: "two@example.com" });
  });

  it("a request of another tab leaves the cookie of the session that switching it on has opened", async () => {
    const { client } = await test.signUp("two-tabs@example.com");
    const before = { cookie: client.cookie() };
    const enabled = await client.post("/two-factor/enable", { password });
    await client.post("/two-factor/verify-totp", { code: totp(String(enabled.body["totpURI"])) });
    // They came with the cookie from before, and are answered late.
    for (const late of [
      await test.client().get("/get-session", before),
      await test.client().post("/two-factor/disable", { password }, before),
    ])
      expect([late.status, late.headers.getSetCookie()]).toEqual([expect.any(Number), []]);
  });

  it("accepts a backup code once", async () => {
    const { backupCodes } = await withSecondFactor("backup@example.com");
    const [code] = backupCodes;
    const first = await (await signIn("backup@example.com")).post("/two-factor/verify-backup-code", { code });
    expect(first.status).toBe(200);
    const second = await (
      await signIn("backup@example.com")
    ).post("/two-factor/verify-backup-code", { code });
    expect(second).toMatchObject({ status: 401, body: { code: "INVALID_BACKUP_CODE" } });
  });

  it("refuses a code without a prior password", async () => {
    await withSecondFactor("alone@example.com");
    const reply = await test.client().post("/two-factor/verify-totp", { code: "123456" });
    expect(reply).toMatchObject({ status: 401, body: { code: "INVALID_TWO_FACTOR_COOKIE" } });
  });

  it("counts wrong codes per account, across sign-ins", async () => {
    const { uri } = await withSecondFactor("guessed@example.com");
    const codes: number[] = [];
    for (let signedIn = 0; signedIn < 2; signedIn += 1) {
      const client = await signIn("guessed@example.com");
      for (let guess = 0; guess < 5; guess += 1) {
        codes.push((await client.post("/two-factor/verify-totp", { code: wrongTotp(uri) })).status);
      }
      if (signedIn === 0) continue;
      // After ten wrong codes, even the right code and the right password are refused.
      expect(await client.post("/two-factor/verify-totp", { code: totp(uri) })).toMatchObject({
        status: 429,
      });
    }
    expect(codes).toEqual(Array(10).fill(401));
    const again = await test.client().post("/sign-in/email", { email: "guessed@example.com", password });
    expect(again.status).toBe(429);
    expect(Number(again.headers.get("retry-after"))).toBeGreaterThan(0);
  });

  it("counts wrong codes whose cookie is quoted, encoded or repeated", async () => {
    const { uri } = await withSecondFactor("quoted@example.com");
    const guess = (cookie: string, code: string) =>
      test.client().post("/two-factor/verify-totp", { code }, { cookie });
    const statuses: number[] = [];
    let quoted = "";
    for (let signedIn = 0; signedIn < 2; signedIn += 1) {
      const client = await signIn("quoted@example.com");
      const [, name = "", value = ""] = /([^;\s]*two_factor)=([^;]*)/.exec(client.cookie()) ?? [];
      quoted = `${name}="${value}"`;
      const encoded = `${name}=${encodeURIComponent(decodeURIComponent(value))}`;
      for (const cookie of [
        quoted,
        ` ${name} = "${value}" `,
        encoded,
        `${quoted}; ${name}=x`,
        `a; ${quoted}`,
      ]) {
        statuses.push((await guess(cookie, wrongTotp(uri))).status);
      }
    }
    expect(statuses).toEqual(Array<number>(10).fill(401));
    expect((await guess(quoted, totp(uri))).status).toBe(429);
  });

  it("admits no more concurrent wrong codes than the limit", async () => {
    const { uri } = await withSecondFactor("burst@example.com");
    const clients = await Promise.all(Array.from({ length: 4 }, () => signIn("burst@example.com")));
    const replies = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        clients[index % 4]!.post("/two-factor/verify-totp", { code: wrongTotp(uri) }),
      ),
    );
    const checked = replies.filter(({ body }) => body["code"] === "INVALID_CODE");
    expect(checked.length).toBeLessThanOrEqual(10);
    expect(replies.filter(({ status }) => status === 200)).toEqual([]);
    expect(replies.some(({ status }) => status === 429)).toBe(true);
  });

  it("requires the password to be disabled", async () => {
    const { uri } = await withSecondFactor("off@example.com");
    const client = await signIn("off@example.com");
    await client.post("/two-factor/verify-totp", { code: totp(uri) });
    expect((await client.post("/two-factor/disable", { password: "not it at all" })).status).toBe(400);
    expect((await client.post("/two-factor/disable", { password })).status).toBe(200);
    const reply = await test.client().post("/sign-in/email", { email: "off@example.com", password });
    expect(reply.headers.get("set-auth-token")).not.toBeNull();
  });
});

describe("a second factor that an operator removes", () => {
  const signedIn = async (email: string) =>
    (await test.client().post("/sign-in/email", { email, password })).headers.has("set-auth-token");

  it("is no longer required, and its owner is notified and can set up a new one", async () => {
    await withSecondFactor("lost@example.com");
    await withSecondFactor("other@example.com");
    await test.mails();
    await removeSecondFactor(test.purser.platform, " Lost@example.com");
    expect(await test.mails()).toMatchObject([
      { to: "lost@example.com", subject: "Your second factor was removed" },
    ]);
    expect(await signedIn("lost@example.com")).toBe(true);
    await signIn("other@example.com");

    const client = test.client();
    await client.post("/sign-in/email", { email: "lost@example.com", password });
    const enabled = await client.post("/two-factor/enable", { password });
    await client.post("/two-factor/verify-totp", { code: totp(String(enabled.body["totpURI"])) });
    await signIn("lost@example.com");
  });

  it("must be confirmed; an unconfirmed one is kept", async () => {
    const { client } = await test.signUp("unconfirmed@example.com");
    const enabled = await client.post("/two-factor/enable", { password });
    for (const email of ["unconfirmed@example.com", "nobody@example.com"]) {
      expect(await refusalOf(removeSecondFactor(test.purser.platform, email))).toBe("USER_NOT_FOUND");
    }
    const code = totp(String(enabled.body["totpURI"]));
    expect(await client.post("/two-factor/verify-totp", { code })).toMatchObject({ status: 200 });
  });

  it("is removed from every account, as a new AUTH_SECRET requires", async () => {
    const emails = ["all-1@example.com", "all-2@example.com"];
    for (const email of emails) await withSecondFactor(email);
    expect(await removeSecondFactors(test.purser.platform)).toBeGreaterThanOrEqual(2);
    for (const email of emails) expect(await signedIn(email)).toBe(true);
    expect(await removeSecondFactors(test.purser.platform)).toBe(0);
  });
});
