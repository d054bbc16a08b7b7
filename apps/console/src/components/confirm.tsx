import type { AnyRouter } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Confirmation } from "./confirm-dialog.tsx";
import { useOnDemand } from "./on-demand.ts";

interface Asked extends Confirmation {
  answer: (isConfirmed: boolean) => void;
}

let ask: ((asked: Asked) => Promise<void>) | undefined;

/** Asks before something that cannot be undone. Resolves to whether the person agreed. */
export function confirm(confirmation: Confirmation): Promise<boolean> {
  return new Promise((resolve) => void ask?.({ ...confirmation, answer: resolve }));
}

/** Where `confirm` asks. It stands once around all pages. A question goes with the page that has asked it. */
export function Confirmations({ router }: { router: Pick<AnyRouter, "subscribe"> }) {
  const [asked, setAsked] = useState<Asked>();
  const [isOpen, setIsOpen] = useState(false);
  const [ConfirmDialog, loadDialog] = useOnDemand(() => import("./confirm-dialog.tsx"));
  useEffect(() => {
    ask = async (next) => {
      // Only one question is in view.
      setAsked((before) => {
        before?.answer(false);
        return next;
      });
      setIsOpen(true);
      // A question that cannot be shown is not agreed to.
      if (!(await loadDialog())) next.answer(false);
    };
    return () => (ask = undefined);
  }, []);
  const answer = (isConfirmed: boolean) => {
    asked?.answer(isConfirmed);
    setIsOpen(false);
  };
  useEffect(
    () => router.subscribe("onBeforeNavigate", ({ hrefChanged }) => hrefChanged && answer(false)),
    [router, asked],
  );
  if (asked === undefined || ConfirmDialog === undefined) return null;
  return <ConfirmDialog {...asked} isOpen={isOpen} answer={answer} />;
}
