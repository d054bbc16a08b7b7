import type { UseFormReturnType } from "@mantine/form";
import { useEffect } from "react";

/**
 * Begins a form about the newest of a list again with each that arrives. Once something is written, it stays about the one
 * that it was written for: call `resetDirty` when that is sent.
 */
export function useNewest<Values extends { transactionId: string }>(
  form: UseFormReturnType<Values>,
  start: Values,
): void {
  useEffect(() => {
    if (form.isDirty()) return;
    form.setValues(start);
    form.resetDirty(start);
  }, [start.transactionId]);
}
