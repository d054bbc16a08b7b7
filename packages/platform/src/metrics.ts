import type { Executor } from "@purser/db";

interface Description<Label extends string> {
  help: string;
  /**
   * Each label takes few values, from the code or the configuration: never an organization or a person. Prometheus
   * reserves `job` and `instance`.
   */
  labels: readonly Label[];
}

interface Described<Label extends string> extends Description<Label> {
  readonly name: string;
}

/** A number that only grows. */
export interface CounterDefinition<Label extends string = string> extends Described<Label> {
  readonly type: "counter";
  readonly initialSeries?: InitialSeries<Label>;
}

/**
 * The series that are exported from the start, with 0. Prometheus computes an increase from the first sample of a series, so
 * without it the first event would go unnoticed. Required for a counter that an alert uses with `increase`.
 */
type InitialSeries<Label extends string> = readonly Labels<Label>[];

/** Durations in seconds. */
export interface HistogramDefinition<Label extends string = string> extends Described<Label> {
  readonly type: "histogram";
  readonly buckets: readonly number[];
}

/** Numbers that only the database knows. All processes report the same ones, so alerts take the maximum. */
export interface GaugeDefinition<Label extends string = string> extends Described<Label> {
  readonly type: "gauge";
  readonly read: (db: Executor) => Promise<GaugeValue<Label>[]>;
}

/** One series of a gauge. */
export type GaugeValue<Label extends string> = Record<Label | "value", string | number>;

export type MetricDefinition = CounterDefinition | HistogramDefinition | GaugeDefinition;

/**
 * Defines a counter. Each area declares its own; the service registers them.
 *
 * @example
 * const refunds = defineCounter("purser_refunds_total", { help: "Refunds by provider", labels: ["provider"] });
 * meter.count(refunds, { provider: "plaid" });
 */
export function defineCounter<const Label extends string>(
  name: string,
  description: Description<Label> & { initialSeries?: InitialSeries<Label> },
): CounterDefinition<Label> {
  return { type: "counter", name, ...description };
}

/**
 * Defines a histogram of durations.
 *
 * @example
 * const stop = meter.time(syncDuration);
 * stop({ provider: "plaid", outcome: "succeeded" });
 */
export function defineHistogram<const Label extends string>(
  name: string,
  description: Description<Label> & { buckets: readonly number[] },
): HistogramDefinition<Label> {
  return { type: "histogram", name, ...description };
}

/** Defines a gauge. `read` runs at every scrape, so it must be cheap: few groups, from an index or a small table. */
export function defineGauge<const Label extends string>(
  name: string,
  description: Description<Label> & Pick<GaugeDefinition<NoInfer<Label>>, "read">,
): GaugeDefinition<Label> {
  return { type: "gauge", name, ...description };
}

type Labels<Label extends string> = Record<NoInfer<Label>, string>;

/** Counts and measures. It never throws for a registered metric, and never waits. */
export interface Meter {
  count<Label extends string>(counter: CounterDefinition<Label>, labels: Labels<Label>, by?: number): void;
  /** Starts a measurement. The returned function stops it. */
  time<Label extends string>(histogram: HistogramDefinition<Label>): (labels: Labels<Label>) => void;
}

/** For processes without metrics, such as commands and tests. */
export const noopMeter: Meter = { count: () => undefined, time: () => () => undefined };
