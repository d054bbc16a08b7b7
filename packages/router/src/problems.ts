import { type Issue, Problem, issuesOf, validationFailed } from "@purser/core";
import { toProblem } from "@purser/platform";
import { TRPCError } from "@trpc/server";
import { z } from "zod";

/** Returns the problem of an error that a procedure call threw. tRPC wraps errors, and throws some of its own. */
export function procedureProblem(error: unknown): Problem {
  return error instanceof TRPCError ? fromTrpc(error) : toProblem(error);
}

function fromTrpc(error: TRPCError): Problem {
  const { cause } = error;
  switch (error.code) {
    case "BAD_REQUEST":
      // tRPC parses the body when a procedure reads its input.
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
      // A ZodError here means that an output violates its contract: a bug.
      return cause === undefined || cause instanceof z.ZodError
        ? new Problem("INTERNAL", { cause: error })
        : procedureProblem(cause);
  }
}

const badRequest: Issue = { path: [], code: "invalid_request", message: "The request could not be read" };
