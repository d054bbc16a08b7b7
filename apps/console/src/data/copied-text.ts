import { useTimeout } from "@mantine/hooks";
import { type RefObject, useRef, useState } from "react";

/**
 * Copies the text that an element shows. On an address of plain HTTP, browsers have no `navigator.clipboard`: there it
 * selects the text and copies the selection. Where a browser refuses that too, the text stays selected.
 */
export function useCopiedText<Shown extends HTMLElement>(): {
  shown: RefObject<Shown | null>;
  state: "copied" | "selected" | undefined;
  copy: () => Promise<void>;
} {
  const shown = useRef<Shown>(null);
  const [state, setState] = useState<"copied" | "selected">();
  const { start } = useTimeout(() => setState(undefined), shownMs);
  return {
    shown,
    state,
    async copy() {
      if (shown.current === null) return;
      setState((await copyTextOf(shown.current)) ? "copied" : "selected");
      start();
    },
  };
}

const shownMs = 2000;

async function copyTextOf(element: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    window.getSelection()?.selectAllChildren(element);
    // oxlint-disable-next-line typescript/no-deprecated -- The only way that there is on plain HTTP.
    return document.execCommand("copy");
  }
}
