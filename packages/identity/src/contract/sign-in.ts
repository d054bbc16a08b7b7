import { explained, problemCatalog } from "@purser/core";
import { z } from "zod";
import {
  AuthSession,
  AuthUser,
  Status,
  Success,
  authFields,
  concurrentChange,
  exampleUser,
} from "./objects.ts";
import type { AuthOperation } from "./operation.ts";

const { email, password, newPassword, name, image, token, sessionToken } = authFields;

const callbackURL = z.string().optional();
const page = "https://app.demo.example/welcome";

const taken = {
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: "Another user has this address.",
};
const untrustedPage = {
  INVALID_CALLBACK_URL: "The `callbackURL` is neither a path nor an address of a trusted origin.",
};

export const signInOperations: AuthOperation[] = [
  {
    method: "POST",
    path: "/sign-up/email",
    summary:
      "Creates a user and opens a session, and sends a mail to confirm the address. With `CONFIRM_SIGN_UP`, the session waits for the confirmation, and the response is the same for known addresses.",
    returns: "The user and the session's token. Both are null with `CONFIRM_SIGN_UP`.",
    public: true,
    opensSession: true,
    refusals: { 403: { SIGN_UP_BY_INVITATION: problemCatalog.SIGN_UP_BY_INVITATION[1] }, 422: taken },
    input: z.strictObject({ email, password: newPassword, name, image: image.optional() }),
    output: z.object({
      token: sessionToken,
      user: AuthUser.nullable().meta(explained("The new user. Null with `CONFIRM_SIGN_UP`.")),
    }),
  },
  {
    method: "POST",
    path: "/sign-in/email",
    summary:
      "Signs a user in with the password. A user with a second factor gets `twoFactorRedirect` instead of a session: continue with `two-factor/verify-totp` and the cookies of this response.",
    returns: "The user and the session's token, or that a code is due.",
    public: true,
    opensSession: true,
    refusals: { 403: { BANNED_USER: "An administrator has banned the user.", ...untrustedPage } },
    input: z.strictObject({
      email,
      password,
      rememberMe: z
        .boolean()
        .optional()
        .meta(explained("Whether the cookie outlives the browser. True by default.", true)),
      callbackURL: callbackURL.meta(
        explained(
          "Where the browser continues: a path, or an address of a trusted origin. The response returns it as `url` and as its header `Location`.",
          page,
        ),
      ),
    }),
    output: z
      .object({
        token: sessionToken.optional(),
        user: AuthUser.optional().meta(explained("The user. Absent if a code is due.")),
        redirect: z
          .boolean()
          .optional()
          .meta(explained("Whether there is a `url`. Absent if a code is due.", false)),
        url: z
          .string()
          .optional()
          .meta(explained("The `callbackURL` of the request. Absent without one.", page)),
        twoFactorRedirect: z
          .literal(true)
          .optional()
          .meta(explained("A code of the authenticator is due. Absent if the sign-in is complete.", true)),
        twoFactorMethods: z
          .array(z.string())
          .optional()
          .meta(explained("How the code can be had. Absent if the sign-in is complete.", ["totp"])),
      })
      // Its fields exclude each other, so their examples are none of the whole.
      .meta({
        examples: [{ token: "DUIZeSF4Ma2hWz62XKemIS6sZXxg40C4", user: exampleUser, redirect: false }],
      }),
  },
  {
    method: "POST",
    path: "/sign-out",
    summary: "Ends the caller's session.",
    returns: "That the session has ended.",
    public: true,
    input: z.strictObject({}),
    output: Success,
  },
  {
    method: "GET",
    path: "/get-session",
    summary: "Returns the caller's session, and extends it if it is older than a day.",
    returns: "The session with its user, or null without one.",
    public: true,
    input: z.strictObject({}),
    output: z
      .object({
        session: AuthSession.meta(explained("The session.")),
        user: AuthUser.meta(explained("The user of the session.")),
      })
      .nullable(),
  },
  {
    method: "GET",
    path: "/list-sessions",
    summary: "Lists the sessions of the caller that have not ended, newest first.",
    returns: "The sessions, 1000 at most.",
    input: z.strictObject({}),
    output: z.array(AuthSession),
  },
  {
    method: "POST",
    path: "/revoke-session",
    summary: "Ends one session of the caller, for example on a lost phone.",
    returns: "That the session has ended.",
    input: z.strictObject({ token: AuthSession.shape.token }),
    output: Status,
  },
  {
    method: "POST",
    path: "/revoke-sessions",
    summary: "Ends all sessions of the caller, this one included.",
    returns: "That the sessions have ended.",
    input: z.strictObject({}),
    output: Status,
  },
  {
    method: "POST",
    path: "/revoke-other-sessions",
    summary: "Ends all sessions of the caller but this one.",
    returns: "That the sessions have ended.",
    input: z.strictObject({}),
    output: Status,
  },
  {
    method: "GET",
    path: "/verify-email",
    summary:
      "Confirms an address by the link in a mail. It redirects to `callbackURL` if there is one. A link to a new address needs the session of its user.",
    returns: "That the address is confirmed.",
    public: true,
    usesUpToken: true,
    refusals: {
      403: {
        FORBIDDEN: "The link to a new address is another user's, or was used before.",
        ...untrustedPage,
      },
      422: taken,
    },
    input: z.strictObject({
      token,
      callbackURL: callbackURL.meta(
        explained("Where the browser continues: a path, or an address of a trusted origin.", page),
      ),
    }),
    output: Status.extend({
      user: AuthUser.nullable().meta(
        explained("The user after a change of the address. Null for a confirmation."),
      ),
    }),
  },
  {
    method: "POST",
    path: "/send-verification-email",
    summary: "Sends the mail that confirms an address again. The response is the same for every address.",
    returns: "That a mail follows if there is something to confirm.",
    public: true,
    input: z.strictObject({ email }),
    output: Status,
  },
  {
    method: "POST",
    path: "/request-password-reset",
    summary: "Sends a mail with a link to choose a new password. The response is the same for every address.",
    returns: "That a mail follows if there is an account.",
    public: true,
    input: z.strictObject({ email }),
    output: Status.extend({
      message: z
        .string()
        .meta(
          explained(
            "The same as a sentence.",
            "If this email exists in our system, check your email for the reset link",
          ),
        ),
    }),
  },
  {
    method: "POST",
    path: "/reset-password",
    summary: "Sets a new password by the link in a mail. All sessions and trusted devices end.",
    returns: "That the password is set.",
    public: true,
    refusals: { 409: concurrentChange },
    input: z.strictObject({ token, newPassword }),
    output: Status,
  },
];
