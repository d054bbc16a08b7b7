/** What all plots share. */
export const plotMargin = { top: 18, right: 8, bottom: 28, left: 64 };
export const plotColor = "var(--purser-plot-first)";
export const plotAxis = { fill: "var(--mantine-color-dimmed)", fontSize: 12, fontFamily: "inherit" } as const;
