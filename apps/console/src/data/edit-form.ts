import { type UseFormInput, type UseFormReturnType, useForm } from "@mantine/form";
import { useEffect, useRef } from "react";
import { changedFields } from "./changed-fields.ts";
import { useUnsavedChanges } from "./unsaved.ts";

/** The form of something that others may change meanwhile. It follows them, and keeps what the person has changed. */
export function useEditForm<Values extends Record<string, unknown>>(
  stored: Values,
  options: Omit<UseFormInput<Values>, "initialValues"> = {},
): UseFormReturnType<Values> {
  const form = useForm<Values>({ ...options, initialValues: stored });
  useUnsavedChanges(form);
  const followed = useRef(stored);
  useEffect(() => {
    if (Object.keys(changedFields(followed.current, stored)).length === 0) return;
    const kept = changedFields<Partial<Values>>(
      stored,
      changedFields<Values>(followed.current, form.getValues()),
    );
    followed.current = stored;
    form.resetDirty(stored);
    form.setValues({ ...stored, ...kept });
  });
  return form;
}
