import { decodeWire } from "@purser/core/wire";
import { type ProblemDocument, PurserError } from "./error.ts";
import { retryAfterOf, unexpectedResponse } from "./failures.ts";
import type { ResponseInfo } from "./methods.ts";

/** What a procedure answered. */
export interface CallReply {
  data: unknown;
  /** The cursor of the next page of a list. */
  nextAfter: string | null;
  response: ResponseInfo;
}

/** Reads tRPC's envelope of one call. Throws the error in it, or `UNEXPECTED_RESPONSE` for anything else. */
export function readEnvelope(envelope: unknown, response: ResponseInfo): CallReply {
  const { result, error } = fieldsOf(envelope);
  if (result !== undefined) {
    const { data, nextAfter } = fieldsOf(result);
    return { data: decodeWire(data), nextAfter: typeof nextAfter === "string" ? nextAfter : null, response };
  }
  const { problem, retryAfterSeconds } = fieldsOf(fieldsOf(decodeWire(error))["data"]);
  // A request that is refused before it reaches tRPC is answered with a plain problem document, as over REST.
  throw readProblem(problem ?? envelope, response, retryAfterSeconds);
}

/**
 * Returns the error of a problem document, or `UNEXPECTED_RESPONSE` for anything else. `retryAfterSeconds` is that of the
 * call, null if it has none; by default that of the response, which several calls may share.
 */
export function readProblem(
  body: unknown,
  response: ResponseInfo,
  retryAfterSeconds: unknown = retryAfterOf(response),
): PurserError {
  if (!isProblemDocument(body)) return unexpectedResponse(response);
  const seconds = typeof retryAfterSeconds === "number" ? retryAfterSeconds : undefined;
  return new PurserError(body.code, body.detail, { ...body, retryAfterSeconds: seconds });
}

function isProblemDocument(body: unknown): body is ProblemDocument {
  const { code, detail, requestId } = fieldsOf(body);
  return code !== undefined && detail !== undefined && requestId !== undefined;
}

const fieldsOf = (value: unknown) =>
  (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
