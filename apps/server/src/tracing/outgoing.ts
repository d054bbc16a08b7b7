import { channel } from "node:diagnostics_channel";
import type { ClientRequest, IncomingMessage } from "node:http";
import { type Attributes, type Span, SpanStatusCode } from "@opentelemetry/api";

interface Following {
  /** Starts a child of the active span. Returns undefined without one. */
  begin: (name: string, attributes: Attributes) => Span | undefined;
  /** Sets the headers that continue the trace at the other side. */
  inject: (span: Span, set: (name: string, value: string) => void) => void;
}

/** A `fetch` request, as Node's diagnostics channel describes it. */
interface FetchRequest {
  method: string;
  origin: string | URL;
  addHeader(name: string, value: string): void;
}

/**
 * Records requests to providers as spans, from the diagnostics channels of Node's two HTTP clients. A span has method, host
 * and status, but no path, because paths contain identifiers. Returns a function that stops it.
 */
export function followOutgoing({ begin, inject }: Following): () => void {
  const spans = new WeakMap<object, Span>();
  const started = (request: object, method: string, host: string) => {
    const span = begin(`${method} ${host}`, { "http.request.method": method, "server.address": host });
    if (span !== undefined) spans.set(request, span);
    return span;
  };
  const recordResponse = (request: object, status: number) => {
    const span = spans.get(request)?.setAttribute("http.response.status_code", status);
    if (status >= 400) span?.setAttribute("error.type", String(status)).setStatus(failed);
  };
  const broken = (request: object, error: { code?: string }) => {
    spans
      .get(request)
      ?.setAttribute("error.type", error.code ?? "error")
      .setStatus(failed)
      .end();
  };
  const over = (request: object) => spans.get(request)?.end();

  return subscribe({
    "undici:request:create": ({ request }: { request: FetchRequest }) => {
      const span = started(request, request.method, new URL(request.origin).hostname);
      if (span !== undefined) inject(span, (name, value) => request.addHeader(name, value));
    },
    "undici:request:headers": ({ request, response }: FetchResponse) =>
      recordResponse(request, response.statusCode),
    "undici:request:trailers": ({ request }: { request: object }) => over(request),
    "undici:request:error": ({ request, error }: Failure) => broken(request, error),
    "http.client.request.created": ({ request }: { request: ClientRequest }) => {
      const span = started(request, request.method, request.host);
      // A request with its headers as a list has already sent them.
      if (span !== undefined && !request.headersSent)
        inject(span, (name, value) => request.setHeader(name, value));
    },
    "http.client.response.finish": ({ request, response }: HttpAnswer) => {
      recordResponse(request, response.statusCode ?? 0);
      over(request);
    },
    "http.client.request.error": ({ request, error }: Failure) => broken(request, error),
  });
}

type FetchResponse = { request: object; response: { statusCode: number } };
type HttpAnswer = { request: object; response: IncomingMessage };
type Failure = { request: object; error: { code?: string } };

const failed = { code: SpanStatusCode.ERROR };

/** The channel's name determines the type of its messages. */
function subscribe(listeners: Readonly<Record<string, (message: never) => void>>): () => void {
  const subscriptions = Object.entries(listeners) as [string, (message: unknown) => void][];
  for (const [name, listener] of subscriptions) channel(name).subscribe(listener);
  return () => {
    for (const [name, listener] of subscriptions) channel(name).unsubscribe(listener);
  };
}
