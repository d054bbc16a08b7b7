import type { FakeResponse } from "./server.ts";

/** A successful response: Yapily wraps the data. */
export function success(data: unknown, status = 200, meta: object = {}): FakeResponse {
  return { status, body: { meta: { tracingId: "679e7bb6cd45416a9a9a8d004c5315da", ...meta }, data } };
}

/** Yapily's error responses: HTTP status, status name, source and message. */
const refusals = {
  badRequest: [400, "BAD_REQUEST", "YAPILY", "The request is malformed."],
  unauthorized: [401, "UNAUTHORIZED", undefined, "Full authentication is required to access this resource"],
  consentUnauthorized: [
    401,
    "UNAUTHORIZED",
    "INSTITUTION",
    "The institution does not accept the access token.",
  ],
  consentRevoked: [
    403,
    "FORBIDDEN",
    "USER",
    "You are not authorised to access this resource. We didn't managed to fix this unauthorized by refreshing the authorization credential. Consent must has been revoked.",
  ],
  insufficientRights: [
    403,
    "FORBIDDEN",
    "INSTITUTION",
    "The institution rejected the call due to insufficient rights. The consent does not have the right privileges for that action.",
  ],
  notFound: [404, "NOT_FOUND", "YAPILY", "The requested resource has not been found."],
  conflict: [409, "CONFLICT", "YAPILY", "The consent cannot be re-authorised."],
  failedDependency: [424, "FAILED_DEPENDENCY", "INSTITUTION", "The institution failed to respond."],
  missingAtBank: [
    424,
    "NOT_FOUND",
    "INSTITUTION",
    "The requested resource has not been found in the institution.",
  ],
  tooManyRequests: [429, "TOO_MANY_REQUESTS", "YAPILY", "Slow down."],
  notImplemented: [501, "NOT_IMPLEMENTED", "YAPILY", "The feature is not supported by the institution."],
  unavailable: [503, "SERVICE_UNAVAILABLE", "YAPILY", "Down for maintenance."],
  gatewayTimeout: [504, "GATEWAY_TIMEOUT", "INSTITUTION", "The institution did not respond in time."],
} as const satisfies Record<string, [number, string, string | undefined, string]>;

export type RefusalName = keyof typeof refusals;

export interface RefusalOptions {
  message?: string;
  headers?: Record<string, string>;
  institutionError?: { errorMessage?: string; httpStatusCode?: number };
}

export function refuse(name: RefusalName, options: RefusalOptions = {}): FakeResponse {
  const [code, status, source, defaultMessage] = refusals[name];
  const { message = defaultMessage, headers = {}, institutionError } = options;
  const tracingId = "0c2d0973bdd24224a65e5d0f7d1b6154";
  return {
    status: code,
    headers,
    body: { error: { tracingId, code, status, source, message, institutionError } },
  };
}

/** An internal error of Yapily has only a message. */
export const internalError: FakeResponse = { status: 500, body: { message: "Internal server error" } };
