import { type WrittenForm, isWritten, letGo, questionBeforeLeaving, stay } from "../data/unsaved.ts";
import { confirm } from "./confirm.tsx";

/** Asks before the page is left with something unsaved. Resolves to whether it may be left. */
export async function mayLeave(): Promise<boolean> {
  const question = questionBeforeLeaving();
  if (question === undefined) return true;
  const isLeft = await confirm(question);
  if (isLeft) letGo();
  else stay();
  return isLeft;
}

/** Asks before a dialog loses what is written in its form. Resolves to whether it may be closed. */
export const mayDiscard = async (form: WrittenForm): Promise<boolean> =>
  !isWritten(form) ||
  confirm({ title: "Discard what you have written?", children: "It is not saved.", action: "Discard" });
