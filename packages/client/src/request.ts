import { networkFailure } from "./failures.ts";
import type { ResponseInfo } from "./methods.ts";
import type { PurserClientOptions, RequestHeaders } from "./options.ts";

export interface HttpRequest {
  method: "GET" | "POST";
  url: string;
  /** JSON. */
  body?: string | undefined;
  headers?: RequestHeaders | undefined;
  /** The headers of the client. Those of the request replace them, and a credential replaces any other. */
  clientHeaders: Headers;
  signal: AbortSignal;
}

export interface HttpReply extends ResponseInfo {
  /** The parsed body. Undefined if it is not JSON. */
  body: unknown;
}

/** Creates the function that sends a request and reads the whole response. It rejects as `createSender` does. */
export function createRequester(options: PurserClientOptions): (request: HttpRequest) => Promise<HttpReply> {
  const send = createSender(options);
  return async (request) => {
    const response = await send(request);
    return { ...responseInfo(response), body: parse(await response.text().catch(failed)) };
  };
}

export function responseInfo({ status, headers }: Response): ResponseInfo {
  return { status, headers, requestId: headers.get("x-request-id") ?? undefined };
}

/** Creates the function that sends a request. It rejects with `NETWORK_FAILURE`, or with the reason of its signal. */
export function createSender(options: PurserClientOptions): (request: HttpRequest) => Promise<Response> {
  const { credentials } = options;
  return async ({ method, url, body, signal, headers: own, clientHeaders: common }) => {
    const all = new Headers(common);
    if (method === "POST") all.set("content-type", "application/json");
    const added = new Headers(own);
    // The server prefers a token to a cookie, and refuses two that are not of the same person.
    if (credentialOf(added)) credentialHeaders.forEach((name) => all.delete(name));
    added.forEach((value, name) => all.set(name, value));
    const init = { method, headers: all, body: body ?? null, signal, ...(credentials && { credentials }) };
    // A `fetch` of the caller may not look at it.
    signal.throwIfAborted();
    try {
      // Looks up the global per request, because tools that record or mock requests replace it.
      return await (options.fetch ?? fetch)(url, init);
    } catch (cause) {
      return failed(cause);
    }
  };
}

const credentialHeaders = ["authorization", "x-api-key", "cookie"];

/** The credential in these headers; empty for none, and for the cookie that a browser sends by itself. */
export const credentialOf = (headers: Headers): string =>
  credentialHeaders.map((name) => headers.get(name)).join("");

/** Returns the headers of the client for a request of this moment, its credential among them. */
export async function clientHeaders({ token, headers }: PurserClientOptions): Promise<Headers> {
  const all = new Headers(typeof headers === "function" ? await headers() : headers);
  const bearer = typeof token === "function" ? await token() : token;
  if (bearer) all.set("authorization", `Bearer ${bearer}`);
  return all;
}

function failed(cause: unknown): never {
  throw networkFailure(cause);
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
