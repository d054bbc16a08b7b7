/** What all plots share. */
export const plotMargin = { top: 18, right: 8, bottom: 28, left: 64 };
export const plotColor = "var(--plot-first)";
export const plotText = { fontSize: 12, fill: "var(--mantine-color-dimmed)" } as const;

interface Tick {
  at: number;
  label: string;
}

/** The values at the left and the days or months below. `at` are pixels. */
export function PlotAxes({
  width,
  height,
  values,
  labels,
}: {
  width: number;
  height: number;
  values: readonly Tick[];
  labels: readonly Tick[];
}) {
  const { left, right, bottom } = plotMargin;
  const base = height - bottom;
  return (
    <>
      {values.map(({ at, label }) => (
        <g key={at}>
          <line x1={left} x2={width - right} y1={at} y2={at} stroke="var(--mantine-color-default-border)" />
          <text {...plotText} x={left - 8} y={at + 4} textAnchor="end">
            {label}
          </text>
        </g>
      ))}
      <line x1={left} x2={width - right} y1={base} y2={base} stroke="var(--mantine-color-dimmed)" />
      {labels.map(({ at, label }) => (
        <text key={at} {...plotText} x={at} y={base + 18} textAnchor="middle">
          {label}
        </text>
      ))}
    </>
  );
}
