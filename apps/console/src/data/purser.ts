import { createPurserClient, isProblem } from "@purser/client";
import { createPurserAuth } from "@purser/client/auth";
import { createPurserQueries } from "@purser/client/tanstack";
import { QueryCache, QueryClient } from "@tanstack/react-query";
import { baseUrl } from "./base-url.ts";
import { leaveToSignIn } from "./sign-in.ts";

// The session is its cookie.
const options = { baseUrl, credentials: "same-origin" } as const;

export const purser = createPurserClient(options);
export const auth = createPurserAuth(options);
export const queries = createPurserQueries(purser);

/** The client retries what may be retried, and events tell what to read again. */
export const queryClient = new QueryClient({
  // The session ended, here or elsewhere.
  queryCache: new QueryCache({
    onError: (error) => {
      if (isProblem(error, "UNAUTHENTICATED")) void leaveToSignIn();
    },
  }),
  defaultOptions: { queries: { retry: false, staleTime: 60_000 }, mutations: { retry: false } },
});
