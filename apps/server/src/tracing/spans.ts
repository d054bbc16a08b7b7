import { AsyncLocalStorage } from "node:async_hooks";
import {
  type Context,
  ROOT_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from "@opentelemetry/api";
import { describeError } from "../process/error-facts.ts";

export const failed = { code: SpanStatusCode.ERROR };

/**
 * What is under way, kept in a storage of ours. Nothing is registered with OpenTelemetry's globals: libraries that find
 * a tracer there would write their errors into it, and these quote people's data.
 */
export class Spans {
  readonly #current = new AsyncLocalStorage<Context>();

  /** Begins a part of what is under way; undefined where nothing is, as while the process starts. */
  begin(tracer: Tracer, name: string, options: SpanOptions): Span | undefined {
    const parent = this.#current.getStore();
    return parent && tracer.startSpan(name, options, parent);
  }

  /** Runs what a span is about, and ends it. Where there is no span it just runs. */
  async within<Result>(
    span: Span | undefined,
    run: () => Promise<Result>,
    onFailure?: (span: Span, error: unknown) => void,
  ): Promise<Result> {
    if (span === undefined) return run();
    try {
      return await this.#current.run(trace.setSpan(ROOT_CONTEXT, span), run);
    } catch (error) {
      onFailure?.(span, error);
      throw error;
    } finally {
      span.end();
    }
  }

  /** Runs what is no part of what is under way. */
  outside(run: () => void): void {
    this.#current.exit(run);
  }

  get active(): Span | undefined {
    return trace.getSpan(this.#current.getStore() ?? ROOT_CONTEXT);
  }
}

/** Marks a span as failed by the error's code or kind: its message may quote what it was about. */
export function fail(span: Span, error: unknown): void {
  const { code, type } = describeError(error);
  span.setAttribute("error.type", code ?? type).setStatus(failed);
}
