export { listEmailsWithPassword } from "./accounts.ts";
export { type AccountMail, identityJobs } from "./account-mails.ts";
export { type Auth, createAuth } from "./auth.ts";
export { authErrorCodes } from "./error-codes.ts";
export { type IdentityPlatform } from "./context.ts";
export { revokeAdministrator } from "./administrators.ts";
export { revokeApiKey, revokeApiKeysOf } from "./api-keys.ts";
export { removeSecondFactor, removeSecondFactors } from "./second-factors.ts";
export { listAdministrators } from "./store/users.ts";
