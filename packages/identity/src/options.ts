import { apiKey } from "@better-auth/api-key";
import { type IdPrefix, newId } from "@purser/core";
import type { Platform } from "@purser/platform";
import type { Settings } from "@purser/platform/settings";
import type { BetterAuthOptions } from "better-auth";
import { hashPassword } from "better-auth/crypto";
import { admin, bearer, twoFactor } from "better-auth/plugins";
import { createAccessControl } from "better-auth/plugins/access";
import { logTo } from "./better-auth-logger.ts";
import type { IdentityPlatform } from "./context.ts";
import { disabledEndpoints } from "./endpoints.ts";
import { createMails, linkLifetime } from "./mails.ts";
import { sessionLifetime } from "./resolve-caller.ts";
import type { Storage } from "./storage.ts";
import { grantVerified, lockUser, proveByReset } from "./store.ts";

/** The header in which the handler tells better-auth the client's address; what comes from outside is removed. */
export const addressHeader = "x-purser-client-address";

/** Passwords have between so many characters. */
export const passwordLength = { minimum: 8, maximum: 128 };

/** What better-auth calls its cookies. */
export function cookieName({ baseUrl }: Settings, name: "session_token" | "two_factor"): string {
  return `${isSecure(baseUrl) ? "__Secure-" : ""}${cookiePrefix}.${name}`;
}

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

/** What better-auth is told. Passwords that were hashed ahead of a transaction are in `hashed`. */
export function authOptions(platform: IdentityPlatform, storage: Storage, hashed: () => string | undefined) {
  const { settings } = platform;
  const mails = createMails(platform, storage);
  return {
    appName: "Purser",
    baseURL: settings.baseUrl,
    basePath: "/api/auth",
    secret: settings.authSecret,
    trustedOrigins: [...settings.trustedOrigins],
    database: storage.adapter,
    disabledPaths: disabledEndpoints,
    // Limits of ours stand before it: its own count neither exactly nor by account.
    rateLimit: { enabled: false },
    telemetry: { enabled: false },
    logger: logTo(platform.logger),
    // What is not one of its own errors comes to the handler, which knows how to tell it.
    onAPIError: { throw: true },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: passwordLength.minimum,
      maxPasswordLength: passwordLength.maximum,
      revokeSessionsOnPasswordReset: true,
      resetPasswordTokenExpiresIn: linkLifetime.reset,
      sendResetPassword: mails.passwordReset,
      onPasswordReset: ({ user }) => proveByReset(storage.executor(), user, platform.clock.now()),
      password: { hash: async (password: string) => hashed() ?? hashPassword(password) },
    },
    emailVerification: {
      sendOnSignUp: true,
      expiresIn: linkLifetime.verification,
      sendVerificationEmail: mails.verification,
    },
    user: { changeEmail: { enabled: true }, deleteUser: { enabled: true } },
    session: { expiresIn: sessionLifetime.expiresIn / 1000, updateAge: sessionLifetime.updateAge / 1000 },
    // Expired ones go with a scheduled job, not with every look-up.
    verification: { storeIdentifier: "hashed", disableCleanup: true },
    databaseHooks: databaseHooks(platform, storage),
    plugins: plugins(),
    advanced: {
      database: { generateId: ({ model }: { model: string }) => makeId(platform, model) },
      ipAddress: { ipAddressHeaders: [addressHeader], ipv6Subnet: 128 },
      cookiePrefix,
      useSecureCookies: isSecure(settings.baseUrl),
      disableCSRFCheck: false,
      // Said aloud because better-auth leaves the check out where it finds itself in a test.
      disableOriginCheck: false,
    },
  } satisfies BetterAuthOptions;
}

function plugins() {
  const access = createAccessControl({
    user: ["create", "list", "get", "update", "set-role", "ban", "delete"],
    session: ["list", "revoke", "delete"],
  });
  // Without impersonate, set-password and set-email: each would let an administrator become anybody.
  const administrator = access.newRole(access.statements);
  const roles = { admin: administrator, user: access.newRole({ user: [], session: [] }) };
  return [
    apiKey({
      enableSessionForAPIKeys: true,
      enableMetadata: true,
      defaultPrefix: "purser_",
      rateLimit: { enabled: false },
      keyExpiration: { minExpiresIn: 0 },
      startingCharactersConfig: { charactersLength: 11 },
    }),
    twoFactor({ issuer: "Purser", accountLockout: { enabled: false } }),
    admin({ ac: access, roles }),
    // After twoFactor, or a half-finished sign-in would be given the token of a session that is gone again.
    bearer({ requireSignature: true }),
  ];
}

function databaseHooks(platform: IdentityPlatform, storage: Storage) {
  const { clock, settings, identityHooks } = platform;
  const grant = async (userId: string) => {
    if (settings.adminEmails.length === 0) return;
    await grantVerified(storage.executor(), userId, settings.adminEmails, clock.now());
  };
  return {
    user: {
      create: { after: (user) => grant(user.id) },
      // Null where the user was gone in the meantime.
      update: { after: async (user: { id: string } | null) => (user === null ? undefined : grant(user.id)) },
      delete: {
        before: (user) =>
          storage.transact(async (transaction) => {
            await lockUser(transaction, user.id);
            await identityHooks.userDeleted(transaction, user.id);
          }),
      },
    },
    session: { create: { after: (session) => grant(session.userId) } },
  } satisfies BetterAuthOptions["databaseHooks"];
}

function makeId({ clock }: Platform, model: string): string {
  const prefix = prefixes[model];
  if (prefix === undefined) throw new Error(`better-auth has a model that we have no table for: ${model}`);
  return newId(prefix, clock.now());
}
