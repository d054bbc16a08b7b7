import { totp } from "@purser/identity/testing";
import { createContext } from "@purser/platform";
import { type TestPurser, createTestPurser } from "@purser/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type TestServer, respondWithTrpc, serve } from "../test/serve.ts";
import { createPurserAuth } from "./auth.ts";
import { createPurserClient } from "./client.ts";
import { PurserError, isProblem } from "./error.ts";
import { authOperations } from "./generated/auth-operations.ts";
import type { PurserAuth } from "./generated/purser-auth.ts";

let purser: TestPurser;
let server: TestServer;
let auth: PurserAuth;

beforeAll(async () => {
  server = await serve(async (request) => {
    const { pathname } = new URL(request.url);
    const requestId = "req_of_the_test";
    if (pathname.startsWith("/api/auth/"))
      return purser.auth.handle(request, { address: "203.0.113.7", requestId });
    const caller = await purser.auth.resolveCaller(request.headers).catch(() => null);
    const ctx = createContext(purser.platform, {
      requestId,
      caller,
      fromTrustedOrigin: false,
      idempotencyKey: null,
    });
    return respondWithTrpc(request, ctx);
  });
  const { baseUrl } = server;
  purser = await createTestPurser({ settings: { baseUrl, trustedOrigins: [baseUrl] } });
  auth = createPurserAuth({ baseUrl });
});
afterAll(async () => {
  await server.close();
  await purser.close();
});

const password = "correct horse battery";
const person = (name: string) => ({ email: `${name}@example.com`, name, password });
const as = (token: string | null) => createPurserAuth({ baseUrl: server.baseUrl, token: token ?? undefined });

