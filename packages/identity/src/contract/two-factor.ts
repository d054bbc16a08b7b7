import { explained } from "@purser/core";
import { z } from "zod";
import { AuthUser, Status, authFields, concurrentChange } from "./objects.ts";
import type { AuthOperation } from "./operation.ts";

const { password, code, trustDevice, backupCodes, totpURI } = authFields;

const SignedIn = z.object({
  token: authFields.sessionToken,
  user: AuthUser.meta(explained("The user.")),
});

export const twoFactorOperations: AuthOperation[] = [
  {
    method: "POST",
    path: "/two-factor/enable",
    summary:
      "Starts the setup of a second factor, and ends trusted devices. It is on once `two-factor/verify-totp` gets the first code of the authenticator.",
    returns: "What the authenticator scans, and the backup codes.",
    refusals: { 409: concurrentChange },
    input: z.strictObject({ password }),
    output: z.object({
      method: z.string().meta(explained("How codes are made: `totp`.", "totp")),
      totpURI,
      backupCodes,
    }),
  },
  {
    method: "POST",
    path: "/two-factor/verify-totp",
    summary:
      "Checks a code of the authenticator: the first one switches the second factor on, later ones complete a sign-in.",
    returns: "The user and the session's token.",
    public: true,
    opensSession: true,
    input: z.strictObject({ code, trustDevice }),
    output: SignedIn,
  },
  {
    method: "POST",
    path: "/two-factor/verify-backup-code",
    summary: "Completes a sign-in with a backup code. Each works once.",
    returns: "The user and the session's token.",
    public: true,
    opensSession: true,
    refusals: { 409: concurrentChange },
    input: z.strictObject({
      code: z.string().meta(explained("One of the ten backup codes.", "eJTht-pAkNt")),
      trustDevice,
    }),
    output: SignedIn,
  },
  {
    method: "POST",
    path: "/two-factor/get-totp-uri",
    summary: "Returns what an authenticator scans, for the setup of another one.",
    returns: "What the authenticator scans.",
    input: z.strictObject({ password }),
    output: z.object({ totpURI }),
  },
  {
    method: "POST",
    path: "/two-factor/generate-backup-codes",
    summary: "Replaces the backup codes. The old ones no longer work.",
    returns: "The new backup codes.",
    input: z.strictObject({ password }),
    output: Status.extend({ backupCodes }),
  },
  {
    method: "POST",
    path: "/two-factor/disable",
    summary: "Removes the second factor. Trusted devices and pending sign-ins end.",
    returns: "That the second factor is removed.",
    opensSession: true,
    input: z.strictObject({ password }),
    output: Status,
  },
];
