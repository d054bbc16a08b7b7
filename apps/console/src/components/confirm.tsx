import { useEffect, useState } from "react";
import type { Confirmation, OpenConfirmation } from "./confirm-dialog.tsx";
import { useOnDemand } from "./on-demand.ts";

let ask: ((asked: OpenConfirmation) => Promise<void>) | undefined;

/** Asks before something that cannot be undone. Resolves to whether the person agreed. */
export function confirm(confirmation: Confirmation): Promise<boolean> {
  return new Promise((resolve) => void ask?.({ ...confirmation, answer: resolve }));
}

/** Where `confirm` asks. It stands once around all pages. */
export function Confirmations() {
  const [asked, setAsked] = useState<OpenConfirmation>();
  const [ConfirmDialog, loadDialog] = useOnDemand(() => import("./confirm-dialog.tsx"));
  useEffect(() => {
    ask = async (next) => {
      setAsked(next);
      // A question that cannot be shown is not agreed to.
      if (!(await loadDialog())) next.answer(false);
    };
    return () => (ask = undefined);
  }, []);
  if (asked === undefined || ConfirmDialog === undefined) return null;
  const answer = (isConfirmed: boolean) => {
    asked.answer(isConfirmed);
    setAsked(undefined);
  };
  return <ConfirmDialog {...asked} answer={answer} />;
}