describe("createPurserAuth", () => {
  it("has a method for every operation", () => {
    const names = (node: object): string[] =>
      Object.values(node).flatMap((member: object) =>
        typeof member === "function" ? ["method"] : names(member),
      );
    expect(names(auth)).toHaveLength(authOperations.length);
    expect(Object.keys(auth.twoFactor)).toContain("generateBackupCodes");
  });

  it("signs up and in, and returns the token for the clients, with dates as Date", async () => {
    const signedUp = await auth.signUp.email(person("ada"));
    expect(signedUp.user).toMatchObject({ email: "ada@example.com", createdAt: expect.any(Date) });
    const { bearerToken, challenge } = await auth.signIn.email({ email: "ada@example.com", password });
    expect(challenge).toBeNull();
    const client = createPurserClient({ baseUrl: server.baseUrl, token: bearerToken ?? undefined });
    expect(await client.me.get()).toMatchObject({ id: signedUp.user?.id, email: "ada@example.com" });
    const session = await as(bearerToken).getSession();
    expect(session?.session.expiresAt).toBeInstanceOf(Date);
    expect(await auth.getSession()).toBeNull();
    expect(await as(bearerToken).signOut()).toEqual({ success: true });
    await expect(client.me.get()).rejects.toMatchObject({ status: 401 });
  });

  it("rejects with the code of the refusal, and repeats no sign-in", async () => {
    const before = server.requests.length;
    const error = await auth.signIn
      .email({ email: "ada@example.com", password: "wrong" })
      .catch((one: unknown) => one);
    expect(error).toBeInstanceOf(PurserError);
    expect(isProblem(error, "INVALID_EMAIL_OR_PASSWORD")).toBe(true);
    expect(error).toMatchObject({ status: 401, requestId: "req_of_the_test" });
    server.interceptors.push(async () => null);
    await expect(auth.signIn.email({ email: "ada@example.com", password })).rejects.toMatchObject({
      code: "NETWORK_FAILURE",
    });
    expect(server.requests.length - before).toBe(2);
    server.interceptors.push(async () => null);
    expect(await auth.getSession()).toBeNull();
  });

  it("creates and lists API keys, and leaves what the caller stored as it is", async () => {
    const { bearerToken } = await auth.signUp.email(person("grace"));
    const own = as(bearerToken);
    const metadata = { createdAt: "2026-03-01T00:00:00.000Z" };
    const created = await own.apiKey.create({ name: "Nightly", metadata });
    expect(created).toMatchObject({
      name: "Nightly",
      metadata,
      createdAt: expect.any(Date),
      expiresAt: null,
    });
    const { apiKeys, total } = await own.apiKey.list({ limit: 10 });
    expect([apiKeys.map(({ id }) => id), total]).toEqual([[created.id], 1]);
    const client = createPurserClient({ baseUrl: server.baseUrl, headers: { "x-api-key": created.key } });
    expect((await client.me.get()).email).toBe("grace@example.com");
  });

  it.each([Number.NaN, Infinity, -Infinity])(
    "creates no key that ends after %s seconds",
    async (expiresIn) => {
      const { bearerToken } = await auth.signUp.email(person(`key-${expiresIn}`));
      const own = as(bearerToken);
      const refusal = { code: "VALIDATION_FAILED", issues: [{ path: ["expiresIn"], code: "invalid_type" }] };
      // JSON has null instead, with which a key never ends.
      await expect(own.apiKey.create({ name: "Nightly", expiresIn })).rejects.toMatchObject(refusal);
      const { id } = await own.apiKey.create({ name: "Nightly", expiresIn: 3600 });
      await expect(own.apiKey.update({ keyId: id, expiresIn })).rejects.toMatchObject(refusal);
      await expect(own.apiKey.list({ limit: expiresIn })).rejects.toMatchObject({ status: 400 });
      expect((await own.apiKey.list()).apiKeys).toMatchObject([{ id, expiresAt: expect.any(Date) }]);
    },
  );

  it("confirms an address once: a second attempt would be refused", async () => {
    server.interceptors.push(async (_, handle) => {
      await handle();
      return null;
    });
    const before = server.requests.length;
    await expect(auth.verifyEmail({ token: "spent" })).rejects.toMatchObject({ code: "NETWORK_FAILURE" });
    expect(server.requests.length - before).toBe(1);
  });

  it("signs in with a second factor outside a browser, by the challenge of the first step", async () => {
    const { bearerToken } = await auth.signUp.email(person("alan"));
    const own = as(bearerToken);
    const { totpURI, backupCodes } = await own.twoFactor.enable({ password });
    const enabled = await own.twoFactor.verifyTotp({ code: totp(totpURI) });
    expect(enabled.user.email).toBe("alan@example.com");

    const first = await auth.signIn.email({ email: "alan@example.com", password });
    expect(first).toMatchObject({
      twoFactorRedirect: true,
      bearerToken: null,
      challenge: expect.any(String),
    });
    const code = backupCodes[0]!;
    await expect(auth.twoFactor.verifyBackupCode({ code })).rejects.toMatchObject({ status: 401 });
    // A back end may reach the server by an address that is no trusted origin.
    const other = { headers: { origin: "https://other.example" }, challenge: first.challenge };
    await expect(auth.twoFactor.verifyBackupCode({ code }, other)).rejects.toMatchObject({
      code: "UNTRUSTED_ORIGIN",
    });
    const internal = createPurserAuth({ baseUrl: server.baseUrl.replace("127.0.0.1", "localhost") });
    const origin = { headers: { origin: server.baseUrl }, challenge: first.challenge };
    const second = await internal.twoFactor.verifyBackupCode({ code }, origin);
    expect(second.bearerToken).toEqual(expect.any(String));
    expect((await as(second.bearerToken).getSession())?.user.twoFactorEnabled).toBe(true);
  });

  describe("beside a stored credential that has ended", () => {
    /** Options of clients that still have it: as a token, and as a key. */
    const stale = [{ token: () => "ended" }, { headers: { "x-api-key": "ended" } }] as const;
    const staleAuths = () =>
      stale.map((credential) => createPurserAuth({ baseUrl: server.baseUrl, ...credential }));

    it("signs up and in, and resets a password", async () => {
      for (const [index, own] of staleAuths().entries()) {
        const { email, ...rest } = person(`returning-${index}`);
        expect((await own.signUp.email({ email, ...rest })).bearerToken).toEqual(expect.any(String));
        expect((await own.signIn.email({ email, password })).bearerToken).toEqual(expect.any(String));
        expect(await own.requestPasswordReset({ email })).toMatchObject({ status: true });
        const reset = own.resetPassword({ token: "unknown", newPassword: password });
        await expect(reset).rejects.toMatchObject({ code: "INVALID_TOKEN" });
        // What belongs to the caller does need a credential, so the server has to say that the credential has ended.
        await expect(own.getSession()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
      }
    });

    it("does not ask the function for the token, which may itself sign in", async () => {
      await auth.signUp.email(person("robot"));
      const own: PurserAuth = createPurserAuth({
        baseUrl: server.baseUrl,
        token: async () => (await own.signIn.email({ email: "robot@example.com", password })).bearerToken,
      });
      expect((await own.getSession())?.user.email).toBe("robot@example.com");
    });

    it("sends the credential that a sign-in itself brings", async () => {
      const headers = { authorization: "Bearer ended" };
      const signIn = auth.signIn.email({ email: "robot@example.com", password }, { headers });
      await expect(signIn).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
    });

    it("completes a sign-in with a second factor, outside a browser and in one", async () => {
      const { bearerToken } = await auth.signUp.email(person("edsger"));
      const { totpURI, backupCodes } = await as(bearerToken).twoFactor.enable({ password });
      await as(bearerToken).twoFactor.verifyTotp({ code: totp(totpURI) });
      const credentials = { email: "edsger@example.com", password };
      for (const [index, credential] of stale.entries()) {
        for (const [place, fetch] of [
          ["outside", undefined],
          ["inside", fetchOfPage()],
        ] as const) {
          const own = createPurserAuth({ baseUrl: server.baseUrl, ...credential, fetch });
          const { challenge } = await own.signIn.email(credentials);
          expect(challenge).toEqual(place === "outside" ? expect.any(String) : null);
          const code = backupCodes[index * 2 + (place === "outside" ? 0 : 1)]!;
          const verified = await own.twoFactor.verifyBackupCode({ code }, { challenge });
          expect(verified.user.email).toBe("edsger@example.com");
        }
      }
    });
  });

  /** A `fetch` that keeps the cookies for itself, as a browser does. */
  function fetchOfPage() {
    const cookies = new Map<string, string>();
    return async (url: string, init: RequestInit) => {
      const headers = new Headers(init.headers);
      if (cookies.size > 0) {
        headers.set("cookie", [...cookies].map((cookie) => cookie.join("=")).join("; "));
        headers.set("origin", server.baseUrl);
      }
      const response = await fetch(url, { ...init, headers });
      for (const text of response.headers.getSetCookie()) {
        const [, name = "", value = ""] = /^([^=]*)=([^;]*)/.exec(text)!;
        cookies.set(name, value);
      }
      const hidden = new Headers(response.headers);
      hidden.delete("set-cookie");
      return new Response(await response.text(), { status: response.status, headers: hidden });
    };
  }
});
