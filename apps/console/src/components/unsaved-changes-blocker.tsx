import type { AnyRouter, RouterHistory } from "@tanstack/react-router";
import { useEffect } from "react";
import { hasUnsaved, keepUnsaved } from "../data/unsaved.ts";
import { mayLeave } from "./may-leave.ts";

interface Guarded extends Pick<AnyRouter, "subscribe"> {
  history: RouterHistory;
}

/** Asks before somebody leaves a page with something unsaved, in whatever way. It stands once around all pages. */
export function UnsavedChangesBlocker({ router }: { router: Guarded }) {
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
