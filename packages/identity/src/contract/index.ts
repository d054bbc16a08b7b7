import { accountOperations } from "./account.ts";
import { administrationOperations } from "./administration.ts";
import { apiKeyOperations } from "./api-keys.ts";
import { signInOperations } from "./sign-in.ts";
import { twoFactorOperations } from "./two-factor.ts";

export { passwordLength } from "./objects.ts";
export { type AuthOperation } from "./operation.ts";

/** The operations under /api/auth that the typed client has methods for: those about the caller's own account. */
export const authClientOperations = [
  ...signInOperations,
  ...accountOperations,
  ...twoFactorOperations,
  ...apiKeyOperations,
];

/** All operations under /api/auth. */
export const authOperations = [...authClientOperations, ...administrationOperations];
