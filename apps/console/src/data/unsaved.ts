import { useEffect, useState } from "react";
import { changedFields } from "./changed-fields.ts";

/** What a form of Mantine says about itself at any moment, also before the page shows it. */
export interface WrittenForm {
  getValues: () => object;
  getInitialValues: () => object;
}

/** Something that is on the page and nowhere else. */
interface Unsaved {
  isUnsaved: () => boolean;
  /** What to ask before it is lost. Without a question, it saves itself when another page of the console opens. */
  question?: typeof lostText;
}

const lostText = {
  title: "Leave without saving?",
  children: "What you have written on this page is lost.",
  action: "Leave",
  dismiss: "Stay",
};

const lostSecret = {
  ...lostText,
  title: "Leave without storing it?",
  children: "It is not shown again.",
};

const onPage = new Set<Unsaved>();

/** Whether the page has something that is lost with it. */
export const hasUnsaved = (): boolean => [...onPage].some(({ isUnsaved }) => isUnsaved());

/** What to ask before the page is left with what it has. Undefined if nothing is lost. */
export const questionBeforeLeaving = () =>
  [...onPage].find((one) => one.question !== undefined && one.isUnsaved())?.question;

/** Lets the page go with what it has: the person has agreed. */
export const letGo = (): void => onPage.clear();

/** Keeps a page from being left without a question while something has been written in this form. */
export function useUnsavedChanges(form: WrittenForm): void {
  useUnsaved({ isUnsaved: () => isWritten(form), question: lostText });
}

/** Keeps a page from being left without a question while it waits for a secret, or shows it. */
export function useUnstoredSecret(isUnstored: boolean): void {
  useUnsaved({ isUnsaved: () => isUnstored, question: lostSecret });
}

/** For what saves itself when it goes. Only the browser could lose it. */
export function useUnsavedText(isWrittenNow: boolean): void {
  useUnsaved({ isUnsaved: () => isWrittenNow });
}

function useUnsaved(latest: Unsaved): void {
  const [own] = useState<Unsaved>(() => ({ ...latest }));
  useEffect(() => {
    Object.assign(own, latest);
    onPage.add(own);
    // Without a connection, the question could not be loaded when it is needed.
    if (latest.isUnsaved()) import("../components/confirm-dialog.tsx").catch(() => undefined);
  });
  useEffect(() => () => void onPage.delete(own), [own]);
}

/** Whether something is written in a form that is not saved. */
export const isWritten = (form: WrittenForm): boolean =>
  Object.keys(changedFields(form.getInitialValues(), form.getValues())).length > 0;
