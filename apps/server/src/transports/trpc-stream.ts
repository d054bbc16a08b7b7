import { trpcServer } from "@hono/trpc-server";
import { type TrpcRequest, withBatchInputs } from "@purser/router";
import type { AnyTRPCRouter } from "@trpc/server";
import type { HttpContext } from "../http/context.ts";
import { apiHeaders } from "../http/headers.ts";

const lines = "application/jsonl";

/** Whether the client reads each result of a batch as a line of its own, as `httpBatchStreamLink` does. */
export const wantsStream = ({ req }: HttpContext): boolean => req.header("trpc-accept") === lines;

/** Answers a batch by tRPC's own handler, which sends each result as soon as it is there. */
export async function streamTrpc(
  c: HttpContext,
  router: AnyTRPCRouter,
  request: TrpcRequest,
  { ctx, onError }: { ctx: object; onError: (error: unknown) => void },
): Promise<Response> {
  limitMemory(c);
  // The handler sees only what was checked. It would read other names from some paths, such as one with a final slash,
  // and other headers could select another format, such as a form.
  const url = new URL(`/trpc/${request.names.map(encodeURIComponent).join(",")}?batch=1`, c.req.url);
  c.req.raw = new Request(url, {
    method: c.req.method,
    headers: { "content-type": "application/json", "trpc-accept": lines },
    signal: c.req.raw.signal,
  });
  const serve = trpcServer({
    endpoint: "/trpc",
    router: withBatchInputs(router, request),
    allowMethodOverride: true,
    createContext: () => ({ ...ctx }),
    onError: ({ error }) => onError(error),
    responseMeta: () => ({ headers: { ...apiHeaders } }),
  });
  return (await serve(c, async () => {})) as Response;
}

/** Makes the limits of memory hold for a response that begins before its calls have ended (docs/decisions/0034). */
function limitMemory({ env: { requestContext, outgoing } }: HttpContext): void {
  // Without a socket, in tests.
  if (outgoing === undefined) return;
  const { bodyLease } = requestContext;
  requestContext.bodyLease = undefined;
  outgoing.once("close", () => bodyLease?.release());
  // Node takes each result at once, so an unread response is complete with its last call. From then on it counts as unread.
  const write = outgoing.write.bind(outgoing) as (chunk: Uint8Array) => boolean;
  outgoing.write = (chunk: Uint8Array) => {
    write(chunk);
    return true;
  };
}
