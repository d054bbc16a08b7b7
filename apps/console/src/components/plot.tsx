/** What all plots share. */
export const plotMargin = { top: 18, right: 8, bottom: 24 };
export const plotColor = "var(--plot-first)";
export const plotText = { fontSize: 12, fill: "var(--mantine-color-dimmed)" } as const;

/** The room at the left for these labels, so that the longest begins where the title above does. */
export const plotLeft = (labels: readonly string[]): number =>
  8 + 7.8 * Math.max(0, ...labels.map(({ length }) => length));

interface Tick {
  at: number;
  label: string;
}

/** The values at the left and the days or months below. `at` and `zero` are pixels. */
export function PlotAxes({
  width,
  height,
  left,
  zero,
  values,
  labels,
}: {
  width: number;
  height: number;
  left: number;
  /** Where the value 0 is: the line that stands out. */
  zero: number;
  values: readonly Tick[];
  labels: readonly Tick[];
}) {
  const { right, bottom } = plotMargin;
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
      <line x1={left} x2={width - right} y1={zero} y2={zero} stroke="var(--mantine-color-dimmed)" />
      {labels.map(({ at, label }) => (
        <text key={at} {...plotText} x={at} y={base + 18} textAnchor="middle">
          {label}
        </text>
      ))}
    </>
  );
}
