import type { Tracer } from "@purser/platform";

/** Records what the process does as OpenTelemetry spans. */
export interface Tracing extends Tracer {
  /** Answers a request in a span, which continues the caller's trace if the headers name one (W3C Trace Context). */
  request(headers: Headers, handle: () => Promise<Response>): Promise<Response>;
  /** Adds method, route pattern and response status to the span of the current request. */
  describe(method: string, route: string, status: number): void;
  /** Runs a procedure in a span of the current request. */
  procedure<Result>(name: string, run: () => Promise<Result>): Promise<Result>;
  /** The fields that link a log line to the current trace; undefined outside a trace. */
  logFields(): { trace_id: string; span_id: string } | undefined;
  /** Exports the remaining spans, for at most a second. */
  close(): Promise<void>;
}

/** Called when an export fails, but not again until one has succeeded. */
export type ReportFailure = (error: Error | undefined) => void;
