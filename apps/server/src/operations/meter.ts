import type { Meter, MetricDefinition } from "@purser/platform";
import { Counter, Histogram, type Registry } from "prom-client";

/** Exposes these counters and histograms to Prometheus. */
export function createMeter(registry: Registry, metrics: readonly MetricDefinition[]): Meter {
  const registers = [registry];
  const counters = new Map<MetricDefinition, Counter>();
  const histograms = new Map<MetricDefinition, Histogram>();
  for (const metric of metrics) {
    const { type, name, help, labels: labelNames } = metric;
    const description = { name, help, labelNames, registers };
    if (type === "counter") counters.set(metric, new Counter(description));
    if (type === "histogram")
      histograms.set(metric, new Histogram({ ...description, buckets: [...metric.buckets] }));
  }
  return {
    count: (counter, labels, by = 1) => registered(counters, counter).inc(labels, by),
    time(definition) {
      const histogram = registered(histograms, definition);
      const start = performance.now();
      return (labels) => histogram.observe(labels, (performance.now() - start) / 1000);
    },
  };
}

function registered<Metric>(metrics: Map<MetricDefinition, Metric>, definition: MetricDefinition): Metric {
  const metric = metrics.get(definition);
  if (metric === undefined) throw new Error(`The metric ${definition.name} is not registered`);
  return metric;
}
