import {
  type ClientRequest,
  type IncomingMessage,
  Agent as HttpAgent,
  request as requestHttp,
} from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import { type LookupFunction, isIP } from "node:net";
import { callbackify } from "node:util";
import { isPublicAddress } from "./address.ts";
import { type ResolveHost, publicResolver, systemResolver } from "./resolver.ts";

/** The response to a request. `statusCode` is null if there was none, and `error` says why. */
export interface EndpointResponse {
  statusCode: number | null;
  error: string | null;
  retryAfter: string | undefined;
}

export interface WebhookRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Ends the request. The response is then unknown, and `send` rejects. */
  signal: AbortSignal;
}

export interface WebhookClient {
  /** Sends one request and follows no redirect. Rejects only if the signal ends it. */
  send(request: WebhookRequest): Promise<EndpointResponse>;
  close(): void;
}

export interface WebhookClientOptions {
  /** Whether http, any port and every address are allowed. */
  allowPrivate: boolean;
  /** Default: 15 seconds, from the look-up of the name to the end of the response. */
  timeoutMs?: number;
  /** Default: public addresses only, or every one with `allowPrivate`. */
  isAllowed?: (address: string) => boolean;
  resolve?: ResolveHost;
}

/** So much of a response is read, to reuse its connection. Nothing of it is kept. */
const maxResponseBytes = 64 * 1024;
/** Idle connections are closed after this time. Receivers often close them after five seconds. */
const idleMs = 4000;
const freeSocketsPerHost = 4;

/**
 * The HTTP client of webhooks. Where it connects is decided at the moment of dialing: the name is resolved once, each of
 * its addresses must be allowed, and only these addresses are dialed. A name that resolves to something else a moment
 * later (DNS rebinding) gains nothing.
 */
export function createWebhookClient(options: WebhookClientOptions): WebhookClient {
  const { allowPrivate, timeoutMs = 15_000 } = options;
  const isAllowed = options.isAllowed ?? (allowPrivate ? () => true : isPublicAddress);
  const resolve = options.resolve ?? (allowPrivate ? systemResolver : publicResolver());
  const agentOptions = {
    keepAlive: true,
    maxFreeSockets: freeSocketsPerHost,
    timeout: idleMs,
    lookup: checkedLookup(resolve, isAllowed),
  };
  const http = new HttpAgent(agentOptions);
  const https = new HttpsAgent(agentOptions);

  function start({ headers, body }: WebhookRequest, url: URL): ClientRequest {
    const isSecure = url.protocol === "https:";
    const send = isSecure ? requestHttps : requestHttp;
    const length = String(Buffer.byteLength(body));
    const request = send(url, {
      method: "POST",
      agent: isSecure ? https : http,
      headers: { ...headers, "content-length": length },
    });
    // The timeout of the agent is for idle connections. An attempt has its own.
    request.setTimeout(0);
    request.end(body);
    return request;
  }

  return {
    async send(request) {
      const url = new URL(request.url);
      // Node dials an IP address without a look-up.
      const literal = url.hostname.replace(/^\[|\]$/g, "");
      if (isIP(literal) !== 0 && !isAllowed(literal)) return noResponse(notAllowed);
      if (!isAllowedForm(url, { allowPrivate })) return noResponse(notAllowed);
      return sendWithTimeout(() => start(request, url), { timeoutMs, signal: request.signal });
    },
    close() {
      http.destroy();
      https.destroy();
    },
  };
}

/** Whether the scheme and the port of an endpoint are allowed, and it names no user. */
export function isAllowedForm(url: URL, { allowPrivate }: { allowPrivate: boolean }): boolean {
  if (url.username !== "" || url.password !== "") return false;
  if (allowPrivate) return url.protocol === "https:" || url.protocol === "http:";
  return url.protocol === "https:" && ["", "80", "443"].includes(url.port);
}

class AddressNotAllowed extends Error {
  override readonly name = "AddressNotAllowed";
}

