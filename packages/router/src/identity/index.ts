export { type Auth, createAuth } from "./auth.ts";
export type { CreateUser } from "./accounts.ts";
export type { Caller } from "./caller.ts";
export type { RequestOrigin } from "./handler.ts";
