/** What we do around an endpoint of better-auth. */
export interface Endpoint {
  /** It takes a secret or sends a mail: each use counts against the address it comes from. */
  attempt?: true;
  /** Failures count against an account: the e-mail of the body, the caller's, or the one half signed in. */
  account?: "email" | "caller" | "challenge";
  /** The field that names who gets a mail; nobody is to be flooded with them. */
  mails?: "email" | "newEmail";
  /** All of its statements are one transaction, which an error undoes. */
  atomic?: true;
  /** The field with a new password. better-auth itself does not hold all of them to the same limits. */
  sets?: "password" | "newPassword";
  /** The new password is hashed before the transaction, which would else wait for that. */
  hashes?: true;
}

/** Every endpoint under /api/auth that is offered; whatever else better-auth has or will have is not found. */
export const endpoints: Readonly<Record<string, Readonly<Partial<Record<"GET" | "POST", Endpoint>>>>> = {
  "/sign-up/email": { POST: { attempt: true, sets: "password", hashes: true } },
  "/sign-in/email": { POST: { attempt: true, account: "email" } },
  "/sign-out": { POST: {} },
  "/get-session": { GET: {} },
  "/list-sessions": { GET: {} },
  "/revoke-session": { POST: {} },
  "/revoke-sessions": { POST: {} },
  "/revoke-other-sessions": { POST: {} },
  "/verify-email": { GET: {} },
  "/send-verification-email": { POST: { attempt: true, mails: "email" } },
  "/request-password-reset": { POST: { attempt: true, mails: "email" } },
  "/reset-password": { POST: { attempt: true, atomic: true, sets: "newPassword", hashes: true } },
  "/change-password": { POST: { attempt: true, account: "caller", sets: "newPassword" } },
  "/change-email": { POST: { attempt: true, mails: "newEmail" } },
  "/update-user": { POST: {} },
  "/delete-user": { POST: { attempt: true, account: "caller", atomic: true } },
  "/list-accounts": { GET: {} },
  "/two-factor/enable": { POST: { attempt: true, account: "caller" } },
  "/two-factor/disable": { POST: { attempt: true, account: "caller" } },
  "/two-factor/get-totp-uri": { POST: { attempt: true, account: "caller" } },
  "/two-factor/generate-backup-codes": { POST: { attempt: true, account: "caller" } },
  "/two-factor/verify-totp": { POST: { attempt: true, account: "challenge" } },
  "/two-factor/verify-backup-code": { POST: { attempt: true, account: "challenge" } },
  "/api-key/create": { POST: {} },
  "/api-key/get": { GET: {} },
  "/api-key/list": { GET: {} },
  "/api-key/update": { POST: {} },
  "/api-key/delete": { POST: {} },
  "/admin/list-users": { GET: {} },
  "/admin/get-user": { GET: {} },
  "/admin/create-user": { POST: { sets: "password" } },
  "/admin/update-user": { POST: {} },
  "/admin/set-role": { POST: {} },
  "/admin/ban-user": { POST: {} },
  "/admin/unban-user": { POST: {} },
  "/admin/remove-user": { POST: { atomic: true } },
  "/admin/list-user-sessions": { POST: {} },
  "/admin/revoke-user-session": { POST: {} },
  "/admin/revoke-user-sessions": { POST: {} },
  "/admin/has-permission": { POST: {} },
};

/**
 * What better-auth would answer and we withhold. Impersonation and setting passwords would open every
 * organization to an administrator; the rest belongs to ways of signing in that we do not have.
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
