import { Text } from "@mantine/core";
import { useElementSize } from "@mantine/hooks";
import { scaleLinear, scaleUtc } from "@visx/scale";
import { type PointerEvent, useState } from "react";
import { formatDay, formatShortDay } from "../data/format.ts";
import { valueDomain } from "../data/value-domain.ts";
import { PlotAxes, plotColor, plotLeft, plotMargin, plotText } from "./plot.tsx";

export interface LinePoint {
  at: Date;
  value: number;
}

/** A line over days. Screen readers get `summary`. A pointer or a finger shows the value of a day. */
export function LinePlot({
  points,
  empty,
  summary,
  formatValue,
  formatExact = formatValue,
  height = 220,
}: {
  points: readonly LinePoint[];
  /** What to say without points. */
  empty: string;
  summary: string;
  /** Writes a value at the axis, such as "£12K". */
  formatValue: (value: number) => string;
  /** Writes the value of the day at the pointer, such as "£12,345.67". */
  formatExact?: (value: number) => string;
  height?: number;
}) {
  const { ref, width } = useElementSize();
  const [pointedAt, setPointedAt] = useState<number>();
  // Other days may be shown by now.
  const pointed = points.find((one) => one.at.getTime() === pointedAt);
  const [first, last] = [points[0], points.at(-1)];
  const values = points.map(({ value }) => value);
  const y = scaleLinear({
    domain: valueDomain(values),
    range: [height - plotMargin.bottom, plotMargin.top],
    nice: 4,
  });
  const axis = y.ticks(4).map((value) => ({ at: y(value), label: formatValue(value) }));
  const left = plotLeft(axis.map(({ label }) => label));
  const x = scaleUtc({
    domain: [first?.at ?? new Date(), last?.at ?? new Date()],
    range: [left, Math.max(left, width - plotMargin.right)],
  });
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const at = x.invert(event.clientX - event.currentTarget.getBoundingClientRect().left).getTime();
    const away = (one: LinePoint) => Math.abs(one.at.getTime() - at);
    const nearest = points.reduce((best, one) => (away(one) < away(best) ? one : best), points[0]!);
    setPointedAt(nearest.at.getTime());
  };
  if (first === undefined) return <Text c="dimmed">{empty}</Text>;
  const line = `M${points.map(({ at, value }) => `${x(at)},${y(value)}`).join("L")}`;
  return (
    <div ref={ref} style={{ height }}>
      {width > 0 && (
        <svg
          width={width}
          height={height}
          role="img"
          aria-label={summary}
          // The label of the last day reaches into the padding of the card.
          style={{ overflow: "visible", touchAction: "pan-y" }}
          onPointerDown={point}
          onPointerMove={point}
          // A finger leaves as soon as it has pointed.
          onPointerLeave={({ pointerType }) => pointerType !== "touch" && setPointedAt(undefined)}
        >
          <PlotAxes
            width={width}
            height={height}
            left={left}
            zero={y(0)}
            values={axis}
            labels={x
              .ticks(Math.max(2, Math.floor(width / 140)))
              .map((day) => ({ at: x(day), label: formatShortDay(day) }))}
          />
          <path d={`${line}V${y(0)}H${x(first.at)}Z`} fill={plotColor} fillOpacity={0.12} />
          <path d={line} fill="none" stroke={plotColor} strokeWidth={2} strokeLinejoin="round" />
          {pointed !== undefined && (
            <g pointerEvents="none">
              <circle cx={x(pointed.at)} cy={y(pointed.value)} r={4} fill={plotColor} />
              <text
                x={Math.min(Math.max(x(pointed.at), left + 80), width - 90)}
                y={12}
                textAnchor="middle"
                {...plotText}
                fill="var(--mantine-color-text)"
              >
                {formatDay(pointed.at)}: {formatExact(pointed.value)}
              </text>
            </g>
          )}
        </svg>
      )}
    </div>
  );
}
