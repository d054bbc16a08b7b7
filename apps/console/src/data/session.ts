import { type Me, isProblem } from "@purser/client";
import type { QueryClient } from "@tanstack/react-query";
import { accountQueries } from "./account.ts";
import { isRefusal } from "./failed-query.ts";
import { queries } from "./purser.ts";
import { leaveToSignIn } from "./sign-in.ts";
import { hasUnsaved } from "./unsaved.ts";

/**
 * Reads who is signed in. A guest is sent to the sign-in page, and comes back to the page that they wanted. Without a
 * connection, a person who is known stays, and each page says what it cannot read. So does one with something unsaved, who
 * signs in on another page.
 */
export async function requireUser(
  client: QueryClient,
  /** With a `staleTime` of `Infinity`, a person who is known is read again only if an event says that they have changed. */
  options: { staleTime?: number } = {},
) {
  try {
    const me = await client.query({ ...queries.me.get.queryOptions(), ...options });
    extendSession(client);
    return me;
  } catch (error) {
    const known = client.getQueryData<Me>(queries.me.get.queryKey());
    const isSignedOut = isProblem(error, "UNAUTHENTICATED");
    if (isSignedOut && (known === undefined || !hasUnsaved())) return leaveToSignIn();
    if (known === undefined || (isRefusal(error) && !isSignedOut)) throw error;
    return known;
  }
}

const dayMs = 86_400_000;

/** The session of a cookie ends seven days after it was last read here, and no other call extends it. */
function extendSession(client: QueryClient): void {
  const session = { ...accountQueries.session.queryOptions(), staleTime: dayMs, gcTime: dayMs };
  client.query(session).catch(() => undefined);
}

/**
 * Returns what the person who is signed in is in an organization; undefined if they are no member. A known member does not
 * wait: each click comes here, and what ends a membership makes the query stale. What is known from before cannot say that
 * a person is no member: they may have become one since. Then it throws why it could not be read.
 */
export async function membershipIn(client: QueryClient, organizationId: string) {
  const membershipOf = ({ memberships }: Me) =>
    memberships.find((own) => own.organizationId === organizationId);
  const known = membershipOf(await requireUser(client, { staleTime: Infinity }));
  if (known !== undefined) return known;
  const membership = membershipOf(await requireUser(client));
  const error = client.getQueryState(queries.me.get.queryKey())?.error ?? null;
  if (membership === undefined && error !== null) throw error;
  return membership;
}
