import type { endpoints } from "../endpoints.ts";

/**
 * What an attacker could try at an endpoint. Each offered endpoint needs an entry, which states the
 * generated attacks that it must withstand.
 */
export type Exposure =
  /** Checks the caller's or the named account's password. */
  | "a password"
  /** Checks a one-time code. */
  | "a code"
  /** Takes an address, and sends a mail or creates an account. */
  | "an address"
  /** Takes a token of a mail that cannot be guessed. */
  | "a token"
  /** Needs an administrator's session and checks no secret. */
  | "administration"
  /** Needs the caller's session, or nothing, and checks no secret. */
  | "a session";

export const exposures: Readonly<Record<keyof typeof endpoints, Exposure>> = {
  "/sign-up/email": "an address",
  "/sign-in/email": "a password",
  "/sign-out": "a session",
  "/get-session": "a session",
  "/list-sessions": "a session",
  "/revoke-session": "a session",
  "/revoke-sessions": "a session",
  "/revoke-other-sessions": "a session",
  "/verify-email": "a token",
  "/send-verification-email": "an address",
  "/request-password-reset": "an address",
  "/reset-password": "a token",
  "/change-password": "a password",
  "/change-email": "an address",
  "/update-user": "a session",
  "/delete-user": "a password",
  "/list-accounts": "a session",
  "/two-factor/enable": "a password",
  "/two-factor/disable": "a password",
  "/two-factor/get-totp-uri": "a password",
  "/two-factor/generate-backup-codes": "a password",
  "/two-factor/verify-totp": "a code",
  "/two-factor/verify-backup-code": "a code",
  "/api-key/create": "a session",
  "/api-key/get": "a session",
  "/api-key/list": "a session",
  "/api-key/update": "a session",
  "/api-key/delete": "a session",
  "/admin/list-users": "administration",
  "/admin/get-user": "administration",
  "/admin/create-user": "administration",
  "/admin/update-user": "administration",
  "/admin/set-role": "administration",
  "/admin/ban-user": "administration",
  "/admin/unban-user": "administration",
  "/admin/remove-user": "administration",
  "/admin/list-user-sessions": "administration",
  "/admin/revoke-user-session": "administration",
  "/admin/revoke-user-sessions": "administration",
  "/admin/has-permission": "administration",
};
