import { hash } from "node:crypto";
import { apiKey } from "@better-auth/api-key";
import { type IdPrefix, newId } from "@purser/core";
import type { Platform } from "@purser/platform";
import type { Settings } from "@purser/platform/settings";
import type { BetterAuthOptions, GenericEndpointContext } from "better-auth";
import { hashPassword, verifyPassword } from "better-auth/crypto";
import { createAccessControl } from "better-auth/plugins/access";
import { admin } from "better-auth/plugins/admin";
import { bearer } from "better-auth/plugins/bearer";
import { twoFactor } from "better-auth/plugins/two-factor";
import type { Storage } from "./better-auth-adapter.ts";
import { logTo } from "./better-auth-logger.ts";
import type { IdentityPlatform } from "./context.ts";
import { passwordLength } from "./contract/objects.ts";
import { disabledEndpoints } from "./endpoints.ts";
import { type AccountMails, linkLifetime } from "./mails.ts";
import { isShortSession, sessionLifetime } from "./resolve-caller.ts";
import { grantVerified, lockUser, verifyAddressByReset } from "./store/users.ts";
import { identifierPrefixes } from "./store/verifications.ts";

/** The handler passes the client's address to better-auth in this header, and overwrites the client's own value. */
export const addressHeader = "x-purser-client-address";

/** Returns the name of a cookie of better-auth. */
export function cookieName({ baseUrl }: Settings, name: (typeof cookies)[number]): string {
  return `${isSecure(baseUrl) ? "__Secure-" : ""}${cookiePrefix}.${name}`;
}

/** The cookies of better-auth: the session, a pending two-factor sign-in, a trusted device, a session without an age. */
export const cookies = ["session_token", "two_factor", "trust_device", "dont_remember"] as const;

const cookiePrefix = "better-auth";
const isSecure = (baseUrl: string) => baseUrl.startsWith("https:");

const prefixes: Record<string, IdPrefix> = {
  user: "user",
  session: "ses",
  account: "acc",
  verification: "ver",
  apikey: "key",
  twoFactor: "tfa",
};

/** What one request does with passwords. */
export interface PasswordUse {
  /** The hash of the new password, if it was computed before the transaction. */
  hashed: string | undefined;
  /** The stored hash that the given password matched. */
  matched?: string;
  /** The session that the request opened. */
  session?: { id: string; userId: string };
}

/** Returns the options of better-auth. It works on one request at a time, whose use of passwords `current` returns. */
export function authOptions(
  platform: IdentityPlatform,
  storage: Storage,
  mails: AccountMails,
  current: () => PasswordUse | undefined,
) {
  const { settings } = platform;
  return {
    appName: "Purser",
    baseURL: settings.baseUrl,
    basePath: "/api/auth",
    secret: settings.authSecret,
    trustedOrigins: [...settings.trustedOrigins],
    database: storage.adapter,
    disabledPaths: disabledEndpoints,
    // The throttle limits attempts instead. better-auth's counter is not exact and does not count per account.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: logTo(platform.logger),
    // The handler turns unexpected errors into problem documents.
    onAPIError: { throw: true },
    emailAndPassword: {
      enabled: true,
      // Otherwise a sign-in would reveal whether the sign-up before it created the account.
      requireEmailVerification: settings.confirmSignUp,
      minPasswordLength: passwordLength.minimum,
      maxPasswordLength: passwordLength.maximum,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: linkLifetime.reset,
      sendResetPassword: mails.passwordReset,
      onPasswordReset: async ({ user }) => {
        await verifyAddressByReset(storage.executor(), user, platform.clock.now());
        await mails.passwordChanged(user);
      },
      password: passwordFunctions(current),
    },
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: linkLifetime.verification,
      sendVerificationEmail: mails.verification,
    },
    user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
    session: {
      expiresIn: sessionLifetime.expiresIn / 1000,
      updateAge: sessionLifetime.updateAge / 1000,
      // Otherwise users could not list their sessions, to end one, a day after they signed in.
      freshAge: 0,
    },
    // A scheduled job deletes expired rows. Otherwise every look-up would.
    verification: {
      storeIdentifier: { default: "hashed", overrides: storedIdentifiers() },
      disableCleanup: true,
    },
    databaseHooks: databaseHooks(platform, storage, current),
    plugins: plugins(),
    advanced: {
      database: { generateId: ({ model }: { model: string }) => makeId(platform, model) },
      ipAddress: { ipAddressHeaders: [addressHeader], ipv6Subnet: 128 },
      cookiePrefix,
      useSecureCookies: isSecure(settings.baseUrl),
      disableCSRFCheck: false,
      // Explicit, because better-auth skips the check when it detects a test.
      disableOriginCheck: false,
    },
  } satisfies BetterAuthOptions;
}

