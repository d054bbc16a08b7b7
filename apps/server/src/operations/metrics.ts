import type { Meter } from "@purser/platform";
import { registeredMetrics } from "@purser/service";
import { Counter, Gauge, Histogram, Registry, collectDefaultMetrics } from "prom-client";
import { createMeter } from "./meter.ts";

/** What the service counts about itself, as Prometheus reads it. Labels take few values: patterns, never paths. */
export interface Metrics {
  registry: Registry;
  /** Counts a request that was answered, in the time it took. */
  observeRequest(method: string, route: string, status: number, seconds: number): void;
  /** Counts a request that was accepted; what it gives is called when it is answered. */
  requestAccepted(): () => void;
  /** Counts a call of a procedure, by the door it came through. */
  countCall(procedure: string, door: "rest" | "trpc"): void;
  /** The service's own counters and histograms. */
  meter: Meter;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  return {
    registry,
    observeRequest: requestObserver(registers),
    requestAccepted: requestsInFlight(registers),
    countCall: callCounter(registers),
    meter: createMeter(registry, registeredMetrics),
  };
}

// prom-client takes a microsecond to count one thing amid other work, which is much for a request, and a tenth of
// that to count many in a row. So both counts below are kept in plain values and handed over when they are read.

function callCounter(registers: Registry[]): Metrics["countCall"] {
  const waiting = { rest: new Map<string, number>(), trpc: new Map<string, number>() };
  new Counter({
    name: "purser_procedure_calls_total",
    help: "Calls of each procedure by the door they came through",
    labelNames: ["procedure", "door"],
    registers,
    collect() {
      for (const [door, calls] of Object.entries(waiting)) {
        for (const [procedure, count] of calls) this.inc({ procedure, door }, count);
        calls.clear();
      }
    },
  });
  return (procedure, door) => {
    const calls = waiting[door];
    calls.set(procedure, (calls.get(procedure) ?? 0) + 1);
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

interface Series {
  labelled: Histogram.Internal<string>;
  waiting: number[];
}

/** How many durations of one series wait at most, where nobody reads the metrics. */
const longestWait = 500;

function requestObserver(registers: Registry[]): Metrics["observeRequest"] {
  const histogram = new Histogram({
    name: "http_request_duration_seconds",
    help: "Time from the first byte of a request's head to its answer",
    labelNames: ["method", "route", "status"],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers,
    collect: () => all.forEach(handOver),
  });
  const all: Series[] = [];
  const byRoute = new Map<string, Map<string, Series[]>>();
  return (method, route, status, seconds) => {
    let byMethod = byRoute.get(route);
    if (byMethod === undefined) byRoute.set(route, (byMethod = new Map()));
    let byStatus = byMethod.get(method);
    if (byStatus === undefined) byMethod.set(method, (byStatus = []));
    let series = byStatus[status];
    if (series === undefined) {
      series = byStatus[status] = { labelled: histogram.labels({ method, route, status }), waiting: [] };
      all.push(series);
    }
    if (series.waiting.push(seconds) === longestWait) handOver(series);
  };
}

function handOver({ labelled, waiting }: Series): void {
  for (const seconds of waiting) labelled.observe(seconds);
  waiting.length = 0;
}
