import { trpcServer } from "@hono/trpc-server";
import { type TrpcRequest, batchInputsOf } from "@purser/router";
import type { AnyTRPCRouter } from "@trpc/server";
import type { HttpContext } from "../http/context.ts";

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
  const isPost = c.req.method === "POST";
  const inputs = batchInputsOf(router, request);
  const url = new URL(c.req.url);
  url.search = new URLSearchParams({ batch: "1", ...(!isPost && { input: inputs }) }).toString();
  // The handler sees only what was checked. Other headers could select another format, such as a form.
  c.req.raw = new Request(url, {
    method: c.req.method,
    headers: { "content-type": "application/json", "trpc-accept": lines },
    signal: c.req.raw.signal,
    ...(isPost && { body: inputs }),
  });
  const serve = trpcServer({
    endpoint: "/trpc",
    router,
    allowMethodOverride: true,
    createContext: () => ({ ...ctx }),
    onError: ({ error }) => onError(error),
  });
  return (await serve(c, async () => {})) as Response;
}
