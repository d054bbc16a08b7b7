import { randomUUID } from "node:crypto";

/** What a caller may name a request: short and harmless in any log. */
const requestIdPattern = /^[\w.-]{8,128}$/;

/** The caller's own `X-Request-Id` where it is sane, so that a trace can be followed across services; else a new one. */
export function requestIdOf(given: string | null = null): string {
  return given !== null && requestIdPattern.test(given) ? given : `req_${randomUUID()}`;
}
