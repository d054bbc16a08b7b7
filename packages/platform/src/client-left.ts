import { Problem } from "@purser/core";
import type { RequestInfo } from "./context.ts";

/** The problem for a request whose client closed the connection. Only logs and metrics see it. */
export const clientLeft = (cause?: unknown): Problem =>
  new Problem("VALIDATION_FAILED", { detail: "The client closed the connection.", cause });

/** Whether the client's connection is gone, so that nobody reads the response. */
export const hasClientLeft = ({ clientSignal }: Pick<RequestInfo, "clientSignal">): boolean =>
  clientSignal?.().aborted ?? false;

/**
 * Throws if the client has left. Call it between the steps of a long query. Never call it in a mutation: what the
 * mutation has begun must end, because the client may repeat the request with the same key.
 */
export function requireClient(ctx: Pick<RequestInfo, "clientSignal">): void {
  if (hasClientLeft(ctx)) throw clientLeft();
}
