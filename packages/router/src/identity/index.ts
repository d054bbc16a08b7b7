export { takeAttempt } from "./attempts.ts";
export { type Auth, createAuth } from "./auth.ts";
