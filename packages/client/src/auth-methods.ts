import type { CallOptions } from "./options.ts";

/** A method of sign-in and accounts. */
export type AuthCall<Input, Output> = (
  ...call: undefined extends Input
    ? [input?: Input, options?: AuthCallOptions]
    : [input: Input, options?: AuthCallOptions]
) => Promise<Output>;

/** A method that opens a session. */
export type SessionCall<Input, Output> = AuthCall<Input, Output & OpenedSession>;

/** What a sign-in or a sign-up returns for the calls that follow. */
export interface OpenedSession {
  /** The `token` for the clients. Null if no session was opened. A browser with cookies does not need it. */
  bearerToken: string | null;
  /**
   * Outside a browser: what proves to `twoFactor.verifyTotp` and `.verifyBackupCode` that the password was right. A browser
   * keeps it in a cookie, and has null here.
   */
  challenge: string | null;
}

/** Options of one call of `/api/auth`. */
export interface AuthCallOptions extends CallOptions {
  /**
   * The `challenge` of a sign-in that a code completes. Pass it in a browser too, where it is null: a call with it sends no
   * token or API key of the client, because a stored one may have ended. Leave it out to switch a second factor on.
   *
   * ```ts
   * const { challenge } = await auth.signIn.email({ email, password });
   * const { bearerToken } = await auth.twoFactor.verifyTotp({ code }, { challenge });
   * ```
   */
  challenge?: string | null | undefined;
}
