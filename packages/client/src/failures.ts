import { type ProblemDocument, PurserError } from "./error.ts";

/** What an answer tells beside its body. */
export interface AnswerFacts {
  status: number;
  requestId: string | undefined;
  retryAfterSeconds: number | undefined;
}

export function refused(problem: ProblemDocument, { retryAfterSeconds }: AnswerFacts): PurserError {
  return new PurserError(problem.code, problem.detail, { ...problem, retryAfterSeconds });
}

export function unreachable(cause: unknown): PurserError {
  return new PurserError("NETWORK_FAILURE", "The server could not be reached, or its answer broke off.", {
    cause,
  });
}

export function unexpected(facts: AnswerFacts): PurserError {
  const message = `The answer, with HTTP status ${facts.status}, did not come from Purser.`;
  return new PurserError("UNEXPECTED_RESPONSE", message, facts);
}

export function aborted(signal: AbortSignal): PurserError {
  return new PurserError("ABORTED", "The call was aborted.", { cause: signal.reason });
}
