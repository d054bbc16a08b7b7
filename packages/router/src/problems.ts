import { type Issue, Problem } from "@purser/core";
import { isUnavailable, sqlState } from "@purser/db";
import { TRPCError } from "@trpc/server";
import { z } from "zod";

/** Gives any error its place in the catalogue. What nobody foresaw is INTERNAL, and tells nothing. */
export function toProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof TRPCError) return fromTransport(error);
  if (isUnavailable(error) || worthRepeating.has(sqlState(error) ?? "")) {
    return new Problem("UNAVAILABLE", { retryAfterSeconds: 1, cause: error });
  }
  return new Problem("INTERNAL", { cause: error });
}

/**
 * What another attempt may well get through: a statement cancelled by its time limit, a lock not had in time, a
 * transaction idle for too long, and those that lost to others every time they were run.
 */
const worthRepeating = new Set(["57014", "55P03", "25P03", "40001", "40P01"]);

/** What is wrong with an input, as far as it helps to know: the answer must not be many times as large as the request. */
export function validationFailed(issues: Issue[]): Problem {
  return new Problem("VALIDATION_FAILED", { issues: issues.slice(0, mostIssues).map(brief) });
}

const mostIssues = 100;
const longestName = 200;
const longestMessage = 1000;

/** Names of fields are the caller's, and may be as long as their request. */
function brief({ path, code, message }: Issue): Issue {
  const name = (part: string | number) => (typeof part === "string" ? part.slice(0, longestName) : part);
  return { path: path.map(name), code, message: message.slice(0, longestMessage) };
}

function fromTransport(error: TRPCError): Problem {
  const { cause } = error;
  switch (error.code) {
    case "BAD_REQUEST":
      // tRPC parses the body when a procedure asks for its input.
      if (cause instanceof SyntaxError) return new Problem("MALFORMED_JSON");
      return validationFailed(cause instanceof z.ZodError ? issuesOf(cause) : [badRequest]);
    case "NOT_FOUND":
      return new Problem("NOT_FOUND");
    case "METHOD_NOT_SUPPORTED":
      return new Problem("METHOD_NOT_ALLOWED");
    case "PAYLOAD_TOO_LARGE":
      return new Problem("PAYLOAD_TOO_LARGE");
    case "UNSUPPORTED_MEDIA_TYPE":
      return new Problem("UNSUPPORTED_MEDIA_TYPE");
    default:
      // tRPC wraps what a procedure throws; an output that breaks its contract is a fault of ours.
      return cause === undefined || cause instanceof z.ZodError
        ? new Problem("INTERNAL", { cause: error })
        : toProblem(cause);
  }
}

const badRequest: Issue = { path: [], code: "invalid_request", message: "The request could not be read" };

function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.map(({ path, code, message }) => ({
    path: path.map((part) => (typeof part === "symbol" ? part.toString() : part)),
    code,
    message,
  }));
}
