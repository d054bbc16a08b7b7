import { accountOperations } from "./account.ts";
import { apiKeyOperations } from "./api-keys.ts";
import { signInOperations } from "./sign-in.ts";
import { twoFactorOperations } from "./two-factor.ts";

export { passwordLength } from "./objects.ts";
export { type AuthOperation } from "./operation.ts";

/** The operations under /api/auth that people and programs use. Those of administrators are not described yet. */
export const authOperations = [
  ...signInOperations,
  ...accountOperations,
  ...twoFactorOperations,
  ...apiKeyOperations,
];
