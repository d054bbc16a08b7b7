import type { Meter, MetricDefinition } from "@purser/platform";
import { registeredMetrics } from "@purser/service";
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { type EdgeMetrics, createEdgeMetrics } from "./edge-metrics.ts";
import { RequestDurations } from "./request-durations.ts";

/** The service's Prometheus metrics. Labels have few values: route patterns, never paths. */
export interface Metrics {
  registry: Registry;
  /** Records a finished request with its duration. */
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** Counts an accepted request. Call the returned function when the response is ready. */
  requestAccepted(): () => void;
  /** Counts a call of a procedure by its transport. */
  countCall(procedure: string, transport: "rest" | "trpc"): void;
  /** The counters and histograms that the areas define. */
  meter: Meter;
  edge: EdgeMetrics;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const durations = new RequestDurations(registry);
  return {
    registry,
    observeRequest: (method, route, status, seconds) => durations.count(method, route, status, seconds),
    requestAccepted: requestsInFlight(registers),
    countCall: callCounter(registers),
    meter: createMeter(registers, registeredMetrics),
    edge: createEdgeMetrics(registry),
  };
}

// prom-client takes half a microsecond to count one event, which is much within a request. So the collectors below keep plain
// values and hand them over at the scrape.

function callCounter(registers: Registry[]): Metrics["countCall"] {
  const pending = { rest: new Map<string, number>(), trpc: new Map<string, number>() };
  new Counter({
    name: "purser_procedure_calls_total",
    help: "Calls of each procedure by transport",
    labelNames: ["procedure", "transport"],
    registers,
    collect() {
      for (const [transport, calls] of Object.entries(pending)) {
        for (const [procedure, count] of calls) this.inc({ procedure, transport }, count);
        calls.clear();
      }
    },
  });
  return (procedure, transport) => {
    const calls = pending[transport];
    calls.set(procedure, (calls.get(procedure) ?? 0) + 1);
  };
}

function requestsInFlight(registers: Registry[]): Metrics["requestAccepted"] {
  let inFlight = 0;
  const finished = () => {
    inFlight -= 1;
  };
  new Gauge({
    name: "http_requests_in_flight",
    help: "Requests in progress",
    registers,
    collect() {
      this.set(inFlight);
    },
  });
  return () => {
    inFlight += 1;
    return finished;
  };
}

/** Exposes the areas' counters and histograms to Prometheus. */
function createMeter(registers: Registry[], metrics: readonly MetricDefinition[]): Meter {
  const counters = new Map<MetricDefinition, Counter>();
  const histograms = new Map<MetricDefinition, Histogram>();
  for (const metric of metrics) {
    const { name, help, labels: labelNames } = metric;
    const description = { name, help, labelNames, registers };
    if (metric.type === "counter") {
      const counter = new Counter(description);
      for (const labels of metric.initialSeries ?? []) counter.inc(labels, 0);
      counters.set(metric, counter);
    }
    if (metric.type === "histogram")
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
