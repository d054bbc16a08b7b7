export { type Auth, createAuth } from "./auth.ts";
export type { IdentityPlatform } from "./context.ts";
export type { IdentityHooks } from "./hooks.ts";
export { type UserProfile, findUserIdByEmail, findUsers, hasUserBeside } from "./store.ts";
