import type { Settings, Tracer } from "@purser/router";

/** Follows what the process does, for whoever looks at its traces. */
export interface Tracing extends Tracer {
  /** Answers a request, as a part of its caller's trace where it names one (W3C Trace Context). */
  request(headers: Headers, answer: () => Promise<Response>): Promise<Response>;
  /** Tells of the request under way what was asked, by its pattern, and how it was answered. */
  describe(method: string, route: string, status: number): void;
  /** Runs a procedure as a part of the request under way. */
  procedure<Result>(name: string, run: () => Promise<Result>): Promise<Result>;
  /** By what a line in the log finds its trace; nothing where none is under way. */
  logFields(): { trace_id: string; span_id: string } | undefined;
  /** Sends what was not sent yet, for up to a second. */
  close(): Promise<void>;
}

/** Told of the first export that fails after one that did not. */
export type ReportFailure = (error: Error | undefined) => void;

/**
 * Starts tracing where a collector is named, and gives null where none is. OpenTelemetry's modules are loaded here and
 * nowhere else, so that nobody pays for them who does not look at traces.
 */
export async function openTracing(
  { traces }: Pick<Settings, "traces">,
  reportFailure: ReportFailure,
): Promise<Tracing | null> {
  if (traces === null) return null;
  const { startTracing } = await import("./start.ts");
  return startTracing(traces, reportFailure);
}
