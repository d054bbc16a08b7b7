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
import { describeError } from "../process/describe-error.ts";

export const failed = { code: SpanStatusCode.ERROR };

/**
 * The active span, in our own storage. Nothing is registered with OpenTelemetry's globals, because libraries would find
 * a tracer there and record their errors, which quote personal data.
 */
export class Spans {
  readonly #current = new AsyncLocalStorage<Context>();

  /** Starts a child of the active span. Returns undefined without one, for example during startup. */
  begin(tracer: Tracer, name: string, options: SpanOptions): Span | undefined {
    const parent = this.#current.getStore();
    return parent && tracer.startSpan(name, options, parent);
  }

  /** Runs the function in this span and ends the span. Without a span, only runs the function. */
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

  /** Runs the function without an active span. */
  outside(run: () => void): void {
    this.#current.exit(run);
  }

  get active(): Span | undefined {
    return trace.getSpan(this.#current.getStore() ?? ROOT_CONTEXT);
  }
}

/** Marks a span as failed by the error's code or class, because the message may quote data. */
export function failSpan(span: Span, error: unknown): void {
  const { code, type } = describeError(error);
  span.setAttribute("error.type", code ?? type).setStatus(failed);
}
