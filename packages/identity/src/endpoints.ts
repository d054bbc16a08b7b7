import type { AccountNotice } from "./notice-mails.ts";

/** The checks around an endpoint of better-auth. */
export interface Endpoint {
  /** Takes a secret or sends a mail. Each use counts against the client's address. */
  attempt?: true;
  /**
   * The account that failures count against: that of the e-mail in the body, the caller's, or that of the pending two-factor
   * sign-in.
   */
  account?: "email" | "caller" | "challenge";
  /** The field with the recipient of a mail. Mails are limited per recipient. */
  mails?: "email" | "newEmail";
  /** Checks a one-time code of an authenticator, which works once. */
  code?: true;
  /** A GET with an effect. */
  changes?: true;
  /** Success ends the trusted devices and pending sign-ins of the caller. */
  endsTrust?: true;
  /** Success ends the links in the caller's mails that set a password or change the address. */
  endsLinks?: true;
  /** Ends the other sessions of the caller. better-auth would end those of a list, one by one. */
  endsOthers?: true;
  /** Stores what outlives the session, so it waits for a concurrent password reset, which ends the session. */
  outlives?: true;
  /** What a mail tells the account's owner after a success, because another person may have caused it. */
  notifies?: AccountNotice;
  /** Runs in one transaction, which an error rolls back. */
  atomic?: true;
  /** The field with a new password. better-auth does not check the length everywhere. */
  sets?: "password" | "newPassword";
  /** Hashes the new password before the transaction, to keep the transaction short. */
  hashes?: true;
}

/** The HTTP methods of the endpoints under /api/auth. */
export type AuthMethod = "GET" | "POST";

/** Every offered endpoint under /api/auth. All others answer 404. */
export const endpoints: Readonly<Record<string, Readonly<Partial<Record<AuthMethod, Endpoint>>>>> = {
  "/sign-up/email": { POST: { attempt: true, sets: "password", hashes: true } },
  "/sign-in/email": { POST: { attempt: true, account: "email" } },
  "/sign-out": { POST: {} },
  "/get-session": { GET: {} },
  "/list-sessions": { GET: {} },
  "/revoke-session": { POST: {} },
  "/revoke-sessions": { POST: {} },
  "/revoke-other-sessions": { POST: { atomic: true, endsOthers: true } },
  "/verify-email": { GET: { attempt: true, atomic: true, changes: true } },
  "/send-verification-email": { POST: { attempt: true, mails: "email" } },
  "/request-password-reset": { POST: { attempt: true, mails: "email" } },
  "/reset-password": { POST: { attempt: true, atomic: true, sets: "newPassword", hashes: true } },
  "/change-password": {
    POST: {
      attempt: true,
      account: "caller",
      atomic: true,
      endsTrust: true,
      endsLinks: true,
      notifies: "password_changed",
      sets: "newPassword",
      hashes: true,
    },
  },
  "/change-email": { POST: { attempt: true, mails: "newEmail" } },
  "/update-user": { POST: {} },
  "/delete-user": {
    POST: { attempt: true, account: "caller", atomic: true, notifies: "account_deleted" },
  },
  "/list-accounts": { GET: {} },
  // Under the lock: otherwise it could replace the secret that a concurrent code has just proven.
  "/two-factor/enable": {
    // A sign-in may have renewed a device's trust while the former second factor was removed.
    POST: { attempt: true, account: "caller", atomic: true, endsTrust: true, outlives: true },
  },
  "/two-factor/disable": {
    POST: {
      attempt: true,
      account: "caller",
      atomic: true,
      endsTrust: true,
      notifies: "second_factor_off",
    },
  },
  "/two-factor/get-totp-uri": {
    POST: { attempt: true, account: "caller", notifies: "second_factor_shown" },
  },
  "/two-factor/generate-backup-codes": {
    POST: { attempt: true, account: "caller", atomic: true, notifies: "backup_codes_replaced" },
  },
  "/two-factor/verify-totp": {
    POST: { attempt: true, account: "challenge", code: true, notifies: "second_factor_on" },
  },
  "/two-factor/verify-backup-code": { POST: { attempt: true, account: "challenge" } },
  "/api-key/create": { POST: { attempt: true, atomic: true, outlives: true, notifies: "key_created" } },
  "/api-key/get": { GET: {} },
  "/api-key/list": { GET: {} },
  "/api-key/update": { POST: {} },
  "/api-key/delete": { POST: {} },
  "/admin/list-users": { GET: {} },
  "/admin/get-user": { GET: {} },
  // Hashes in its transaction: before it, better-auth has not refused a caller who is not an administrator.
  "/admin/create-user": { POST: { atomic: true, sets: "password" } },
  "/admin/update-user": { POST: {} },
  "/admin/set-role": { POST: {} },
  "/admin/ban-user": { POST: { atomic: true } },
  "/admin/unban-user": { POST: {} },
  "/admin/remove-user": { POST: { atomic: true } },
  "/admin/list-user-sessions": { POST: {} },
  "/admin/revoke-user-session": { POST: {} },
  "/admin/revoke-user-sessions": { POST: {} },
  "/admin/has-permission": { POST: {} },
};

/**
 * Endpoints of better-auth that are disabled. Impersonation and setting passwords would open every organization to an
 * administrator. The others belong to sign-in methods that the service does not offer.
 */
export const disabledEndpoints = [
  "/admin/impersonate-user",
  "/admin/stop-impersonating",
  "/admin/set-user-password",
  "/sign-in/social",
  "/callback/:id",
  "/link-social",
  "/unlink-account",
  "/refresh-token",
  "/get-access-token",
  "/account-info",
  "/update-session",
  "/verify-password",
  "/reset-password/:token",
  "/delete-user/callback",
  "/two-factor/send-otp",
  "/two-factor/verify-otp",
  "/ok",
  "/error",
];
