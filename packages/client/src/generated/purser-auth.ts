// Generated from the contracts of the router and of /api/auth by `pnpm generate`. Edit the contracts instead.

import type { AuthCall, SessionCall } from "../auth-methods.ts";

/** A user's account. */
export interface AuthUser {
  /**
   * The id of the user, not of the membership.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  id: string;
  /**
   * The user's name, on one line.
   *
   * @example "Demo Owner"
   */
  name: string;
  /**
   * The user's e-mail address, in lower case.
   *
   * @example "owner@demo.example"
   */
  email: string;
  /**
   * Whether the address is confirmed. Where the service requires that, as it does in production by default, invitations, and creating keys of an organization and webhook endpoints, need it.
   *
   * @example true
   */
  emailVerified: boolean;
  /**
   * The address of the user's picture. Null if there is none.
   *
   * @example "https://demo.example/owner.png"
   */
  image: string | null;
  /**
   * Whether a sign-in with the password asks for a one-time code as well.
   *
   * @example false
   */
  twoFactorEnabled: boolean;
  /**
   * The role in the service: `user` or `admin`. It is no right in any organization.
   *
   * @example "user"
   */
  role: "user" | "admin";
  /**
   * Whether an administrator has banned the user.
   *
   * @example false
   */
  banned: boolean | null;
  /**
   * Why the user is banned. Null without a reason.
   *
   * @example null
   */
  banReason: string | null;
  /**
   * When the ban ends. Null without a ban, and for a ban without an end.
   *
   * @example null
   */
  banExpires: Date | null;
  /**
   * When it was created.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  createdAt: Date;
  /**
   * When it last changed.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  updatedAt: Date;
}

/** A session of a user. */
export interface AuthSession {
  /**
   * The session's id.
   *
   * @example "ses_01km4d3f90e4jbtw4sm4p1k8qz"
   */
  id: string;
  /**
   * The name of the session for `revoke-session`. It is not the bearer token, which carries a signature as well.
   *
   * @example "DUIZeSF4Ma2hWz62XKemIS6sZXxg40C4"
   */
  token: string;
  /**
   * The id of the user, not of the membership.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  userId: string;
  /**
   * When the session ends without further use.
   *
   * @example new Date("2026-03-09T09:15:00.000Z")
   */
  expiresAt: Date;
  /**
   * The address of the sign-in.
   *
   * @example "203.0.113.7"
   */
  ipAddress: string | null;
  /**
   * The program of the sign-in.
   *
   * @example "Mozilla/5.0"
   */
  userAgent: string | null;
  /** Always null: no user can act as another one. Absent from the session of an API key. */
  impersonatedBy?: null | undefined;
  /**
   * When it was created.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  createdAt: Date;
  /**
   * When it last changed.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  updatedAt: Date;
}

/** A way to sign in. */
export interface AuthAccount {
  /**
   * The id of the way to sign in.
   *
   * @example "acc_01km4d3f90e4jbtw4sm4p1k8qz"
   */
  id: string;
  /**
   * The user's name there: the user's id.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  accountId: string;
  /**
   * Who checks the sign-in: `credential`, the password.
   *
   * @example "credential"
   */
  providerId: string;
  /**
   * The id of the user, not of the membership.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  userId: string;
  /**
   * Always empty.
   *
   * @example []
   */
  scopes: string[];
  /**
   * When it was created.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  createdAt: Date;
  /**
   * When it last changed.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  updatedAt: Date;
}

/** A new API key. */
export interface CreatedApiKey {
  /**
   * The key's id.
   *
   * @example "key_01km4d7zh0e9y8w1r9x1v2c3n4"
   */
  id: string;
  /**
   * What the key is for. Null without a name.
   *
   * @example "Nightly export"
   */
  name: string | null;
  /**
   * The first characters, for people to distinguish keys.
   *
   * @example "purser_YZui"
   */
  start: string | null;
  /**
   * What every key starts with.
   *
   * @example "purser_"
   */
  prefix: string | null;
  /**
   * The id of the user that the key acts as.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  referenceId: string;
  /**
   * Whether the key works.
   *
   * @example true
   */
  enabled: boolean;
  /**
   * When the key ends. Null if it does not.
   *
   * @example new Date("2027-03-01T00:00:00.000Z")
   */
  expiresAt: Date | null;
  /**
   * The last use, to the minute. Null if it was never used.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  lastRequest: Date | null;
  /**
   * What the caller stored with the key, up to 16 kB. Null if nothing.
   *
   * @example { purpose: "reports" }
   */
  metadata: Record<string, unknown> | null;
  /**
   * When it was created.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  createdAt: Date;
  /**
   * When it last changed.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  updatedAt: Date;
  /**
   * The key itself.
   *
   * @example "purser_YZuiAuXEEgSZqutDEkmeyZIfDlzjjKsSzpkBUuhNDOXqalKkCrrTelggDGvyVrmt"
   */
  key: string;
}

/** An API key of the caller, without the key itself. */
export interface ApiKey {
  /**
   * The key's id.
   *
   * @example "key_01km4d7zh0e9y8w1r9x1v2c3n4"
   */
  id: string;
  /**
   * What the key is for. Null without a name.
   *
   * @example "Nightly export"
   */
  name: string | null;
  /**
   * The first characters, for people to distinguish keys.
   *
   * @example "purser_YZui"
   */
  start: string | null;
  /**
   * What every key starts with.
   *
   * @example "purser_"
   */
  prefix: string | null;
  /**
   * The id of the user that the key acts as.
   *
   * @example "user_01kk50swh0e8atbt5dsgwe4b7x"
   */
  referenceId: string;
  /**
   * Whether the key works.
   *
   * @example true
   */
  enabled: boolean;
  /**
   * When the key ends. Null if it does not.
   *
   * @example new Date("2027-03-01T00:00:00.000Z")
   */
  expiresAt: Date | null;
  /**
   * The last use, to the minute. Null if it was never used.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  lastRequest: Date | null;
  /**
   * What the caller stored with the key, up to 16 kB. Null if nothing.
   *
   * @example { purpose: "reports" }
   */
  metadata: Record<string, unknown> | null;
  /**
   * When it was created.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  createdAt: Date;
  /**
   * When it last changed.
   *
   * @example new Date("2026-03-02T09:15:00.000Z")
   */
  updatedAt: Date;
}

export interface AuthSignUpEmailInput {
  /**
   * An e-mail address. Upper and lower case are the same, and lower case is stored.
   *
   * @example "new@demo.example"
   */
  email: string;
  /**
   * The new password: 8 to 128 characters.
   *
   * @example "correct horse battery"
   */
  password: string;
  /**
   * The user's name: 1 to 200 characters on one line.
   *
   * @example "Demo Owner"
   */
  name: string;
  /**
   * The address of the user's picture. Null if there is none.
   *
   * @example "https://demo.example/owner.png"
   */
  image?: string | null | undefined;
}

export interface AuthSignUpEmailOutput {
  /**
   * The session's token, without its signature. The bearer token is the header `set-auth-token`. Null without a new session.
   *
   * @example "DUIZeSF4Ma2hWz62XKemIS6sZXxg40C4"
   */
  token: string | null;
  /** The new user. Null with `CONFIRM_SIGN_UP`. */
  user: AuthUser | null;
}

export interface AuthSignInEmailInput {
  /**
   * An e-mail address. Upper and lower case are the same, and lower case is stored.
   *
   * @example "new@demo.example"
   */
  email: string;
  /**
   * The present password.
   *
   * @example "purser-demo-1"
   */
  password: string;
  /**
   * Whether the cookie outlives the browser. True by default.
   *
   * @example true
   */
  rememberMe?: boolean | undefined;
  /**
   * Where the browser continues: a path, or an address of a trusted origin. The response returns it as `url` and as its header `Location`.
   *
   * @example "https://app.demo.example/welcome"
   */
  callbackURL?: string | undefined;
}

export interface AuthSignInEmailOutput {
  /**
   * The session's token, without its signature. The bearer token is the header `set-auth-token`. Null without a new session.
   *
   * @example "DUIZeSF4Ma2hWz62XKemIS6sZXxg40C4"
   */
  token?: string | null | undefined;
  /** The user. Absent if a code is due. */
  user?: AuthUser | undefined;
  /**
   * Whether there is a `url`. Absent if a code is due.
   *
   * @example false
   */
  redirect?: boolean | undefined;
  /**
   * The `callbackURL` of the request. Absent without one.
   *
   * @example "https://app.demo.example/welcome"
   */
  url?: string | undefined;
  /**
   * A code of the authenticator is due. Absent if the sign-in is complete.
   *
   * @example true
   */
  twoFactorRedirect?: true | undefined;
  /**
   * How the code can be had. Absent if the sign-in is complete.
   *
   * @example ["totp"]
   */
  twoFactorMethods?: string[] | undefined;
}

export type AuthSignOutInput = Record<string, never>;

export interface AuthSignOutOutput {
  /**
   * Always true. A refusal is an error.
   *
   * @example true
   */
  success: true;
}

export type AuthGetSessionInput = Record<string, never>;

export type AuthGetSessionOutput = {
  /** The session. */
  session: AuthSession;
  /** The user of the session. */
  user: AuthUser;
} | null;

export type AuthListSessionsInput = Record<string, never>;

export interface AuthRevokeSessionInput {
  /**
   * The name of the session for `revoke-session`. It is not the bearer token, which carries a signature as well.
   *
   * @example "DUIZeSF4Ma2hWz62XKemIS6sZXxg40C4"
   */
  token: string;
}

export interface AuthRevokeSessionOutput {
  /**
   * Always true. A refusal is an error.
   *
   * @example true
   */
  status: true;
}

export type AuthRevokeSessionsInput = Record<string, never>;

export interface AuthRevokeSessionsOutput {
  /**
   * Always true. A refusal is an error.
   *
   * @example true
   */
  status: true;
}

export type AuthRevokeOtherSessionsInput = Record<string, never>;

export interface AuthRevokeOtherSessionsOutput {
  /**
   * Always true. A refusal is an error.
   *
   * @example true
   */
  status: true;
}

export interface AuthVerifyEmailInput {
  /**
   * The token from the link in the mail. It works once.
   *
   * @example "r8Jx0mZqT1"
   */
  token: string;
}

export interface AuthVerifyEmailOutput {
  /**
   * Always true. A refusal is an error.
   *
   * @example true
   */
  status: true;
  /** The user after a change of the address. Null for a confirmation. */
  user: AuthUser | null;
}

export interface AuthSendVerificationEmailInput {
  /**
   * An e-mail address. Upper and lower case are the same, and lower case is stored.
   *
   * @example "new@demo.example"
   */
  email: string;
}

export interface AuthSendVerificationEmailOutput {
  /**
   * Always true. A refusal is an error.
   *
   * @example true
   */
  status: true;
}

export interface AuthRequestPasswordResetInput {
  /**
   * An e-mail address. Upper and lower case are the same, and lower case is stored.
   *
   * @example "new@demo.example"
   */
  email: string;
}

export interface AuthRequestPasswordResetOutput {
  /**
   * Always true. A refusal is an error.
   *
   * @example true
   */
  status: true;
  /**
   * The same as a sentence.
   *
   * @example "If this email exists in our system, check your email for the reset link"
   */
  message: string;
}

export interface AuthResetPasswordInput {
  /**
   * The token from the link in the mail. It works once.
   *
   * @example "r8Jx0mZqT1"
   */
  token: string;
  /**
   * The new password: 8 to 128 characters.
   *
   * @example "correct horse battery"
   */
  newPassword: string;
}

export interface AuthResetPasswordOutput {
  /**
   * Always true. A refusal is an error.
   *
   * @example true
   */
  status: true;
}

export interface AuthUpdateUserInput {
  /**
   * The user's name: 1 to 200 characters on one line.
   *
   * @example "Demo Owner"
   */
  name?: string | undefined;
  /**
   * The address of the user's picture. Null if there is none.
   *
   * @example "https://demo.example/owner.png"
   */
  image?: string | null | undefined;
}

export interface AuthUpdateUserOutput {
  /**
   * Always true. A refusal is an error.
   *
   * @example true
   */
  status: true;
}

export interface AuthChangePasswordInput {
  /**
   * The present password.
   *
   * @example "purser-demo-1"
   */
  currentPassword: string;
  /**
   * The new password: 8 to 128 characters.
   *
   * @example "correct horse battery"
   */
  newPassword: string;
  /**
   * Whether all sessions end. The caller gets a new one. False by default.
   *
   * @example true
   */
  revokeOtherSessions?: boolean | undefined;
}

export interface AuthChangePasswordOutput {
  /**
   * The session's token, without its signature. The bearer token is the header `set-auth-token`. Null without a new session.
   *
   * @example "DUIZeSF4Ma2hWz62XKemIS6sZXxg40C4"
   */
  token: string | null;
  /** The user. */
  user: AuthUser;
}

export interface AuthChangeEmailInput {
  /**
   * An e-mail address. Upper and lower case are the same, and lower case is stored.
   *
   * @example "new@demo.example"
   */
  newEmail: string;
}

export interface AuthChangeEmailOutput {
  /**
   * Always true. A refusal is an error.
   *
   * @example true
   */
  status: true;
}

export type AuthListAccountsInput = Record<string, never>;

export interface AuthDeleteUserInput {
  /**
   * The present password.
   *
   * @example "purser-demo-1"
   */
  password: string;
}

export interface AuthDeleteUserOutput {
  /**
   * Always true. A refusal is an error.
   *
   * @example true
   */
  success: true;
  /**
   * The same as a sentence.
   *
   * @example "User deleted"
   */
  message: string;
}

export interface AuthTwoFactorEnableInput {
  /**
   * The present password.
   *
   * @example "purser-demo-1"
   */
  password: string;
}

export interface AuthTwoFactorEnableOutput {
  /**
   * How codes are made: `totp`.
   *
   * @example "totp"
   */
  method: string;
  /**
   * What an authenticator scans as a QR code.
   *
   * @example "otpauth://totp/Purser:owner%40demo.example?secret=L5GEYX2SHFPVC2LL&issuer=Purser&digits=6&period=30"
   */
  totpURI: string;
  /**
   * Ten codes that replace one of the authenticator, once each. They are not shown again.
   *
   * @example ["eJTht-pAkNt", "MOt0v-1xNcY"]
   */
  backupCodes: string[];
}

export interface AuthTwoFactorVerifyTotpInput {
  /**
   * The six digits that the authenticator shows now. A code works once.
   *
   * @example "123456"
   */
  code: string;
  /**
   * Whether this browser may sign in without a code for 30 days, as long as the password stays.
   *
   * @example false
   */
  trustDevice?: boolean | undefined;
}

export interface AuthTwoFactorVerifyTotpOutput {
  /**
   * The session's token, without its signature. The bearer token is the header `set-auth-token`. Null without a new session.
   *
   * @example "DUIZeSF4Ma2hWz62XKemIS6sZXxg40C4"
   */
  token: string | null;
  /** The user. */
  user: AuthUser;
}

export interface AuthTwoFactorVerifyBackupCodeInput {
  /**
   * One of the ten backup codes.
   *
   * @example "eJTht-pAkNt"
   */
  code: string;
  /**
   * Whether this browser may sign in without a code for 30 days, as long as the password stays.
   *
   * @example false
   */
  trustDevice?: boolean | undefined;
}

export interface AuthTwoFactorVerifyBackupCodeOutput {
  /**
   * The session's token, without its signature. The bearer token is the header `set-auth-token`. Null without a new session.
   *
   * @example "DUIZeSF4Ma2hWz62XKemIS6sZXxg40C4"
   */
  token: string | null;
  /** The user. */
  user: AuthUser;
}

export interface AuthTwoFactorGetTotpUriInput {
  /**
   * The present password.
   *
   * @example "purser-demo-1"
   */
  password: string;
}

export interface AuthTwoFactorGetTotpUriOutput {
  /**
   * What an authenticator scans as a QR code.
   *
   * @example "otpauth://totp/Purser:owner%40demo.example?secret=L5GEYX2SHFPVC2LL&issuer=Purser&digits=6&period=30"
   */
  totpURI: string;
}

export interface AuthTwoFactorGenerateBackupCodesInput {
  /**
   * The present password.
   *
   * @example "purser-demo-1"
   */
  password: string;
}

export interface AuthTwoFactorGenerateBackupCodesOutput {
  /**
   * Always true. A refusal is an error.
   *
   * @example true
   */
  status: true;
  /**
   * Ten codes that replace one of the authenticator, once each. They are not shown again.
   *
   * @example ["eJTht-pAkNt", "MOt0v-1xNcY"]
   */
  backupCodes: string[];
}

export interface AuthTwoFactorDisableInput {
  /**
   * The present password.
   *
   * @example "purser-demo-1"
   */
  password: string;
}

export interface AuthTwoFactorDisableOutput {
  /**
   * Always true. A refusal is an error.
   *
   * @example true
   */
  status: true;
}

export interface AuthApiKeyCreateInput {
  /**
   * What the key is for: 1 to 200 characters on one line.
   *
   * @example "Nightly export"
   */
  name?: string | undefined;
  /**
   * After how many seconds the key ends. If null or absent, it does not.
   *
   * @example 2592000
   */
  expiresIn?: number | null | undefined;
  /**
   * Anything to store with the key, up to 16 kB.
   *
   * @example { purpose: "reports" }
   */
  metadata?: Record<string, unknown> | undefined;
}

export interface AuthApiKeyListInput {
  /**
   * The maximum number of keys.
   *
   * @example 50
   */
  limit?: number | undefined;
  /**
   * How many keys to skip.
   *
   * @example 0
   */
  offset?: number | undefined;
}

export interface AuthApiKeyListOutput {
  /** The keys. */
  apiKeys: ApiKey[];
  /**
   * The number of all keys of the caller, 1000 at most.
   *
   * @example 2
   */
  total: number;
  /**
   * The limit of the request. Absent without one.
   *
   * @example 50
   */
  limit?: number | undefined;
  /**
   * The offset of the request. Absent without one.
   *
   * @example 0
   */
  offset?: number | undefined;
}

export interface AuthApiKeyGetInput {
  /**
   * The key's id.
   *
   * @example "key_01km4d7zh0e9y8w1r9x1v2c3n4"
   */
  id: string;
}

export interface AuthApiKeyUpdateInput {
  /**
   * The key's id.
   *
   * @example "key_01km4d7zh0e9y8w1r9x1v2c3n4"
   */
  keyId: string;
  /**
   * What the key is for: 1 to 200 characters on one line.
   *
   * @example "Nightly export"
   */
  name?: string | undefined;
  /**
   * Whether the key works.
   *
   * @example false
   */
  enabled?: boolean | undefined;
  /**
   * After how many seconds the key ends. If null or absent, it does not.
   *
   * @example 2592000
   */
  expiresIn?: number | null | undefined;
  /**
   * Anything to store with the key, up to 16 kB.
   *
   * @example { purpose: "reports" }
   */
  metadata?: Record<string, unknown> | undefined;
}

export interface AuthApiKeyDeleteInput {
  /**
   * The key's id.
   *
   * @example "key_01km4d7zh0e9y8w1r9x1v2c3n4"
   */
  keyId: string;
}

export interface AuthApiKeyDeleteOutput {
  /**
   * Always true. A refusal is an error.
   *
   * @example true
   */
  success: true;
}

/** Sign-up, sign-in, sessions, the second factor and API keys, as methods. */
export interface PurserAuth {
  signUp: {
    /**
     * Creates a user and opens a session, and sends a mail to confirm the address. With `CONFIRM_SIGN_UP`, the session waits for the confirmation, and the response is the same for known addresses.
     *
     * @returns The user and the session's token. Both are null with `CONFIRM_SIGN_UP`.
     *
     * @example
     * await auth.signUp.email({
     *   email: "new@demo.example",
     *   password: "correct horse battery",
     *   name: "Demo Owner",
     * });
     */
    email: SessionCall<AuthSignUpEmailInput, AuthSignUpEmailOutput>;
  };
  signIn: {
    /**
     * Signs a user in with the password. A user with a second factor gets `twoFactorRedirect` instead of a session: continue with `two-factor/verify-totp` and the cookies of this response.
     *
     * @returns The user and the session's token, or that a code is due.
     *
     * @example
     * await auth.signIn.email({ email: "new@demo.example", password: "purser-demo-1" });
     */
    email: SessionCall<AuthSignInEmailInput, AuthSignInEmailOutput>;
  };
  /**
   * Ends the caller's session.
   *
   * @returns That the session has ended.
   *
   * @example
   * await auth.signOut();
   */
  signOut: AuthCall<AuthSignOutInput | undefined, AuthSignOutOutput>;
  /**
   * Returns the caller's session, and extends it if it is older than a day.
   *
   * @returns The session with its user, or null without one.
   *
   * @example
   * await auth.getSession();
   */
  getSession: AuthCall<AuthGetSessionInput | undefined, AuthGetSessionOutput>;
  /**
   * Lists the sessions of the caller that have not ended, newest first.
   *
   * @returns The sessions, 1000 at most.
   *
   * @example
   * await auth.listSessions();
   */
  listSessions: AuthCall<AuthListSessionsInput | undefined, AuthSession[]>;
  /**
   * Ends one session of the caller, for example on a lost phone.
   *
   * @returns That the session has ended.
   *
   * @example
   * await auth.revokeSession({ token: "DUIZeSF4Ma2hWz62XKemIS6sZXxg40C4" });
   */
  revokeSession: AuthCall<AuthRevokeSessionInput, AuthRevokeSessionOutput>;
  /**
   * Ends all sessions of the caller, this one included.
   *
   * @returns That the sessions have ended.
   *
   * @example
   * await auth.revokeSessions();
   */
  revokeSessions: AuthCall<AuthRevokeSessionsInput | undefined, AuthRevokeSessionsOutput>;
  /**
   * Ends all sessions of the caller but this one.
   *
   * @returns That the sessions have ended.
   *
   * @example
   * await auth.revokeOtherSessions();
   */
  revokeOtherSessions: AuthCall<AuthRevokeOtherSessionsInput | undefined, AuthRevokeOtherSessionsOutput>;
  /**
   * Confirms an address by the link in a mail. It redirects to `callbackURL` if there is one. A link to a new address needs the session of its user.
   *
   * @returns That the address is confirmed.
   *
   * @example
   * await auth.verifyEmail({ token: "r8Jx0mZqT1" });
   */
  verifyEmail: AuthCall<AuthVerifyEmailInput, AuthVerifyEmailOutput>;
  /**
   * Sends the mail that confirms an address again. The response is the same for every address.
   *
   * @returns That a mail follows if there is something to confirm.
   *
   * @example
   * await auth.sendVerificationEmail({ email: "new@demo.example" });
   */
  sendVerificationEmail: AuthCall<AuthSendVerificationEmailInput, AuthSendVerificationEmailOutput>;
  /**
   * Sends a mail with a link to choose a new password. The response is the same for every address.
   *
   * @returns That a mail follows if there is an account.
   *
   * @example
   * await auth.requestPasswordReset({ email: "new@demo.example" });
   */
  requestPasswordReset: AuthCall<AuthRequestPasswordResetInput, AuthRequestPasswordResetOutput>;
  /**
   * Sets a new password by the link in a mail. All sessions and trusted devices end.
   *
   * @returns That the password is set.
   *
   * @example
   * await auth.resetPassword({ token: "r8Jx0mZqT1", newPassword: "correct horse battery" });
   */
  resetPassword: AuthCall<AuthResetPasswordInput, AuthResetPasswordOutput>;
  /**
   * Updates the caller's name or picture. Absent fields do not change; null removes the picture.
   *
   * @returns That the change is stored.
   *
   * @example
   * await auth.updateUser({ name: "Demo Owner" });
   */
  updateUser: AuthCall<AuthUpdateUserInput | undefined, AuthUpdateUserOutput>;
  /**
   * Sets a new password. Trusted devices and mailed links end.
   *
   * @returns The user, and the token of the new session if the others were ended.
   *
   * @example
   * await auth.changePassword({
   *   currentPassword: "purser-demo-1",
   *   newPassword: "correct horse battery",
   * });
   */
  changePassword: SessionCall<AuthChangePasswordInput, AuthChangePasswordOutput>;
  /**
   * Sends a mail with a link to the new address. The address changes when the link is opened.
   *
   * @returns That a mail follows.
   *
   * @example
   * await auth.changeEmail({ newEmail: "new@demo.example" });
   */
  changeEmail: AuthCall<AuthChangeEmailInput, AuthChangeEmailOutput>;
  /**
   * Lists how the caller can sign in.
   *
   * @returns The ways to sign in. The password is the only one.
   *
   * @example
   * await auth.listAccounts();
   */
  listAccounts: AuthCall<AuthListAccountsInput | undefined, AuthAccount[]>;
  /**
   * Deletes the caller's account, and freezes the cards that the caller holds. Refused while the caller is the creator or the only owner of an organization.
   *
   * @returns That the account is deleted.
   *
   * @example
   * await auth.deleteUser({ password: "purser-demo-1" });
   */
  deleteUser: AuthCall<AuthDeleteUserInput, AuthDeleteUserOutput>;
  twoFactor: {
    /**
     * Starts the setup of a second factor, and ends trusted devices. It is on once `two-factor/verify-totp` gets the first code of the authenticator.
     *
     * @returns What the authenticator scans, and the backup codes.
     *
     * @example
     * await auth.twoFactor.enable({ password: "purser-demo-1" });
     */
    enable: AuthCall<AuthTwoFactorEnableInput, AuthTwoFactorEnableOutput>;
    /**
     * Checks a code of the authenticator: the first one switches the second factor on, later ones complete a sign-in.
     *
     * @returns The user and the session's token.
     *
     * @example
     * await auth.twoFactor.verifyTotp({ code: "123456" });
     */
    verifyTotp: SessionCall<AuthTwoFactorVerifyTotpInput, AuthTwoFactorVerifyTotpOutput>;
    /**
     * Completes a sign-in with a backup code. Each works once.
     *
     * @returns The user and the session's token.
     *
     * @example
     * await auth.twoFactor.verifyBackupCode({ code: "eJTht-pAkNt" });
     */
    verifyBackupCode: SessionCall<AuthTwoFactorVerifyBackupCodeInput, AuthTwoFactorVerifyBackupCodeOutput>;
    /**
     * Returns what an authenticator scans, for the setup of another one.
     *
     * @returns What the authenticator scans.
     *
     * @example
     * await auth.twoFactor.getTotpUri({ password: "purser-demo-1" });
     */
    getTotpUri: AuthCall<AuthTwoFactorGetTotpUriInput, AuthTwoFactorGetTotpUriOutput>;
    /**
     * Replaces the backup codes. The old ones no longer work.
     *
     * @returns The new backup codes.
     *
     * @example
     * await auth.twoFactor.generateBackupCodes({ password: "purser-demo-1" });
     */
    generateBackupCodes: AuthCall<AuthTwoFactorGenerateBackupCodesInput, AuthTwoFactorGenerateBackupCodesOutput>;
    /**
     * Removes the second factor. Trusted devices and pending sign-ins end.
     *
     * @returns That the second factor is removed.
     *
     * @example
     * await auth.twoFactor.disable({ password: "purser-demo-1" });
     */
    disable: SessionCall<AuthTwoFactorDisableInput, AuthTwoFactorDisableOutput>;
  };
  apiKey: {
    /**
     * Creates an API key that acts as the caller. Send it in the header `x-api-key`.
     *
     * @returns The key. It is not shown again.
     *
     * @example
     * await auth.apiKey.create();
     */
    create: AuthCall<AuthApiKeyCreateInput | undefined, CreatedApiKey>;
    /**
     * Lists the API keys of the caller, newest first. Of more than 1000, it lists the newest 1000.
     *
     * @returns The keys, without the keys themselves.
     *
     * @example
     * await auth.apiKey.list();
     */
    list: AuthCall<AuthApiKeyListInput | undefined, AuthApiKeyListOutput>;
    /**
     * Returns an API key of the caller.
     *
     * @returns The key, without the key itself.
     *
     * @example
     * await auth.apiKey.get({ id: "key_01km4d7zh0e9y8w1r9x1v2c3n4" });
     */
    get: AuthCall<AuthApiKeyGetInput, ApiKey>;
    /**
     * Updates an API key of the caller. Absent fields do not change.
     *
     * @returns The key after the change, without the key itself.
     *
     * @example
     * await auth.apiKey.update({ keyId: "key_01km4d7zh0e9y8w1r9x1v2c3n4", name: "Nightly export" });
     */
    update: AuthCall<AuthApiKeyUpdateInput, ApiKey>;
    /**
     * Deletes an API key of the caller. It stops working immediately.
     *
     * @returns That the key is deleted.
     *
     * @example
     * await auth.apiKey.delete({ keyId: "key_01km4d7zh0e9y8w1r9x1v2c3n4" });
     */
    delete: AuthCall<AuthApiKeyDeleteInput, AuthApiKeyDeleteOutput>;
  };
}
