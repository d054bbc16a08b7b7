import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";

/** What the service counts about itself, as Prometheus reads it. Labels take few values: patterns, never paths. */
export interface Metrics {
  registry: Registry;
  /** Counts a request that was answered, in the time it took. */
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** Counts a request that was accepted; what it gives is called when it is answered. */
  requestAccepted(): () => void;
  procedureCalls: Counter<"procedure" | "door">;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    observeRequest: requestObserver(registers),
    requestAccepted: requestsInFlight(registers),
    procedureCalls: new Counter({
      name: "purser_procedure_calls_total",
      help: "Calls of each procedure by the door they came through",
      labelNames: ["procedure", "door"],
      registers,
    }),
  };
}

function requestsInFlight(registers: Registry[]): Metrics["requestAccepted"] {
  let inFlight = 0;
  const answered = () => {
    inFlight -= 1;
  };
  new Gauge({
    name: "http_requests_in_flight",
    help: "Requests that have been accepted and not yet answered",
    registers,
    collect() {
      this.set(inFlight);
    },
  });
  return () => {
    inFlight += 1;
    return answered;
  };
}

function requestObserver(registers: Registry[]): Metrics["observeRequest"] {
  const histogram = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the first byte of a request's head to its answer",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
  });
  // Looking labels up costs more than counting does, and there are few of them.
  const known = new Map<string, ReturnType<typeof histogram.labels>>();
  return (method, route, status, seconds) => {
    const key = `${method} ${status} ${route}`;
    let series = known.get(key);
    if (series === undefined) known.set(key, (series = histogram.labels({ method, route, status })));
    series.observe(seconds);
  };
}
