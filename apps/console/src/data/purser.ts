import { createPurserClient } from "@purser/client";
import { createPurserAuth } from "@purser/client/auth";
import { createPurserQueries } from "@purser/client/tanstack";
import { baseUrl } from "./base-url.ts";

// The session is its cookie.
const options = { baseUrl, credentials: "same-origin" } as const;

export const purser = createPurserClient(options);
export const auth = createPurserAuth(options);
export const queries = createPurserQueries(purser);
