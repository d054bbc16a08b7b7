import { Text, useMantineTheme } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { AxisBottom, AxisLeft } from "@visx/axis";
import { scaleLinear, scaleUtc } from "@visx/scale";
import { AreaClosed, LinePath } from "@visx/shape";

export interface LinePoint {
  at: Date;
  value: number;
}

const margin = { top: 8, right: 8, bottom: 28, left: 72 };
const axisColor = "var(--mantine-color-dimmed)";

/** A line over time. Readers of the screen get `summary`, and the same values as a table where the page has one. */
export function LinePlot({
  points,
  summary,
  formatValue,
  height = 220,
}: {
  points: readonly LinePoint[];
  summary: string;
  formatValue: (value: number) => string;
  height?: number;
}) {
  const { ref, width } = useElementSize();
  const { primaryColor } = useMantineTheme();
  const color = `var(--mantine-color-${primaryColor}-filled)`;
  const [first, last] = [points[0], points.at(-1)];
  const values = points.map(({ value }) => value);
  const x = scaleUtc({
    domain: [first?.at ?? new Date(), last?.at ?? new Date()],
    range: [margin.left, Math.max(margin.left, width - margin.right)],
  });
  const y = scaleLinear({
    domain: [Math.min(0, ...values), Math.max(1, ...values)],
    range: [height - margin.bottom, margin.top],
    nice: true,
  });
  return (
    <div ref={ref}>
      {first === undefined ? (
        <Text c="dimmed">No data yet</Text>
      ) : (
        <svg width={width} height={height} role="img" aria-label={summary}>
          <AreaClosed
            data={[...points]}
            x={({ at }) => x(at)}
            y={({ value }) => y(value)}
            yScale={y}
            fill={color}
            fillOpacity={0.12}
          />
          <LinePath
            data={[...points]}
            x={({ at }) => x(at)}
            y={({ value }) => y(value)}
            stroke={color}
            strokeWidth={2}
          />
          <AxisLeft
            scale={y}
            left={margin.left}
            numTicks={4}
            hideAxisLine
            hideTicks
            tickFormat={(value) => formatValue(Number(value))}
            tickLabelProps={{ fill: axisColor, fontSize: 12, textAnchor: "end", dx: -4, dy: 4 }}
          />
          <AxisBottom
            scale={x}
            top={height - margin.bottom}
            numTicks={Math.max(2, Math.floor(width / 140))}
            stroke={axisColor}
            tickStroke={axisColor}
            tickLabelProps={{ fill: axisColor, fontSize: 12, textAnchor: "middle" }}
          />
        </svg>
      )}
    </div>
  );
}
