import { randomUUID } from "node:crypto";

/** The accepted request ids: short, and harmless in any log. */
const requestIdPattern = /^[\w.-]{8,128}$/;

/** Returns the caller's `X-Request-Id` if it is valid, for tracing across services; otherwise a new one. */
export function requestIdOf(requested: string | null = null): string {
  return requested !== null && requestIdPattern.test(requested) ? requested : `req_${randomUUID()}`;
}
