// @module-tag slow
import { isNightly, minute } from "@purser/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Auth, createAuth } from "./auth.ts";
import { createStorage } from "./better-auth-adapter.ts";
import { authOperations } from "./contract/index.ts";
import { type HeldCookie, type HeldCredentials, credentialForms } from "./testing/credential-forms.ts";
import {
  type Reply,
  type SecondFactorUser,
  type TestAuth,
  createTestAuth,
  password,
  testClient,
} from "./testing/client.ts";
import { totp, wrongTotp } from "./testing/totp.ts";
import { createMails } from "./mails.ts";
import { authOptions } from "./options.ts";
import { endpoints } from "./endpoints.ts";
import { betterAuth } from "better-auth";
import { z } from "zod";
import { exposures } from "./testing/exposures.ts";

const limit = 3;

let test: TestAuth;
/** Two services on one database, as two processes are. */
let processes: Auth[];
beforeAll(async () => {
  test = await createTestAuth({ authAttemptsPerAccount: limit });
  processes = [test.auth, createAuth(test.purser.platform)];
});
afterAll(() => test.purser.close());

/** The error codes for a wrong secret. */
const checkedCodes = new Set([
  "INVALID_EMAIL_OR_PASSWORD",
  "INVALID_PASSWORD",
  "INVALID_CODE",
  "INVALID_BACKUP_CODE",
]);

interface Victim extends SecondFactorUser {
  email: string;
}

/** The endpoints that check a secret, with the bodies of a wrong and of a right attempt. */
const secrets: Record<string, { wrong(victim: Victim): object; right(victim: Victim): object }> = {
  "/sign-in/email": {
    wrong: ({ email }) => ({ email, password: "not the password" }),
    right: ({ email }) => ({ email, password }),
  },
  "/change-password": {
    wrong: () => ({ currentPassword: "not the password", newPassword: password }),
    right: () => ({ currentPassword: password, newPassword: password }),
  },
  "/two-factor/verify-totp": {
    wrong: ({ uri }) => ({ code: wrongTotp(uri) }),
    right: ({ uri }) => ({ code: totp(uri) }),
  },
  "/two-factor/verify-backup-code": {
    wrong: () => ({ code: "wrong-codes" }),
    right: ({ backupCodes }) => ({ code: backupCodes[0] }),
  },
  ...Object.fromEntries(
    [
      "/delete-user",
      "/two-factor/enable",
      "/two-factor/disable",
      "/two-factor/get-totp-uri",
      "/two-factor/generate-backup-codes",
    ].map((path) => [path, { wrong: () => ({ password: "not the password" }), right: () => ({ password }) }]),
  ),
};

let people = 0;

/** Creates a victim, and what an attacker holds of the account: everything but the secret of this endpoint. */
async function attacked(path: string): Promise<{ victim: Victim; held: HeldCredentials }> {
  people += 1;
  const email = `victim-${people}@example.com`;
  const victim = { ...(await test.signUpWithSecondFactor(email)), email };
  const key = await victim.client.post("/api-key/create", { name: "leaked" });
  const session = cookieOf(victim.client.cookie(), "session_token");
  const own = await test.signUp(`attacker-${people}@example.com`);
  await test.signUpWithSecondFactor(`accomplice-${people}@example.com`);
  const held = {
    cookie: exposures[path] === "a code" ? await pendingSignIn(email) : session,
    session,
    bearer: decodeURIComponent(session.value),
    apiKey: String(key.body["key"]),
    own: {
      session: cookieOf(own.client.cookie(), "session_token"),
      pending: await pendingSignIn(`accomplice-${people}@example.com`),
    },
  };
  return { victim, held };
}

async function pendingSignIn(email: string): Promise<HeldCookie> {
  const client = test.client();
  await client.post("/sign-in/email", { email, password });
  return cookieOf(client.cookie(), "two_factor");
}

function cookieOf(header: string, kind: string): HeldCookie {
  const [, name, value] = new RegExp(`([^;\\s]*${kind})=([^;]*)`).exec(header) ?? [];
  if (name === undefined || value === undefined) throw new Error(`There is no cookie ${kind}`);
  return { name, value };
}

let sent = 0;

/** Sends one attempt from an address of its own, to each process in turn. */
function send(path: string, body: object, headers: Record<string, string>): Promise<Reply> {
  sent += 1;
  const address = `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}`;
  return testClient(processes[sent % processes.length]!, address).post(path, body, headers);
}

/** Attempts with each form, and returns how many were checked. Every other attempt must have been refused. */
async function guess(
  path: string,
  { victim, held }: Awaited<ReturnType<typeof attacked>>,
  kind: "wrong" | "right",
  forms: readonly string[],
): Promise<string[]> {
  const checked: string[] = [];
  for (const form of forms) {
    const reply = await send(path, secrets[path]![kind](victim), credentialForms[form]!(held));
    const { code } = reply.body;
    if (checkedCodes.has(String(code))) checked.push(form);
    else expect([form, code, reply.status]).toEqual([form, code, expect.toBeOneOf([400, 401, 403, 429])]);
  }
  return checked;
}

const forms = Object.keys(credentialForms);
const checkedPaths = Object.keys(secrets);

const Shape = z
  .object({ shape: z.record(z.string(), z.unknown()) })
  .optional()
  .catch(undefined);
const Inputs = z.object({ body: Shape, query: Shape });

/** Input fields of better-auth that carry a secret, a code, a token or an address. */
const sensitive = ["password", "currentPassword", "code", "token", "email", "newEmail"];

