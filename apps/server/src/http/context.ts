import type { HttpBindings } from "@hono/node-server";
import type { Context as ProcedureContext } from "@purser/router";
import type { Context } from "hono";

/** What is known about one request while it is answered. */
export interface RequestContext {
  readonly requestId: string;
  /** The Origin that it came from, as a browser tells it. */
  readonly origin: string | null;
  /** The headers that its answer gets, whatever else it says. */
  headers(): Record<string, string>;
  /** The answer has those headers already. */
  isComplete: boolean;
  /** The pattern that matched, for logs and metrics: never the path itself, which holds identifiers. */
  route: string | undefined;
  /** Who was recognised, for the log line. */
  userId: string | undefined;
}

export interface HttpEnv {
  /** Beside ours Node's own request, absent where a test calls the app without a socket. */
  Bindings: Partial<HttpBindings> & { requestContext: RequestContext };
  Variables: {
    /** What the procedures of a tRPC call are given. */
    procedureContext?: ProcedureContext;
  };
}

export type HttpContext = Context<HttpEnv>;
