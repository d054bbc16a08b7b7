import { type ReactNode, Suspense, lazy, useEffect, useState } from "react";

interface Confirmation {
  title: string;
  children: ReactNode;
  /** The words of the button, such as "Close the card". */
  action: string;
  isHarmless?: boolean;
}

export interface OpenConfirmation extends Confirmation {
  answer: (isConfirmed: boolean) => void;
}

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
