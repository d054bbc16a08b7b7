import { type CSSVariablesResolver, type MantineColorsTuple, createTheme } from "@mantine/core";

/** Purser's green, from the lightest to the darkest shade. The guests' pages take theirs from the same tokens. */
const purser: MantineColorsTuple = [
  "#e8f5f3",
  "#d3e8e5",
  "#a5d0ca",
  "#7cc7bf",
  "#4fa39b",
  "#37877f",
  "#2a756e",
  "#1f5f5b",
  "#174a47",
  "#0e3432",
];

const overlay = {
  closeButtonProps: { "aria-label": "Close" },
  // Otherwise a page with a drawer has two banners.
  attributes: { header: { role: "presentation" } },
};

export const theme = createTheme({
  colors: { purser },
  primaryColor: "purser",
  primaryShade: { light: 7, dark: 6 },
  autoContrast: true,
  defaultRadius: "md",
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  cursorType: "pointer",
  components: {
    Modal: { defaultProps: overlay },
    Drawer: { defaultProps: overlay },
    Notification: { defaultProps: { closeButtonProps: { "aria-label": "Close" } } },
  },
});

/** Colors with a contrast of at least 4.5 to their ground, where Mantine's have less. */
export const cssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    "--mantine-color-dimmed": "#55625f",
    "--mantine-color-error": "#a1271b",
    "--mantine-color-placeholder": "#66736f",
    "--purser-good": "#1d6b3a",
    "--purser-plot-first": "#1f5f5b",
    "--purser-plot-second": "#c07a2c",
    "--mantine-color-green-light-color": "#1d6b3a",
    "--mantine-color-blue-light-color": "#124a86",
    "--mantine-color-orange-light-color": "#8a3a00",
    "--mantine-color-red-light-color": "#a1271b",
    "--mantine-color-gray-light-color": "#495057",
  },
  dark: {
    "--mantine-color-dimmed": "#a9b5b2",
    "--mantine-color-error": "#f2a59c",
    "--mantine-color-placeholder": "#97a39f",
    "--purser-good": "#8fd6a8",
    "--purser-plot-first": "#7cc7bf",
    "--purser-plot-second": "#e0a458",
  },
});
