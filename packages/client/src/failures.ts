import { PurserError } from "./error.ts";
import type { ResponseInfo } from "./methods.ts";

export function networkFailure(cause: unknown): PurserError {
  return new PurserError("NETWORK_FAILURE", "The server was not reached, or its response broke off.", {
    cause,
    retryable: true,
  });
}

export function unexpectedResponse(response: ResponseInfo): PurserError {
  const { status, requestId } = response;
  const message = `The response with status ${status} is not from Purser.`;
  // A proxy or load balancer that does not reach the service.
  const retryable = status === 429 || (status >= 502 && status <= 504);
  const retryAfterSeconds = retryAfterOf(response);
  return new PurserError("UNEXPECTED_RESPONSE", message, { status, requestId, retryAfterSeconds, retryable });
}

export function timeoutError(timeoutMs: number): PurserError {
  const message = `The call took longer than ${timeoutMs} ms.`;
  return new PurserError("TIMEOUT", message, { retryable: true });
}

export function abortedError({ reason }: AbortSignal): PurserError {
  return new PurserError("ABORTED", "The call was aborted.", { cause: reason });
}

/** Returns a new error, so that its stack shows the line of the caller who awaits it. An error of the caller stays itself. */
export function again(error: unknown): unknown {
  return error instanceof PurserError ? new PurserError(error.code, error.message, error) : error;
}

/** Reads a number of seconds, or a date as some proxies send it. */
export function retryAfterOf({ headers }: ResponseInfo): number | undefined {
  const value = headers.get("retry-after");
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}
