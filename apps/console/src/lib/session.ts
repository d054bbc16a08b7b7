import { isProblem } from "@purser/client";
import type { QueryClient } from "@tanstack/react-query";
import { queries } from "./purser.ts";

/** Reads who is signed in. Whoever is not goes to sign in, and comes back to the page that they wanted. */
export async function requireUser(client: QueryClient) {
  try {
    return await client.ensureQueryData(queries.me.get.queryOptions());
  } catch (error) {
    if (!isProblem(error, "UNAUTHENTICATED")) throw error;
    location.assign(
      `/sign-in?${new URLSearchParams({ next: location.pathname + location.search }).toString()}`,
    );
    // The browser leaves this page.
    return new Promise<never>(() => undefined);
  }
}
