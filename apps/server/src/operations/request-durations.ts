import type { Histogram, MetricObjectWithValues, MetricValueWithName, Registry } from "prom-client";

const name = "http_request_duration_seconds";
const help = "Time from the first byte of a request's head to its response";

const labelNames = ["method", "route", "status"];

/** The upper bounds in seconds. */
export const buckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];

interface Series {
  labels: { method: string; route: string; status: number };
  /** How many requests took at most as long as each bucket, and longer than the one before. The last took longer than all. */
  counts: number[];
  sum: number;
}

type Values = Pick<MetricObjectWithValues<MetricValueWithName<string>>, "name" | "help" | "values"> & {
  type: "histogram";
};

/** A histogram that counts in plain values (`metrics.ts` says why). */
export class RequestDurations {
  readonly #series: Series[] = [];
  readonly #byRoute = new Map<string, Map<string, Series[]>>();

  constructor(registry: Registry) {
    const get = (): Promise<Values> =>
      Promise.resolve({ name, help, type: "histogram", values: this.#series.flatMap(valuesOf) });
    // The registry needs the name and `get`, and `documents.test.ts` the labels. Its type asks for one of prom-client's classes.
    registry.registerMetric({ name, labelNames, get } as unknown as Histogram);
  }

  /** Counts a finished request. */
  count(method: string, route: string, status: number, seconds: number): void {
    const series = this.#seriesOf(method, route, status);
    let bucket = 0;
    while (bucket < buckets.length && seconds > buckets[bucket]!) bucket += 1;
    series.counts[bucket]! += 1;
    series.sum += seconds;
  }

  #seriesOf(method: string, route: string, status: number): Series {
    let byMethod = this.#byRoute.get(route);
    if (byMethod === undefined) this.#byRoute.set(route, (byMethod = new Map()));
    let byStatus = byMethod.get(method);
    if (byStatus === undefined) byMethod.set(method, (byStatus = []));
    let series = byStatus[status];
    if (series === undefined) {
      const counts = Array<number>(buckets.length + 1).fill(0);
      series = byStatus[status] = { labels: { method, route, status }, counts, sum: 0 };
      this.#series.push(series);
    }
    return series;
  }
}

function valuesOf({ labels, counts, sum }: Series): MetricValueWithName<string>[] {
  let count = 0;
  const upTo = counts.map((inBucket, bucket) => {
    count += inBucket;
    return {
      metricName: `${name}_bucket`,
      labels: { le: buckets[bucket] ?? "+Inf", ...labels },
      value: count,
    };
  });
  return [
    ...upTo,
    { metricName: `${name}_sum`, labels, value: sum },
    { metricName: `${name}_count`, labels, value: count },
  ];
}