describe("every offered endpoint", () => {
  it("states what an attacker can try there", () => {
    expect(Object.keys(exposures).toSorted()).toEqual(Object.keys(endpoints).toSorted());
    const checking = Object.keys(exposures).filter((path) => /a password|a code/.test(exposures[path]!));
    expect(checkedPaths.toSorted()).toEqual(checking.toSorted());
  });

  it("that takes a secret is not listed as one that takes none", () => {
    const { platform } = test.purser;
    const { api } = betterAuth(
      authOptions(
        platform,
        createStorage(platform),
        createMails(platform, createStorage(platform)),
        () => undefined,
      ),
    );
    const fieldsOf = new Map<string, string[]>();
    for (const endpoint of Object.values(api)) {
      if (!("path" in endpoint) || typeof endpoint.path !== "string") continue;
      const { body, query } = Inputs.parse(endpoint.options);
      fieldsOf.set(endpoint.path, [...Object.keys(body?.shape ?? {}), ...Object.keys(query?.shape ?? {})]);
    }
    expect([...fieldsOf.values()].flat()).toEqual(expect.arrayContaining(sensitive));
    for (const [path, exposure] of Object.entries(exposures)) {
      const taken = fieldsOf.get(path)?.filter((field) => sensitive.includes(field)) ?? [];
      // The token of /revoke-session names one of the caller's own sessions.
      if (exposure === "a session")
        expect([path, taken]).toEqual([path, path === "/revoke-session" ? ["token"] : []]);
    }
  });

  it("that checks a secret is limited per address and per account, and needs that account", () => {
    for (const path of checkedPaths)
      expect([path, endpoints[path]]).toEqual([
        path,
        { POST: expect.objectContaining({ attempt: true, account: expect.any(String) }) },
      ]);
  });
});

describe("an account's secret", () => {
  it.each(checkedPaths)(
    "can be guessed at %s up to the limit, whatever carries the credential",
    async (path) => {
      const attack = await attacked(path);
      expect(await guess(path, attack, "wrong", [...forms, ...forms])).toHaveLength(limit);
      // Even the right secret is refused now, in every form.
      expect(await guess(path, attack, "right", forms)).toEqual([]);
      const plain = credentialForms["plain"]!(attack.held);
      expect(await send(path, secrets[path]!.right(attack.victim), plain)).toMatchObject({ status: 429 });

      // The limit was the reason, and it passes.
      test.purser.clock.advance(15 * minute);
      const held =
        exposures[path] === "a code"
          ? { ...attack.held, cookie: await pendingSignIn(attack.victim.email) }
          : attack.held;
      const reply = await send(path, secrets[path]!.right(attack.victim), credentialForms["plain"]!(held));
      // The second factor is on, so it cannot be set up again. The password was still right.
      if (path === "/two-factor/enable") expect(reply.body["code"]).toBe("TOTP_ALREADY_ENABLED");
      else expect([path, reply.status]).toEqual([path, 200]);
    },
  );

  it.runIf(isNightly).each(checkedPaths.flatMap((path) => forms.map((form) => [path, form] as const)))(
    "can be guessed at %s up to the limit with %s",
    async (path, form) => {
      const attack = await attacked(path);
      const checked = await guess(path, attack, "wrong", Array<string>(2 * limit).fill(form));
      expect([0, limit]).toContain(checked.length);
      if (checked.length === limit) expect(await guess(path, attack, "right", [form])).toEqual([]);
    },
  );
});

describe("mails to one address", () => {
  const mailing = Object.keys(exposures).filter((path) => exposures[path] === "an address");

  it.each(mailing)("are limited at %s, whatever carries the credential", async (path) => {
    const { held } = await attacked("/delete-user");
    const target = `target-${people}@example.com`;
    // Only the owner of an account gets these mails.
    if (path === "/request-password-reset") await test.signUp(target);
    if (path === "/send-verification-email")
      await send("/sign-up/email", { email: target, password, name: "Sam" }, {});
    // Callers ask for a verification of their own address only, so strangers begin.
    const tried =
      path === "/send-verification-email" ? [...Array<string>(limit).fill("none"), ...forms] : forms;
    const statuses: number[] = [];
    const { input } = authOperations.find((operation) => operation.path === path)!;
    await test.mails();
    for (const form of tried) {
      const fields = { email: target, newEmail: target, password, name: "Sam" };
      const body = Object.fromEntries(Object.entries(fields).filter(([field]) => field in input.shape));
      const reply = await send(path, body, credentialForms[form]!(held));
      expect([form, reply.status]).toEqual([form, expect.toBeOneOf([200, 400, 401, 403, 422, 429])]);
      statuses.push(reply.status);
    }
    const mails = (await test.mails()).filter(({ to }) => to === target);
    // The first sign-up creates the account, and the others mail nobody.
    if (path === "/sign-up/email") return expect(mails).toHaveLength(1);
    expect(mails).toHaveLength(limit);
    expect(statuses).toContain(429);
  });
});

describe("every endpoint", () => {
  it("answers every form of credential without a failure", async () => {
    const { held } = await attacked("/delete-user");
    for (const [index, [path, methods]] of Object.entries(endpoints).entries()) {
      // In the suite, each endpoint gets a fifth of the forms, and each form a fifth of the endpoints.
      const tried = forms.filter(
        (form, place) => isNightly || ["none", "plain"].includes(form) || (index + place) % 5 === 0,
      );
      for (const form of tried) {
        const headers = credentialForms[form]!(held);
        const reply = methods.GET ? await test.client().get(path, headers) : await send(path, {}, headers);
        expect([path, form, reply.status < 500]).toEqual([path, form, true]);
        if (form !== "none" || path === "/sign-in/email") continue;
        // Without a caller, a secret is not checked at all. Elsewhere better-auth may validate the input first.
        if (checkedPaths.includes(path)) expect([path, reply.status]).toEqual([path, 401]);
        if (exposures[path] === "administration") expect([400, 401]).toContain(reply.status);
      }
    }
  });
});
