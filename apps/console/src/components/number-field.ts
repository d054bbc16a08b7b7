import type { InputEvent } from "react";
import { numberSeparators } from "../data/format.ts";

/**
 * The defaults of fields for numbers. They take a point or a comma for decimals unless three digits follow that separator
 * of thousands, so that "12,50" is never 1,250. Mantine does so with what is pasted, and this with what is typed.
 */
export function numberField() {
  const separators = numberSeparators();
  const { thousandSeparator, decimalSeparator } = separators;
  /** The field up to a separator of thousands that was typed, and which it shows as one of decimals so far. */
  let typed: string | undefined;
  return {
    ...separators,
    onBeforeInput({ data, currentTarget: input }: InputEvent<HTMLInputElement>) {
      const { value, selectionStart } = input;
      if (!/^\d$/.test(data)) {
        const isFirst = data === thousandSeparator && !value.includes(decimalSeparator);
        typed = isFirst ? value.slice(0, selectionStart ?? undefined) + decimalSeparator : undefined;
      } else if (
        typed !== undefined &&
        selectionStart === value.length &&
        value.startsWith(typed) &&
        value.length === typed.length + 2
      ) {
        // The browser then adds the third digit, and the field separates thousands as always.
        input.setRangeText("", typed.length - 1, typed.length);
        typed = undefined;
      }
    },
    // Not `onBlur`, which forms set.
    onBlurCapture() {
      typed = undefined;
    },
  };
}
