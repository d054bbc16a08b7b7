import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

/** What the service counts about itself, as Prometheus reads it. Labels take few values: patterns, never paths. */
export interface Metrics {
  registry: Registry;
  requestSeconds: Histogram<"method" | "route" | "status">;
  requestsInFlight: Gauge;
  procedureCalls: Counter<"procedure" | "door">;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    requestSeconds: new Histogram({
      name: "http_request_duration_seconds",
      help: "Time from the first byte of a request's head to its answer",
      labelNames: ["method", "route", "status"],
      buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    requestsInFlight: new Gauge({
      name: "http_requests_in_flight",
      help: "Requests that have been accepted and not yet answered",
      registers,
    }),
    procedureCalls: new Counter({
      name: "purser_procedure_calls_total",
      help: "Calls of each procedure by the door they came through",
      labelNames: ["procedure", "door"],
      registers,
    }),
  };
}
