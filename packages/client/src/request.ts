import type { ProblemDocument } from "./error.ts";
import { type AnswerFacts, refused, unexpected, unreachable } from "./failures.ts";
import type { PurserClientOptions } from "./options.ts";

/** An answer that tRPC's links can read. */
export interface Answer extends AnswerFacts {
  ok: boolean;
  json(): Promise<unknown>;
}

/** What a link asks to be fetched. */
type LinkRequest = Omit<RequestInit, "signal"> & { signal?: AbortSignal | null | undefined };

/**
 * Makes the `fetch` of the links. It adds the caller's headers, reads the whole body, and rejects with a
 * `PurserError` unless what came is an answer of a tRPC server.
 */
export function createRequester({ token, headers, credentials, ...options }: PurserClientOptions) {
  return async (url: string, init: LinkRequest = {}): Promise<Answer> => {
    const sent = new Headers(typeof headers === "function" ? await headers() : headers);
    const bearer = typeof token === "function" ? await token() : token;
    if (bearer) sent.set("authorization", `Bearer ${bearer}`);
    new Headers(init.headers).forEach((value, name) => sent.set(name, value));
    const request = {
      ...init,
      signal: init.signal ?? null,
      headers: sent,
      ...(credentials && { credentials }),
    };

    let response: Response;
    let text: string;
    try {
      // The global is looked up for each request, because tools that record or fake requests replace it.
      response = await (options.fetch ?? fetch)(url, request);
      text = await response.text();
    } catch (cause) {
      throw unreachable(cause);
    }
    return readAnswer(response, text);
  };
}

function readAnswer({ ok, status, headers }: Response, text: string): Answer {
  const facts = {
    status,
    requestId: headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: readRetryAfter(headers.get("retry-after")),
  };
  const body = parse(text);
  if (Array.isArray(body) || isObjectWith(body, "result") || isObjectWith(body, "error")) {
    return { ok, json: () => Promise.resolve(body), ...facts };
  }
  // What is refused before tRPC sees it comes as on REST.
  throw isProblem(body) ? refused(body, facts) : unexpected(facts);
}

/** A number of seconds, or a date, as proxies give it. */
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
