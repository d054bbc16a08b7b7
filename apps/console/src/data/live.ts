import { isProblem } from "@purser/client";
import { invalidateWithRunningReads } from "@purser/client/tanstack";
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { collectEvents } from "./collected-events.ts";
import { followEvents } from "./shared-events.ts";

/** A connection that is back within this time was not worth a word. */
const disconnectNoticeDelayMs = 2500;
/** If the first connection takes longer, what the page has read may be out of date already. */
const openingMs = 500;

/**
 * Keeps everything that is shown true: each event of the organization makes the queries that it concerns stale. The client
 * connects again by itself, and continues after the last event. Returns whether the connection is lost.
 */
export function useLiveEvents(organizationId: string): boolean {
  const client = useQueryClient();
  const router = useRouter();
  const [isLost, setIsLost] = useState(false);
  useEffect(() => {
    const leaving = new AbortController();
    const collected = collectEvents(client);
    const begun = performance.now();
    let wasOpen: boolean | undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const onConnection = (isOpen: boolean) => {
      clearTimeout(timer);
      if (!isOpen) timer = setTimeout(() => setIsLost(true), disconnectNoticeDelayMs);
      else {
        setIsLost(false);
        // What failed meanwhile has no event, nor has what happened before the first connection. If that took no longer than
        // usual, the page was read a moment ago, and its next look at it is enough.
        const isPrompt = wasOpen === undefined && performance.now() - begun < openingMs;
        if (wasOpen !== true)
          void invalidateWithRunningReads(client, { refetchType: isPrompt ? "none" : "active" });
      }
      wasOpen = isOpen;
    };
    const options = { signal: leaving.signal, onEvent: collected.add, onConnection };
    followEvents(organizationId, options).catch(async (error: unknown) => {
      if (leaving.signal.aborted) return;
      // Signed out elsewhere, no longer a member, or another user has signed in: nothing that was read counts any more, and
      // the page finds out when it is entered again.
      if (isProblem(error)) {
        void invalidateWithRunningReads(client, { refetchType: "none" });
        await router.invalidate();
      }
      setIsLost(true);
    });
    return () => {
      leaving.abort();
      clearTimeout(timer);
      collected.end();
      // Events of this organization are missed from here on.
      void invalidateWithRunningReads(client, { refetchType: "none" });
    };
  }, [client, router, organizationId]);
  return isLost;
}
