import type { HttpBindings } from "@hono/node-server";
import type { Context as ProcedureContext } from "@purser/router";
import type { Context } from "hono";

/** What is known about a request on its way through the app. */
export interface Door {
  /** Node's own request, absent where a test calls the app without a socket. */
  Bindings: Partial<HttpBindings>;
  Variables: {
    requestId: string;
    envelope: { headersOf(c: DoorContext): Record<string, string> };
    /** The answer has the envelope's headers already. */
    isComplete?: boolean;
    /** The pattern that matched, for logs and metrics: never the path itself, which holds identifiers. */
    route?: string;
    /** Who was recognised, for the log line. */
    userId?: string;
    /** What the procedures of a tRPC call are given. */
    procedureContext?: ProcedureContext;
  };
}

export type DoorContext = Context<Door>;
