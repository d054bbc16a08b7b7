import { setTimeout as sleep } from "node:timers/promises";
import { ROOT_CONTEXT, SpanKind, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import type { Settings } from "@purser/platform/settings";
import { procedureProblem } from "@purser/router";
import { openProvider } from "./exporting.ts";
import { followOutgoing } from "./outgoing.ts";
import type { ReportFailure, Tracing } from "./port.ts";
import { Spans, failSpan, failed } from "./spans.ts";

const propagator = new W3CTraceContextPropagator();
/** Reads only the ids from the caller's headers. `tracestate` and `baggage` may contain anything. */
const traceparent = {
  keys: () => ["traceparent"],
  get: (headers: Headers, name: string) =>
    name === "traceparent" ? (headers.get(name) ?? undefined) : undefined,
};

const postgres = { "db.system.name": "postgresql" };
const closingMs = 1000;

/** Records requests, procedures, statements, jobs and provider calls as OpenTelemetry spans. */
export function startTracing(traces: NonNullable<Settings["traces"]>, reportFailure: ReportFailure): Tracing {
  const spans = new Spans();
  const provider = openProvider(traces, spans, reportFailure);
  const tracer = provider.getTracer("purser");
  const stopFollowing = followOutgoing({
    begin: (name, attributes) => spans.begin(tracer, name, { kind: SpanKind.CLIENT, attributes }),
    inject: (span, set) =>
      propagator.inject(trace.setSpan(ROOT_CONTEXT, span), null, {
        set: (_, name, value) => set(name, value),
      }),
  });

  return {
    request(headers, handle) {
      const caller = propagator.extract(ROOT_CONTEXT, headers, traceparent);
      return spans.within(tracer.startSpan("request", { kind: SpanKind.SERVER }, caller), handle);
    },
    describe(method, route, status) {
      spans.active?.updateName(`${method} ${route}`).setAttributes({
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
      });
      if (status >= 500) spans.active?.setAttribute("error.type", String(status)).setStatus(failed);
    },
    procedure(name, run) {
      const attributes = { "rpc.system.name": "trpc", "rpc.method": name };
      return spans.within(spans.begin(tracer, name, { attributes }), run, (span, error) => {
        const { code, status } = procedureProblem(error);
        span.setAttribute("error.type", code);
        if (status >= 500) span.setStatus(failed);
      });
    },
    // A rolled-back transaction is not itself a failure. The span of the failed statement has the error.
    transaction: (run) => spans.within(spans.begin(tracer, "transaction", { attributes: postgres }), run),
    statement(statement) {
      const { summary, text } = describeStatement(statement);
      const attributes = { ...postgres, "db.query.summary": summary, "db.query.text": text };
      const span = spans.begin(tracer, summary, { kind: SpanKind.CLIENT, attributes });
      return (error) => {
        if (span && error !== undefined) failSpan(span, error);
        span?.end();
      };
    },
    job: (name, run) =>
      spans.within(tracer.startSpan(`job ${name}`, { kind: SpanKind.CONSUMER }, ROOT_CONTEXT), run, failSpan),
    logFields() {
      const ids = spans.active?.spanContext();
      return ids && { trace_id: ids.traceId, span_id: ids.spanId };
    },
    async close() {
      stopFollowing();
      // A failed export has been reported already.
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(closingMs, undefined, { ref: false })]);
    },
  };
}

const maxTextLength = 1000;

/** Returns the span's name and the statement's text, which has placeholders instead of values. */
function describeStatement(text: string): { summary: string; text: string } {
  return { summary: summaryOf(text), text: text.slice(0, maxTextLength) };
}

/** The operation and its first table, for example `select memberships`. */
function summaryOf(text: string): string {
  const [operation = "statement"] = /[a-z]+/i.exec(text) ?? [];
  const [, table] = /\b(?:from|into|update|join) (?:"?\w+"?\.)?"?([a-z]\w*)/i.exec(text) ?? [];
  return table === undefined ? operation.toLowerCase() : `${operation.toLowerCase()} ${table}`;
}
