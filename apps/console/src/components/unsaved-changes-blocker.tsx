import type { AnyRouter, RouterHistory } from "@tanstack/react-router";
import { useEffect } from "react";
import { hasUnsaved, keepUnsaved } from "../data/unsaved.ts";
import { mayLeave } from "./may-leave.ts";

interface BlockedRouter extends Pick<AnyRouter, "subscribe"> {
  history: RouterHistory;
}

/** Asks before a person leaves a page with unsaved changes, in whatever way. It is there once, around all pages. */
export function UnsavedChangesBlocker({ router }: { router: BlockedRouter }) {
  useEffect(
    () =>
      router.history.block({
        blockerFn: async ({ currentLocation: from, nextLocation: to }) =>
          from.pathname + from.search !== to.pathname + to.search && !(await mayLeave()),
        enableBeforeUnload: hasUnsaved,
      }),
    [router],
  );
  useEffect(() => router.subscribe("onResolved", keepUnsaved), [router]);
  return null;
}
