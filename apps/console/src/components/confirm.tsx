import { Suspense, lazy, useEffect, useState } from "react";
import type { Confirmation, OpenConfirmation } from "./confirm-dialog.tsx";

let open: ((confirmation: OpenConfirmation) => void) | undefined;

/** Asks before something that cannot be undone. Resolves to whether the person agreed. */
export function confirm(confirmation: Confirmation): Promise<boolean> {
  return new Promise((resolve) => open?.({ ...confirmation, answer: resolve }));
}

/** Loaded with the first question. */
const ConfirmDialog = lazy(() => import("./confirm-dialog.tsx"));

/** Where `confirm` asks. It stands once around all pages. */
export function Confirmations() {
  const [asked, setAsked] = useState<OpenConfirmation>();
  useEffect(() => {
    open = setAsked;
    return () => (open = undefined);
  }, []);
  const close = (isConfirmed: boolean) => {
    asked?.answer(isConfirmed);
    setAsked(undefined);
  };
  return (
    asked !== undefined && (
      <Suspense>
        <ConfirmDialog {...asked} answer={close} />
      </Suspense>
    )
  );
}
