import { AsyncLocalStorage } from "node:async_hooks";
import { createSecretKey } from "node:crypto";
import { addMs } from "@purser/core";
import { type Caller, type PresentedCredential, createAttempts, userOf } from "@purser/platform";
import { betterAuth } from "better-auth";
import { type AccountMail, createAccountMailHandler } from "./account-mails.ts";
import { type CreateApiKey, type CreateUser, createAccounts } from "./accounts.ts";
import { createStorage } from "./better-auth-adapter.ts";
import type { IdentityPlatform } from "./context.ts";
import { type HeaderReader, readCookie, readCredentials, verified } from "./credentials.ts";
import { type RequestOrigin, createHandler } from "./handler.ts";
import { createMails, linkLifetime } from "./mails.ts";
import { type PasswordUse, authOptions, cookieName } from "./options.ts";
import { createReadCredential } from "./resolve-caller.ts";
import { deleteExpiredSessions, deleteOtherSessions } from "./store/sessions.ts";
import { findEmail } from "./store/users.ts";
import { deleteExpiredVerifications } from "./store/verifications.ts";
import { createThrottle } from "./throttle.ts";
import type { AddressOptions } from "./users.ts";

/** Sign-up, sign-in and the caller of a request. The only user of better-auth. */
export interface Auth {
  /** Answers a request under /api/auth. Never throws: an error becomes a problem document. */
  handle(request: Request, origin: RequestOrigin): Promise<Response>;
  /**
   * Returns the caller as the database has it now, or null without credentials. Throws UNAUTHENTICATED for a
   * bearer token or an API key that fails, even with a valid cookie.
   */
  resolveCaller(headers: Headers): Promise<Caller | null>;
  /**
   * Returns the credential of a request, which is not looked up yet. Null if there is none. Throws UNAUTHENTICATED for a
   * bearer token with an invalid signature.
   */
  readCredential(headers: HeaderReader): PresentedCredential | null;
  /** Creates a user without a request. Throws VALIDATION_FAILED if the e-mail address is taken. */
  createUser(user: CreateUser): Promise<{ id: string }>;
  /** Creates an API key of a user without a request, and returns the only copy of it. Throws USER_NOT_FOUND. */
  createApiKey(email: string, key: CreateApiKey): Promise<{ id: string; key: string }>;
  /** Makes the user with this e-mail an administrator. Throws USER_NOT_FOUND or EMAIL_NOT_VERIFIED. */
  makeAdministrator(email: string, options?: AddressOptions): Promise<void>;
  /** Opens a session without a password, and returns its bearer token. */
  openSession(userId: string): Promise<string>;
  /** Looks up the address of a requested mail, and enqueues the mail. For `identityJobs.accountMail`. */
  sendAccountMail(mail: AccountMail): Promise<void>;
  /** Deletes expired sessions, links and attempts. For a scheduled job. */
  purgeExpired(): Promise<void>;
}

/** Opens sign-in and accounts on the platform. One per process. */
export function createAuth(platform: IdentityPlatform): Auth {
  const { db, clock, settings } = platform;
  const secret = createSecretKey(settings.authSecret, "utf8");
  const storage = createStorage(platform);
  const passwords = new AsyncLocalStorage<PasswordUse>();
  const mails = createMails(platform, storage);
  const auth = betterAuth(authOptions(platform, storage, mails, () => passwords.getStore()));
  const attempts = createAttempts(platform);
  const sessionCookie = cookieName(settings, "session_token");
  const readCredential = createReadCredential(platform, secret, sessionCookie);
  const resolveCaller = async (headers: Headers) => (await readCredential(headers)?.resolve()) ?? null;

  async function findPendingSignIn(headers: Headers) {
    const cookie = readCookie(headers, cookieName(settings, "two_factor"));
    const identifier = verified(cookie, secret);
    if (identifier === null) return null;
    const challenge = await (await auth.$context).internalAdapter.findVerificationValue(identifier);
    if (challenge === null) return null;
    const email = await findEmail(db, challenge.value);
    return email === undefined ? null : { userId: challenge.value, email };
  }

  async function storeResetToken(token: string, userId: string): Promise<void> {
    const expiresAt = addMs(clock.now(), linkLifetime.reset * 1000);
    const link = { identifier: `reset-password:${token}`, value: userId, expiresAt };
    await (await auth.$context).internalAdapter.createVerificationValue(link);
  }

  return {
    ...createAccounts(platform, secret, (key) => auth.api.createApiKey({ body: key })),
    resolveCaller,
    readCredential,
    handle: createHandler(platform, {
      storage,
      // An organization's key has no account here, and gets FORBIDDEN.
      resolveUser: async (headers) => {
        const caller = await resolveCaller(headers);
        return caller && userOf(caller);
      },
      findPendingSignIn,
      async endOtherSessions(headers) {
        const { bearer, cookie } = readCredentials(headers, secret, sessionCookie);
        const token = bearer ?? cookie;
        if (token !== null) await deleteOtherSessions(storage.executor(), token);
      },
      throttle: createThrottle(platform, attempts),
      forward: (request, use) => passwords.run(use, () => auth.handler(request)),
    }),
    sendAccountMail: createAccountMailHandler(platform, { storage, mails, storeResetToken }),
    async purgeExpired() {
      await deleteExpiredSessions(db, clock.now());
      await deleteExpiredVerifications(db, clock.now());
      await attempts.purge();
    },
  };
}
