import { Counter, Gauge, type Registry } from "prom-client";

/** Why the server itself refused a request or closed a connection, before the app or outside of it. */
export type EdgeRefusal =
  /** No connection was free. */
  | "connections"
  /** A silent, idle or slow connection was closed for a new one. */
  | "replaced"
  /** No memory was free for a body. */
  | "bodies"
  /** The head or the body took too long. */
  | "timeout"
  /** The client did not read its response. */
  | "unread"
  | "malformed";

/** The metrics of the HTTP server's limits. */
export interface EdgeMetrics {
  refused(reason: EdgeRefusal): void;
  /** Registers a gauge that is read at each scrape. */
  gauge(name: EdgeGauge, read: () => number): void;
  /** Registers the gauge of the memory for bodies, read at each scrape. */
  bodies(read: () => Readonly<Record<string, number>>): void;
}

type EdgeGauge = "purser_http_connections" | "purser_http_unsent_bytes" | "purser_event_streams";

const helps: Readonly<Record<EdgeGauge, string>> = {
  purser_http_connections: "Open connections",
  purser_http_unsent_bytes: "Bytes of responses that wait for their clients to read them",
  purser_event_streams: "Open streams of events",
};

export function createEdgeMetrics(registry: Registry): EdgeMetrics {
  const registers = [registry];
  const refusals = new Counter({
    name: "purser_http_refused_total",
    help: "Requests and connections that a limit of the HTTP server refused",
    labelNames: ["reason"],
    registers,
  });
  const gauges = Object.entries(helps).map(([name, help]) => new Gauge({ name, help, registers }));
  const bodies = new Gauge({
    name: "purser_http_body_bytes",
    help: "Memory in use for bodies over 16 KiB",
    labelNames: ["purpose"],
    registers,
  });
  // prom-client calls `collect` at each scrape. The reader exists only once the server does.
  const collect = (gauge: Gauge, read: () => void) => Object.assign(gauge, { collect: read });
  return {
    refused: (reason) => refusals.inc({ reason }),
    gauge(name, read) {
      const gauge = gauges[Object.keys(helps).indexOf(name)]!;
      collect(gauge, () => gauge.set(read()));
    },
    bodies: (read) =>
      void collect(bodies, () => {
        for (const [purpose, bytes] of Object.entries(read())) bodies.set({ purpose }, bytes);
      }),
  };
}
