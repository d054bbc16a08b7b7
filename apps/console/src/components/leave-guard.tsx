import type { RouterHistory } from "@tanstack/react-router";
import { useEffect } from "react";
import { hasUnsaved } from "../data/unsaved.ts";
import { mayLeave } from "./may-leave.ts";

/** Asks before somebody leaves a page with something unsaved, in whatever way. It stands once around all pages. */
export function LeaveGuard({ history }: { history: RouterHistory }) {
  useEffect(
    () =>
      history.block({
        blockerFn: async ({ currentLocation: from, nextLocation: to }) =>
          from.pathname + from.search !== to.pathname + to.search && !(await mayLeave()),
        enableBeforeUnload: hasUnsaved,
      }),
    [history],
  );
  return null;
}
