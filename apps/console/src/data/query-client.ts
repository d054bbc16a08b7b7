import { isProblem } from "@purser/client";
import { QueryCache, QueryClient } from "@tanstack/react-query";
import { leaveToSignIn, noteSignedIn } from "./sign-in.ts";

/**
 * The client retries what may be retried, and events tell what to read again.
 *
 * Without a connection, everything is tried as always, and fails. Otherwise TanStack Query would keep a click, and carry it
 * out when the connection is back, perhaps hours later.
 */
export const queryClient = new QueryClient({
  // The session ended, here or elsewhere.
  queryCache: new QueryCache({
    onError: (error) => {
      if (isProblem(error, "UNAUTHENTICATED")) void leaveToSignIn();
    },
    onSuccess: noteSignedIn,
  }),
  defaultOptions: {
    queries: { retry: false, staleTime: 60_000, networkMode: "always", refetchOnReconnect: true },
    mutations: { retry: false, networkMode: "always" },
  },
});
