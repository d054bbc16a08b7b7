import { Problem, problemHeaders, validationFailed } from "@purser/core";
import { createContext } from "@purser/platform";
import { handleTrpcRequest, configOf, errorShape, proceduresOf, subscribeTrpc } from "@purser/router";
import type { AnyTRPCRouter } from "@trpc/server";
import type { Hono } from "hono";
import type { Authenticate, AuthenticatedRequest } from "../http/authentication.ts";
import { readJsonText } from "../http/body.ts";
import type { HttpContext, HttpEnv } from "../http/context.ts";
import { respondCompressed } from "../http/compression.ts";
import { respondWithStream, streamLimits } from "../http/event-stream.ts";
import { apiHeaders } from "../http/headers.ts";
import { idempotencyKeyOf } from "../http/idempotency-key.ts";
import { reportedProblem } from "../http/problems.ts";
import { jsonHeaders, respond, respondWithJson } from "../http/response.ts";
import type { AppService } from "../service.ts";
import { trpcFormat } from "./sse-formats.ts";
import { type TrpcCall, readCall } from "./trpc-call.ts";
import { streamTrpc, wantsStream } from "./trpc-stream.ts";

const maxBatch = 10;

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
  app.all("/trpc/*", async (c) => {
    const call = readCall(c, router);
    const { requestContext } = c.env;
    requestContext.route = call.route;
    const toProblem = (error: unknown) => reportedProblem(error, requestContext.requestId, platform.logger);
    try {
      assertCallable(call);
      const isPost = c.req.method === "POST";
      const body = isPost ? await readJsonText(c) : null;
      const authenticated = await authenticate(c);
      if (c.req.method === "HEAD") return respond(c, 204, null, apiHeaders);
      const idempotencyKey = keyOf(c, call, authenticated);
      const ctx = createContext(platform, { ...authenticated, idempotencyKey });
      for (const procedure of call.known) metrics.countCall(procedure, "trpc");
      const request = { ...call, input: isPost ? body : call.input };
      if (call.isBatch && wantsStream(c))
        return await streamTrpc(c, router, request, { ctx, onError: toProblem });
      if (call.type === "subscription") {
        const stream = await subscribeTrpc(
          router,
          { ...request, lastEventId: c.req.header("last-event-id") },
          ctx,
        );
        const errorOf = (error: unknown) => shapeOf(c, call, router, toProblem(error));
        const format = trpcFormat(configOf(router).transformer.output, errorOf);
        return await respondWithStream(c, stream, { format, ...streamLimits(service) });
      }
      const reply = await handleTrpcRequest(router, request, ctx, toProblem);
      // What a mutation returns may hold a secret, and is small.
      const send = call.type === "query" ? respondCompressed : respond;
      return send(c, reply.status, reply.body, {
        ...jsonHeaders,
        ...batchHeaders(reply.problems),
        ...(reply.replayed && { "Idempotency-Replayed": "true" }),
      });
    } catch (error) {
      return refusal(c, call, router, toProblem(error));
    }
  });
}

/** Refuses what no procedure should see. */
function assertCallable(call: TrpcCall): void {
  const { known, names, methodFits, isMixed, hasConnectionParams, type, isBatch } = call;
  if (known.length === 0) throw new Problem("NOT_FOUND");
  if (names.length > maxBatch) throw new Problem("BATCH_TOO_LARGE");
  if (hasConnectionParams)
    throw refused("Send the credential as a header or cookie, not in connectionParams");
  if (isMixed) throw refused("A batch can contain queries or mutations, not both");
  if (type === "subscription" && isBatch) throw refused("A subscription needs a separate request");
  if (!methodFits) throw new Problem("METHOD_NOT_ALLOWED");
}

const refused = (message: string) => validationFailed([{ path: [], code: "invalid_request", message }]);

/**
 * The headers that the problems of a batch require together. A client that reads only headers then waits for the longest.
 */
function batchHeaders(problems: Problem[]): Record<string, string> {
  const waits = problems.flatMap(({ retryAfterSeconds }) => retryAfterSeconds ?? []);
  return {
    ...Object.assign({}, ...problems.map(problemHeaders)),
    ...(waits.length > 0 && { "Retry-After": String(Math.max(...waits)) }),
  };
}

/** A key belongs to one call. In a batch it would be ambiguous. On a query it has no effect. */
function keyOf(
  c: HttpContext,
  { names, type }: TrpcCall,
  authenticated: AuthenticatedRequest,
): string | null {
  const isSent = c.env.requestContext.receivedHeaders.get("idempotency-key") !== null;
  const key = type === "mutation" ? idempotencyKeyOf(c, authenticated) : null;
  // Without a caller the error is that of the procedure.
  const counts = type === "mutation" ? key !== null : isSent && authenticated.caller !== null;
  if (counts && names.length > 1) throw refused("A batch of several calls cannot carry an idempotency key");
  return key;
}

function refusal(c: HttpContext, call: TrpcCall, router: AnyTRPCRouter, problem: Problem): Response {
  const shape = shapeOf(c, call, router, problem);
  const allow = problem.code === "METHOD_NOT_ALLOWED" && { Allow: call.allow };
  const body = configOf(router).transformer.output.serialize({ error: shape });
  return respondWithJson(c, problem.status, body, { ...problemHeaders(problem), ...allow });
}

function shapeOf(c: HttpContext, call: TrpcCall, router: AnyTRPCRouter, problem: Problem): object {
  const { requestId } = c.env.requestContext;
  const procedure = proceduresOf(router).get(call.known[0] ?? "");
  // The error formatter reads only the request id of the context.
  return errorShape(router, procedure, { name: call.path, ctx: { requestId } }, problem);
}