function passwordFunctions(current: () => PasswordUse | undefined) {
  return {
    hash: async (password: string) => current()?.hashed ?? hashPassword(password),
    verify: async (given: { hash: string; password: string }) => {
      const matches = await verifyPassword(given);
      const use = current();
      if (matches && use) use.matched = given.hash;
      return matches;
    },
  };
}

function storedIdentifiers() {
  return Object.fromEntries(
    Object.entries(identifierPrefixes).map(([prefix, stored]) => [
      prefix,
      {
        hash: async (identifier: string) => `${stored}${hash("sha256", identifier, "base64url")}`,
      },
    ]),
  );
}

function plugins() {
  const access = createAccessControl({
    user: ["create", "list", "get", "update", "set-role", "ban", "delete"],
    session: ["list", "revoke", "delete"],
  });
  // Without impersonate, set-password and set-email: each would let an administrator take over any account.
  const administrator = access.newRole(access.statements);
  const roles = { admin: administrator, user: access.newRole({ user: [], session: [] }) };
  return [
    apiKey({
      enableSessionForAPIKeys: true,
      enableMetadata: true,
      defaultPrefix: "purser_",
      rateLimit: { enabled: false },
      // In days.
      keyExpiration: { minExpiresIn: 0, maxExpiresIn: 3650 },
      maximumNameLength: 200,
      startingCharactersConfig: { charactersLength: 11 },
    }),
    twoFactor({ issuer: "Purser", accountLockout: { enabled: false } }),
    admin({ ac: access, roles }),
    // After twoFactor. Otherwise a sign-in without the second factor would return the token of a deleted session.
    bearer({ requireSignature: true }),
  ];
}

function databaseHooks(platform: IdentityPlatform, storage: Storage, current: () => PasswordUse | undefined) {
  const { clock, settings, identityHooks } = platform;
  const grant = async (userId: string) => {
    if (settings.adminEmails.length === 0) return;
    await grantVerified(storage.executor(), userId, settings.adminEmails, clock.now());
  };
  return {
    user: {
      create: { after: (user) => grant(user.id) },
      update: {
        after: async (user: { id: string } | null, context: GenericEndpointContext | null) => {
          // Null if the user was deleted in the meantime.
          if (user === null) return;
          // Only a verified address grants. After any other change, it would undo a demotion in the same request.
          if (context?.path === "/verify-email") await grant(user.id);
        },
      },
      delete: {
        before: (user, context) =>
          storage.transact(async (transaction) => {
            await lockUser(transaction, user.id);
            await identityHooks.userDeleted(transaction, user.id, callerOf(context));
          }),
      },
    },
    session: {
      create: {
        before: keepShort,
        after: (session) => {
          const use = current();
          if (use) use.session = session;
          return grant(session.userId);
        },
      },
      update: { before: keepShort },
    },
  } satisfies BetterAuthOptions["databaseHooks"];
}

/** Returns the user of the session that a request came with. */
function callerOf(context: GenericEndpointContext | null) {
  const user = context?.context.session?.user;
  return user ? { id: user.id, name: user.name } : null;
}

function makeId({ clock }: Platform, model: string): string {
  const prefix = prefixes[model];
  if (prefix === undefined) throw new Error(`better-auth uses a model without a table: ${model}`);
  return newId(prefix, clock.now());
}

/**
 * Keeps a short session short, and one that replaces it. better-auth recognizes it by a cookie, which a program with a
 * bearer token does not send.
 */
async function keepShort(_: unknown, context: GenericEndpointContext | null) {
  const current = context?.context.session?.session;
  return current && isShortSession(current) ? { data: { expiresAt: current.expiresAt } } : undefined;
}
