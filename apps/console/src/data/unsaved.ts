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
  question?: typeof lostText | undefined;
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
let isLetGo = false;
let decision = Promise.withResolvers<void>();

/** Whether the page has something that is lost with it. */
export const hasUnsaved = (): boolean => !isLetGo && [...onPage].some(({ isUnsaved }) => isUnsaved());

/** What to ask before the page is left with what it has. Undefined if nothing is lost. */
export const questionBeforeLeaving = () =>
  isLetGo ? undefined : [...onPage].find((one) => one.question !== undefined && one.isUnsaved())?.question;

/** Lets the page go with what it has: the person has agreed. */
export function letGo(): void {
  isLetGo = true;
}

/** Keeps what is on the page again: another page is open, or this one was not left. */
export function keepUnsaved(): void {
  isLetGo = false;
}

/** Says that the person stays. */
export function stay(): void {
  decision.resolve();
  decision = Promise.withResolvers();
}

/** Resolves once the person has been asked and stays. */
export const untilStaying = (): Promise<void> => decision.promise;

/** Keeps a page from being left without a question while something has been written in this form. */
export function useUnsavedChanges(form: WrittenForm): void {
  useUnsaved({ isUnsaved: () => isWritten(form), question: lostText });
}

/** Keeps a page from being left without a question while it waits for a secret, or shows it. */
export function useUnstoredSecret(isUnstored: boolean): void {
  useUnsaved({ isUnsaved: () => isUnstored, question: lostSecret });
}

/** For what saves itself when it goes. Only the browser could lose it, and a service that did not save it before. */
export function useUnsavedText(isWrittenNow: boolean, hasFailed: boolean): void {
  useUnsaved({ isUnsaved: () => isWrittenNow, ...(hasFailed && { question: lostText }) });
}

function useUnsaved(latest: Unsaved): void {
  const [own] = useState<Unsaved>(() => ({ ...latest }));
  useEffect(() => {
    Object.assign(own, { question: undefined }, latest);
    onPage.add(own);
    // Without a connection, the question could not be loaded when it is needed.
    if (latest.isUnsaved()) import("../components/confirm-dialog.tsx").catch(() => undefined);
  });
  useEffect(() => () => void onPage.delete(own), [own]);
}

/** Whether something is written in a form that is not saved. */
export const isWritten = (form: WrittenForm): boolean =>
  Object.keys(changedFields(form.getInitialValues(), form.getValues())).length > 0;
