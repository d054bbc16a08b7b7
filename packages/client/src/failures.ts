import { type ProblemDocument, PurserError } from "./error.ts";

/** Status and headers of a response. */
export interface ResponseMeta {
  status: number;
  requestId: string | undefined;
  retryAfterSeconds: number | undefined;
}

export function problemError(problem: ProblemDocument, { retryAfterSeconds }: ResponseMeta): PurserError {
  return new PurserError(problem.code, problem.detail, { ...problem, retryAfterSeconds });
}

export function networkFailure(cause: unknown): PurserError {
  return new PurserError("NETWORK_FAILURE", "The server could not be reached, or its response broke off.", {
    cause,
    retryable: true,
  });
}

export function unexpectedResponse(response: ResponseMeta): PurserError {
  const message = `The response with HTTP status ${response.status} is not from Purser.`;
  const { status } = response;
  // A proxy or load balancer that does not reach the service.
  const retryable = status === 429 || (status >= 502 && status <= 504);
  return new PurserError("UNEXPECTED_RESPONSE", message, { ...response, retryable });
}

export function abortedError(signal: AbortSignal): PurserError {
  return new PurserError("ABORTED", "The call was aborted.", { cause: signal.reason });
}
