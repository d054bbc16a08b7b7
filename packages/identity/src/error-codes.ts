import { apiKey } from "@better-auth/api-key";
import { BASE_ERROR_CODES } from "better-auth";
import { admin } from "better-auth/plugins/admin";
import { twoFactor } from "better-auth/plugins/two-factor";
import { concurrentChange } from "./contract/objects.ts";

/** The codes that only responses under /api/auth have, with a sentence each: those of better-auth, and ours. */
export const authErrorCodes: Readonly<Record<string, string>> = {
  ...concurrentChange,
  ...Object.fromEntries(
    [BASE_ERROR_CODES, apiKey().$ERROR_CODES, twoFactor().$ERROR_CODES, admin().$ERROR_CODES]
      .flatMap((codes) => Object.values(codes))
      .map(({ code, message }) => [code, /[.!]$/.test(message) ? message : `${message}.`]),
  ),
};
