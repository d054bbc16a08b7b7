// Generated from the contracts of the router and of /api/auth by `pnpm generate`. Edit the contracts instead.

export const authOperations = ["POST /sign-up/email session","POST /sign-in/email session","POST /sign-out","GET /get-session","GET /list-sessions","POST /revoke-session","POST /revoke-sessions","POST /revoke-other-sessions","GET /verify-email once","POST /send-verification-email","POST /request-password-reset","POST /reset-password","POST /update-user","POST /change-password session","POST /change-email","GET /list-accounts","POST /delete-user","POST /two-factor/enable","POST /two-factor/verify-totp session","POST /two-factor/verify-backup-code session","POST /two-factor/get-totp-uri","POST /two-factor/generate-backup-codes","POST /two-factor/disable session","POST /api-key/create","GET /api-key/list","GET /api-key/get","POST /api-key/update","POST /api-key/delete"] as const;

/** Fields that hold dates, as text in JSON. */
export const authDateFields = ["banExpires","createdAt","updatedAt","expiresAt","lastRequest"];

/** Fields with whatever the caller stored. */
export const authOpaqueFields = ["metadata"];
