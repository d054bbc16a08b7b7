import { wrapProcedures } from "@purser/router";
import type { AnyTRPCRouter } from "@trpc/server";
import type { Tracing } from "./port.ts";

/** Returns the same router with a span around every call, whatever the transport. */
export function tracedRouter(router: AnyTRPCRouter, tracing: Tracing): AnyTRPCRouter {
  return wrapProcedures(router, (name, call) => (options) => tracing.procedure(name, () => call(options)));
}
