import { decodeWire, encodeWire } from "@purser/core/wire";
import type { OperationLink, TRPCClientError } from "@trpc/client";
import { httpBatchLink } from "@trpc/client/links/httpBatchLink";
import { httpLink } from "@trpc/client/links/httpLink";
import type { AnyTRPCRouter } from "@trpc/server";
import { type ProblemDocument, PurserError } from "./error.ts";
import { abortedError, problemError, unexpectedResponse } from "./failures.ts";
import type { PurserClientOptions } from "./options.ts";
import { type RpcResponse, createRequester } from "./request.ts";

export interface ClientCall {
  /** The procedure, such as `organizations.members.list`. */
  path: string;
  type: "query" | "mutation";
  input: unknown;
  signal: AbortSignal | undefined;
  idempotencyKey: string | undefined;
}

/** The most calls that the server accepts in one request. */
const maximumBatch = 10;
/** A URL length that every proxy accepts. A longer query gets its own request. */
const maximumUrlLength = 4096;

/** Creates the function that sends a call once and resolves to its output. It rejects with a `PurserError`. */
export function createTransport(options: PurserClientOptions): (call: ClientCall) => Promise<unknown> {
  const url = endpoint(options.baseUrl);
  const shared = {
    url,
    fetch: createRequester(options),
    transformer: { serialize: encodeWire, deserialize: decode },
  };
  const single = httpLink({ ...shared, headers: ({ op }) => headersOf(op.context) })({});
  const batch = httpBatchLink({ ...shared, maxItems: maximumBatch, maxURLLength: maximumUrlLength })({});
  let calls = 0;

  return async ({ path, type, input, signal, idempotencyKey }) => {
    const isBatched =
      options.batch !== false && type === "query" && urlLength(url, path, input) <= maximumUrlLength;
    calls += 1;
    const op = { id: calls, path, type, input, signal, context: { idempotencyKey } };
    const outcome = await outcomeOf((isBatched ? batch : single)({ op, next: noFurtherLink }), signal);
    if ("error" in outcome) throw asPurserError(outcome.error);
    return outcome.output;
  };
}

type Sent = ReturnType<OperationLink<AnyTRPCRouter>>;
type Outcome = { output: unknown } | { error: TRPCClientError<AnyTRPCRouter> };

/** Waits for the outcome. An aborted call rejects at once, while the rest of its batch continues. */
function outcomeOf(sent: Sent, signal: AbortSignal | undefined): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: Outcome) => {
      signal?.removeEventListener("abort", abort);
      resolve(outcome);
    };
    const abort = () => {
      subscription.unsubscribe();
      if (signal) reject(abortedError(signal));
    };
    const subscription = sent.subscribe({
      next: ({ result }) => settle({ output: "data" in result ? result.data : undefined }),
      error: (error) => settle({ error }),
    });
    signal?.addEventListener("abort", abort, { once: true });
  });
}

function endpoint(baseUrl: string | URL): string {
  const page = (globalThis as { location?: { href: string } }).location;
  const url = new URL(baseUrl === "" ? "/" : baseUrl, page?.href);
  url.search = "";
  url.hash = "";
  return `${url.href.replace(/\/+$/, "")}/trpc`;
}

/** The URL length of a batch with only this call. */
function urlLength(url: string, path: string, input: unknown): number {
  const text = JSON.stringify({ 0: encodeWire(input) });
  return `${url}/${path}?batch=1&input=${encodeURIComponent(text)}`.length;
}

const decode = (value: unknown) => decodeWire(value);

const headersOf = ({ idempotencyKey }: { idempotencyKey?: unknown }) =>
  typeof idempotencyKey === "string" ? { "idempotency-key": idempotencyKey } : {};

function noFurtherLink(): never {
  throw new Error("There is no further link");
}

/** Creates a new error within the caller's await, so that its stack shows the caller's line. */
function asPurserError(error: TRPCClientError<AnyTRPCRouter>): Error {
  const { cause, data, meta } = error;
  if (cause instanceof PurserError) return new PurserError(cause.code, cause.message, cause);
  const response = meta?.["response"] as RpcResponse | undefined;
  // Without a response, the error is the caller's own: from the token function, or an input that is not JSON.
  if (response === undefined) return cause ?? error;
  const problem = (data as { problem?: ProblemDocument } | undefined)?.problem;
  return problem ? problemError(problem, response) : unexpectedResponse(response);
}
