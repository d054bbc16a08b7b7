import { type CSSVariablesResolver, type MantineColorsTuple, createTheme } from "@mantine/core";
import type { MouseEvent } from "react";
import { numberField } from "./components/number-field.ts";

/** Purser's green, from the lightest to the darkest shade. */
const purser = Array.from({ length: 10 }, (_, shade) => `var(--green-${shade})`);

const overlay = {
  closeButtonProps: { "aria-label": "Close" },
  // Otherwise a page with a drawer has two banners.
  attributes: { header: { role: "presentation" } },
};

/**
 * A dialog returns the focus to the element that had it. An item of a menu is gone by then, so the button of the menu gets
 * the focus before the item acts.
 */
function focusMenuButton({ target, currentTarget }: MouseEvent<HTMLElement>): void {
  if ((target as Element).closest("[role=menuitem]") === null) return;
  document.getElementById(currentTarget.getAttribute("aria-labelledby") ?? "")?.focus();
}

export const theme = createTheme({
  colors: { purser: purser as unknown as MantineColorsTuple },
  primaryColor: "purser",
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  defaultRadius: "md",
  fontFamily: "var(--font)",
  fontFamilyMonospace: "var(--font-code)",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    Paper: { defaultProps: { bg: "var(--card)" } },
    Card: { defaultProps: { bg: "var(--card)" } },
    Modal: { defaultProps: overlay },
    Drawer: { defaultProps: overlay },
    MenuDropdown: { defaultProps: { onClickCapture: focusMenuButton } },
    NumberInput: { defaultProps: numberField() },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
  },
});

/** Mantine's colors, by the names of the design tokens of `/assets/tokens.css`, which follow the color scheme themselves. */
const tokens = {
  "--mantine-color-body": "var(--card)",
  "--mantine-color-text": "var(--ink)",
  "--mantine-color-bright": "var(--ink)",
  "--mantine-color-dimmed": "var(--soft)",
  "--mantine-color-placeholder": "var(--soft)",
  "--mantine-color-disabled-color": "var(--soft)",
  "--mantine-color-error": "var(--bad)",
  "--mantine-color-anchor": "var(--accent)",
  "--mantine-color-default": "var(--card)",
  "--mantine-color-default-color": "var(--ink)",
  "--mantine-color-default-hover": "var(--hover)",
  "--mantine-color-default-border": "var(--line)",
  "--mantine-color-purser-text": "var(--accent)",
  "--mantine-color-purser-filled": "var(--button)",
  "--mantine-color-purser-filled-hover": "var(--button-hover)",
  "--mantine-color-purser-light": "var(--accent-ground)",
  "--mantine-color-purser-light-hover": "var(--hover)",
  "--mantine-color-purser-light-color": "var(--accent)",
  "--mantine-color-purser-outline": "var(--accent)",
  "--mantine-color-red-6": "var(--bad)",
  "--mantine-color-red-text": "var(--bad)",
  "--mantine-color-red-filled": "var(--danger)",
  "--mantine-color-red-filled-hover": "var(--danger)",
  ...Object.fromEntries(
    Object.entries({ green: "good", red: "bad", orange: "warn", blue: "info", gray: "quiet" }).flatMap(
      ([color, token]) => [
        [`--mantine-color-${color}-light`, `var(--${token}-ground)`],
        [`--mantine-color-${color}-light-color`, `var(--${token})`],
      ],
    ),
  ),
};

export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...tokens,
    "--mantine-color-gray-0": "var(--hover)",
    "--mantine-color-gray-1": "var(--hover)",
    "--mantine-color-gray-2": "var(--quiet-ground)",
    "--mantine-color-gray-3": "var(--line)",
    "--mantine-color-gray-4": "var(--edge)",
  },
  dark: {
    ...tokens,
    "--mantine-color-dark-0": "var(--ink)",
    "--mantine-color-dark-1": "var(--ink)",
    "--mantine-color-dark-2": "var(--soft)",
    "--mantine-color-dark-3": "var(--soft)",
    "--mantine-color-dark-4": "var(--line)",
    "--mantine-color-dark-5": "var(--hover)",
    "--mantine-color-dark-6": "var(--raised)",
    "--mantine-color-dark-7": "var(--card)",
    "--mantine-color-dark-8": "var(--ground)",
    "--mantine-color-dark-9": "var(--ground)",
  },
});
