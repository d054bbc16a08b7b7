import { randomUUID } from "node:crypto";

/** What a caller may name a request: short and harmless in any log. */
const sane = /^[\w.-]{8,128}$/;

/** The caller's own `X-Request-Id` where it is sane, so that a trace can be followed across services; else a new one. */
export function requestIdOf(given: string | null = null): string {
  return given !== null && sane.test(given) ? given : `req_${randomUUID()}`;
}
