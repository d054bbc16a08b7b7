import { createTheme, type MantineColorsTuple } from "@mantine/core";

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

export const theme = createTheme({
  colors: { purser },
  primaryColor: "purser",
  primaryShade: { light: 7, dark: 3 },
  autoContrast: true,
  defaultRadius: "md",
  fontFamily: 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
  cursorType: "pointer",
});
