import type { IncomingHttpHeaders } from "node:http";
import type { webhookAreas } from "@purser/core";

/** A request to any of the servers. */
export interface ApiRequest {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  path: string;
  token?: string;
  /** The Idempotency-Key. */
  key?: string;
  body?: unknown;
  form?: Record<string, string>;
  /** Signs the body as an event of this area's sandbox, for each attempt. */
  signedFor?: (typeof webhookAreas)[number];
}

export interface ApiResponse {
  status: number;
  headers: IncomingHttpHeaders;
  /** The parsed JSON body, or null. */
  body: unknown;
  /** Whether this is the response to the first attempt. */
  isFirstAttempt?: boolean;
}