/** The look-up of a connection. It fails if one of the addresses is not allowed, whichever would be dialed. */
function checkedLookup(resolve: ResolveHost, isAllowed: (address: string) => boolean): LookupFunction {
  const find = async (hostname: string) => {
    const addresses = await resolve(hostname);
    if (addresses.length === 0 || !addresses.every((address) => isAllowed(address)))
      throw new AddressNotAllowed(notAllowed);
    return addresses.map((address) => ({ address, family: isIP(address) }));
  };
  const findAll = callbackify(find);
  return (hostname, { all }, callback) =>
    findAll(hostname, (error, found) => {
      if (error !== null) callback(error, "", 0);
      else if (all) callback(null, found);
      else callback(null, found[0]!.address, found[0]!.family);
    });
}

interface Limits {
  timeoutMs: number;
  signal: AbortSignal;
}

async function sendWithTimeout(
  start: () => ClientRequest,
  { timeoutMs, signal }: Limits,
): Promise<EndpointResponse> {
  signal.throwIfAborted();
  const deadline = AbortSignal.timeout(timeoutMs);
  const either = AbortSignal.any([signal, deadline]);
  for (;;) {
    const request = start();
    try {
      return await receiveResponse(request, either);
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) return noResponse(`No response within ${timeoutMs / 1000} seconds.`);
      // The receiver closed an idle connection in the instant in which it was used again.
      if (request.reusedSocket && codeOf(error) === "ECONNRESET") continue;
      return noResponse(describeFailure(error));
    }
  }
}

/** The status decides as soon as it is there. The rest of the response is only read to reuse the connection. */
function receiveResponse(request: ClientRequest, signal: AbortSignal): Promise<EndpointResponse> {
  return new Promise((resolve, reject) => {
    const abort = () => request.destroy(new Error("Aborted"));
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    let received: EndpointResponse | null = null;
    request.on("close", () => {
      signal.removeEventListener("abort", abort);
      // Whatever Node takes for neither a response nor an error.
      if (received === null) reject(new Error("No response"));
    });
    // Node calls 101 no response.
    request.on("upgrade", ({ statusCode = null }, socket) => {
      socket.destroy();
      resolve({ statusCode, error: null, retryAfter: undefined });
    });
    request.on("error", (error) => (received === null ? reject(error) : resolve(received)));
    request.on("response", (response) => {
      const { statusCode = null, headers } = response;
      const isRedirect = statusCode !== null && statusCode >= 300 && statusCode < 400;
      const error = isRedirect ? "Redirects are not followed." : null;
      const result = { statusCode, error, retryAfter: headers["retry-after"] };
      received = result;
      response.on("close", () => resolve(result));
      discard(request, response);
    });
  });
}

function discard(request: ClientRequest, response: IncomingMessage): void {
  let bytes = 0;
  response.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > maxResponseBytes) request.destroy();
  });
  // The status is known, so a failure after it changes nothing.
  response.on("error", () => undefined);
}

const notAllowed = "The address is not public, or not allowed for webhooks.";

const noResponse = (error: string): EndpointResponse => ({ statusCode: null, error, retryAfter: undefined });

const codeOf = (error: unknown): string =>
  error instanceof Error && "code" in error ? String(error.code) : "";

/** A sentence for the owner of the endpoint. It names no address: that is for the receiver's name server to say. */
function describeFailure(error: unknown): string {
  if (error instanceof AddressNotAllowed) return notAllowed;
  const code = codeOf(error);
  if (["ENOTFOUND", "ENODATA", "ESERVFAIL", "ETIMEOUT", "EAI_AGAIN", "EREFUSED"].includes(code))
    return `The name of the host could not be resolved (${code}).`;
  if (/CERT|SSL|TLS|SIGNATURE|ISSUER/.test(code)) return `The TLS connection failed (${code}).`;
  if (/^E[A-Z]+$/.test(code)) return `The connection failed (${code}).`;
  return "The response was not valid HTTP.";
}
