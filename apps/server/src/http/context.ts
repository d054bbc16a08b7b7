import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { BodyBudget, BodyLease } from "./body-budget.ts";
import type { ReceivedHeaders } from "./received-headers.ts";

/** The state of one request while it is handled. */
export interface RequestContext {
  readonly requestId: string;
  /** Tells sooner than Hono's request that a header is absent. */
  readonly receivedHeaders: ReceivedHeaders;
  /** The Origin header, which browsers send. */
  readonly origin: string | null;
  /** Returns the headers that every response to this request has. */
  headers(): Record<string, string>;
  /** Whether the response already contains those headers. */
  isComplete: boolean;
  /** The matched pattern, for logs and metrics. Never the path, which contains identifiers. */
  route: string | undefined;
  /** The authenticated user or organization's key, for the log line. */
  caller: { userId: string } | { keyId: string } | undefined;
  bodies: BodyBudget;
  /** The memory of this request's body until it is answered. */
  bodyLease: BodyLease | undefined;
}

export interface HttpEnv {
  /** Also contains Node's request, unless a test calls the app without a socket. */
  Bindings: Partial<HttpBindings> & { requestContext: RequestContext };
}

export type HttpContext = Context<HttpEnv>;
