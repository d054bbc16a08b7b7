import { type Me, isProblem } from "@purser/client";
import type { QueryClient } from "@tanstack/react-query";
import { queries } from "./purser.ts";
import { leaveToSignIn } from "./sign-in.ts";

/**
 * Reads who is signed in. Whoever is not goes to sign in, and comes back to the page that they wanted. Without a connection,
 * a person who is known stays, and each page says what it cannot read.
 */
export async function requireUser(client: QueryClient) {
  try {
    return await client.query(queries.me.get.queryOptions());
  } catch (error) {
    if (isProblem(error, "UNAUTHENTICATED")) return leaveToSignIn();
    const known = client.getQueryData<Me>(queries.me.get.queryKey());
    if (known === undefined) throw error;
    return known;
  }
}
