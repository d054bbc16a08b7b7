import { trpcServer } from "@hono/trpc-server";
import { Problem, validationFailed } from "@purser/core";
import { createContext } from "@purser/platform";
import { type Context, configOf, procedureProblem } from "@purser/router";
import { type AnyTRPCRouter, TRPCError, getTRPCErrorShape } from "@trpc/server";
import type { Hono } from "hono";
import type { Authenticate, AuthenticatedRequest } from "../http/authentication.ts";
import { readJsonText } from "../http/body.ts";
import type { HttpContext, HttpEnv } from "../http/context.ts";
import { apiHeaders } from "../http/headers.ts";
import { idempotencyKeyOf } from "../http/idempotency-key.ts";
import { reportedProblem } from "../http/problems.ts";
import { answerJson, problemHeaders } from "../http/response.ts";
import type { AppService } from "../service.ts";
import { type TrpcCall, readCall } from "./trpc-call.ts";

const maximumBatch = 10;

/**
 * Serves the tRPC protocol, with the same checks as REST in the same order. A request that is refused before a procedure
 * runs gets an error of the same shape, so clients handle one kind of error.
 */
export function mountTrpc(
  app: Hono<HttpEnv>,
  service: AppService,
  authenticate: Authenticate,
  router: AnyTRPCRouter,
): void {
  const { platform, metrics } = service;
  const serve = trpcServer({
    endpoint: "/trpc",
    router,
    maxBatchSize: maximumBatch,
    createContext: (_options, c: HttpContext) => ({ ...c.get("procedureContext") }),
    responseMeta: ({ ctx, errors }) => ({
      headers: headersOf(ctx as Context | undefined, errors.map(procedureProblem)),
    }),
    onError: ({ error, ctx }) => void reportedProblem(error, requestIdIn(ctx), platform.logger),
  });
  app.all("/trpc/*", async (c, next) => {
    const call = readCall(c, router);
    c.env.requestContext.route = call.route;
    try {
      assertAnswerable(call);
      const text = c.req.method === "POST" ? await readJsonText(c) : null;
      const authenticated = await authenticate(c);
      const idempotencyKey = call.type === "mutation" ? keyOf(c, call, authenticated) : null;
      c.set("procedureContext", createContext(platform, { ...authenticated, idempotencyKey }));
      for (const procedure of call.known) metrics.countCall(procedure, "trpc");
      c.req.raw = checkedRequest(c, text) as Request;
      return await serve(c, next);
    } catch (error) {
      return refusal(
        c,
        call,
        router,
        reportedProblem(error, c.env.requestContext.requestId, platform.logger),
      );
    }
  });
}

/** The parts of a request that tRPC reads. */
type Readable = Pick<Request, "url" | "method" | "headers" | "signal" | "body" | "text" | "json">;

const jsonHeaders = new Headers({ "content-type": "application/json" });

/**
 * Passes on only what was checked. Other headers could select another format, such as a stream or a form. The result is
 * not a real Request, because creating one takes a fifth of a small query's time.
 */
function checkedRequest({ req }: HttpContext, text: string | null): Readable {
  return {
    url: req.url,
    method: req.method,
    headers: jsonHeaders,
    signal: new AbortController().signal,
    body: null,
    text: async () => text ?? "",
    json: async () => JSON.parse(text ?? ""),
  };
}

/** Refuses what tRPC itself would refuse before it has a context, and so without a request id. */
function assertAnswerable({ known, names, methodFits, isMixed, hasConnectionParams }: TrpcCall): void {
  if (known.length === 0) throw new Problem("NOT_FOUND");
  if (names.length > maximumBatch) throw new Problem("BATCH_TOO_LARGE");
  if (hasConnectionParams) throw refused("connectionParams belong to subscriptions, and there are none");
  if (isMixed) throw refused("A batch holds queries or mutations, not both");
  if (!methodFits) throw new Problem("METHOD_NOT_ALLOWED");
}

const refused = (message: string) => validationFailed([{ path: [], code: "invalid_request", message }]);

/** A key belongs to one call. In a batch it would be ambiguous. */
function keyOf(c: HttpContext, { names }: TrpcCall, authenticated: AuthenticatedRequest): string | null {
  const key = idempotencyKeyOf(c, authenticated);
  if (key === null || names.length === 1) return key;
  throw refused("A batch of several calls cannot carry an idempotency key");
}

const requestIdIn = (ctx: object | undefined) => (ctx as Context | undefined)?.requestId ?? "";

function headersOf(ctx: Context | undefined, problems: Problem[]): Headers {
  const [problem] = problems;
  const replayed = ctx?.response.replayed && { "Idempotency-Replayed": "true" };
  return new Headers({ ...apiHeaders, ...(problem && problemHeaders(problem)), ...replayed });
}

function refusal(c: HttpContext, call: TrpcCall, router: AnyTRPCRouter, problem: Problem): Response {
  const config = configOf(router);
  const shape = getTRPCErrorShape({
    config,
    error: new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: problem }),
    type: call.type ?? "unknown",
    path: call.path,
    input: undefined,
    // The error formatter reads only the request id of the context.
    ctx: { requestId: c.env.requestContext.requestId } as Context,
  });
  const allow = problem.code === "METHOD_NOT_ALLOWED" && { Allow: call.allow };
  const body = config.transformer.output.serialize({ error: shape });
  return answerJson(c, problem.status, body, { ...problemHeaders(problem), ...allow });
}
