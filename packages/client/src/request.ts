import type { ProblemDocument } from "./error.ts";
import { type ResponseMeta, networkFailure, problemError, unexpectedResponse } from "./failures.ts";
import type { PurserClientOptions } from "./options.ts";

/** A response that tRPC's links can read. */
export interface RpcResponse extends ResponseMeta {
  ok: boolean;
  json(): Promise<unknown>;
}

/** The request of a link. */
type LinkRequest = Omit<RequestInit, "signal"> & { signal?: AbortSignal | null | undefined };

/**
 * Creates the `fetch` of the links. It adds the configured headers, reads the whole body, and rejects with a
 * `PurserError` unless the response is from a tRPC server.
 */
export function createRequester({ token, headers, credentials, ...options }: PurserClientOptions) {
  return async (url: string, init: LinkRequest = {}): Promise<RpcResponse> => {
    const allHeaders = new Headers(typeof headers === "function" ? await headers() : headers);
    const bearer = typeof token === "function" ? await token() : token;
    if (bearer) allHeaders.set("authorization", `Bearer ${bearer}`);
    new Headers(init.headers).forEach((value, name) => allHeaders.set(name, value));
    const request = {
      ...init,
      signal: init.signal ?? null,
      headers: allHeaders,
      ...(credentials && { credentials }),
    };

    let response: Response;
    let text: string;
    try {
      // Looks up the global per request, because tools that record or mock requests replace it.
      response = await (options.fetch ?? fetch)(url, request);
      text = await response.text();
    } catch (cause) {
      throw networkFailure(cause);
    }
    return readRpcResponse(response, text);
  };
}

function readRpcResponse({ ok, status, headers }: Response, text: string): RpcResponse {
  const info = {
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: readRetryAfter(headers.get("retry-after")),
  };
  const body = parse(text);
  if (Array.isArray(body) || isObjectWith(body, "result") || isObjectWith(body, "error")) {
    return { ok, json: () => Promise.resolve(body), ...info };
  }
  // Errors from before tRPC handles a request are plain problem documents, as over REST.
  throw isProblem(body) ? problemError(body, info) : unexpectedResponse(info);
}

/** Reads a number of seconds, or a date as some proxies send it. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null) return undefined;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : Math.max(0, Math.ceil(seconds));
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isProblem(body: unknown): body is ProblemDocument {
  return isObjectWith(body, "code") && isObjectWith(body, "detail") && isObjectWith(body, "requestId");
}

const isObjectWith = (body: unknown, name: string) =>
  typeof body === "object" && body !== null && name in body;
