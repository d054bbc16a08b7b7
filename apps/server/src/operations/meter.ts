import { type Meter, counters, durations } from "@purser/router";
import { Counter, Histogram, type Registry } from "prom-client";

/** Counts what the router tells of, so that Prometheus can read it. */
export function createMeter(registry: Registry): Meter {
  const registers = [registry];
  const counted = mapped(
    counters,
    (name, { help, labels }) => new Counter({ name, help, labelNames: labels, registers }),
  );
  const measured = mapped(
    durations,
    (name, { help, labels, buckets }) =>
      new Histogram({ name, help, labelNames: labels, buckets: [...buckets], registers }),
  );
  return {
    count: (name, labels, by = 1) => counted.get(name)!.inc(labels, by),
    time(name) {
      const start = performance.now();
      return (labels) => measured.get(name)!.observe(labels, (performance.now() - start) / 1000);
    },
  };
}

function mapped<Described, Metric>(
  catalogue: Record<string, Described>,
  make: (name: string, description: Described) => Metric,
): Map<string, Metric> {
  return new Map(Object.entries(catalogue).map(([name, description]) => [name, make(name, description)]));
}
