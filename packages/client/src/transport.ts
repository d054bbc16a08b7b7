import { decodeWire, encodeWire } from "@purser/core/wire";
import type { OperationLink, TRPCClientError } from "@trpc/client";
import { httpBatchLink } from "@trpc/client/links/httpBatchLink";
import { httpLink } from "@trpc/client/links/httpLink";
import type { AnyTRPCRouter } from "@trpc/server";
import { type ProblemDocument, PurserError } from "./error.ts";
import { type Answer, createRequester } from "./request.ts";
import { aborted, refused, unexpected } from "./failures.ts";
import type { PurserClientOptions } from "./options.ts";

export interface Call {
  /** The procedure, such as `organizations.members.list`. */
  path: string;
  type: "query" | "mutation";
  input: unknown;
  signal: AbortSignal | undefined;
  idempotencyKey: string | undefined;
}

/** What the server takes in one request. */
const maximumBatch = 10;
/** Characters that every proxy on the way lets pass; a longer query travels alone, and its server decides. */
const maximumUrl = 4096;

/** Makes what sends a call, once, and gives its output. It rejects with a `PurserError`. */
export function createTransport(options: PurserClientOptions): (call: Call) => Promise<unknown> {
  const url = endpoint(options.baseUrl);
  const shared = {
    url,
    fetch: createRequester(options),
    transformer: { serialize: encodeWire, deserialize: decode },
  };
  const single = httpLink({ ...shared, headers: ({ op }) => headersOf(op.context) })({});
  const batch = httpBatchLink({ ...shared, maxItems: maximumBatch, maxURLLength: maximumUrl })({});
  let calls = 0;

  return async ({ path, type, input, signal, idempotencyKey }) => {
    const isBatched =
      options.batch !== false && type === "query" && urlLength(url, path, input) <= maximumUrl;
    calls += 1;
    const op = { id: calls, path, type, input, signal, context: { idempotencyKey } };
    const outcome = await outcomeOf((isBatched ? batch : single)({ op, next: noFurtherLink }), signal);
    if ("error" in outcome) throw asPurserError(outcome.error);
    return outcome.output;
  };
}

type Sent = ReturnType<OperationLink<AnyTRPCRouter>>;
type Outcome = { output: unknown } | { error: TRPCClientError<AnyTRPCRouter> };

/** Waits for what is sent. In a batch tRPC goes on for the sake of the others; whoever aborts is free at once. */
function outcomeOf(sent: Sent, signal: AbortSignal | undefined): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const settle = (outcome: Outcome) => {
      signal?.removeEventListener("abort", abort);
      resolve(outcome);
    };
    const abort = () => {
      subscription.unsubscribe();
      if (signal) reject(aborted(signal));
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

/** The length of a batch of this one call: with it alone the batch must not be too long already. */
function urlLength(url: string, path: string, input: unknown): number {
  const text = JSON.stringify({ 0: encodeWire(input) });
  return `${url}/${path}?batch=1&input=${encodeURIComponent(text)}`.length;
}

const decode = (value: unknown) => decodeWire(value);

const headersOf = ({ idempotencyKey }: { idempotencyKey?: unknown }) =>
  typeof idempotencyKey === "string" ? { "idempotency-key": idempotencyKey } : {};

function noFurtherLink(): never {
  throw new Error("These links are the last ones");
}

/** A new error, made within what the caller awaits, so that its stack leads to the caller's own line. */
function asPurserError(error: TRPCClientError<AnyTRPCRouter>): Error {
  const { cause, data, meta } = error;
  if (cause instanceof PurserError) return new PurserError(cause.code, cause.message, cause);
  const answer = meta?.["response"] as Answer | undefined;
  // What fails without an answer is the caller's own: their token function, or an input that is not JSON.
  if (answer === undefined) return cause ?? error;
  const problem = (data as { problem?: ProblemDocument } | undefined)?.problem;
  return problem ? refused(problem, answer) : unexpected(answer);
}
