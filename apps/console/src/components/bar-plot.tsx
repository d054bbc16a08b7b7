import { Group, Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { scaleBand, scaleLinear } from "@visx/scale";
import { valueDomain } from "../data/value-domain.ts";
import classes from "./bar-plot.module.css";
import { PlotAxes, plotColor, plotLeft, plotMargin } from "./plot.tsx";

export interface BarGroup {
  /** What stands under the bars, such as a month. */
  label: string;
  /** A value for each series. */
  values: readonly number[];
}

const seriesColors = [plotColor, "var(--plot-second)"];

/** Bars side by side, a group of them for each label, as high as the card has room. Screen readers get `summary`. */
export function BarPlot({
  groups,
  series,
  summary,
  formatValue,
  formatExact = formatValue,
  minHeight = 220,
}: {
  groups: readonly BarGroup[];
  /** The names of the series, at most two. */
  series: readonly string[];
  summary: string;
  formatValue: (value: number) => string;
  formatExact?: (value: number) => string;
  minHeight?: number;
}) {
  const { ref, width, height } = useElementSize();
  const labels = groups.map(({ label }) => label);
  const y = scaleLinear({
    domain: valueDomain(groups.flatMap(({ values }) => values)),
    range: [height - plotMargin.bottom, plotMargin.top],
    nice: 4,
  });
  const axis = y.ticks(4).map((value) => ({ at: y(value), label: formatValue(value) }));
  const left = plotLeft(axis.map(({ label }) => label));
  const x = scaleBand({
    domain: labels,
    range: [left, Math.max(left, width - plotMargin.right)],
    padding: 0.3,
  });
  const inner = scaleBand({ domain: [...series], range: [0, x.bandwidth()], padding: 0.1 });
  // On a phone there is no space for each month, so every second or third is named.
  const every = Math.max(1, Math.ceil((labels.length * 60) / Math.max(1, width - left)));
  if (groups.length === 0) return <Text c="dimmed">No data yet</Text>;
  return (
    <div className={classes.plot}>
      {series.length > 1 && <Legend series={series} />}
      <div ref={ref} className={classes.bars} style={{ minHeight }}>
        {width > 0 && (
          <svg width={width} height={height} role="img" aria-label={summary}>
            <PlotAxes
              width={width}
              height={height}
              left={left}
              zero={y(0)}
              values={axis}
              labels={labels
                .filter((_, index) => (labels.length - 1 - index) % every === 0)
                .map((label) => ({ at: (x(label) ?? 0) + x.bandwidth() / 2, label }))}
            />
            {groups.flatMap(({ label, values }) =>
              values.map((value, index) => (
                <rect
                  key={`${label} ${series[index]}`}
                  x={(x(label) ?? 0) + (inner(series[index] ?? "") ?? 0)}
                  y={y(Math.max(0, value))}
                  width={inner.bandwidth()}
                  height={Math.abs(y(0) - y(value))}
                  rx={2}
                  fill={seriesColors[index]}
                >
                  <title>
                    {label}, {series[index]}: {formatExact(value)}
                  </title>
                </rect>
              )),
            )}
          </svg>
        )}
      </div>
    </div>
  );
}

function Legend({ series }: { series: readonly string[] }) {
  return (
    <Group gap="md" mb={4} aria-hidden>
      {series.map((name, index) => (
        <Group key={name} gap={6}>
          <svg width={10} height={10}>
            <rect width={10} height={10} rx={2} fill={seriesColors[index]} />
          </svg>
          <Text size="xs" c="dimmed">
            {name}
          </Text>
        </Group>
      ))}
    </Group>
  );
}
